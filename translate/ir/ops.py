"""The IR's operations, one row each; `ir.row` says what the fields mean.

A module is a list of blocks of values in SSA form with structured control flow: `if`, `loop` and
`switch` own their blocks, and what other IRs write as phis are block parameters (loops, switch
cases) and results (`result` values of the construct). Memory operations come in two forms: with
D3D meaning (`load`, `store`, `atomic`), and in bounds (`load_element`, ...), which only
`passes.bounds` makes and which alone can be emitted.
"""

from __future__ import annotations

from typing import Final

from translate.ir import places, row
from translate.ir.row import (
    Attribute,
    Effect,
    Generic,
    Op,
    Place,
    Precondition,
    Several,
    Stage,
)
from translate.ir.types import BOOL, F32, F64, U32, VOID, Type

__all__ = ["OPS", "Effect", "Generic", "Op", "Stage"]

FLOAT = Generic.FLOAT
ANY = Generic.ANY
BITS32 = Generic.BITS32
TEXEL = Generic.TEXEL
_COMPONENT = Generic.COMPONENT
_EACH = Several(Generic.EACH)


def _binary(
    name: str,
    place: Place,
    commutes: bool = False,
    attribute: Attribute = row.NONE,
    precondition: Precondition | None = None,
) -> Op:
    params = (place, place)
    return Op(
        name, params, place, commutes=commutes, attribute=attribute, precondition=precondition
    )


def _compare(name: str, place: Place, commutes: bool = False) -> Op:
    return Op(name, (place, place), BOOL, commutes=commutes)


# What lowering and the passes see to, since SPIR-V leaves the rest undefined
_DIVISOR = Precondition("the divisor is not 0", (1,), lambda n: n[0] != 0)
_COUNT = Precondition("the count is below 32", (1,), lambda n: n[0] < 32)
_INSERTED = Precondition("offset + count is at most 32", (2, 3), lambda n: n[0] + n[1] <= 32)
_EXTRACTED = Precondition("offset + count is at most 32", (1, 2), lambda n: n[0] + n[1] <= 32)
_SIGNED = Precondition(
    "the number fits a signed integer", (0,), lambda n: -(2.0**31) - 1 < n[0] < 2.0**31
)
_UNSIGNED = Precondition(
    "the number fits an unsigned integer", (0,), lambda n: -1.0 < n[0] < 2.0**32
)

# Values without arguments
CONST: Final = Op("const", (), ANY, attribute=row.BITS)
PARAM: Final = Op("param", (), ANY, attribute=row.CONSTRUCT)
RESULT: Final = Op("result", (), ANY, attribute=row.CONSTRUCT)
INPUT: Final = Op("input", (), U32, attribute=row.INPUT)

# Registers, until passes.promote
READ_REGISTER: Final = Op(
    "read_register", (), BITS32, Effect.READS, attribute=row.REGISTER, until=Stage.LOWERED
)
WRITE_REGISTER: Final = Op(
    "write_register", (BITS32,), VOID, Effect.WRITES, attribute=row.REGISTER, until=Stage.LOWERED
)

