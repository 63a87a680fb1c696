"""The conditions on which a thread uses the result of a load, for reports.

fxc moves loads out of conditions: it loads in every thread, and hides the number where the
condition is false (`and` or `or` with a mask, `movc`), or uses it in a branch only. An
out-of-bounds address in the other threads does no harm.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from translate.errors import NOWHERE, Where
from translate.ir import ops, row
from translate.ir.builder import Builder
from translate.ir.memory import Resource
from translate.ir.ops import Effect
from translate.ir.types import BOOL
from translate.ir.values import Block, Module, Value

_LOADS = (ops.LOAD, ops.LOAD_TYPED)
_DEPTH = 6  # operations of which a mask is computed
_MOST_USERS = 1024  # operations that are searched for the uses of a check's loads
_MOST_USES = 32  # with different conditions
_MOST_PARTS = 16  # of a condition
_ZERO_TESTS = {ops.INE: True, ops.IEQ: False}
_MASKS = (ops.IAND, ops.IOR, ops.INOT)  # a mask, if their arguments are
# A condition that has this truth, or a number that is not 0 (True) or is 0 (False)
_Atom = tuple[Value, bool]


class _Place(NamedTuple):
    """A part of a block: where a condition holds in addition to those of the outer place."""

    outer: _Place | None  # None: all of the function
    holds: _Atom


class UsedResults:
    """For each `check` of a load, the conditions on which the load's result is used.

    Made before the guards rewrite the loads.
    """

    def __init__(self, module: Module):
        self._users: dict[Value, list[Value]] = defaultdict(list)
        self._loads: dict[tuple[Where, Resource], list[Value]] = defaultdict(list)
        # A thread that uses the result fulfils all atoms of one of these tuples.
        self._uses: dict[Value, list[tuple[_Atom, ...]]] = {}
        self._visible: set[Value] = set()
        self._places: dict[Value, _Place | None] = {}
        for value in module.walk():
            for arg in dict.fromkeys(value.args):
                self._users[arg].append(value)
            if value.op in _LOADS and value.where != NOWHERE:
                self._loads[value.where, row.ACCESS.of(value).resource].append(value)
        for body in module.bodies():
            self._find_places(body, None)
            self._block(body)

    def condition(self, b: Builder, check: Value, forward: Mapping[Value, Value]) -> Value | None:
        """Build the condition on which a thread uses the checked result; None if it always may.

        `forward` has the values by which the guards have replaced loads.
        """
        uses = self._uses.get(check)
        if uses is None:
            return None
        used = b.bool(False)
        for atoms in uses:
            all_hold = b.bool(True)
            for value, truth in atoms:
                current = forward.get(value, value)
                holds = current if current.type is BOOL else b.nonzero(current)
                all_hold = b.land(all_hold, holds if truth else b.lnot(holds))
            used = b.lor(used, all_hold)
        return used

    def _find_places(self, block: Block, place: _Place | None) -> None:
        for value in block.values:
            self._places[value] = place
            if value.op is not ops.IF:
                for inner in value.blocks:
                    self._find_places(inner, place)
                continue
            (condition,) = value.args
            ends = list[bool]()
            for truth, inner in zip((True, False), value.blocks, strict=True):
                self._find_places(inner, _Place(place, (condition, truth)))
                if inner.values[-1].op is ops.YIELD:
                    ends.append(truth)
            if len(ends) == 1:
                place = _Place(place, (condition, ends[0]))

    def _block(self, block: Block) -> None:
        """Note the uses of each checked load, by conditions that are computed before the check."""
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
        uses = dict.fromkeys(self._of(loads, self._places[value]))
        if () not in uses and len(uses) <= _MOST_USES:
            self._uses[value] = [*uses]

    def _of(self, loads: Iterable[Value], check: _Place | None) -> Iterator[tuple[_Atom, ...]]:
        """The atoms of each use of the loads' results; () for a use without any."""
        work: list[tuple[Value, tuple[_Atom, ...]]] = [(load, ()) for load in loads]
        seen = set(work)
        while work:
            value, atoms = work.pop()
            for user in self._users[value]:
                more = (*self._since(check, user), *self._dependent_on(user, value))
                found = tuple(dict.fromkeys((*atoms, *more)))
                if len(seen) > _MOST_USERS:
                    yield ()
                    return
                if user.op.effect is not Effect.PURE:
                    yield found
                elif (user, found) not in seen:
                    seen.add((user, found))
                    work.append((user, found))

    def _since(self, check: _Place | None, user: Value) -> Iterator[_Atom]:
        """The known conditions of the branches from a check to a user.

        If the check is in a branch that alone goes on to the user, all conditions of the user.
        """
        place = self._places[user]
        while place is not None and place is not check:
            yield from self._known(*place.holds)
            place = place.outer

    def _dependent_on(self, user: Value, value: Value) -> Iterator[_Atom]:
        """The known conditions on which a pure operation's result depends on `value`."""
        if value is user.args[0] and user.op is ops.SELECT:
            return
        others = [arg for arg in user.args if arg is not value]
        if user.op is ops.SELECT and len(others) == 2:
            yield from self._known(others[0], user.args[1] is value)
        elif user.op is ops.IAND and others:
            yield from self._known(others[0], True)
        elif user.op is ops.IOR and others and _is_mask(others[0]):
            yield from self._known(others[0], False)

    def _known(self, condition: Value, truth: bool) -> Iterator[_Atom]:
        """The condition, or parts of it that follow from it and are computed before the check."""
        work, seen = [(condition, truth)], set[Value]()
        while work and len(seen) < _MOST_PARTS:
            value, holds = work.pop()
            seen.add(value)
            if value.op in _ZERO_TESTS and value.args[1].constant_bits == 0:
                work.append((value.args[0], holds == _ZERO_TESTS[value.op]))
            elif value.op is ops.MASK:
                work.append((value.args[0], holds))
            elif value in self._visible:
                yield value, holds
            elif value.op is ops.INOT and _is_mask(value.args[0]):
                work.append((value.args[0], not holds))
            elif value.op is (ops.IAND if holds else ops.IOR):
                work += [(arg, holds) for arg in value.args if arg not in seen]


def _is_mask(value: Value, depth: int = _DEPTH) -> bool:
    """Whether a number has 0 or 1 in all bits."""
    if value.op is ops.MASK:
        return True
    return bool(depth) and value.op in _MASKS and all(_is_mask(a, depth - 1) for a in value.args)
