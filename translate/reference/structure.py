"""Control flow as a tree of instructions and nested constructs. Source: FS §22.7.

The structure follows from nesting alone; tokens have no offsets (reference "Control flow").
"""

from __future__ import annotations

from translate.dataclass import dataclass, field
from translate.errors import ProgramError
from translate.isa.instruction import Flow
from translate.program import Program, Statement


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

_OPENERS = (Flow.IF, Flow.LOOP, Flow.SWITCH)
_CLOSES = {
    Flow.ELSE: Flow.IF,
    Flow.ENDIF: Flow.IF,
    Flow.ENDLOOP: Flow.LOOP,
    Flow.CASE: Flow.SWITCH,
    Flow.DEFAULT: Flow.SWITCH,
    Flow.ENDSWITCH: Flow.SWITCH,
}


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
