"""Listings that could be expensive for the translator or a driver.

`VARIANTS` are of many kinds, each with its own size. `REPETITIONS` repeat one kind of instruction
or construct, with operands of its own; values depend on each other, so that no compiler drops them
or computes two at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .listings import (
    Family,
    array_loads,
    array_stores,
    breaking_cases,
    calls,
    conditional_calls,
    exits,
    falling_cases,
    listing,
    loops_in_a_row,
    nested_loops,
    returns_in_a_row,
    subroutines,
)

_TYPED = "dcl_resource_buffer (float,float,float,float) t0\n"
_TEXTURE = "dcl_resource_texture2d (float,float,float,float) t0\n"
SAMPLED = _TEXTURE + "dcl_sampler s0, mode_default\n"
CONSTANTS = "dcl_constantbuffer CB0[4096], dynamicIndexed\n"
_SHARED, _ARRAY = "dcl_tgsm_structured g0, 16, 512\n", "dcl_indexableTemp x0[64], 4\n"
_SHARED_BYTES = "dcl_tgsm_raw g0, 8192\n"
_ICB = "dcl_immediateConstantBuffer { {1, 2, 3, 4}, {5, 6, 7, 8}, {9, 1, 2, 3} }\n"


@dataclass(frozen=True, slots=True)
class Variant:
    """A listing of a family; `why` explains by its size why a driver may take long, or is ''."""

    family: Family
    count: int
    why: str = ""

    @property
    def text(self) -> str:
        return self.family(self.count)


def _of_data(body: str, declarations: str = "", temps: int = 8, after: str = "") -> str:
    """A listing whose registers are loaded from u0: a compiler would fold zeros."""
    loads = "".join(f"ld_raw r{i}.xyzw, l({16 * i}), u0.xyzw\n" for i in range(temps))
    return listing(loads + body, declarations, temps, after)


def _arrays(arrays: int) -> Family:
    """Arrays of so many elements, each stored to and loaded from once, by indices at run time."""

    def family(length: int) -> str:
        declarations = "".join(f"dcl_indexableTemp x{i}[{length}], 4\n" for i in range(arrays))
        body = "ld_raw r0.xyzw, l(0), u0.xyzw\n"
        for i in range(arrays):
            body += f"mov x{i}[r0.x + 0].xyzw, r0.yzwx\n"
            body += f"iadd r0.xyzw, r0.xyzw, x{i}[r0.y + 0].xyzw\n"
        return listing(body, declarations)

    return family


def _array_loops(count: int) -> str:
    """Loops, each with stores to an array, loads from it, and a barrier after it."""
    once = "loop\nuge r1.x, r0.y, l(30)\nbreakc_nz r1.x\nmov x0[r0.y + 1].xyzw, r0.xyzw\n"
    once += "iadd r0.xzw, r0.xxzw, x0[r0.y + 0].xyzw\niadd r0.y, r0.y, l(1)\nendloop\nsync_g_t\n"
    body = "ld_raw r0.xyzw, l(0), u0.xyzw\n" + once * count
    return listing(body, "dcl_indexableTemp x0[32], 4\n")


def _calls_with_arrays(depth: int) -> str:
    """Subroutines that share an array; each is called twice by the one before."""
    levels = [f"mov x0[r0.x + {i}].xy, r0.xyxx\n" + "call {0}\n" * 2 for i in range(depth - 1)]
    levels.append("iadd r0.xy, r0.yxyy, x0[r0.y + 0].xyxx\n")
    declarations = "dcl_indexableTemp x0[64], 2\n"
    return _of_data("call label0\n", declarations, after=subroutines(levels))


def _calls_in_loops(count: int) -> str:
    """Loops that call one subroutine of many instructions, from many places."""
    body = "loop\nbreakc_nz r0.x\ncall label0\nendloop\n" * count
    subroutine = "mad r0.xyzw, r0.yzwx, r1.xyzw, r0.xyzw\n" * 100
    return _of_data(body, after=f"label label0\n{subroutine}ret\n")


def _labels_of_one_case(count: int) -> str:
    """A switch with all its labels at two cases."""
    labels, more = ("".join(f"case l({first + i})\n" for i in range(count)) for first in (0, count))
    body = f"switch vThreadID.x\n{labels}mov r0.x, l(1)\nbreak\n{more}mov r0.x, l(2)\nbreak\n"
    return listing(f"{body}endswitch\n")


def _nested_switches(depth: int) -> str:
    """Switches in cases of switches, in loops."""
    opened = "loop\nswitch r0.x\ncase l(0)\niadd r0.x, r0.x, r1.x\n"
    closed = "default\niadd r0.xy, r0.yxyy, r1.xyxx\nbreak\nendswitch\nbreakc_nz r0.y\nendloop\n"
    levels = min(depth, 20)
    return _of_data((opened * levels + closed * levels) * (depth // levels))


def _nested_ifs(depth: int) -> str:
    """Nested conditions; each level changes other registers."""
    nest = "".join(
        f"if_nz r{i}.x\nadd r{i}.xyzw, r{i}.yzwx, r{(i + 59) % 60}.xyzw\n" for i in range(60)
    )
    nest += "".join(f"else\nmov r{59 - i}.x, r0.y\nendif\n" for i in range(60))
    return _of_data(nest * depth, temps=60)


def _products(count: int) -> str:
    """Samples of a texture and a sampler that are both chosen at run time."""
    declarations = "".join(f"dcl_sampler s{i}, mode_default\n" for i in range(12))
    texture = "dcl_resource_texture2d (float,float,float,float) t{}\n"
    declarations += "".join(texture.format(i) for i in range(30))
    sample = "sample_l_indexable(texture2d)(float,float,float,float) r0.xyzw, r1.xyxx, "
    return _of_data((sample + "t[r0.x + 0].xyzw, s[r0.y + 0], l(0)\n") * count, declarations)


def _chosen_constants(count: int) -> str:
    """Operands from constant buffers that are indexed at run time, each by another index."""
    declarations = "".join(f"dcl_constantbuffer CB{i}[4096], dynamicIndexed\n" for i in range(14))
    operands = ", ".join(f"cb[r0.{c} + 0][r1.{c} + 0].xyzw" for c in "xyz")
    return _of_data(f"mad r0.xyzw, {operands}\n" * count, declarations)


def _immediate_constants(length: int) -> str:
    """A large icb, read by an index at run time."""
    rows = ",\n".join(f"{{{i}, {i * 7}, {i * 3}, {i * 5}}}" for i in range(length))
    declarations = f"dcl_immediateConstantBuffer {{{rows}}}\n"
    return listing("mov r0.xyzw, icb[vThreadID.x + 0].xyzw\n", declarations)


def _shared_memory(count: int) -> str:
    """Loads and stores of g# at addresses known at run time only, with barriers."""
    once = "store_structured g0.xyzw, r0.x, r0.y, r1.xyzw\nsync_g_t\n"
    once += "ld_structured r1.xyzw, r0.y, r0.z, g0.xyzw\niadd r0.xyz, r0.yzxx, r1.xyzx\n"
    return _of_data(once * count, "dcl_tgsm_structured g0, 16, 64\n")


