"""Control flow as a tree of instructions and nested constructs; the accesses that can race in it.

The structure follows from nesting alone; tokens have no offsets (reference "Control flow").
Accesses can race if a group can make them with no barrier in between. The machine notes no others
(`races.py`): most loads of group-shared memory stand between barriers that also keep the stores
away. Source: FS §22.7.
"""

from __future__ import annotations

from translate.dataclass import dataclass, field
from translate.errors import ProgramError
from translate.isa.instruction import Flow, Kind, Role
from translate.isa.registers import RegisterFile
from translate.program import Program, Statement

_OPENERS = (Flow.IF, Flow.LOOP, Flow.SWITCH)
_CLOSES = {
    Flow.ELSE: Flow.IF,
    Flow.ENDIF: Flow.IF,
    Flow.ENDLOOP: Flow.LOOP,
    Flow.CASE: Flow.SWITCH,
    Flow.DEFAULT: Flow.SWITCH,
    Flow.ENDSWITCH: Flow.SWITCH,
}
_ACCESSES = (Kind.LOAD, Kind.STORE, Kind.ATOMIC)
_FRAMES = (Flow.LOOP, Flow.SWITCH)
_ENDS = (Flow.CONTINUE, Flow.RETURN, Flow.ABORT)
# Accesses since a group's last barrier, by memory and kind: the ids of the statements, without
# those that are known to race
_Open = dict[tuple[RegisterFile, int, Kind], set[int]]


@dataclass(slots=True)
class Construct:
    """An if, loop or switch.

    An `if` has one or two arms, a loop has one. For a switch, `labels` has the labels of each arm;
    None is the default.
    """

    flow: Flow
    opener: Statement
    arms: list[Body] = field(default_factory=list["Body"])
    labels: list[list[int | None]] = field(default_factory=list[list[int | None]])


Body = list[Statement | Construct]


def label_of(statement: Statement) -> str:
    """The name of the subroutine that an instruction begins or calls: `label2`, `fb0`."""
    operand = statement.operands[-1]
    return f"{operand.file.prefix}{operand.number}"


def build_bodies(program: Program) -> dict[str, Body]:
    """The main body under "", and the subroutines' bodies under their labels.

    Raises TranslateError for unbalanced constructs.
    """
    builder = _Builder()
    for statement in program.statements:
        if not statement.row.is_declaration:
            builder.take(statement)
    builder.end_body()
    return builder.bodies


class _Builder:
    def __init__(self) -> None:
        self.body: Body = []
        self.bodies: dict[str, Body] = {"": self.body}
        self.open: list[tuple[Construct, Body]] = []

    def take(self, statement: Statement) -> None:
        flow = statement.row.flow
        if flow is Flow.LABEL:
            self._label(statement)
        elif flow in _OPENERS:
            self._open(statement, flow)
        elif flow in _CLOSES:
            self._close(statement, flow)
        else:
            self.body.append(statement)

    def end_body(self) -> None:
        if self.open:
            opener = self.open[-1][0].opener
            raise ProgramError(f"{opener.row.name} is never closed", opener.where)

    def _label(self, statement: Statement) -> None:
        self.end_body()
        name = label_of(statement)
        if name in self.bodies:
            raise ProgramError(f"a second label {name}", statement.where)
        self.body = self.bodies[name] = []

    def _open(self, statement: Statement, flow: Flow) -> None:
        construct = Construct(flow, statement)
        self.body.append(construct)
        self.open.append((construct, self.body))
        if flow is Flow.SWITCH:
            self.body = []  # code before the first label is unreachable
        else:
            self.body = self._arm(construct)

    def _close(self, statement: Statement, flow: Flow) -> None:
        construct, outer = self.open[-1] if self.open else (None, self.body)
        if construct is None or construct.flow is not _CLOSES[flow]:
            raise ProgramError(f"{statement.row.name} stands in no construct", statement.where)
        if flow is Flow.ELSE:
            if len(construct.arms) > 1:
                raise ProgramError("a second else for one if", statement.where)
            self.body = self._arm(construct)
        elif flow in (Flow.CASE, Flow.DEFAULT):
            self._case(construct, statement)
        else:
            self.open.pop()
            self.body = outer

    def _case(self, construct: Construct, statement: Statement) -> None:
        """Begin an arm at a `case` or `default`; consecutive labels share an arm."""
        if statement.operands and not statement.operands[0].values:
            raise ProgramError("the label of a case is an immediate", statement.where)
        label = statement.operands[0].values[0] if statement.operands else None
        if any(label in labels for labels in construct.labels):
            raise ProgramError("a second label of the same value in a switch", statement.where)
        if construct.arms and not construct.arms[-1]:
            construct.labels[-1].append(label)
            return
        self.body = self._arm(construct)
        construct.labels.append([label])

    @staticmethod
    def _arm(construct: Construct) -> Body:
        construct.arms.append([])
        return construct.arms[-1]


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
