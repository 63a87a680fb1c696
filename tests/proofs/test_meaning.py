"""`meaning.py` agrees with the reference machine, over edge values."""

from __future__ import annotations

import itertools
import struct
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pytest
import z3

from translate.ir import ops
from translate.ir.ops import Generic, Op
from translate.ir.types import BOOL, F32, F64, U32, Type

from ..complete import check_complete
from .instructions import WITHOUT_INSTRUCTION, instructions, run
from .meaning import MEANINGS, PROMISES, constant, flushed, meaning, promise, variable

_WORDS = (
    0, 1, 2, 3, 15, 16, 31, 32, 33, 0x7FFF, 0x8000, 0x8001, 0xFFFF, 0x10000, 0x00FFFFFF,
    0x3FFFFFFF, 0x40000000, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFF0000, 0xFFFFFFFE, 0xFFFFFFFF,
)  # fmt: skip
_COUNTS = (0, 1, 2, 15, 31)
_SINGLES = (
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007FFFFF, 0x807FFFFF, 0x00800000, 0x80800000,
    0x00800001, 0x1FFFFFFF, 0x20000000, 0x3F000000, 0x3F7FFFFF, 0x3F800000, 0xBF800000, 0x3F800001,
    0x3FC00000, 0xC0200000, 0x4B000001, 0x4EFFFFFF, 0x4F000000, 0xCF000000, 0x4F7FFFFF, 0x4F800000,
    0x7F000000, 0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000, 0x7F800001, 0xFFFFFFFF,
)  # fmt: skip
_HALVES = (
    *(0x33000000, 0x33800000, 0x337FFFFF, 0x387FC000, 0x38800000, 0x38801000, 0x38802000),
    *(0x477FE000, 0x477FFFFF, 0x47800000, 0xC77FE000, 0x40490FDB, 0xBF802000),
)
_HALF_BITS = (0x1, 0x3FF, 0x400, 0x3C00, 0x7BFF, 0x7C00, 0x7C01, 0x8001, 0xFC00, 0xFFFF, 0xABCD3C00)
_DOUBLES = tuple(
    struct.unpack("<Q", struct.pack("<d", number))[0]
    for number in (
        *(0.0, -0.0, 1.0, -1.5, 0.1, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308),
        *(2147483647.5, -2147483648.5, 4294967295.5, 2.0**32, 2.0**-149, 3e-46, 1e39, 65504.0),
        *(float("inf"), -float("inf"), float("nan")),
    )
)
_TYPES = {Generic.FLOAT: (F32, F64), Generic.ANY: (U32,), Generic.BITS32: (U32,)}
_MAGNITUDES = {F32: 0x7FFFFFFF, F64: 0x7FFFFFFFFFFFFFFF}
_SAME_OF_DENORMALS = {"fneg", "fabs", "bitcast", "select", "mask", "pack_f64", "half_to_f32"}


def _signatures(op: Op) -> Iterator[tuple[tuple[Type, ...], Type]]:
    """The types of operands and result, for each type of a generic row."""
    places = (*op.params, op.result)
    generic = next((place for place in places if isinstance(place, Generic)), None)
    for type_ in _TYPES.get(generic, (U32,)):
        *operands, result = [p if isinstance(p, Type) else type_ for p in places]
        yield tuple(operands), result


SIGNATURES = [
    (op, operands, result)
    for op in ops.PURE
    if op.name not in WITHOUT_INSTRUCTION
    for operands, result in _signatures(op)
    if instructions(op, operands, result) is not None
]


def _edges(op: Op, types: Sequence[Type], place: int) -> Sequence[int]:
    if types[place] is BOOL:
        return (0, 1)
    if types[place] is F64:
        return _DOUBLES
    if types[place] is F32:
        return (*_SINGLES, *_HALVES) if len(types) == 1 else _SINGLES
    if op.name.startswith("bitfield") and place >= len(types) - 2:
        return _COUNTS
    if len(types) == 1:
        return (*_WORDS, *_HALF_BITS)
    if op.name in ("ishl", "ushr", "sshr") and place == 1:
        return (*_COUNTS, 7)
    return _WORDS if len(types) == 2 else _WORDS[::3]


