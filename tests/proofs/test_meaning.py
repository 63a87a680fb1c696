"""`meaning.py` agrees with `evaluate` of the rows, over edge values and random ones.

`tests/unit/ir/test_evaluate.py` compares `evaluate` with Python's numbers.
"""

import numpy as np
import pytest
import z3

from checks.proofs.meaning import MEANINGS, PROMISES, constant, meaning, promise, variable
from translate.ir import ops
from translate.ir.ops import Op
from translate.ir.types import F32, F64, U32, Type

from ..complete import check_complete
from ..unit.ir.test_evaluate import APPROXIMATE, TEXELS, compute, kept, one_nan, rows_of, signatures

_MOST_ROWS = 300
_MAGNITUDES = {F32: 0x7FFFFFFF, F64: 0x7FFFFFFFFFFFFFFF}
# Of functions of one number: at the ends of halves, and of numbers whose squares are denormals
_MORE_ROWS: dict[Type, tuple[int, ...]] = {
    F32: (
        *(0x33000000, 0x33800000, 0x337FFFFF, 0x387FC000, 0x38800000, 0x38801000, 0x38802000),
        *(0x477FE000, 0x477FFFFF, 0x47800000, 0xC77FE000, 0x40490FDB, 0xBF802000),
        *(0x1FFFFFFF, 0x20000000),
    ),
    U32: (0x3FF, 0x400, 0x3C00, 0x7BFF, 0x7C00, 0x7C01, 0x8001, 0xFC00, 0xFFFF, 0xABCD3C00),
}
_TO_HALVES = (ops.F32_TO_HALF, ops.F32_NEAR_HALF, ops.F32_TO_HALF_RTZ)
# Texels are tuples, and the functions of APPROXIMATE are unknown to z3
SIGNATURES = [
    (op, *signature)
    for op in ops.PURE
    if op not in {*APPROXIMATE, *TEXELS}
    for signature in signatures(op)
]


def _rows(op: Op, types: tuple[Type, ...]) -> list[tuple[int, ...]]:
    """Operands for which the operation has a result."""
    rows = rows_of(op, types)
    some = np.random.default_rng(len(op.name)).permutation(len(rows))[:_MOST_ROWS]
    more = [(bits,) for bits in _MORE_ROWS.get(types[0], ())] if len(types) == 1 else []
    return [rows[place] for place in some] + [row for row in more if kept(op, types, row)]


def test_every_pure_operation_has_a_meaning() -> None:
    check_complete({*MEANINGS, "extract"}, ops.PURE, "MEANINGS of checks/proofs/meaning.py")
    limited = [op for op in ops.PURE if op.precondition is not None]
    check_complete(PROMISES, limited, "PROMISES of checks/proofs/meaning.py (preconditions)")


@pytest.mark.parametrize(
    ("op", "types", "result"), SIGNATURES, ids=lambda part: getattr(part, "name", None)
)
def test_meaning(op: Op, types: tuple[Type, ...], result: Type) -> None:
    operands = [variable(type_, f"x{place}") for place, type_ in enumerate(types)]
    term, promised = meaning(op, result, operands), promise(op, operands)
    rows = _rows(op, types)
    for row, wanted in zip(rows, compute(op, types, result, rows), strict=True):
        numbers = [*zip(operands, map(constant, types, row), strict=True)]
        assert z3.is_true(z3.simplify(z3.substitute(promised, *numbers)))
        number = z3.simplify(z3.substitute(term, *numbers))
        found = number.as_long() if z3.is_bv(number) else int(z3.is_true(number))
        if op in _TO_HALVES and wanted & 0x7FFF > 0x7C00:
            assert found & 0x7FFF > 0x7C00
        elif op in (ops.FMIN, ops.FMAX) and not wanted & _MAGNITUDES[result]:
            assert not found & _MAGNITUDES[result]  # D3D lets the sign depend on the order
        else:
            assert one_nan(result, found) == one_nan(result, wanted), [hex(bits) for bits in row]
