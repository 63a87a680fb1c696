"""D3D instructions with the effect of an operation of the IR, for the reference machine.

Operand n is in r[n].x, of doubles in r[n].xy; the result goes to r8. Truth values are masks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import translate
from translate import reference
from translate.ir.ops import Generic, Op
from translate.ir.types import F64, Type

from ..rows.listing import listing

Words = np.ndarray[Any, Any]

_SLOTS = 4
STRIDE = 8 * _SLOTS  # bytes of a thread's operands, each two dwords
_GROUP = 64

# Operation -> the instruction of r0.x and r1.x
_PAIRS = {
    **{name: name for name in ("iadd", "umin", "umax", "ieq", "ine", "ult", "uge", "ishl", "ushr")},
    **{"limit_index": "umin", "smin": "imin", "smax": "imax", "slt": "ilt", "sge": "ige"},
    **{"sshr": "ishr", "iand": "and", "ior": "or", "ixor": "xor"},
    **{"land": "and", "lor": "or", "lxor": "xor"},
    **{"fadd": "add", "fmul": "mul", "fdiv": "div", "fmin": "min", "fmax": "max"},
    **{"feq": "eq", "fne": "ne", "flt": "lt", "fge": "ge"},
}
_BINARY = {
    **{name: f"{mnemonic} r8.x, r0.x, r1.x" for name, mnemonic in _PAIRS.items()},
    "isub": "iadd r8.x, r0.x, -r1.x",
    "imul": "imul null, r8.x, r0.x, r1.x",
    "umul_high": "umul r8.x, null, r0.x, r1.x",
    "smul_high": "imul r8.x, null, r0.x, r1.x",
    "udiv": "udiv r8.x, null, r0.x, r1.x",
    "umod": "udiv null, r8.x, r0.x, r1.x",
    "fsub": "add r8.x, r0.x, -r1.x",
    "pack_f64": ("mov r8.x, r0.x", "mov r8.y, r1.x"),
}
# The number from the upper end that D3D gives becomes one from the lower end
_FROM_THE_END = (
    "ieq r9.x, r8.x, l(-1)",
    "iadd r9.y, l(31), -r8.x",
    "movc r8.x, r9.x, l(-1), r9.y",
)
# Operation -> the instruction of r0.x
_SINGLES = {
    **dict.fromkeys(("mask", "agreed", "bitcast", "f64_low"), "mov"),
    **{"inot": "not", "lnot": "not", "bit_count": "countbits", "bit_reverse": "bfrev"},
    **{"find_lsb": "firstbit_lo", "sqrt": "sqrt"},
    **{"floor": "round_ni", "ceil": "round_pi", "trunc": "round_z", "round_even": "round_ne"},
    **{"f_to_s32": "ftoi", "f_to_u32": "ftou", "s32_to_f": "itof", "u32_to_f": "utof"},
    **{"half_to_f32": "f16tof32", "f32_to_half": "f32tof16", "f32_to_half_rtz": "f32tof16"},
}
_UNARY = {
    **{name: f"{mnemonic} r8.x, r0.x" for name, mnemonic in _SINGLES.items()},
    "find_umsb": ("firstbit_hi r8.x, r0.x", *_FROM_THE_END),
    "find_smsb": ("firstbit_shi r8.x, r0.x", *_FROM_THE_END),
    "fneg": "xor r8.x, r0.x, l(0x80000000)",
    "fabs": "and r8.x, r0.x, l(0x7fffffff)",
    "flush": "mul r8.x, r0.x, l(1.0)",
    "flushed_square": "mul r8.x, r0.x, r0.x",
    "f32_to_f64": "ftod r8.xy, r0.x",
    "f64_to_f32": "dtof r8.x, r0.xy",
    "f64_high": "mov r8.x, r0.y",
}
_OTHERS = {
    "select": "movc r8.x, r0.x, r1.x, r2.x",
    "fma": "dfma r8.xy, r0.xyxy, r1.xyxy, r2.xyxy",
    "bitfield_insert": "bfi r8.x, r3.x, r2.x, r1.x, r0.x",
    "bitfield_uextract": "ubfe r8.x, r2.x, r1.x, r0.x",
    "bitfield_sextract": "ibfe r8.x, r2.x, r1.x, r0.x",
}
_SINGLE = {**_BINARY, **_UNARY, **_OTHERS}
_OF_DOUBLES = ("add", "mul", "div", "min", "max")
_DOUBLE = {
    **{f"f{name}": f"d{name} r8.xy, r0.xyxy, r1.xyxy" for name in _OF_DOUBLES},
    **{f"f{name}": f"d{name} r8.x, r0.xyxy, r1.xyxy" for name in ("eq", "ne", "lt", "ge")},
    "fsub": "dadd r8.xy, r0.xyxy, -r1.xyxy",
    **{"f_to_s32": "dtoi r8.x, r0.xy", "f_to_u32": "dtou r8.x, r0.xy"},
    **{"s32_to_f": "itod r8.xy, r0.x", "u32_to_f": "utod r8.xy, r0.x"},
}
# No instruction computes these alone; those of floats are left unknown (`meaning.py`)
WITHOUT_INSTRUCTION = {"extract", "compose", "rsqrt", "exp2", "log2", "sin", "cos"}


def instructions(op: Op, operands: Sequence[Type], result: Type) -> tuple[str, ...] | None:
    """The instructions of an operation with these types, or None."""
    doubles = Generic.FLOAT in (*op.params, op.result) and F64 in (*operands, result)
    found = (_DOUBLE if doubles else _SINGLE).get(op.name)
    return (found,) if isinstance(found, str) else found


def run(body: Sequence[str], operands: Sequence[Sequence[int]]) -> Words:
    """u32[n, 2]: the two dwords of each result; `operands` are bits, row by row."""
    rows = -(-len(operands) // _GROUP) * _GROUP
    words = np.zeros((rows, _SLOTS), np.uint64)
    words[: len(operands), : len(operands[0])] = np.array(operands, np.uint64)
    resources = {
        "t0": reference.Buffer(words.view(np.uint8).reshape(-1)),
        "u0": reference.Buffer(np.zeros(8 * rows, np.uint8)),
    }
    outcome = reference.run(translate.load(_listing(body)), resources, (rows // _GROUP, 1, 1))
    return outcome.written.buffers["u0"].view(np.uint32).reshape(-1, 2)[: len(operands)]


def _listing(body: Sequence[str]) -> str:
    loads = [f"ld_structured r{n}.xy, vThreadID.x, l({8 * n}), t0.xyxx" for n in range(_SLOTS)]
    store = "store_structured u0.xy, vThreadID.x, l(0), r8.xyxx"
    declared = [f"dcl_resource_structured t0, {STRIDE}", "dcl_uav_structured u0, 8"]
    return listing(
        ["mov r8.xy, l(0, 0, 0, 0)", *loads, *body, store],
        declared,
        temps=10,
        flags=["enableDoublePrecisionFloatOps"],
        inputs=["vThreadID.x"],
        group=(_GROUP, 1, 1),
    )