def _rows(op: Op, types: Sequence[Type]) -> list[tuple[int, ...]]:
    """Combinations of edge values for which the operation has a result."""
    edges = [_edges(op, types, place) for place in range(len(types))]
    rng = np.random.default_rng(len(op.name))
    rows = [*itertools.product(*edges)]
    if len(rows) > 300:
        rows = [rows[place] for place in rng.permutation(len(rows))[:300]]
    if op.name not in PROMISES:
        return rows
    kept = []
    for row in rows:
        terms = [constant(type_, bits) for type_, bits in zip(types, row, strict=True)]
        if z3.is_true(z3.simplify(promise(op, terms))):
            kept.append(row)
    return kept


def _of_bits(op: Op, types: Sequence[Type], result: Type) -> Callable[[Sequence[int]], int]:
    """The bits that the meaning gives for those of operands, with D3D's denormals."""
    operands = [variable(type_, f"x{place}") for place, type_ in enumerate(types)]
    flushes = op.name not in _SAME_OF_DENORMALS
    terms = operands
    if flushes:
        terms = [
            flushed(t) if type_ is F32 else t for type_, t in zip(types, operands, strict=True)
        ]
    found = meaning(op, result, terms)
    if result is F32 and flushes:
        found = flushed(found)

    def of(row: Sequence[int]) -> int:
        numbers = map(constant, types, row)
        number = z3.simplify(z3.substitute(found, *zip(operands, numbers, strict=True)))
        return z3.is_true(number) * 0xFFFFFFFF if result is BOOL else number.as_long()

    return of


def _is_nan(bits: int, type_: Type) -> bool:
    return bits & _MAGNITUDES[type_] > (0x7F800000 if type_ is F32 else 0x7FF0000000000000)


def test_every_pure_operation_has_a_meaning() -> None:
    check_complete({*MEANINGS, "extract"}, ops.PURE, "MEANINGS of tests/proofs/meaning.py")
    limited = [op for op in ops.PURE if op.precondition is not None]
    check_complete(PROMISES, limited, "PROMISES of tests/proofs/meaning.py (preconditions)")


def test_every_pure_operation_has_instructions() -> None:
    """Those of the reference machine, with which its meaning is compared."""
    compared = {op for op, _, _ in SIGNATURES} | WITHOUT_INSTRUCTION
    place = "the tables of tests/proofs/instructions.py, or in WITHOUT_INSTRUCTION there"
    check_complete(compared, ops.PURE, place)


@pytest.mark.parametrize(
    ("op", "types", "result"), SIGNATURES, ids=lambda part: getattr(part, "name", None)
)
def test_meaning(op: Op, types: tuple[Type, ...], result: Type) -> None:
    body = instructions(op, types, result) or ()
    given = _of_bits(op, types, result)
    rows = _rows(op, types)
    masks = [
        [b * 0xFFFFFFFF if t is BOOL else b for t, b in zip(types, row, strict=True)]
        for row in rows
    ]
    for row, (low, high) in zip(rows, run(body, masks).tolist(), strict=True):
        wanted = high << 32 | low if result is F64 else low
        found = given(row)
        if result in (F32, F64) and _is_nan(wanted, result):
            assert _is_nan(found, result), [hex(bits) for bits in row]
        elif op.name.startswith("f32_to_half") and _is_nan(row[0], F32):
            assert found & 0x7FFF > 0x7C00
            assert wanted & 0x7FFF > 0x7C00
        elif op.name in ("fmin", "fmax") and not wanted & _MAGNITUDES[result]:
            assert not found & _MAGNITUDES[result]  # D3D lets the sign depend on the order
        else:
            assert hex(found) == hex(wanted), [hex(bits) for bits in row]
