"""Execute a program: groups in batches, lanes in lockstep, structured control flow.

Source: FS §7, §18, §22.7, §22.17.7; reference "Control flow", "sync". All active lanes execute an
instruction before the next one. A construct runs until every lane has left it. So lanes reconverge
after each construct and reach a barrier together; if some do not, the barrier is divergent.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import ClassVar, Protocol

import numpy as np

from translate.errors import NOWHERE, ProgramError, TranslateError, UnsupportedError, Where
from translate.isa.instruction import Flow, Kind, Lanes, Scalar
from translate.linkage import ClassInstances
from translate.program import Program, Statement
from translate.reference.access import Accesses
from translate.reference.alu import computation, execute_dot
from translate.reference.batch import NO_LANES, Batch
from translate.reference.findings import Findings
from translate.reference.layout import Classes, Layout, read_layout
from translate.reference.messages import abort, send
from translate.reference.registers import Registers
from translate.reference.report import Reporter, report_absent
from translate.reference.storage import Storage
from translate.reference.structure import Body, Construct, build_bodies, label_of, racing
from translate.reference.words import SharedMemory

Observe = Callable[[Statement, Lanes, Registers, Accesses], None]

MAX_CALLS = 32  # deeper calls are skipped (FS §22.7)
_BATCH_LANES = 1 << 16
_BATCH_BYTES = 1 << 28  # of registers and group-shared memory


class Observer(Protocol):
    """Is called before and after the lanes of a batch execute an instruction."""

    def before(
        self, statement: Statement, lanes: Lanes, registers: Registers, accesses: Accesses
    ) -> None: ...

    def after(
        self, statement: Statement, lanes: Lanes, registers: Registers, accesses: Accesses
    ) -> None: ...

    def watches(self, batch: Batch) -> bool:
        """Whether to observe a batch."""
        ...


class DeadlineError(TranslateError):
    """The program exceeded its time limit."""


class Machine:
    """A program with its resources, for a single dispatch."""

    def __init__(
        self,
        program: Program,
        storage: Storage,
        class_instances: ClassInstances,
        findings: Findings,
        observer: Observer | None = None,
        timeout_s: float | None = None,
    ):
        """Raises TranslateError for a program that breaks its shader model's rules."""
        self.layout: Layout = read_layout(program)
        self.bodies = build_bodies(program)
        self.racing = racing(program, self.bodies)
        self.classes = Classes(program, self.layout, class_instances)
        self.storage = storage
        self.findings = findings
        self.observer = observer
        self.deadline = None if timeout_s is None else time.monotonic() + timeout_s
        instructions = [s.where for s in program.statements if not s.row.is_declaration]
        self.places = {w.instruction: w for w in instructions if w.instruction is not None}

    def dispatch(self, groups: tuple[int, int, int]) -> None:
        """Run groups (x, y, z), x fastest, as many side by side as memory allows."""
        total = groups[0] * groups[1] * groups[2]
        step = self._groups_per_batch()
        with np.errstate(all="ignore"):
            for first in range(0, total, step):
                self.check_deadline()
                _BatchRun(self, first, min(step, total - first), groups).run()

    def check_deadline(self, where: Where = NOWHERE) -> None:
        """Raise DeadlineError after the time limit; `where` is the loop that runs for longest."""
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise DeadlineError("the program is not done in the time given", where)

    def _groups_per_batch(self) -> int:
        layout = self.layout
        vectors = layout.temps + sum(x.length for x in layout.arrays.values())
        per_group = layout.group_size * 16 * (vectors + 4) + 2 * layout.shared_bytes
        fits = min(_BATCH_LANES // layout.group_size, _BATCH_BYTES // per_group)
        return max(1, fits)


class _Frame:
    """An open loop or switch: the lanes that left it, or continue with the next iteration."""

    def __init__(self, where: Where, *, is_loop: bool):
        self.where = where
        self.is_loop = is_loop
        self.iterations = 0
        self.left: list[Lanes] = []
        self.continued: list[Lanes] = []


class _BatchRun:
    """A batch's run through the program.

    Functions that execute something take the active lanes and return those that are active
    afterwards.
    """

    def __init__(self, machine: Machine, first: int, count: int, groups: tuple[int, int, int]):
        self._machine = machine
        self._batch = Batch(machine.layout, first, count, groups)
        self._reporter = Reporter(machine.findings, self._batch, machine.places, machine.racing)
        layout, storage = machine.layout, machine.storage
        self._registers = Registers(layout, storage, machine.classes, self._batch, self._reporter)
        shared = {n: SharedMemory(g, self._reporter) for n, g in layout.shared.items()}
        self._accesses = Accesses(layout, storage, self._registers, shared, self._reporter)
        observer = machine.observer
        self._observer = observer if observer and observer.watches(self._batch) else None
        self._computations: dict[int, Callable[[Lanes], None]] = {}  # by the statement's id
        self._frames: list[_Frame] = []  # of the subroutine
        self._loops: list[_Frame] = []  # also those of its callers
        self._returned: list[list[Lanes]] = []

    def run(self) -> None:
        self._subroutine("", self._batch.everyone)
        self._reporter.uses.finish()
        self._accesses.finish()

    # --- sequences ---------------------------------------------------------------------------

    def _subroutine(self, name: str, lanes: Lanes) -> Lanes:
        """Run a body with its own frames; returns all lanes except aborted ones."""
        frames, self._frames = self._frames, []
        self._returned.append([])
        rest = self._body(self._machine.bodies[name], lanes)
        back = self._batch.union(rest, *self._returned.pop())
        self._frames = frames
        return back

    def _body(self, body: Body, lanes: Lanes) -> Lanes:
        for item in body:
            if not len(lanes):
                return lanes
            if isinstance(item, Statement):
                lanes = self._statement(item, lanes)
            else:
                lanes = self._CONSTRUCTS[item.flow](self, item, lanes)
        return lanes

    def _statement(self, statement: Statement, lanes: Lanes) -> Lanes:
        self._begin(statement, lanes)
        row = statement.row
        if row.flow is not None:
            after = self._FLOW[row.flow](self, statement, lanes)
        elif execute := self._EXECUTE.get(row.kind):
            execute(self, statement, lanes)
            after = lanes
        else:
            raise UnsupportedError(f"{row.name} cannot be executed", statement.where)
        self._end(statement, lanes)
        return after

    def _begin(self, statement: Statement, lanes: Lanes) -> None:
        self._reporter.begin(statement)
        row = statement.row
        if len(statement.operands) != len(row.operands) and not row.variadic:
            message = f"{row.name} takes {len(row.operands)} operands"
            raise ProgramError(message, statement.where)
        if self._observer is not None:
            self._observed(self._observer.before, statement, lanes)

    def _end(self, statement: Statement, lanes: Lanes) -> None:
        if self._observer is not None:
            self._observed(self._observer.after, statement, lanes)

    def _observed(self, observe: Observe, statement: Statement, lanes: Lanes) -> None:
        self._reporter.muted = True
        observe(statement, lanes, self._registers, self._accesses)
        self._reporter.muted = False

    def _alu(self, statement: Statement, lanes: Lanes) -> None:
        execute = self._computations.get(id(statement))
        if execute is None:
            execute = self._computations[id(statement)] = computation(statement, self._registers)
        execute(lanes)

    # --- conditions --------------------------------------------------------------------------

    def _chosen(self, statement: Statement, lanes: Lanes) -> tuple[Lanes, Lanes]:
        """The lanes that satisfy `_nz` or `_z`, and the others; all lanes without a condition."""
        if not statement.row.controls:
            return lanes, NO_LANES
        value = self._registers.read(statement.operands[0], 0, Scalar.U32, lanes)
        chosen = value != 0 if statement.control("test") else value == 0
        return self._batch.split(lanes, chosen)

    def _part(self, *sides: Lanes) -> None:
        """Record that lanes diverge at the current instruction."""
        if sum(len(side) > 0 for side in sides) > 1:
            for side in sides:
                self._batch.parted_at[side] = self._reporter.instruction

    # --- constructs --------------------------------------------------------------------------

    def _if(self, construct: Construct, lanes: Lanes) -> Lanes:
        self._begin(construct.opener, lanes)
        before = self._batch.part(self._batch.parted_at, lanes).copy()
        yes, no = self._chosen(construct.opener, lanes)
        self._end(construct.opener, lanes)
        self._part(yes, no)
        yes = self._body(construct.arms[0], yes)
        if len(construct.arms) > 1:
            no = self._body(construct.arms[1], no)
        return self._together(lanes, before, self._batch.union(yes, no))

    def _together(self, lanes: Lanes, before: Lanes, rest: Lanes) -> Lanes:
        """Let the lanes `rest` reconverge after a construct: `parted_at` becomes `before` again."""
        if rest is lanes or len(rest) == len(lanes):
            self._batch.parted_at[lanes] = before
        elif len(rest):
            self._batch.parted_at[rest] = before[np.searchsorted(lanes, rest)]
        return rest

    def _loop(self, construct: Construct, lanes: Lanes) -> Lanes:
        self._begin(construct.opener, lanes)
        self._end(construct.opener, lanes)
        before = self._batch.part(self._batch.parted_at, lanes).copy()
        frame = _Frame(construct.opener.where, is_loop=True)
        self._frames.append(frame)
        self._loops.append(frame)
        inside = lanes
        while len(inside):
            longest = max(self._loops, key=lambda loop: loop.iterations)
            self._machine.check_deadline(longest.where)
            frame.iterations += 1
            frame.continued.clear()
            rest = self._body(construct.arms[0], inside)
            inside = self._batch.union(rest, *frame.continued)
        self._frames.pop()
        self._loops.pop()
        return self._together(lanes, before, self._batch.union(*frame.left))

    def _switch(self, construct: Construct, lanes: Lanes) -> Lanes:
        self._begin(construct.opener, lanes)
        before = self._batch.part(self._batch.parted_at, lanes).copy()
        entering = self._arms_entered(construct, lanes)
        self._end(construct.opener, lanes)
        self._part(*entering)
        frame = _Frame(construct.opener.where, is_loop=False)
        self._frames.append(frame)
        falling = NO_LANES
        for arm, enter in zip(construct.arms, entering, strict=False):
            falling = self._body(arm, self._batch.union(falling, enter))
        self._frames.pop()
        rest = self._batch.union(falling, *frame.left, entering[-1])
        return self._together(lanes, before, rest)

    def _arms_entered(self, construct: Construct, lanes: Lanes) -> list[Lanes]:
        """The lanes that enter each arm of a switch; last, the lanes that match no label."""
        selector = self._registers.read(construct.opener.operands[0], 0, Scalar.U32, lanes)
        arm = np.full(len(lanes), len(construct.arms))
        for number, labels in enumerate(construct.labels):
            if None in labels:
                arm[:] = number
        for number, labels in enumerate(construct.labels):
            for label in labels:
                if label is not None:
                    arm[selector == np.uint32(label)] = number
        return [lanes[arm == number] for number in range(len(construct.arms) + 1)]

    # --- jumps and calls ---------------------------------------------------------------------

    def _break(self, statement: Statement, lanes: Lanes) -> Lanes:
        if not self._frames:
            raise ProgramError(f"{statement.row.name} outside of a loop", statement.where)
        out, rest = self._chosen(statement, lanes)
        self._part(out, rest)
        self._frames[-1].left.append(out)
        return rest

    def _continue(self, statement: Statement, lanes: Lanes) -> Lanes:
        frame = next((f for f in reversed(self._frames) if f.is_loop), None)
        if frame is None:
            raise ProgramError(f"{statement.row.name} outside of a loop", statement.where)
        out, rest = self._chosen(statement, lanes)
        self._part(out, rest)
        frame.continued.append(out)
        return rest

    def _return(self, statement: Statement, lanes: Lanes) -> Lanes:
        out, rest = self._chosen(statement, lanes)
        self._part(out, rest)
        self._returned[-1].append(out)
        if len(self._returned) == 1:
            self._batch.parted_at[out] = self._reporter.instruction
        return rest

    def _call(self, statement: Statement, lanes: Lanes) -> Lanes:
        called, others = self._chosen(statement, lanes)
        before = self._batch.part(self._batch.parted_at, lanes).copy()
        self._part(called, others)
        back = self._enter(label_of(statement), statement, called)
        return self._together(lanes, before, self._batch.union(back, others))

    def _enter(self, name: str, statement: Statement, lanes: Lanes) -> Lanes:
        """Run a subroutine. Calls nested too deeply do nothing."""
        if name not in self._machine.bodies:
            raise ProgramError(f"there is no label {name}", statement.where)
        if not len(lanes) or len(self._returned) > MAX_CALLS:
            return lanes
        return self._subroutine(name, lanes)

    def _interface_call(self, statement: Statement, lanes: Lanes) -> Lanes:
        """Execute `fcall fp#[element][call site]`; a dynamic index past the end calls nothing."""
        number, element = statement.operands[0].indices
        classes, site = self._machine.classes, statement.extra[0]
        where, chosen = statement.where, self._registers.index(element, lanes)
        if isinstance(chosen, int):
            return self._enter(classes.body(number.base, chosen, site, where), statement, lanes)
        before = self._batch.part(self._batch.parted_at, lanes).copy()
        distinct: list[int] = np.unique(chosen).tolist()
        sides = [lanes[chosen == one] for one in distinct]
        self._part(*sides)
        for place, one in enumerate(distinct):
            if one < classes.elements(number.base, where):
                body = classes.body(number.base, one, site, where)
                sides[place] = self._enter(body, statement, sides[place])
        return self._together(lanes, before, self._batch.union(*sides))

    def _abort(self, statement: Statement, lanes: Lanes) -> Lanes:
        """End these lanes, also in subroutines; the others continue."""
        abort(lanes, self._reporter)
        self._batch.parted_at[lanes] = self._reporter.instruction
        return NO_LANES

    # --- barriers ----------------------------------------------------------------------------

    def _sync(self, statement: Statement, lanes: Lanes) -> None:
        """Check that all threads arrive; lockstep already orders the accesses."""
        waits, everyone = statement.control("threads"), len(lanes) == self._batch.lane_count
        if waits and not everyone:
            report_absent(self._reporter, lanes)
        groups = None if everyone else np.unique(self._batch.group_of(lanes))
        uavs = statement.control("uav_global") or statement.control("uav_group")
        for shared, orders in ((True, statement.control("shared")), (False, uavs)):
            for log in self._accesses.logs(shared=shared):
                if waits:
                    (log.meet if orders else log.wait)(groups)
                elif orders:
                    log.fence(lanes)

    # Not attributes of an instance: with references to itself, its memory would stay until a
    # collection.
    _EXECUTE: ClassVar[dict[Kind, Callable[[_BatchRun, Statement, Lanes], None]]] = {
        Kind.ALU: _alu,
        Kind.MOVE: _alu,
        Kind.DOT: lambda run, s, lanes: execute_dot(s, run._registers, lanes),
        Kind.LOAD: lambda run, s, lanes: run._accesses.load(s, lanes),
        Kind.STORE: lambda run, s, lanes: run._accesses.store(s, lanes),
        Kind.ATOMIC: lambda run, s, lanes: run._accesses.atomic(s, lanes),
        Kind.COUNTER: lambda run, s, lanes: run._accesses.counter(s, lanes),
        Kind.TEXTURE: lambda run, s, lanes: run._accesses.sample(s, lanes),
        Kind.QUERY: lambda run, s, lanes: run._accesses.query(s, lanes),
        Kind.SYNC: _sync,
        Kind.MESSAGE: lambda run, s, lanes: send(s, run._registers, lanes, run._reporter),
        Kind.NOTHING: lambda run, s, lanes: None,
    }
    _FLOW: ClassVar[dict[Flow, Callable[[_BatchRun, Statement, Lanes], Lanes]]] = {
        Flow.BREAK: _break,
        Flow.CONTINUE: _continue,
        Flow.RETURN: _return,
        Flow.CALL: _call,
        Flow.INTERFACE_CALL: _interface_call,
        Flow.ABORT: _abort,
    }
    _CONSTRUCTS: ClassVar[dict[Flow, Callable[[_BatchRun, Construct, Lanes], Lanes]]] = {
        Flow.IF: _if,
        Flow.LOOP: _loop,
        Flow.SWITCH: _switch,
    }
