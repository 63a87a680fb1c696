"""Execute operations that touch no memory, and check the preconditions in their rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from checks.interpret.denormals import MOVES, Denormals, flushed, results_within, with_one_nan
from checks.interpret.lanes import Lanes
from checks.interpret.operation import Operation
from translate.ir import ops
from translate.ir.lanes import evaluate
from translate.ir.types import F32, F64
from translate.ir.values import Module, Value


class Arithmetic:
    """Executes the pure operations of a module."""

    def __init__(self, module: Module, denormals: Denormals):
        self._denormals = denormals
        self._within = frozenset[Value]() if denormals.within else results_within(module)

    def execute(self, operation: Operation) -> Lanes:
        """The result in all lanes; inactive lanes get arbitrary values."""
        value, operands = operation.value, operation.operands
        if value.op.precondition is not None:
            _check_precondition(operation)
        if value.op in MOVES:
            return evaluate(value.op, value.type, operands, value.data)
        if self._denormals.operands:
            operands = self._without_denormals(value.args, operands)
        found = evaluate(value.op, value.type, operands, value.data)
        if value.type is F32 and self._denormals.results and value not in self._within:
            found = flushed(found)
        return with_one_nan(found) if value.type in (F32, F64) else found

    def _without_denormals(self, args: Sequence[Value], lanes: Sequence[Lanes]) -> list[Lanes]:
        return [
            flushed(one) if arg.type is F32 and arg not in self._within else one
            for arg, one in zip(args, lanes, strict=True)
        ]


def _check_precondition(operation: Operation) -> None:
    """Raise if the operands of an active lane violate the row's precondition."""
    value, condition = operation.value, operation.value.op.precondition
    assert condition is not None
    if all(value.args[position].op is ops.CONST for position in condition.positions):
        return  # the verifier checks constants
    # As F64, in which the limits of both float types are exact
    taken = [operation.one(position).astype(np.float64) for position in condition.positions]
    wrong = ~np.broadcast_to(condition.holds(taken), taken[0].shape)
    if wrong.any():
        shown = " and ".join(f"{one[wrong][0]:.17g}" for one in taken)
        raise operation.fault(f"is undefined here: {condition.text}, found {shown}", wrong)
