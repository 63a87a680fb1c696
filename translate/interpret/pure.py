"""Operations that touch no memory: what their rows compute, under the rows' preconditions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from translate.interpret.denormals import Denormals, flushed, steps_of, with_one_nan
from translate.interpret.lanes import Lanes
from translate.interpret.operation import Operation
from translate.ir import ops
from translate.ir.lanes import evaluate
from translate.ir.types import F32, F64
from translate.ir.values import Module, Value

# These move bits: denormals and NaNs come through
_MOVES = (
    *(ops.SELECT, ops.FNEG, ops.FABS, ops.FLUSH, ops.BITCAST),
    *(ops.PACK_F64, ops.F64_LOW, ops.F64_HIGH, ops.EXTRACT, ops.COMPOSE),
)


class Arithmetic:
    """Executes the pure operations of a module."""

    def __init__(self, module: Module, denormals: Denormals):
        self._denormals = denormals
        self._steps = frozenset[Value]() if denormals.steps else steps_of(module)

    def execute(self, operation: Operation) -> Lanes:
        """The value in all lanes; what it is in lanes that are not active has no meaning."""
        value, operands = operation.value, operation.operands
        if value.op.precondition is not None:
            _check_precondition(operation)
        if value.op in _MOVES:
            return evaluate(value.op, value.type, operands, value.data)
        if self._denormals.operands:
            operands = self._without_denormals(value.args, operands)
        found = evaluate(value.op, value.type, operands, value.data)
        if value.type is F32 and self._denormals.results and value not in self._steps:
            found = flushed(found)
        return with_one_nan(found) if value.type in (F32, F64) else found

    def _without_denormals(self, args: Sequence[Value], lanes: Sequence[Lanes]) -> list[Lanes]:
        return [
            flushed(one) if arg.type is F32 and arg not in self._steps else one
            for arg, one in zip(args, lanes, strict=True)
        ]


def _check_precondition(operation: Operation) -> None:
    """Raise where an active lane's operands break what the row asks of them."""
    value, condition = operation.value, operation.value.op.precondition
    assert condition is not None
    if all(value.args[position].op is ops.CONST for position in condition.positions):
        return  # the verifier's affair
    # As F64, in which the limits of both float types are exact
    taken = [operation.one(position).astype(np.float64) for position in condition.positions]
    wrong = ~np.broadcast_to(condition.holds(taken), taken[0].shape)
    if wrong.any():
        shown = " and ".join(f"{one[wrong][0]:.17g}" for one in taken)
        raise operation.fault(f"is undefined here: {condition.text}, found {shown}", wrong)