# 32-bit integers
IADD: Final = _binary("iadd", U32, commutes=True)
ISUB: Final = _binary("isub", U32)
IMUL: Final = _binary("imul", U32, commutes=True)
UMUL_HIGH: Final = _binary("umul_high", U32, commutes=True)
SMUL_HIGH: Final = _binary("smul_high", U32, commutes=True)
UDIV: Final = _binary("udiv", U32, precondition=_DIVISOR)
UMOD: Final = _binary("umod", U32, precondition=_DIVISOR)
UMIN: Final = _binary("umin", U32, commutes=True)
UMAX: Final = _binary("umax", U32, commutes=True)
SMIN: Final = _binary("smin", U32, commutes=True)
SMAX: Final = _binary("smax", U32, commutes=True)
IAND: Final = _binary("iand", U32, commutes=True)
IOR: Final = _binary("ior", U32, commutes=True)
IXOR: Final = _binary("ixor", U32, commutes=True)
INOT: Final = Op("inot", (U32,), U32)
ISHL: Final = _binary("ishl", U32, precondition=_COUNT)
USHR: Final = _binary("ushr", U32, precondition=_COUNT)
SSHR: Final = _binary("sshr", U32, precondition=_COUNT)
BIT_COUNT: Final = Op("bit_count", (U32,), U32)
BIT_REVERSE: Final = Op("bit_reverse", (U32,), U32)
FIND_LSB: Final = Op("find_lsb", (U32,), U32)  # -1 for none, as for the next two
FIND_UMSB: Final = Op("find_umsb", (U32,), U32)
FIND_SMSB: Final = Op("find_smsb", (U32,), U32)
# base, what is inserted, offset, count
BITFIELD_INSERT: Final = Op("bitfield_insert", (U32, U32, U32, U32), U32, precondition=_INSERTED)
BITFIELD_UEXTRACT: Final = Op("bitfield_uextract", (U32, U32, U32), U32, precondition=_EXTRACTED)
BITFIELD_SEXTRACT: Final = Op("bitfield_sextract", (U32, U32, U32), U32, precondition=_EXTRACTED)
IEQ: Final = _compare("ieq", U32, commutes=True)
INE: Final = _compare("ine", U32, commutes=True)
ULT: Final = _compare("ult", U32)
UGE: Final = _compare("uge", U32)
SLT: Final = _compare("slt", U32)
SGE: Final = _compare("sge", U32)

# Truth values
LAND: Final = _binary("land", BOOL, commutes=True)
LOR: Final = _binary("lor", BOOL, commutes=True)
LXOR: Final = _binary("lxor", BOOL, commutes=True)
LNOT: Final = Op("lnot", (BOOL,), BOOL)
MASK: Final = Op("mask", (BOOL,), U32)  # ~0 or 0
SELECT: Final = Op("select", (BOOL, ANY, ANY), ANY)

# Floats
FADD: Final = _binary("fadd", FLOAT, attribute=row.PRECISE, commutes=True)
FSUB: Final = _binary("fsub", FLOAT, attribute=row.PRECISE)
FMUL: Final = _binary("fmul", FLOAT, attribute=row.PRECISE, commutes=True)
FDIV: Final = _binary("fdiv", FLOAT, attribute=row.PRECISE)
FMIN: Final = _binary("fmin", FLOAT)  # the other operand for a NaN
FMAX: Final = _binary("fmax", FLOAT)
FNEG: Final = Op("fneg", (FLOAT,), FLOAT)
FABS: Final = Op("fabs", (FLOAT,), FLOAT)
FLOOR: Final = Op("floor", (FLOAT,), FLOAT)
CEIL: Final = Op("ceil", (FLOAT,), FLOAT)
TRUNC: Final = Op("trunc", (FLOAT,), FLOAT)
ROUND_EVEN: Final = Op("round_even", (FLOAT,), FLOAT)
SQRT: Final = Op("sqrt", (FLOAT,), FLOAT)
RSQRT: Final = Op("rsqrt", (F32,), F32)
EXP2: Final = Op("exp2", (F32,), F32)
LOG2: Final = Op("log2", (F32,), F32)
SIN: Final = Op("sin", (F32,), F32)
COS: Final = Op("cos", (F32,), F32)
FLUSH: Final = Op("flush", (F32,), F32)  # a denormal becomes a zero of its sign
FEQ: Final = _compare("feq", FLOAT, commutes=True)  # ordered
FNE: Final = _compare("fne", FLOAT, commutes=True)  # unordered: true for a NaN
FLT: Final = _compare("flt", FLOAT)
FGE: Final = _compare("fge", FLOAT)

# Conversions
BITCAST: Final = Op("bitcast", (BITS32,), BITS32)
F_TO_S32: Final = Op("f_to_s32", (FLOAT,), U32, precondition=_SIGNED)  # truncates
F_TO_U32: Final = Op("f_to_u32", (FLOAT,), U32, precondition=_UNSIGNED)
S32_TO_F: Final = Op("s32_to_f", (U32,), FLOAT)
U32_TO_F: Final = Op("u32_to_f", (U32,), FLOAT)
F32_TO_F64: Final = Op("f32_to_f64", (F32,), F64)
F64_TO_F32: Final = Op("f64_to_f32", (F64,), F32)
PACK_F64: Final = Op("pack_f64", (U32, U32), F64)  # low dword, high dword
F64_LOW: Final = Op("f64_low", (F64,), U32)
F64_HIGH: Final = Op("f64_high", (F64,), U32)

