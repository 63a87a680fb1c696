"""Trace a thread like a debugger: each instruction that it executes, with sources and results."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from translate.dataclass import dataclass
from translate.errors import Where, escaped
from translate.isa.instruction import Kind, Lanes, Role, Scalar, Spec
from translate.isa.registers import Operand, RegisterFile
from translate.linkage import ClassInstances
from translate.program import Program, Statement
from translate.reference.access import Accesses
from translate.reference.batch import Batch
from translate.reference.findings import Findings, Triple
from translate.reference.machine import Machine
from translate.reference.registers import Registers
from translate.reference.resources import Resources
from translate.reference.storage import Storage
from translate.reference.values import (
    TYPES,
    Cell,
    Value,
    cells,
    element_of,
    read_destination,
    read_source,
    slots_of,
)

_READ = (Role.SOURCE, Role.ADDRESS)
_MEMORY = (Role.RESOURCE, Role.TARGET)


@dataclass(frozen=True, slots=True)
class Step:
    """An executed instruction.

    `instruction` counts without declarations; `line` is the listing's line, `text` is that line's
    text. `sources` are values before the instruction, `results` are values after it. Both include
    the memory that the instruction accesses: its contents before any thread of the batch executes
    the instruction, and after all of them did. With debug information, `hlsl_file`, `hlsl_line` and
    `hlsl_text` are the HLSL's file, line and text.
    """

    instruction: int
    line: int | None
    text: str
    sources: tuple[Value, ...]
    results: tuple[Value, ...]
    hlsl_file: str | None = None
    hlsl_line: int | None = None
    hlsl_text: str | None = None

    def __repr__(self) -> str:
        ways = (("in", self.sources), ("out", self.results))
        parts = (f"{way} {', '.join(map(str, values))}" for way, values in ways if values)
        return escaped(f"<Step {self.instruction}: {'; '.join([self.text, *parts])}>")


def trace(
    program: Program,
    resources: Resources,
    groups: Triple,
    *,
    thread: Triple,
    class_instances: ClassInstances | None = None,
    lines: Sequence[str] | None = None,
    limit: int | None = None,
    timeout_s: float | None = None,
) -> Iterator[Step]:
    """The instructions that a thread (vThreadID) of a dispatch executes, in order.

    It is empty for a thread outside the dispatch. The dispatch runs up to the thread's group, so
    that the thread sees the effects of other threads. `lines` has the text of each instruction by
    its number; without it, the lines of a listing, or a container's mnemonics are used. `limit` is
    the maximum number of steps. Raises the errors of `run`.
    """
    tracer = _Tracer(program, thread, lines, limit)
    findings = Findings(limit=0)
    storage = Storage(resources)
    machine = Machine(program, storage, class_instances or {}, findings, tracer, timeout_s)
    with contextlib.suppress(_EnoughError):
        machine.dispatch(groups)
    yield from tracer.steps


class _EnoughError(Exception):
    """The trace is complete; the rest of the dispatch is not needed."""


class _Tracer:
    """An Observer of one thread."""

    def __init__(
        self, program: Program, thread: Triple, lines: Sequence[str] | None, limit: int | None
    ):
        self.steps: list[Step] = []
        self._program = program
        self._thread = thread
        self._lines = lines
        self._limit = limit
        self._lane: Lanes | None = None
        self._sources: tuple[Value, ...] = ()
        self._targets: list[tuple[Operand, Spec, str]] = []  # destinations, with elements
        self._cells: list[Cell] = []
        self._hlsl = {name: text.splitlines() for name, text in program.hlsl_files.items()}

    def watches(self, batch: Batch) -> bool:
        if self._lane is not None:
            raise _EnoughError
        here = np.ones(batch.lane_count, np.bool_)
        for axis, wanted in enumerate(self._thread):
            here &= batch.input(RegisterFile.THREAD_ID, axis) == wanted
        if not here.any():
            return False
        self._lane = np.flatnonzero(here)
        return True

    def before(
        self, statement: Statement, lanes: Lanes, registers: Registers, accesses: Accesses
    ) -> None:
        if not self._executes(lanes):
            return
        assert self._lane is not None
        self._cells = cells(statement, self._lane, accesses)
        operands = list(zip(statement.operands, statement.specs, strict=True))
        slots = partial(slots_of, statement, accesses, self._lane)
        self._targets = [
            (operand, spec, element_of(registers, operand, self._lane))
            for operand, spec in operands
            if spec.role is Role.DESTINATION and operand.file is not RegisterFile.NULL
        ]
        self._sources = tuple(
            self._memory(statement, spec)
            if spec.role in _MEMORY
            else read_source(operand, spec, slots(spec), registers, self._lane)
            for operand, spec in operands
            if spec.role in _READ or (self._cells and spec.role in _MEMORY and _reads(statement))
        )

    def after(
        self, statement: Statement, lanes: Lanes, registers: Registers, accesses: Accesses
    ) -> None:
        if not self._executes(lanes):
            return
        lane = self._lane
        assert lane is not None
        results = [
            read_destination(operand, spec, element, registers, lane, self._type(statement, spec))
            for operand, spec, element in self._targets
        ]
        if self._cells and statement.row.kind is not Kind.LOAD:
            (spec,) = [spec for spec in statement.specs if spec.role in _MEMORY]
            results.append(self._memory(statement, spec))
        self.steps.append(self._step(statement, tuple(results)))
        if len(self.steps) == self._limit:
            raise _EnoughError

    def _step(self, statement: Statement, results: tuple[Value, ...]) -> Step:
        where = statement.where
        return Step(
            instruction=-1 if where.instruction is None else where.instruction,
            line=where.line,
            text=self._text(statement),
            sources=self._sources,
            results=results,
            hlsl_file=where.hlsl_file,
            hlsl_line=where.hlsl_line,
            hlsl_text=self._hlsl_text(where),
        )

    def _hlsl_text(self, where: Where) -> str | None:
        lines = self._hlsl.get(where.hlsl_file or "", [])
        number = where.hlsl_line or 0
        return lines[number - 1].strip() if 0 < number <= len(lines) else None

    def _memory(self, statement: Statement, spec: Spec) -> Value:
        """The current contents of the memory that the instruction accesses."""
        return Value(
            name=spec.name,
            register=self._cells[0].register,
            components="".join(cell.letter for cell in self._cells),
            bits=tuple(cell.read() for cell in self._cells),
            type=self._type(statement, spec),
            elements=tuple(cell.element for cell in self._cells),
        )

    def _type(self, statement: Statement, spec: Spec) -> str:
        """An operand's type; for untyped accesses the memory's type or the atomic's."""
        if spec.scalar is not Scalar.BITS or not self._cells:
            return TYPES[spec.scalar]
        if self._cells[0].type is not None:
            return self._cells[0].type
        sources = [s.scalar for s in statement.specs if s.role is Role.SOURCE]
        return TYPES[sources[0]] if statement.row.kind is Kind.ATOMIC else "bits"

    def _executes(self, lanes: Lanes) -> bool:
        assert self._lane is not None
        position = int(np.searchsorted(lanes, self._lane)[0])
        return position < len(lanes) and lanes[position] == self._lane[0]

    def _text(self, statement: Statement) -> str:
        number = statement.where.instruction
        if self._lines is not None and number is not None and number < len(self._lines):
            return self._lines[number].strip()
        line = self._program.source_line(statement.where)
        return line.strip() if line is not None else statement.row.name


def _reads(statement: Statement) -> bool:
    """Whether the instruction reads the memory that it accesses."""
    return statement.row.kind is not Kind.STORE