def repeated(statement: str, declarations: str = "", end: str = "") -> Family:
    """A statement many times, with its number in the place of N, and all of r0.xyzw used.

    `end` uses the values that are not in r0.
    """
    end += "xor r0.xy, r0.xyxx, r0.zwzz\nxor r0.x, r0.x, r0.y\n"

    def family(count: int) -> str:
        body = "".join(statement.replace("N", str(number)) + "\n" for number in range(count))
        return _of_data(body + end, declarations)

    return family


REPETITIONS: Mapping[str, Family] = {
    "integers": repeated("imad r0.xyzw, r0.yzwx, r1.xyzw, r0.wxyz"),
    "floats": repeated("mad r0.xyzw, r0.yzwx, r1.xyzw, r0.wxyz"),
    "quotients": repeated("udiv r0.xyzw, r1.xyzw, r0.zwxy, r1.yxyx"),
    "sines": repeated("sincos r0.xyzw, r1.xyzw, r0.zwxy"),
    "halves": repeated("f32tof16 r0.xyzw, r0.yzwx"),
    "doubles": repeated("dadd r0.xyzw, r0.xyzw, r0.zwxy"),
    "quotients of doubles": repeated("ddiv r0.xyzw, r0.xyzw, r0.zwxy"),
    "exact doubles": repeated("dfma r0.xyzw, r0.xyzw, r1.xyzw, r0.zwxy"),
    "constants": repeated("iadd r0.xyzw, r0.yzwx, cb0[r0.x + N].xyzw", CONSTANTS),
    "three constants": repeated(
        "mad r0.xyzw, cb0[r0.x + N].xyzw, cb0[r0.y + 3].xyzw, cb0[r0.z + N].xyzw", CONSTANTS
    ),
    "elements of an icb": repeated("iadd r0.xyzw, r0.yzwx, icb[r0.x + 0].xyzw", _ICB),
    "loads of an array": repeated("iadd r0.xyzw, r0.yzwx, x0[r0.x + 0].xyzw", _ARRAY),
    "stores to an array": repeated(
        "mov x0[r0.x + 0].xyzw, r0.yzwx\nmov r0.x, x0[r0.y + 0].x", _ARRAY
    ),
    "loads of shared memory": repeated(
        "ld_structured r2.xyzw, r0.x, l(0), g0.xyzw\niadd r0.xyzw, r0.yzwx, r2.xyzw", _SHARED
    ),
    "stores to shared memory": repeated(
        "store_structured g0.xyzw, r0.x, l(0), r1.xyzw\niadd r0.x, r0.x, r0.y",
        _SHARED,
        "ld_structured r0.x, r0.y, l(0), g0.xxxx\n",
    ),
    "shared memory": repeated(
        "store_structured g0.x, r0.x, r0.y, r1.x\nld_structured r0.x, r0.y, r0.z, g0.x", _SHARED
    ),
    "atomics of shared memory": repeated("imm_atomic_iadd r0.x, g0, r0.x, r0.y", _SHARED_BYTES),
    "loads of a buffer": repeated("ld_raw r0.xyzw, r0.x, u0.xyzw"),
    "stores to a buffer": repeated("store_raw u0.xyzw, r0.x, r1.xyzw\niadd r0.x, r0.y, r0.x"),
    "atomics": repeated("imm_atomic_iadd r0.x, u0, r0.x, r0.y"),
    "typed loads": repeated("ld r0.xyzw, r0.xyzw, t0.xyzw", _TYPED),
    "texel fetches": repeated("ld r0.xyzw, r0.xyzw, t0.xyzw", _TEXTURE),
    "samples": repeated("sample_l r0.xyzw, r0.xyxx, t0.xyzw, s0, r0.z", SAMPLED),
    "gathers": repeated("gather4 r0.xyzw, r0.xyxx, t0.xyzw, s0.x", SAMPLED),
    "barriers": repeated("sync_g_t"),
    "conditions": repeated("if_nz r0.x\nadd r0.xyzw, r0.yzwx, r1.xyzw\nendif"),
    "loops": loops_in_a_row,
    "nested loops": nested_loops,
    "returns": returns_in_a_row,
    "exits of a loop": lambda count: exits(count, 20),
    "cases": lambda count: falling_cases(count, 20),
}