# Memory with D3D meaning, until passes.bounds; addresses are those of the instructions
LOAD: Final = Op(
    "load", (places.ADDRESS,), U32, Effect.READS,
    attribute=row.ACCESS, memory=places.DWORDS, until=Stage.PROMOTED,
)  # fmt: skip
STORE: Final = Op(
    "store", (places.ADDRESS, places.STORED), VOID, Effect.WRITES,
    attribute=row.ACCESS, memory=places.WRITABLE_DWORDS, until=Stage.PROMOTED,
)  # fmt: skip
ATOMIC: Final = Op(  # gives the old value
    "atomic", (places.ADDRESS, places.OPERANDS), U32, Effect.WRITES,
    attribute=row.ATOMIC, memory=places.WRITABLE_INTEGERS, until=Stage.PROMOTED,
)  # fmt: skip
LOAD_TYPED: Final = Op(
    "load_typed", (places.ADDRESS,), places.TEXEL_OF, Effect.READS,
    attribute=row.ACCESS, memory=places.TEXELS, until=Stage.PROMOTED,
)  # fmt: skip
STORE_TYPED: Final = Op(
    "store_typed", (places.ADDRESS, places.TEXEL_OF), VOID, Effect.WRITES,
    attribute=row.ACCESS, memory=places.WRITABLE_TEXELS, until=Stage.PROMOTED,
)  # fmt: skip
ELEMENT_COUNT: Final = Op(  # bytes, structures or elements of a view
    "element_count", (), U32, attribute=row.RESOURCE, memory=places.BUFFERS, until=Stage.PROMOTED
)
COUNTER_ADD: Final = Op(  # gives the old value
    "counter_add", (U32,), U32, Effect.WRITES, attribute=row.RESOURCE, memory=places.COUNTED
)
COUNTER_SIZE: Final = Op(  # dwords of a hidden counter: 1, or 0 where there is none
    "counter_size", (), U32, attribute=row.RESOURCE, memory=places.COUNTED
)

