"""Execute modules: thread groups in batches, and a handler for each operation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from checks.interpret.barriers import Barriers
from checks.interpret.d3d_dwords import D3DDwords
from checks.interpret.denormals import Denormals
from checks.interpret.elements import Elements
from checks.interpret.flow import Flow
from checks.interpret.lanes import Lanes, of_words, to_words
from checks.interpret.messages import Messages, Sent, message_words, sent
from checks.interpret.operation import Context, Handler, Operation
from checks.interpret.pure import Arithmetic
from checks.interpret.queries import Queries
from checks.interpret.reports import Reported, Reports, records, report_words
from checks.interpret.samples import Samples
from checks.interpret.spaces import Spaces
from checks.interpret.texels import Texels, TexelSpaces
from checks.interpret.threads import Threads, Triple
from translate.ir import ops, row
from translate.ir.memory import MemoryKind, Resource
from translate.ir.ops import Effect
from translate.ir.row import Stage
from translate.ir.values import Module
from translate.reference.resources import Written
from translate.reference.storage import Storage
from translate.target_device import Robustness

_MOST_LANES = 1 << 16  # in a batch


@dataclass(slots=True)
class Found:
    """The results other than memory, collected while a module runs."""

    reported: Counter[Reported] = field(default_factory=Counter["Reported"])
    sent: Counter[Sent] = field(default_factory=Counter["Sent"])
    outside: set[MemoryKind] = field(default_factory=set["MemoryKind"])
    races: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """The results of a module.

    `written` has the contents of UAVs, `reported` the reported violations, `sent` the messages.
    `races`: threads accessed the same dword of group-shared memory without a barrier between.
    `outside` has the kinds of memory that operations under D3D's rules (before the guards) accessed
    out of bounds.
    """

    written: Written
    reported: Counter[Reported]
    sent: Counter[Sent]
    races: bool
    outside: frozenset[MemoryKind]


class Machine:
    """A module with its resources, for a single dispatch."""

    def __init__(
        self,
        module: Module,
        stage: Stage,
        storage: Storage,
        denormals: Denormals,
        robustness: Robustness,
        rounds: int,
    ):
        self._module = module
        self._stage = stage
        self._storage = storage
        self._arithmetic = Arithmetic(module, denormals)
        self._robustness = robustness
        self._rounds = rounds
        self._own: dict[Resource, Lanes] = {}
        if module.report is not None:
            self._own[module.report.buffer] = report_words(module.report, module.sites, storage)
        if module.message_buffer is not None:
            self._own[module.message_buffer] = message_words(module)
        # After `write_reports`, stores set the marks explicitly
        written = module.written_marks if stage < Stage.REPORTED else {}
        self._marks = {marks: shared for shared, marks in written.items()}
        self._found = Found()

    def dispatch(self, groups: Triple) -> Outcome:
        """Run thread groups, x fastest."""
        x, y, z = self._module.thread_group
        total, step = groups[0] * groups[1] * groups[2], max(1, _MOST_LANES // (x * y * z))
        with np.errstate(all="ignore"):
            for first in range(0, total, step):
                self._run(Threads((x, y, z), groups, first, min(step, total - first)))
        return Outcome(
            self._storage.written(),
            self._reported(),
            self._sent(),
            self._found.races,
            frozenset(self._found.outside),
        )

    def _run(self, threads: Threads) -> None:
        spaces = Spaces(self._storage, threads, self._own, self._marks, self._module.tables.layouts)
        executor = _Executor(self._storage, spaces, threads, self._arithmetic, self._found)
        context = Context(self._module, self._stage, threads, self._robustness)
        Flow(context, executor.execute, self._rounds).run()
        self._found.races |= any(space.races and space.races.found for space in spaces.shared())

    def _reported(self) -> Counter[Reported]:
        """All reports; after `write_reports`, the report buffer has them."""
        report = self._module.report
        if report is None or self._stage < Stage.REPORTED:
            return self._found.reported
        return records(self._own[report.buffer], report.first_count, self._module.sites)

    def _sent(self) -> Counter[Sent]:
        """All messages; they are in the message buffer if the module has one."""
        buffer = self._module.message_buffer
        return self._found.sent if buffer is None else sent(self._module, self._own[buffer])


class _Executor:
    """The handlers of operations for a batch of threads."""

    def __init__(
        self, storage: Storage, spaces: Spaces, threads: Threads, pure: Arithmetic, found: Found
    ):
        texel_spaces = TexelSpaces(storage)
        texels, dwords = Texels(texel_spaces, found.outside), D3DDwords(spaces, found.outside)
        reports = Reports(spaces, texel_spaces, storage, found.reported)
        self._pure = pure.execute
        self._atomics = {True: texels.atomic, False: dwords.atomic}
        self._threads = threads
        self._registers: dict[int, Lanes] = {}
        self._handlers: Mapping[ops.Op, Handler] = {
            **dwords.handlers,
            **Elements(spaces).handlers,
            **texels.handlers,
            **Queries(storage, spaces, texel_spaces).handlers,
            **Samples(storage, texel_spaces).handlers,
            **reports.handlers,
            ops.ATOMIC: self._atomic,
            ops.MESSAGE: Messages(found.sent).send,
            ops.BARRIER: Barriers(spaces).execute,
            ops.INPUT: self._input,
            ops.SPECIALIZED: self._specialized,
            ops.READ_REGISTER: self._read_register,
            ops.WRITE_REGISTER: self._write_register,
        }

    def execute(self, operation: Operation) -> Lanes | None:
        """The result of an operation in all lanes; None for an operation without a result."""
        op = operation.value.op
        handler = self._handlers.get(op)
        if handler is not None:
            return handler(operation)
        assert op.effect is Effect.PURE, f"{op} has no row in the handlers of {__name__}"
        return self._pure(operation)

    def _atomic(self, operation: Operation) -> Lanes | None:
        resource = row.ATOMIC.of(operation.value).resource
        return self._atomics[resource.kind is MemoryKind.TYPED](operation)

    def _input(self, operation: Operation) -> Lanes:
        name, component = row.INPUT.of(operation.value)
        return self._threads.input(name, component)

    def _specialized(self, operation: Operation) -> Lanes:
        """A specialization constant, which is not set."""
        return np.zeros(self._threads.count, np.bool_)

    def _read_register(self, operation: Operation) -> Lanes:
        """A register is 0 until it is written."""
        nothing = np.zeros(self._threads.count, np.uint32)
        return of_words(
            self._registers.get(row.REGISTER.of(operation.value), nothing), operation.value.type
        )

    def _write_register(self, operation: Operation) -> None:
        number = row.REGISTER.of(operation.value)
        old = self._registers.get(number, np.zeros(self._threads.count, np.uint32))
        self._registers[number] = operation.active.merged(to_words(operation.operands[0]), old)
