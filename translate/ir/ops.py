"""The IR's operations, one row each: parameter types, result type, effect.

A module is a list of blocks of values in SSA form with structured control flow: `if`, `loop` and
`switch` own their blocks, and what other IRs write as phis are block parameters (loops, switch
cases) and results (`result` values of the construct). Memory operations come in two forms: with
D3D meaning (`load`, `store`, `atomic`), and in bounds (`load_element`, ...), which only
`passes.bounds` makes and which alone can be emitted.

`FLOAT` stands for F32 or F64, the same in all places of a row; `ANY` for any one type.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import Final

from translate.ir.types import BOOL, F32, F64, U32, VOID, Type


class Generic(Enum):
    """A place in a row that several types fit."""

    FLOAT = auto()
    ANY = auto()
    BITS32 = auto()
    TEXEL = auto()


FLOAT = Generic.FLOAT
ANY = Generic.ANY
BITS32 = Generic.BITS32
TEXEL = Generic.TEXEL
Place = Type | Generic


class Effect(Enum):
    """What an operation does beside giving a value."""

    PURE = auto()  # may be shared, moved and dropped
    READS = auto()  # may be dropped, not moved over writes
    WRITES = auto()
    CONTROL = auto()
    TERMINATES = auto()  # ends a block


class Op:
    """A row: `params` None means any number of arguments."""

    __slots__ = ("commutes", "effect", "name", "params", "result")

    def __init__(
        self,
        name: str,
        params: tuple[Place, ...] | None,
        result: Place,
        effect: Effect = Effect.PURE,
        commutes: bool = False,
    ):
        self.name = name
        self.params = params
        self.result = result
        self.effect = effect
        self.commutes = commutes

    def __repr__(self) -> str:
        return self.name


OPS: dict[str, Op] = {}


def _op(
    name: str,
    params: tuple[Place, ...] | None,
    result: Place,
    effect: Effect = Effect.PURE,
    commutes: bool = False,
) -> Op:
    op = Op(name, params, result, effect, commutes)
    OPS[name] = op
    return op


def _binary(name: str, place: Place, commutes: bool = False) -> Op:
    return _op(name, (place, place), place, commutes=commutes)


def _compare(name: str, place: Place, commutes: bool = False) -> Op:
    return _op(name, (place, place), BOOL, commutes=commutes)


# Values without arguments
CONST: Final = _op("const", (), ANY)
PARAM: Final = _op("param", (), ANY)
RESULT: Final = _op("result", (), ANY)
INPUT: Final = _op("input", (), U32)  # data: (register name, component)

# Registers, until passes.promote
READ_REGISTER: Final = _op("read_register", (), BITS32, Effect.READS)
WRITE_REGISTER: Final = _op("write_register", (BITS32,), VOID, Effect.WRITES)

# 32-bit integers
IADD: Final = _binary("iadd", U32, commutes=True)
ISUB: Final = _binary("isub", U32)
IMUL: Final = _binary("imul", U32, commutes=True)
UMUL_HIGH: Final = _binary("umul_high", U32, commutes=True)
SMUL_HIGH: Final = _binary("smul_high", U32, commutes=True)
UDIV: Final = _binary("udiv", U32)  # the divisor is never 0
UMOD: Final = _binary("umod", U32)  # the divisor is never 0
UMIN: Final = _binary("umin", U32, commutes=True)
UMAX: Final = _binary("umax", U32, commutes=True)
SMIN: Final = _binary("smin", U32, commutes=True)
SMAX: Final = _binary("smax", U32, commutes=True)
IAND: Final = _binary("iand", U32, commutes=True)
IOR: Final = _binary("ior", U32, commutes=True)
IXOR: Final = _binary("ixor", U32, commutes=True)
INOT: Final = _op("inot", (U32,), U32)
ISHL: Final = _binary("ishl", U32)  # the count is below 32, as for the next two
USHR: Final = _binary("ushr", U32)
SSHR: Final = _binary("sshr", U32)
BIT_COUNT: Final = _op("bit_count", (U32,), U32)
BIT_REVERSE: Final = _op("bit_reverse", (U32,), U32)
FIND_LSB: Final = _op("find_lsb", (U32,), U32)  # -1 for none, as for the next two
FIND_UMSB: Final = _op("find_umsb", (U32,), U32)
FIND_SMSB: Final = _op("find_smsb", (U32,), U32)
BITFIELD_INSERT: Final = _op("bitfield_insert", (U32, U32, U32, U32), U32)  # offset+count <= 32
BITFIELD_UEXTRACT: Final = _op("bitfield_uextract", (U32, U32, U32), U32)
BITFIELD_SEXTRACT: Final = _op("bitfield_sextract", (U32, U32, U32), U32)
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
LNOT: Final = _op("lnot", (BOOL,), BOOL)
MASK: Final = _op("mask", (BOOL,), U32)  # ~0 or 0
SELECT: Final = _op("select", (BOOL, ANY, ANY), ANY)

# Floats; data True: not to be contracted or re-associated
FADD: Final = _binary("fadd", FLOAT, commutes=True)
FSUB: Final = _binary("fsub", FLOAT)
FMUL: Final = _binary("fmul", FLOAT, commutes=True)
FDIV: Final = _binary("fdiv", FLOAT)
FMIN: Final = _binary("fmin", FLOAT)  # the other operand for a NaN
FMAX: Final = _binary("fmax", FLOAT)
FNEG: Final = _op("fneg", (FLOAT,), FLOAT)
FABS: Final = _op("fabs", (FLOAT,), FLOAT)
FLOOR: Final = _op("floor", (FLOAT,), FLOAT)
CEIL: Final = _op("ceil", (FLOAT,), FLOAT)
TRUNC: Final = _op("trunc", (FLOAT,), FLOAT)
ROUND_EVEN: Final = _op("round_even", (FLOAT,), FLOAT)
SQRT: Final = _op("sqrt", (FLOAT,), FLOAT)
RSQRT: Final = _op("rsqrt", (F32,), F32)
EXP2: Final = _op("exp2", (F32,), F32)
LOG2: Final = _op("log2", (F32,), F32)
SIN: Final = _op("sin", (F32,), F32)
COS: Final = _op("cos", (F32,), F32)
FLUSH: Final = _op("flush", (F32,), F32)  # a denormal becomes a zero of its sign
FEQ: Final = _compare("feq", FLOAT, commutes=True)  # ordered
FNE: Final = _compare("fne", FLOAT, commutes=True)  # unordered: true for a NaN
FLT: Final = _compare("flt", FLOAT)
FGE: Final = _compare("fge", FLOAT)

# Conversions
BITCAST: Final = _op("bitcast", (BITS32,), BITS32)
F_TO_S32: Final = _op("f_to_s32", (FLOAT,), U32)  # the argument is in range, as for the next
F_TO_U32: Final = _op("f_to_u32", (FLOAT,), U32)
S32_TO_F: Final = _op("s32_to_f", (U32,), FLOAT)
U32_TO_F: Final = _op("u32_to_f", (U32,), FLOAT)
F32_TO_F64: Final = _op("f32_to_f64", (F32,), F64)
F64_TO_F32: Final = _op("f64_to_f32", (F64,), F32)
PACK_F64: Final = _op("pack_f64", (U32, U32), F64)  # low dword, high dword
F64_LOW: Final = _op("f64_low", (F64,), U32)
F64_HIGH: Final = _op("f64_high", (F64,), U32)

# Memory with D3D meaning; data: an Access, see ir.memory
LOAD: Final = _op("load", None, U32, Effect.READS)
STORE: Final = _op("store", None, VOID, Effect.WRITES)
ATOMIC: Final = _op("atomic", None, U32, Effect.WRITES)
LOAD_TYPED: Final = _op("load_typed", None, TEXEL, Effect.READS)
STORE_TYPED: Final = _op("store_typed", None, VOID, Effect.WRITES)
COUNTER_ADD: Final = _op("counter_add", None, U32, Effect.WRITES)  # gives the old value
COUNTER_SIZE: Final = _op("counter_size", None, U32)  # dwords of a hidden counter: 1, null has 0
ELEMENT_COUNT: Final = _op("element_count", None, U32)  # bytes, structures or elements of a view

# Memory in bounds: indices are in dwords from the view's start, structures and dwords of them where
# the resource is nested, or texel coordinates
LOAD_ELEMENT: Final = _op("load_element", None, BITS32, Effect.READS)
STORE_ELEMENT: Final = _op("store_element", None, VOID, Effect.WRITES)
LOAD_VECTOR: Final = _op("load_vector", None, TEXEL, Effect.READS)  # four dwords, from a fourth on
STORE_VECTOR: Final = _op("store_vector", None, VOID, Effect.WRITES)
ATOMIC_ELEMENT: Final = _op("atomic_element", None, U32, Effect.WRITES)
LOAD_TEXEL: Final = _op("load_texel", None, TEXEL, Effect.READS)
STORE_TEXEL: Final = _op("store_texel", None, VOID, Effect.WRITES)
ATOMIC_TEXEL: Final = _op("atomic_texel", None, U32, Effect.WRITES)
DWORD_COUNT: Final = _op("dword_count", None, U32)  # of a storage buffer's view
STRUCTURE_COUNT: Final = _op("structure_count", None, U32)  # of a nested one's
TEXEL_COUNT: Final = _op("texel_count", None, U32)  # of a texel buffer's view
TABLE_COUNT: Final = _op("table_count", (U32,), U32)  # of a view in an array; the caller lists them
WINDOW_FIRST: Final = _op("window_first", (), U32)  # of a buffer whose view the caller names
WINDOW_COUNT: Final = _op("window_count", (), U32)  # both in dwords, or texels where typed
IMAGE_SIZE: Final = _op("image_size", None, Type.TEXEL_U32)  # [mip]; extents, layers, zeros
IMAGE_LEVELS: Final = _op("image_levels", None, U32)
IMAGE_SAMPLES: Final = _op("image_samples", None, U32)
SAMPLE: Final = _op("sample", None, TEXEL, Effect.READS)  # data: a Sample; out of bounds is defined
SAMPLE_COMPARE: Final = _op("sample_compare", None, F32, Effect.READS)
EXTRACT: Final = _op("extract", (TEXEL,), BITS32)  # data: component
COMPOSE: Final = _op("compose", (BITS32, BITS32, BITS32, BITS32), TEXEL)

CHECK: Final = _op("check", None, VOID, Effect.WRITES)  # data: a Check; for reports only
REPORT: Final = _op("report", (U32, U32, U32), VOID, Effect.WRITES)  # cause, index, byte offset
CALL: Final = _op("call", (), VOID, Effect.WRITES)  # data: a subroutine's name
BARRIER: Final = _op("barrier", (), VOID, Effect.WRITES)  # data: a Barrier

# Structure
IF: Final = _op("if", (BOOL,), VOID, Effect.CONTROL)
LOOP: Final = _op("loop", None, VOID, Effect.CONTROL)
SWITCH: Final = _op("switch", None, VOID, Effect.CONTROL)
YIELD: Final = _op("yield", None, VOID, Effect.TERMINATES)
BREAK: Final = _op("break", None, VOID, Effect.TERMINATES)
CONTINUE: Final = _op("continue", None, VOID, Effect.TERMINATES)
FALL_THROUGH: Final = _op("fall_through", None, VOID, Effect.TERMINATES)
RETURN: Final = _op("return", (), VOID, Effect.TERMINATES)
