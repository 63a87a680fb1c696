"""`evaluate` of every pure row, on Python's integers and on NumPy lanes, over edge cases.

Expected values come from Python's unbounded integers and its doubles, one lane at a time. Sums,
products, quotients and roots of two float32 are right if rounded from doubles, which have more
than twice the digits.
"""

import bisect
import itertools
import math
import struct
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from checks.lanes import DENORMAL_BITS, DOUBLES, FLOAT_BITS, INTEGERS, bits_of, float_of, signed
from translate.ir import lanes, ops
from translate.ir.row import Generic, Op
from translate.ir.types import BOOL, F32, F64, U32, Type

from ...complete import check_complete
from ..isa import test_evaluate_float
from ..isa.test_evaluate_convert import HALVES
from ..isa.test_evaluate_double import fused
from ..isa.test_evaluate_integer import FIELDS

PURE = [op for op in ops.OPS.values() if op.evaluate is not None]
ONES = 0xFFFFFFFF
NAN, INF = math.nan, math.inf
Rows = list[tuple[Any, ...]]


def bits_of_double(value: float) -> int:
    return struct.unpack("<Q", struct.pack("<d", value))[0]


def double_of(bits: int) -> float:
    return struct.unpack("<d", struct.pack("<Q", bits))[0]


# --- operands, as bits ----------------------------------------------------------------------------

DOUBLE_BITS = (
    *map(bits_of_double, DOUBLES),
    *(0x7FF0000000000001, 0xFFF8DEADBEEF0001, 0x000FFFFFFFFFFFFF, 0x8000000000000001),
    # around float32's ties, least and largest numbers
    *(0x3FF0000010000000, 0x3FF0000030000000, 0x36A0000000000000, 0x47EFFFFFF0000000),
)
FLOATS = (*FLOAT_BITS, *DENORMAL_BITS, 0x7F800001, 0xFFA00000)
EDGES: dict[Type, Sequence[int]] = {U32: INTEGERS, BOOL: (0, 1), F32: FLOATS, F64: DOUBLE_BITS}
COUNTS = (*range(33), 64, ONES)
WIDTH = {U32: 32, F32: 32, F64: 64, BOOL: 1}


def signatures(op: Op) -> dict[tuple[tuple[Type, ...], Type], None]:
    """The types of operands and results that a row allows, without texels."""
    places, found = [*op.params, op.result], dict[tuple[tuple[Type, ...], Type], None]()
    for float_, any_ in itertools.product((F32, F64), (U32, BOOL, F32, F64)):
        fits = {Generic.FLOAT: [float_], Generic.ANY: [any_], Generic.BITS32: [U32, F32]}
        choices = [[p] if isinstance(p, Type) else fits[p] for p in places]  # type: ignore[index]
        for types in itertools.product(*choices):
            found[types[:-1], types[-1]] = None
    return found


def kept(op: Op, types: Sequence[Type], row: Sequence[int]) -> bool:
    """Whether operands meet the row's precondition."""
    if op.precondition is None:
        return True
    numbers = [number(type_, bits) for type_, bits in zip(types, row, strict=True)]
    return bool(op.precondition.holds([numbers[p] for p in op.precondition.positions]))


def rows_of(op: Op, types: Sequence[Type]) -> list[tuple[int, ...]]:
    """Every combination of edge values, and random patterns."""
    columns = [EDGES[type_] for type_ in types]
    if op.name.startswith("bitfield"):
        columns[-2:] = [COUNTS, COUNTS]
    if types == (F64, F64, F64):
        columns = [column[::2] for column in columns]
    if len(columns) == 4:
        columns[:2] = [columns[0][-3:], columns[1][-3:]]
    if op.name in ("ishl", "ushr", "sshr"):
        columns[1] = COUNTS
    rng = np.random.default_rng(len(op.name))
    patterns = rng.integers(0, 2**64, (300, len(types)), np.uint64).tolist()
    random = [
        tuple(x >> 64 - WIDTH[t] for x, t in zip(row, types, strict=True)) for row in patterns
    ]
    return [row for row in (*itertools.product(*columns), *random) if kept(op, types, row)]


def number(type_: Type, bits: int) -> Any:
    if type_ is F32:
        return float_of(bits)
    return double_of(bits) if type_ is F64 else bool(bits) if type_ is BOOL else bits


def as_lanes(type_: Type, column: Sequence[int]) -> Any:
    """A column of bits in the form of `ir.lanes`."""
    if type_ is F32:
        return np.array(column, np.uint32).view(np.float32)
    if type_ is F64:
        return np.array(column, np.uint64).view(np.float64)
    return np.array(column, np.bool_ if type_ is BOOL else np.int64)