# Memory in bounds: indices are in dwords from the view's start, structures and dwords of them where
# the resource is nested, or texel coordinates
LOAD_ELEMENT: Final = Op(
    "load_element",
    (places.ELEMENT,),
    places.DWORD_OF,
    Effect.READS,
    attribute=row.ACCESS,
    memory=places.DWORDS,
)
STORE_ELEMENT: Final = Op(
    "store_element", (places.ELEMENT, places.DWORD_OF), VOID, Effect.WRITES,
    attribute=row.ACCESS, memory=places.WRITABLE_DWORDS,
)  # fmt: skip
LOAD_VECTOR: Final = Op(  # four dwords of a structure, the vector of that number
    "load_vector", (U32, places.VECTOR), places.TEXEL_OF, Effect.READS,
    attribute=row.VECTOR, memory=places.VECTORS, since=Stage.GUARDED,
)  # fmt: skip
STORE_VECTOR: Final = Op(
    "store_vector", (U32, places.VECTOR, places.TEXEL_OF), VOID, Effect.WRITES,
    attribute=row.VECTOR, memory=places.WRITABLE_VECTORS, since=Stage.GUARDED,
)  # fmt: skip
ATOMIC_ELEMENT: Final = Op(
    "atomic_element", (places.ELEMENT, places.OPERANDS), U32, Effect.WRITES,
    attribute=row.ATOMIC, memory=places.INTEGER_DWORDS, since=Stage.GUARDED,
)  # fmt: skip
LOAD_TEXEL: Final = Op(
    "load_texel", (places.ADDRESS,), places.TEXEL_OF, Effect.READS,
    attribute=row.ACCESS, memory=places.TEXELS, since=Stage.GUARDED,
)  # fmt: skip
STORE_TEXEL: Final = Op(
    "store_texel", (places.ADDRESS, places.TEXEL_OF), VOID, Effect.WRITES,
    attribute=row.ACCESS, memory=places.WRITABLE_TEXELS, since=Stage.GUARDED,
)  # fmt: skip
ATOMIC_TEXEL: Final = Op(
    "atomic_texel", (places.ADDRESS, places.OPERANDS), U32, Effect.WRITES,
    attribute=row.ATOMIC, memory=places.INTEGER_TEXELS, since=Stage.GUARDED,
)  # fmt: skip
DWORD_COUNT: Final = Op(  # of a storage buffer's view
    "dword_count", (), U32, attribute=row.RESOURCE, memory=places.FLAT_BUFFERS, since=Stage.GUARDED
)
STRUCTURE_COUNT: Final = Op(  # of a nested one's
    "structure_count",
    (),
    U32,
    attribute=row.RESOURCE,
    memory=places.NESTED_BUFFERS,
    since=Stage.GUARDED,
)
TEXEL_COUNT: Final = Op(  # of a texel buffer's view
    "texel_count", (), U32, attribute=row.RESOURCE, memory=places.TEXEL_BUFFERS, since=Stage.GUARDED
)
TABLE_COUNT: Final = Op(  # of a view in an array; the caller lists them
    "table_count", (), U32, attribute=row.RESOURCE, memory=places.TABLED, since=Stage.GUARDED
)
WINDOW_FIRST: Final = Op(  # of a buffer whose view the caller names, in dwords or texels
    "window_first", (), U32, attribute=row.RESOURCE, memory=places.WINDOWED, since=Stage.WINDOWED
)
WINDOW_COUNT: Final = Op(
    "window_count", (), U32, attribute=row.RESOURCE, memory=places.WINDOWED, since=Stage.WINDOWED
)
IMAGE_SIZE: Final = Op(  # extents, layers, zeros
    "image_size", (places.MIP,), Type.TEXEL_U32, attribute=row.RESOURCE, memory=places.IMAGES
)
IMAGE_LEVELS: Final = Op("image_levels", (), U32, attribute=row.RESOURCE, memory=places.MIPPED)
IMAGE_SAMPLES: Final = Op(
    "image_samples", (), U32, attribute=row.RESOURCE, memory=places.MULTISAMPLED
)
SAMPLE: Final = Op(  # out of bounds is defined
    "sample",
    (places.SAMPLED,),
    places.TEXEL_OF,
    Effect.READS,
    attribute=row.SAMPLE,
    memory=places.MIPPED,
)
SAMPLE_COMPARE: Final = Op(
    "sample_compare",
    (places.SAMPLED,),
    F32,
    Effect.READS,
    attribute=row.SAMPLE,
    memory=places.COMPARABLE,
)
EXTRACT: Final = Op("extract", (TEXEL,), _COMPONENT, attribute=row.COMPONENT)
COMPOSE: Final = Op("compose", (_COMPONENT,) * 4, TEXEL)

CHECK: Final = Op(  # for reports only
    "check", (places.ADDRESS,), VOID, Effect.WRITES,
    attribute=row.CHECK, memory=places.ACCESSIBLE, until=Stage.PROMOTED,
)  # fmt: skip
REPORT: Final = Op(  # cause, index, byte offset
    "report", (U32, U32, U32), VOID, Effect.WRITES,
    attribute=row.SITE, since=Stage.GUARDED, until=Stage.GUARDED,
)  # fmt: skip
CALL: Final = Op("call", (), VOID, Effect.WRITES, attribute=row.SUBROUTINE)
BARRIER: Final = Op("barrier", (), VOID, Effect.WRITES, attribute=row.BARRIER)

# Structure
IF: Final = Op("if", (BOOL,), VOID, Effect.CONTROL, blocks=2)
LOOP: Final = Op("loop", (_EACH,), VOID, Effect.CONTROL, blocks=1)
SWITCH: Final = Op("switch", (U32, _EACH), VOID, Effect.CONTROL, attribute=row.CASES, blocks=None)
YIELD: Final = Op("yield", (_EACH,), VOID, Effect.TERMINATES, leaves=(IF,))
BREAK: Final = Op("break", (_EACH,), VOID, Effect.TERMINATES, leaves=(LOOP, SWITCH))
CONTINUE: Final = Op("continue", (_EACH,), VOID, Effect.TERMINATES, leaves=(LOOP,))
FALL_THROUGH: Final = Op("fall_through", (_EACH,), VOID, Effect.TERMINATES, leaves=(SWITCH,))
RETURN: Final = Op("return", (), VOID, Effect.TERMINATES)

OPS: dict[str, Op] = {op.name: op for op in (*globals().values(),) if isinstance(op, Op)}
