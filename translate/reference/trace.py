"""A debugger's view: every instruction that one thread executes, with values in and results out."""

from __future__ import annotations

import contextlib
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from translate.isa.instruction import Lanes, Role, Scalar, Spec
from translate.isa.registers import COMPONENTS, Operand, RegisterFile
from translate.linkage import ClassInstances
from translate.program import Program, Statement
from translate.reference.alu import written
from translate.reference.batch import Batch
from translate.reference.findings import Findings, Triple
from translate.reference.machine import Machine
from translate.reference.numbers import double_bits
from translate.reference.registers import Registers
from translate.reference.resources import Resources
from translate.reference.storage import Storage

_READ = (Role.SOURCE, Role.ADDRESS)


@dataclass(frozen=True, slots=True)
class Value:
    """What an operand held: `bits` has a u32 for each letter of `components`.

    The letters are the register's components in the order in which the instruction takes them;
    the bits of a source have its modifiers applied.
    """

    name: str
    register: str
    components: str
    bits: tuple[int, ...]

    @property
    def ints(self) -> tuple[int, ...]:
        """As signed numbers."""
        return tuple(b - (1 << 32) if b >> 31 else b for b in self.bits)

    @property
    def floats(self) -> tuple[float, ...]:
        """As 32-bit floats."""
        return struct.unpack(f"<{len(self.bits)}f", struct.pack(f"<{len(self.bits)}I", *self.bits))

    @property
    def doubles(self) -> tuple[float, ...]:
        """As doubles, of two dwords each."""
        pairs = len(self.bits) // 2
        packed = struct.pack(f"<{2 * pairs}I", *self.bits[: 2 * pairs])
        return struct.unpack(f"<{pairs}d", packed)


@dataclass(frozen=True, slots=True)
class Step:
    """One executed instruction. `instruction` counts without declarations, `line` is the listing's.

    `text` is its line of the listing. `sources` are values before it ran, `results` after.
    """

    instruction: int
    line: int | None
    text: str
    sources: tuple[Value, ...]
    results: tuple[Value, ...]


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
    """What one thread (vThreadID) of a dispatch executes, in order; nothing if it is not in it.

    The whole dispatch runs up to the thread's group, so that the thread sees what others wrote.
    `lines` has the text of every instruction by its number; without it, a listing's own lines are
    taken, or for a container the instructions' names. `limit` ends the trace after so many steps.
    Raises as `run` does.
    """
    tracer = _Tracer(program, thread, lines, limit)
    findings = Findings(limit=0)
    storage = Storage(resources)
    machine = Machine(program, storage, class_instances or {}, findings, tracer, timeout_s)
    with contextlib.suppress(_EnoughError):
        machine.dispatch(groups)
    yield from tracer.steps


class _EnoughError(Exception):
    """The rest of the dispatch is of no interest."""


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

    def watches(self, batch: Batch) -> bool:
        if self._lane is not None:
            raise _EnoughError
        components = batch.inputs[RegisterFile.THREAD_ID]
        here = np.ones(batch.lane_count, np.bool_)
        for component, wanted in zip(components, self._thread, strict=True):
            here &= component == wanted
        if not here.any():
            return False
        self._lane = np.flatnonzero(here)
        return True

    def before(self, statement: Statement, lanes: Lanes, registers: Registers) -> None:
        if not self._executes(lanes):
            return
        assert self._lane is not None
        places = _places(statement)
        self._sources = tuple(
            _value(spec, operand, _slots(spec, places), registers, self._lane)
            for operand, spec in zip(statement.operands, statement.specs, strict=True)
            if spec.role in _READ
        )

    def after(self, statement: Statement, lanes: Lanes, registers: Registers) -> None:
        if not self._executes(lanes):
            return
        assert self._lane is not None
        results = tuple(
            _value(spec, operand, written(operand), registers, self._lane, scalar=Scalar.BITS)
            for operand, spec in zip(statement.operands, statement.specs, strict=True)
            if spec.role is Role.DESTINATION and operand.file is not RegisterFile.NULL
        )
        number = statement.where.instruction
        self.steps.append(
            Step(
                instruction=-1 if number is None else number,
                line=statement.where.line,
                text=self._text(statement),
                sources=self._sources,
                results=results,
            )
        )
        if len(self.steps) == self._limit:
            raise _EnoughError

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


def _places(statement: Statement) -> tuple[int, ...]:
    """The components that an instruction works on: those that it writes, to registers or memory."""
    masks = [
        operand.written() if operand.components == 4 else (0,)
        for operand, spec in zip(statement.operands, statement.specs, strict=True)
        if spec.role in (Role.DESTINATION, Role.TARGET) and operand.file is not RegisterFile.NULL
    ]
    return tuple(sorted({component for mask in masks for component in mask}))


def _slots(spec: Spec, places: tuple[int, ...]) -> tuple[int, ...]:
    if spec.slots is not None:
        return tuple(range(spec.slots))
    return (0, 1, 2, 3) if spec.role is Role.ADDRESS or spec.scalar is Scalar.F64 else places


def _value(
    spec: Spec,
    operand: Operand,
    slots: tuple[int, ...],
    registers: Registers,
    lane: Lanes,
    scalar: Scalar | None = None,
) -> Value:
    scalar = scalar or spec.scalar
    if scalar is Scalar.F64:
        halves = [double_bits(registers.read_double(operand, pair, lane)) for pair in (0, 1)]
        bits = [half for pair in halves for half in pair]
    else:
        bits = [registers.read_bits(operand, slot, scalar, lane) for slot in slots]
    return Value(
        name=spec.name,
        register=_register(operand),
        components="".join(COMPONENTS[operand.component(slot)] for slot in slots),
        bits=tuple(int(one[0]) for one in bits),
    )


def _register(operand: Operand) -> str:
    """`r0`, `cb0`, `x1`, `vThreadID`, `l`: what an operand names, indices left out."""
    prefix = operand.file.prefix
    return f"{prefix}{operand.number}" if operand.file.index_count else prefix
