"""Which instructions' accesses can race: those that a group can make with no barrier in between.

The machine notes no others (`races.py`): most loads of group-shared memory stand between barriers
that also keep the stores away.
"""

from __future__ import annotations

from translate.isa.instruction import Flow, Kind, Role
from translate.isa.registers import RegisterFile
from translate.program import Program, Statement
from translate.reference.structure import Body, Construct

_ACCESSES = (Kind.LOAD, Kind.STORE, Kind.ATOMIC)
_FRAMES = (Flow.LOOP, Flow.SWITCH)
_ENDS = (Flow.CONTINUE, Flow.RETURN, Flow.ABORT)

# Accesses since a group's last barrier, by memory and kind: the ids of the statements, without
# those that are known to race
_Open = dict[tuple[RegisterFile, int, Kind], set[int]]


def racing(program: Program, bodies: dict[str, Body]) -> set[int]:
    """The ids of the statements whose accesses can race."""
    if len(bodies) > 1:  # a barrier of a subroutine stands between different accesses in each call
        return {id(statement) for statement in program.statements}
    walk = _Walk()
    walk.body(bodies[""], {})
    return walk.racing


class _Walk:
    """Goes through a body in the machine's order: of a construct, one arm after the other.

    A group has threads in some of the arms, and can leave them at a jump.
    """

    def __init__(self) -> None:
        self.racing: set[int] = set()
        self._left: list[_Open] = [{}]  # of each open loop or switch: at its jumps

    def body(self, body: Body, here: _Open) -> None:
        """Go through a body; `here` has the accesses before it, and then those at its end."""
        for item in body:
            if isinstance(item, Construct):
                self._construct(item, here)
            elif item.row.flow is Flow.BREAK:
                _join(self._left[-1], here)
            elif item.row.flow in _ENDS:
                for left in self._left:
                    _join(left, here)
            elif item.row.kind is Kind.SYNC:
                _pass(item, here)
            elif item.row.kind in _ACCESSES:
                self._access(item, here)

    def _construct(self, construct: Construct, here: _Open) -> None:
        if construct.flow in _FRAMES:
            self._left.append({})
        before = None
        while before != here:
            before = _copy(here)
            for arm in construct.arms:
                inside = _copy(here)
                self.body(arm, inside)
                _join(here, inside)
                _join(here, self._left[-1])
            if construct.flow is not Flow.LOOP:
                break
        if construct.flow in _FRAMES:
            self._left.pop()

    def _access(self, statement: Statement, here: _Open) -> None:
        for operand, spec in zip(statement.operands, statement.row.operands, strict=False):
            if spec.role not in (Role.RESOURCE, Role.TARGET):
                continue
            kind, memory = statement.row.kind, (operand.file, operand.number)
            own = here.setdefault((*memory, kind), set())
            own.add(id(statement))
            rivals = [other for other in _ACCESSES if other is not kind or kind is Kind.STORE]
            for met in (here[*memory, rival] for rival in rivals if (*memory, rival) in here):
                self.racing |= met | own
                met.clear()
            if id(statement) in self.racing:
                own.clear()


def _pass(sync: Statement, here: _Open) -> None:
    """Forget the accesses that a `sync` orders; one without `_t` does not wait for the group."""
    if not sync.control("threads"):
        return
    ordered = {
        RegisterFile.GROUP_SHARED: sync.control("shared"),
        RegisterFile.UAV: sync.control("uav_global") or sync.control("uav_group"),
    }
    for key in [key for key in here if ordered.get(key[0])]:
        del here[key]


def _copy(some: _Open) -> _Open:
    return {key: set(ids) for key, ids in some.items()}


def _join(here: _Open, others: _Open) -> None:
    for key, ids in others.items():
        here.setdefault(key, set()).update(ids)
