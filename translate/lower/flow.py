"""Structured control flow: nesting of if, loop and switch becomes blocks. Source: FS §22.7, §7.19.

The call graph of subroutines has no recursion and is not too deep. After a terminator (`break`,
`ret`, ...) the builder continues in a block outside of the module, so that unreachable code is
dropped.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Callable, Mapping

from translate.dataclass import dataclass, field
from translate.errors import ProgramError
from translate.ir import ops
from translate.ir.builder import Builder
from translate.ir.ops import Op
from translate.ir.row import Cases
from translate.ir.types import U32, VOID
from translate.ir.values import Block, Value
from translate.isa.instruction import Flow
from translate.lower.operands import Operands, Scalar
from translate.program import Program, Statement

MAX_DEPTH = 32  # D3D skips deeper calls
MAX_NESTING = 64  # FS §22.7: deeper is undefined


class CallGraph:
    """The calls of each caller; `caller` is the body that is being lowered, "" for the entry."""

    def __init__(self) -> None:
        self.caller = ""
        self.calls: dict[str, list[tuple[str, Statement]]] = {}

    def add(self, name: str, statement: Statement) -> None:
        self.calls.setdefault(self.caller, []).append((name, statement))

    def reached(self) -> set[str]:
        """All subroutines that the entry calls, directly or through others."""
        found: set[str] = set()
        work = [""]
        while work:
            new = {name for name, _ in self.calls.get(work.pop(), ())} - found
            found |= new
            work += new
        return found

    def check(self, functions: frozenset[str]) -> None:
        """Raise TranslateError for a missing body, a recursion, or calls nested too deep.

        D3D skips calls nested deeper than 32 levels. No compiler relies on that; they are refused.
        """
        depths: dict[str, int] = {}
        for caller in self.calls:
            self._depth(caller, functions, depths, [])

    def _depth(
        self, caller: str, functions: frozenset[str], depths: dict[str, int], path: list[str]
    ) -> int:
        """The number of calls nested below a body. Raises TranslateError as `check` does."""
        if caller in depths:
            return depths[caller]
        deepest = 0
        for name, statement in self.calls.get(caller, ()):
            if name not in functions:
                raise ProgramError(f"there is no label {name}", statement.where)
            if name in path or name == caller:
                raise ProgramError(f"{name} calls itself", statement.where)
            below = MAX_DEPTH + 1
            if len(path) <= MAX_DEPTH:
                below = 1 + self._depth(name, functions, depths, [*path, caller])
            if below > MAX_DEPTH:
                message = f"calls nest deeper than {MAX_DEPTH} levels"
                raise ProgramError(message, statement.where)
            deepest = max(deepest, below)
        depths[caller] = deepest
        return deepest


def _subroutine(statement: Statement) -> str:
    """The name of the subroutine that an instruction begins or calls."""
    label = statement.operands[-1]
    return f"{label.file.prefix}{label.number}"


@dataclass(eq=False, slots=True)
class Construct:
    """An open if, loop or switch; at its end it becomes the operation `op`.

    `labels` has a switch's labels for each of `blocks`, None for the default; `known` has all
    labels so far.
    """

    flow: Flow
    opener: Statement
    outer: Block
    op: Op
    args: list[Value]
    blocks: list[Block]
    labels: list[list[int | None]] = field(default_factory=list[list[int | None]])
    known: set[int | None] = field(default_factory=set[int | None])


class FlowDriver:
    """Lowers flow instructions, in order: they open and close constructs."""

    def __init__(self, builder: Builder, operands: Operands):
        self.b = builder
        self.operands = operands
        self.open: list[Construct] = []
        self.calls = CallGraph()
        self.aborted: int | None = None  # set in aborted threads, if a subroutine may abort

    def prepare(self, program: Program) -> None:
        """Reserve a register by which an `abort` in a subroutine tells callers; call this first."""
        flows = [statement.row.flow for statement in program.statements]
        if Flow.LABEL in flows and Flow.ABORT in flows[flows.index(Flow.LABEL) :]:
            module = self.operands.module
            self.aborted = 4 * module.temp_count
            module.temp_count += 1

    def abort(self) -> None:
        """End the thread; in a subroutine, make its callers return."""
        if self.calls.caller and self.aborted is not None:
            self.b.write_register(self.aborted, self.b.u32(1))
        self._terminate(ops.RETURN)

    def lower(self, statement: Statement) -> None:
        """Lower one flow instruction."""
        assert statement.row.flow is not None
        _HANDLERS[statement.row.flow](self, statement)

    def finish(self) -> None:
        """End the program with an implied `ret`, and drop subroutines that are never called.

        Raises TranslateError for an open construct, a missing body, or a recursion.
        """
        self._end_body()
        functions = self.operands.module.functions
        self.calls.check(frozenset(functions))
        reached = self.calls.reached()
        for name in [name for name in functions if name not in reached]:
            del functions[name]

    def _end_body(self) -> None:
        if self.open:
            opener = self.open[-1].opener
            raise ProgramError(f"{opener.row.name} is never closed", opener.where)
        self.b.emit(ops.RETURN, VOID, [])
        self.operands.end_body()

    # --- subroutines -----------------------------------------------------------------------

    def _label(self, statement: Statement) -> None:
        """End the code before a `label`, and begin the subroutine (reference "Control flow")."""
        self._end_body()
        name = _subroutine(statement)
        functions = self.operands.module.functions
        if name in functions:
            raise ProgramError(f"a second label {name}", statement.where)
        self.b.block = functions[name] = Block()
        self.operands.begin_body(self.b.block)
        self.calls.caller = name

    def _interface_call(self, statement: Statement) -> None:
        """Lower `fcall fp#[element][call site]`; an element past the end makes no call."""
        number, element = (index for index in statement.operands[0].indices)
        site, where = statement.extra[0], statement.where
        instances = self.operands.instances
        if element.relative is None:
            self._call_body(statement, instances.body(number.base, element.base, site, where))
            return
        index = self.operands.index(element)
        for position in range(instances.declared(number.base, where).count):
            name = instances.body(number.base, position, site, where)
            with self.b.selection(self.b.ieq(index, self.b.u32(position))):
                self._call_body(statement, name)

    def _call_body(self, statement: Statement, name: str) -> None:
        self.calls.add(name, statement)
        self.b.call(name)
        if self.aborted is not None:
            aborted = self.b.read_register(self.aborted, U32)
            with self.b.selection(self.b.ine(aborted, self.b.u32(0))):
                self._terminate(ops.RETURN)

    def _call(self, statement: Statement) -> None:
        name = _subroutine(statement)
        if len(statement.operands) == 1:
            self._call_body(statement, name)
            return
        with self.b.selection(self._condition(statement)):
            self._call_body(statement, name)

    # --- helpers ---------------------------------------------------------------------------

    def _condition(self, statement: Statement) -> Value:
        """The BOOL of `_nz` (any bit is set) or `_z` (all bits are 0)."""
        value = self.operands.read(statement.operands[0], 0, Scalar.U32)
        test = self.b.ine if statement.control("test") else self.b.ieq
        return test(value, self.b.u32(0))

    def _terminate(self, op: Op) -> None:
        self.b.emit(op, VOID, [])
        self.b.block = Block()

    def _terminate_if(self, statement: Statement, op: Op) -> None:
        """End a block: directly for `break` and its like, conditionally for `breakc`."""
        if not statement.row.controls:
            self._terminate(op)
            return
        condition = self._condition(statement)
        with self.b.selection(condition):
            self._terminate(op)

    def _push(
        self, flow: Flow, statement: Statement, op: Op, args: list[Value], blocks: list[Block]
    ) -> None:
        if len(self.open) >= MAX_NESTING:
            raise ProgramError(f"nested deeper than {MAX_NESTING} levels", statement.where)
        self.open.append(Construct(flow, statement, self.b.block, op, args, blocks))

    def _top(self, statement: Statement, flow: Flow) -> Construct:
        """The innermost open construct. Raises TranslateError if it is not a `flow`."""
        if not self.open or self.open[-1].flow is not flow:
            inside = f"inside {self.open[-1].opener.row.name}" if self.open else "outside of any"
            message = f"{statement.row.name} without its {flow.name.lower()} ({inside})"
            raise ProgramError(message, statement.where)
        return self.open[-1]

    def _close(self, construct: Construct, cases: Cases | None = None) -> None:
        where = construct.opener.where
        value = Value(construct.op, VOID, construct.args, cases, where)
        value.blocks = tuple(construct.blocks)
        construct.outer.values.append(value)
        self.b.block = construct.outer
        self.open.pop()

    # --- if --------------------------------------------------------------------------------

    def _if(self, statement: Statement) -> None:
        then, condition = Block(), self._condition(statement)
        self._push(Flow.IF, statement, ops.IF, [condition], [then])
        self.b.block = then

    def _else(self, statement: Statement) -> None:
        construct = self._top(statement, Flow.IF)
        if len(construct.blocks) > 1:
            raise ProgramError("a second else for one if", statement.where)
        self.b.emit(ops.YIELD, VOID, [])
        self.b.block = Block()
        construct.blocks.append(self.b.block)

    def _endif(self, statement: Statement) -> None:
        construct = self._top(statement, Flow.IF)
        self.b.emit(ops.YIELD, VOID, [])
        if len(construct.blocks) == 1:
            self.b.block = Block()
            construct.blocks.append(self.b.block)
            self.b.emit(ops.YIELD, VOID, [])
        self._close(construct)

    # --- loop ------------------------------------------------------------------------------

    def _loop(self, statement: Statement) -> None:
        body = Block()
        self._push(Flow.LOOP, statement, ops.LOOP, [], [body])
        self.b.block = body

    def _endloop(self, statement: Statement) -> None:
        construct = self._top(statement, Flow.LOOP)
        self.b.emit(ops.CONTINUE, VOID, [])
        self._close(construct)

    def _break(self, statement: Statement) -> None:
        self._require(statement, (Flow.LOOP, Flow.SWITCH), "a loop or switch")
        self._terminate_if(statement, ops.BREAK)

    def _continue(self, statement: Statement) -> None:
        self._require(statement, (Flow.LOOP,), "a loop")
        self._terminate_if(statement, ops.CONTINUE)

    def _require(self, statement: Statement, flows: tuple[Flow, ...], what: str) -> None:
        if not any(construct.flow in flows for construct in self.open):
            raise ProgramError(f"{statement.row.name} outside of {what}", statement.where)

    def _return(self, statement: Statement) -> None:
        self._terminate_if(statement, ops.RETURN)

    # --- switch ----------------------------------------------------------------------------

    def _switch(self, statement: Statement) -> None:
        selector = self.operands.read(statement.operands[0], 0, Scalar.U32)
        self._push(Flow.SWITCH, statement, ops.SWITCH, [selector], [])
        self.b.block = Block()

    def _case(self, statement: Statement) -> None:
        construct = self._top(statement, Flow.SWITCH)
        if statement.operands and not statement.operands[0].values:
            raise ProgramError("the label of a case is an immediate", statement.where)
        label = statement.operands[0].values[0] if statement.operands else None
        if label in construct.known:
            name = "default" if label is None else f"case {label}"
            raise ProgramError(f"a second {name} in one switch", statement.where)
        construct.known.add(label)
        if not construct.blocks and self.b.block.values:
            raise ProgramError("code between switch and its first case", statement.where)
        if construct.blocks and construct.blocks[-1] is self.b.block and not self.b.block.values:
            construct.labels[-1].append(label)
            return
        self.b.emit(ops.FALL_THROUGH, VOID, [])
        self.b.block = Block()
        construct.blocks.append(self.b.block)
        construct.labels.append([label])

    def _endswitch(self, statement: Statement) -> None:
        construct = self._top(statement, Flow.SWITCH)
        self.b.emit(ops.BREAK, VOID, [])
        if None not in construct.known:
            self.b.block = Block()
            construct.blocks.append(self.b.block)
            construct.labels.append([None])
            self.b.emit(ops.BREAK, VOID, [])
        self._close(construct, tuple(tuple(labels) for labels in construct.labels))


# Functions, not bound methods: those in a FlowDriver would keep it alive until the next search for
# garbage
_HANDLERS: Mapping[Flow, Callable[[FlowDriver, Statement], None]] = {
    Flow.IF: FlowDriver._if,
    Flow.ELSE: FlowDriver._else,
    Flow.ENDIF: FlowDriver._endif,
    Flow.LOOP: FlowDriver._loop,
    Flow.ENDLOOP: FlowDriver._endloop,
    Flow.BREAK: FlowDriver._break,
    Flow.CONTINUE: FlowDriver._continue,
    Flow.SWITCH: FlowDriver._switch,
    Flow.CASE: FlowDriver._case,
    Flow.DEFAULT: FlowDriver._case,
    Flow.ENDSWITCH: FlowDriver._endswitch,
    Flow.RETURN: FlowDriver._return,
    Flow.CALL: FlowDriver._call,
    Flow.LABEL: FlowDriver._label,
    Flow.INTERFACE_CALL: FlowDriver._interface_call,
}