VARIANTS: Mapping[str, Variant] = {
    "calls": Variant(calls, 32),
    "calls by eight": Variant(lambda depth: calls(depth, 8), 32),
    "conditional calls": Variant(conditional_calls, 32),
    "cases of 100 registers": Variant(falling_cases, 1000),
    "cases of 500 registers": Variant(lambda count: falling_cases(count, 500), 900),
    "breaking cases": Variant(breaking_cases, 2000, "2,000 cases"),
    "exits of 50 registers": Variant(exits, 2000),
    "exits of 200 registers": Variant(lambda count: exits(count, 200), 1500),
    "nested loops, very many": Variant(nested_loops, 80, "80 nests of 16 loops"),
    "array stores": Variant(array_stores, 150),
    "array stores, very many": Variant(array_stores, 1000, "4,000 stores to one x#"),
    "array loads": Variant(array_loads, 150),
    "array loads, very many": Variant(array_loads, 1000, "4,000 loads from one x#"),
    "an array of the largest size": Variant(_arrays(1), 4092),
    "many arrays": Variant(_arrays(40), 100),
    "loops over an array": Variant(_array_loops, 60),
    "calls, with an array": Variant(_calls_with_arrays, 30),
    "calls by four": Variant(lambda depth: calls(depth, 4), 30),
    "calls in conditions": Variant(lambda depth: conditional_calls(depth, 2), 20),
    "calls in loops": Variant(_calls_in_loops, 150, "150 loops that call"),
    "calls in some loops": Variant(_calls_in_loops, 60),
    "falling cases": Variant(lambda count: falling_cases(count, 40), 400),
    "labels of a case": Variant(_labels_of_one_case, 3000),
    "nested switches": Variant(_nested_switches, 60),
    "nested conditions": Variant(_nested_ifs, 4),
    "nested loops": Variant(nested_loops, 4),
    "loops in a row": Variant(loops_in_a_row, 150),
    "returns in a row": Variant(returns_in_a_row, 150),
    "exits of a loop": Variant(lambda count: exits(count, 20), 300),
    "textures and samplers": Variant(_products, 1),
    "textures and samplers, many": Variant(_products, 60, "21,600 samples, 360 for each of 60"),
    "chosen constant buffers": Variant(_chosen_constants, 40),
    "an icb": Variant(_immediate_constants, 256),
    "an icb of the largest size": Variant(_immediate_constants, 4000, "4,000 elements of an icb"),
    "shared memory": Variant(_shared_memory, 50),
    "shared memory, very often": Variant(_shared_memory, 100, "100 barriers"),
}