def patterns(type_: Type, found: Any) -> list[int]:
    """Bits of lanes, whose kind has to be the type's."""
    kinds = {U32: np.int64, BOOL: np.bool_, F32: np.float32, F64: np.float64}
    assert found.dtype == kinds[type_]
    views = {F32: np.uint32, F64: np.uint64}
    return (found.view(views[type_]) if type_ in views else found).tolist()


# --- expected results, as bits of one lane --------------------------------------------------------

Expected = Callable[..., int]


def bitfield(name: str) -> Expected:
    """D3D's instruction, for a field that is not empty and ends within 32 bits."""

    def expected(*operands: int) -> int:
        *first, offset, count = operands
        if count == 32:
            return first[-1]
        if count == 0:
            return first[0] if name == "bfi" else 0
        return FIELDS[name](count, offset, *reversed(first))

    return expected


INTEGER: dict[Op, Expected] = {
    ops.IADD: lambda a, b: (a + b) % 2**32,
    ops.ISUB: lambda a, b: (a - b) % 2**32,
    ops.IMUL: lambda a, b: a * b % 2**32,
    ops.UMUL_HIGH: lambda a, b: a * b // 2**32,
    ops.SMUL_HIGH: lambda a, b: signed(a) * signed(b) // 2**32 % 2**32,
    ops.UDIV: lambda a, b: divmod(a, b)[0],
    ops.UMOD: lambda a, b: divmod(a, b)[1],
    ops.UMIN: min,
    ops.LIMIT_INDEX: min,
    ops.UMAX: max,
    ops.SMIN: lambda a, b: min(a, b, key=signed),
    ops.SMAX: lambda a, b: max(a, b, key=signed),
    ops.IAND: lambda a, b: int("".join(min(p) for p in digits(a, b)), 2),
    ops.IOR: lambda a, b: int("".join(max(p) for p in digits(a, b)), 2),
    ops.IXOR: lambda a, b: int("".join("01"[p[0] != p[1]] for p in digits(a, b)), 2),
    ops.AGREED: lambda a: a,
    ops.INOT: lambda a: ONES - a,
    ops.ISHL: lambda a, n: a * 2**n % 2**32,
    ops.USHR: lambda a, n: a // 2**n,
    ops.SSHR: lambda a, n: signed(a) // 2**n % 2**32,
    ops.BIT_COUNT: lambda a: f"{a:b}".count("1"),
    ops.BIT_REVERSE: lambda a: int(f"{a:032b}"[::-1], 2),
    ops.FIND_LSB: lambda a: f"{a:032b}"[::-1].find("1") % 2**32,
    ops.FIND_UMSB: lambda a: len(f"{a:b}") - 1 if a else ONES,
    ops.FIND_SMSB: lambda a: (31 - f"{a:032b}".find("10"[a >> 31])) % 32 if 0 < a < ONES else ONES,
    ops.BITFIELD_INSERT: bitfield("bfi"),
    ops.BITFIELD_UEXTRACT: bitfield("ubfe"),
    ops.BITFIELD_SEXTRACT: bitfield("ibfe"),
    ops.IEQ: lambda a, b: a == b,
    ops.INE: lambda a, b: a != b,
    ops.ULT: lambda a, b: a < b,
    ops.UGE: lambda a, b: a >= b,
    ops.SLT: lambda a, b: signed(a) < signed(b),
    ops.SGE: lambda a, b: signed(a) >= signed(b),
    ops.LAND: lambda a, b: a and b,
    ops.LOR: lambda a, b: a or b,
    ops.LXOR: lambda a, b: a != b,
    ops.LNOT: lambda a: not a,
    ops.MASK: lambda a: ONES if a else 0,
}
# On the operands' bits, whatever their types
MOVES: dict[Op, Expected] = {
    ops.SELECT: lambda condition, a, b: a if condition else b,
    ops.BITCAST: lambda a: a,
    ops.PACK_F64: lambda low, high: high * 2**32 + low,
    ops.F64_LOW: lambda a: a % 2**32,
    ops.F64_HIGH: lambda a: a // 2**32,
}


def digits(a: int, b: int) -> Iterator[tuple[str, str]]:
    return zip(f"{a:032b}", f"{b:032b}", strict=True)


def cut_to_half(a: float) -> int:
    """The largest half that is not beyond the number, with its sign; one pattern for all NaNs."""
    if math.isnan(a):
        return 0x7E00
    below = 0x7C00 if math.isinf(a) else bisect.bisect_right(HALVES, abs(a)) - 1
    return below | (0x8000 if math.copysign(1, a) < 0 else 0)


