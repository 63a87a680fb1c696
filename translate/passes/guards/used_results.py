"""The conditions on which a thread uses the result of a load, for reports.

fxc moves loads out of conditions: it loads in every thread, and selects 0 or another number where
the condition is false (`and` with a mask, `movc`). An out-of-bounds address in such a thread does
no harm. A load that has any other use counts as used.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from translate.errors import NOWHERE, Where
from translate.ir import ops, row
from translate.ir.builder import Builder
from translate.ir.memory import Resource
from translate.ir.ops import Effect
from translate.ir.types import BOOL
from translate.ir.values import Block, Module, Value

_LOADS = (ops.LOAD, ops.LOAD_TYPED)
_DEPTH = 6  # operations from a load to a selection
# (condition, truth): the result is used where the condition, or `number != 0`, has this truth
_Atom = tuple[Value, bool]


class UsedResults:
    """For each `check` of a load, the conditions on which the load's result is used.

    Made before the guards rewrite the loads.
    """

    def __init__(self, module: Module):
        self._uses: dict[Value, list[Value]] = defaultdict(list)
        self._loads: dict[tuple[Where, Resource], list[Value]] = defaultdict(list)
        self._conditions: dict[Value, list[_Atom]] = {}
        self._visible: set[Value] = set()
        for value in module.walk():
            for arg in value.args:
                self._uses[arg].append(value)
            if value.op in _LOADS and value.where != NOWHERE:
                self._loads[value.where, row.ACCESS.of(value).resource].append(value)
        for body in module.bodies():
            self._block(body)

    def condition(self, b: Builder, check: Value, forward: Mapping[Value, Value]) -> Value | None:
        """Build the condition on which a thread uses the checked result; None if it always may.

        `forward` has the values by which the guards have replaced loads.
        """
        atoms = self._conditions.get(check)
        if atoms is None:
            return None
        used = b.bool(False)
        for value, truth in atoms:
            current = forward.get(value, value)
            holds = current if current.type is BOOL else b.nonzero(current)
            used = b.lor(used, holds if truth else b.lnot(holds))
        return used

    def _block(self, block: Block) -> None:
        """Note each check whose conditions are all computed before it."""
        shown = [*block.params]
        self._visible.update(shown)
        for value in block.values:
            if value.op is ops.CHECK:
                self._note(value)
            for inner in value.blocks:
                self._block(inner)
            shown += [value, *value.results]
            self._visible.update((value, *value.results))
        self._visible.difference_update(shown)

    def _note(self, value: Value) -> None:
        check = row.CHECK.of(value)
        loads = self._loads.get((value.where, check.access.resource))
        if check.writes or check.counter or not loads:
            return
        atoms = dict.fromkeys(atom for load in loads for atom in self._atoms(load, _DEPTH))
        known = [atom for atom in atoms if atom is not None and self._is_known(atom[0])]
        if len(known) == len(atoms):
            self._conditions[value] = known

    def _is_known(self, value: Value) -> bool:
        return value in self._visible or value.op is ops.CONST

    def _atoms(self, value: Value, depth: int) -> Iterator[_Atom | None]:
        """Conditions, at least one of which holds in each thread that uses the value.

        A None among them means that the thread may always use it.
        """
        for user in self._uses[value]:
            first = user.args[0]
            others = [arg for arg in user.args if arg is not value]
            if user.op is ops.SELECT and first is not value and len(others) == 2:
                yield _selecting(first, user.args[1] is value)
            elif user.op is ops.IAND and others:
                yield _masking(others[0])
            elif user.op.effect is Effect.PURE and depth:
                yield from self._atoms(user, depth - 1)
            else:
                yield None


def _selecting(condition: Value, truth: bool) -> _Atom:
    """The condition of a select. `number != 0` becomes the number, since `movc` tests a mask."""
    if condition.op is ops.INE and condition.args[1].constant_bits == 0:
        number, _ = _masking(condition.args[0])
        return number, truth
    return condition, truth


def _masking(mask: Value) -> _Atom:
    """The condition of an `and` with a mask, since a mask of 0 hides the other operand."""
    return (mask.args[0] if mask.op is ops.MASK else mask), True