def near_half(a: float) -> int:
    """The nearest half, an infinity for large numbers; one pattern for all NaNs."""
    try:
        return 0x7E00 if math.isnan(a) else struct.unpack("<H", struct.pack("<e", a))[0]
    except OverflowError:
        return 0xFC00 if a < 0 else 0x7C00


def flushed(a: float) -> float:
    return a if abs(a) >= 2.0**-126 or math.isnan(a) else math.copysign(0.0, a)


FLOAT: dict[Op, Callable[..., float]] = {
    ops.FADD: lambda a, b: a + b,
    ops.FSUB: lambda a, b: a - b,
    ops.FMUL: lambda a, b: a * b,
    ops.FDIV: test_evaluate_float.divided,
    ops.FMA: fused,
    ops.FMIN: test_evaluate_float.smaller,
    ops.FMAX: lambda a, b: -test_evaluate_float.smaller(-a, -b),
    ops.FLOOR: test_evaluate_float.whole(math.floor),
    ops.CEIL: test_evaluate_float.whole(math.ceil),
    ops.TRUNC: test_evaluate_float.whole(math.trunc),
    ops.ROUND_EVEN: test_evaluate_float.whole(round),
    ops.SQRT: test_evaluate_float.root,
    ops.FLUSH: flushed,
    ops.FLUSHED_SQUARE: lambda a: flushed(number(F32, bits_of(a * a))),
    ops.S32_TO_F: signed,
    ops.U32_TO_F: lambda a: a,
    ops.HALF_TO_F32: lambda a: struct.unpack("<e", struct.pack("<H", a & 0xFFFF))[0],
    ops.F32_TO_F64: lambda a: a,
    ops.F64_TO_F32: lambda a: a,
}
TO_INTEGER: dict[Op, Callable[..., int]] = {
    ops.FEQ: lambda a, b: a == b,
    ops.FNE: lambda a, b: a != b,
    ops.FLT: lambda a, b: a < b,
    ops.FGE: lambda a, b: a >= b,
    ops.F_TO_S32: lambda a: math.trunc(a) % 2**32,
    ops.F_TO_U32: math.trunc,
    ops.F32_TO_HALF: lambda a: struct.unpack("<H", struct.pack("<e", a))[0],
    ops.F32_NEAR_HALF: near_half,
    ops.F32_TO_HALF_RTZ: cut_to_half,
}
APPROXIMATE: dict[Op, Callable[[float], float]] = {
    ops.RSQRT: lambda a: test_evaluate_float.divided(1.0, test_evaluate_float.root(a)),
    ops.EXP2: test_evaluate_float.power_of_two,
    ops.LOG2: test_evaluate_float.logarithm,
    ops.SIN: lambda a: test_evaluate_float.trigonometric(math.sin)(flushed(a)),
    ops.COS: lambda a: test_evaluate_float.trigonometric(math.cos)(flushed(a)),
}
SIGNS: dict[Op, Callable[[int], int]] = {ops.FNEG: lambda sign: 1 - sign, ops.FABS: lambda sign: 0}
TEXELS = {ops.EXTRACT, ops.COMPOSE}


def pattern(type_: Type, value: float) -> int:
    """The bits of a number, rounded once; one pattern for all NaNs."""
    if math.isnan(value):
        return -1
    return bits_of_double(value) if type_ is F64 else bits_of(value)


def one_nan(type_: Type, bits: int) -> int:
    return -1 if type_ in (F32, F64) and math.isnan(number(type_, bits)) else bits


def compute(op: Op, types: Sequence[Type], result: Type, rows: Rows) -> list[int]:
    """The bits that the row's `evaluate` returns for arrays."""
    columns = [as_lanes(t, c) for t, c in zip(types, zip(*rows, strict=True), strict=True)]
    with np.errstate(all="ignore"):
        return patterns(result, lanes.evaluate(op, result, columns))


# --- tests ----------------------------------------------------------------------------------------


def test_every_row_is_tested() -> None:
    """Every pure row with a computed result has `evaluate`."""
    tested = [INTEGER, MOVES, FLOAT, TO_INTEGER, APPROXIMATE, SIGNS, TEXELS]
    names = [str(op) for table in tested for op in table]
    place = "INTEGER, MOVES, FLOAT, TO_INTEGER or APPROXIMATE of tests/unit/ir/test_evaluate.py"
    check_complete(names, PURE, place)
    assert len(names) == len(PURE), "an operation is in two of the tables"
    bare = {op.name for op in ops.OPS.values() if op.effect is ops.Effect.PURE} - {*map(str, PURE)}
    memory = {op.name for op in ops.OPS.values() if op.memory is not None}
    assert bare - memory == {"const", "param", "result", "input", "specialized"}


@pytest.mark.parametrize("op", INTEGER, ids=str)
def test_integers(op: Op) -> None:
    """Arrays and Python's integers give the same results."""
    ((types, result), *_) = signatures(op)
    rows = rows_of(op, types)
    wanted = [int(INTEGER[op](*row)) for row in rows]
    assert compute(op, types, result, rows) == wanted
    single = [lanes.evaluate(op, result, row) for row in rows]
    assert single == wanted
    assert all(isinstance(found, int) for found in single)


@pytest.mark.parametrize("op", MOVES, ids=str)
def test_operations_that_move_bits(op: Op) -> None:
    """They keep every bit, also those of NaNs."""
    for types, result in signatures(op):
        rows = rows_of(op, types)
        assert compute(op, types, result, rows) == [MOVES[op](*row) for row in rows]


@pytest.mark.parametrize("op", SIGNS, ids=str)
def test_sign_changes(op: Op) -> None:
    """The sign changes, also of NaNs and denormals, and nothing else."""
    for types, result in signatures(op):
        top, rows = 2 ** (WIDTH[result] - 1), rows_of(op, types)
        wanted = [SIGNS[op](a // top) * top + a % top for (a,) in rows]
        assert compute(op, types, result, rows) == wanted


@pytest.mark.parametrize("op", FLOAT, ids=str)
def test_floats_are_rounded_once(op: Op) -> None:
    for types, result in signatures(op):
        rows = rows_of(op, types)
        for row, found in zip(rows, compute(op, types, result, rows), strict=True):
            numbers = [number(type_, bits) for type_, bits in zip(types, row, strict=True)]
            wanted = pattern(result, FLOAT[op](*numbers))
            assert one_nan(result, found) == wanted, (op, numbers, hex(found))


@pytest.mark.parametrize("op", TO_INTEGER, ids=str)
def test_integers_of_floats(op: Op) -> None:
    for types, result in signatures(op):
        rows = rows_of(op, types)
        numbers = [[number(t, bits) for t, bits in zip(types, row, strict=True)] for row in rows]
        assert compute(op, types, result, rows) == [int(TO_INTEGER[op](*row)) for row in numbers]


@pytest.mark.parametrize("op", APPROXIMATE, ids=str)
def test_approximations_are_within_one_unit(op: Op) -> None:
    rows = rows_of(op, (F32,))
    for (bits,), found in zip(rows, compute(op, (F32,), F32, rows), strict=True):
        wanted = pattern(F32, APPROXIMATE[op](float_of(bits)))
        assert abs(one_nan(F32, found) - wanted) <= 1, (op, float_of(bits), hex(found))


def test_texels() -> None:
    for type_, component in ((Type.TEXEL_F32, F32), (Type.TEXEL_I32, U32), (Type.TEXEL_U32, U32)):
        parts = [as_lanes(component, EDGES[component][n : n + 9]) for n in range(4)]
        texel = lanes.evaluate(ops.COMPOSE, type_, parts)
        for n, part in enumerate(parts):
            found = lanes.evaluate(ops.EXTRACT, component, [texel], n)
            assert patterns(component, found) == patterns(component, part)
        kept = lanes.evaluate(ops.SELECT, type_, [np.arange(9) % 2 == 0, texel, texel[::-1]])
        chosen = lanes.evaluate(ops.EXTRACT, component, [kept], 1)
        rows = zip(patterns(component, parts[1]), patterns(component, parts[2]), strict=True)
        assert patterns(component, chosen) == [row[n % 2] for n, row in enumerate(rows)]


@pytest.mark.parametrize("op", [op for op in PURE if op.precondition is not None], ids=str)
def test_preconditions_hold_lane_by_lane(op: Op) -> None:
    """A precondition, which verifier and interpreter check, is the same for numbers and lanes."""
    assert op.precondition is not None
    for types, _ in signatures(op):
        positions = op.precondition.positions
        rows = [*itertools.product(*([*EDGES[types[p]], 33, 32] for p in positions))]
        columns = zip(*rows, strict=True)
        arrays = [as_lanes(types[p], c) for p, c in zip(positions, columns, strict=True)]
        with np.errstate(all="ignore"):
            found = op.precondition.holds(arrays)
        each = [
            op.precondition.holds(
                [number(types[p], b) for p, b in zip(positions, row, strict=True)]
            )
            for row in rows
        ]
        assert found.tolist() == each
        assert True in each
        assert False in each
