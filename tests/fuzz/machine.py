"""An interpreter of its own: a listing's statements over all threads at once, with lane masks.

It shares nothing with the translator but the table's rows, whose `evaluate` it calls. Memory
follows DESIGN's table of accesses. Source: FS §7, §22.4, §22.7; reference "Control flow".
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from translate.isa.instruction import Flow, Kind, Role, Scalar, Spec
from translate.isa.registers import Index, Modifier, Operand, RegisterFile
from translate.program import Program, Statement

Lanes = np.ndarray[Any, Any]
Items = list[Any]  # Statement or Nest
_DTYPES = {Scalar.F32: np.float32, Scalar.I32: np.int32}


@dataclass
class Nest:
    """A construct; `arms` go with `labels`, of which None is the default."""

    flow: Flow
    opener: Statement
    arms: list[Items] = field(default_factory=list[Items])
    labels: list[int | None] = field(default_factory=list[int | None])


@dataclass
class Memory:
    """A buffer as dwords; `stride` is 0 for a raw one, `typed` for one of texels."""

    words: Lanes
    stride: int = 0
    typed: bool = False


@dataclass
class Frame:
    """Lanes that left a loop or switch, or this round of a loop."""

    is_loop: bool
    broke: Lanes
    continued: Lanes


def bodies_of(program: Program) -> dict[str, Items]:
    """The entry's items under "", every subroutine's under its label."""
    bodies: dict[str, Items] = {"": []}
    stack: list[Items] = [bodies[""]]
    nests: list[Nest] = []
    for statement in program.statements:
        flow = statement.row.flow
        if statement.row.kind is Kind.DECLARATION:
            continue
        if flow is Flow.LABEL:
            stack = [bodies.setdefault(_label(statement), [])]
        elif flow in (Flow.IF, Flow.LOOP, Flow.SWITCH):
            nests.append(Nest(flow, statement))
            stack[-1].append(nests[-1])
            stack.append([])
            if flow is not Flow.SWITCH:
                nests[-1].arms.append(stack[-1])
        elif flow in (Flow.ELSE, Flow.CASE, Flow.DEFAULT):
            _next_arm(nests[-1], statement, stack)
        elif flow in (Flow.ENDIF, Flow.ENDLOOP, Flow.ENDSWITCH):
            nests.pop()
            stack.pop()
        else:
            stack[-1].append(statement)
    return bodies


def _next_arm(nest: Nest, statement: Statement, stack: list[Items]) -> None:
    stack[-1] = []
    nest.arms.append(stack[-1])
    if nest.flow is Flow.SWITCH:
        nest.labels.append(statement.operands[0].values[0] if statement.operands else None)


def _label(statement: Statement) -> str:
    return str(statement.operands[-1].number)


class Machine:
    """Threads 0 to `lanes` - 1 of a one-dimensional dispatch."""

    def __init__(self, program: Program, lanes: int, constants: Lanes, memory: dict[str, Memory]):
        self.bodies = bodies_of(program)
        self.lanes = lanes
        self.memory = memory
        self.vectors = {RegisterFile.CONSTANT_BUFFER: constants}
        self.registers = np.zeros((16, 4, lanes), np.uint32)
        self.arrays: dict[int, Lanes] = {}
        self.frames: list[Frame] = []
        for statement in program.statements:
            self._declare(statement)

    def run(self) -> None:
        with np.errstate(all="ignore"):
            self._items(self.bodies[""], np.ones(self.lanes, bool))

    def _declare(self, statement: Statement) -> None:
        if statement.row.name == "dcl_indexableTemp":
            number, length, components = statement.extra
            self.arrays[number] = np.zeros((length, components, self.lanes), np.uint32)
        if statement.data:
            words = np.array(statement.data, np.uint32).reshape(-1, 4)
            self.vectors[RegisterFile.IMMEDIATE_CONSTANT_BUFFER] = words

    # --- structure -------------------------------------------------------------------------

    def _items(self, items: Items, active: Lanes) -> Lanes:
        """Run items for the active lanes; gives those that reach the end."""
        for item in items:
            if not active.any():
                break
            if isinstance(item, Nest):
                active = self._nest(item, active)
            elif item.row.kind is Kind.FLOW:
                active = self._jump(item, active)
            else:
                self._statement(item, active)
        return active

    def _nest(self, nest: Nest, active: Lanes) -> Lanes:
        if nest.flow is Flow.IF:
            taken = active & self._condition(nest.opener)
            reached = self._items(nest.arms[0], taken)
            other = active & ~taken
            return reached | (self._items(nest.arms[1], other) if len(nest.arms) > 1 else other)
        none = np.zeros(self.lanes, bool)
        frame = Frame(nest.flow is Flow.LOOP, none, none)
        self.frames.append(frame)
        if nest.flow is Flow.LOOP:
            while active.any():
                frame.continued = none
                active = self._items(nest.arms[0], active) | frame.continued
        else:
            fallen_out = self._cases(nest, active)
            frame.broke = frame.broke | fallen_out
        self.frames.pop()
        return frame.broke

    def _cases(self, nest: Nest, active: Lanes) -> Lanes:
        """Run all cases in order; gives the lanes that fall out behind the last."""
        selector = self._read(nest.opener.operands[0], 0, Scalar.U32)
        known = [label for label in nest.labels if label is not None]
        unmatched = active & ~np.isin(selector, np.array(known, np.uint32))
        falling = np.zeros(self.lanes, bool)
        for arm, label in zip(nest.arms, nest.labels, strict=True):
            entering = unmatched if label is None else active & (selector == np.uint32(label))
            falling = self._items(arm, falling | entering)
        return falling if None in nest.labels else falling | unmatched

    def _jump(self, statement: Statement, active: Lanes) -> Lanes:
        flow = statement.row.flow
        conditional = bool(statement.row.controls)
        leaving = active & self._condition(statement) if conditional else active
        if flow is Flow.CALL:
            frames, self.frames = self.frames, []
            self._items(self.bodies[_label(statement)], leaving)
            self.frames = frames
            return active
        if flow is Flow.BREAK:
            self.frames[-1].broke = self.frames[-1].broke | leaving
        elif flow is Flow.CONTINUE:
            frame = next(f for f in reversed(self.frames) if f.is_loop)
            frame.continued = frame.continued | leaving
        return active & ~leaving

    def _condition(self, statement: Statement) -> Lanes:
        value = self._read(statement.operands[0], 0, Scalar.U32)
        return (value != 0) if statement.control("test") else (value == 0)

    # --- operands --------------------------------------------------------------------------

    def _read(self, operand: Operand, slot: int, scalar: Scalar) -> Lanes:
        bits = self._bits(operand, slot)
        if scalar is Scalar.BITS:
            bits = bits & np.uint32(0x7FFFFFFF) if operand.modifier & Modifier.ABS else bits
            return bits ^ np.uint32(0x80000000) if operand.modifier & Modifier.NEG else bits
        value = bits.view(_DTYPES.get(scalar, np.uint32))
        value = np.abs(value) if operand.modifier & Modifier.ABS else value
        return np.negative(value) if operand.modifier & Modifier.NEG else value

    def _bits(self, operand: Operand, slot: int) -> Lanes:
        component = operand.component(slot)
        if operand.file.is_immediate:
            values = operand.values
            return np.full(self.lanes, values[component if len(values) > 1 else 0], np.uint32)
        if operand.file is RegisterFile.TEMP:
            return self.registers[operand.number, component].copy()
        if operand.file is RegisterFile.THREAD_ID:
            return np.arange(self.lanes, dtype=np.uint32)
        index = self._index(operand.indices[-1])
        if operand.file is RegisterFile.INDEXABLE_TEMP:
            array = self.arrays[operand.number]
            inside = index < len(array)
            found = array[np.where(inside, index, 0), component, np.arange(self.lanes)]
        else:
            vectors = self.vectors[operand.file]
            inside = index < len(vectors)
            found = vectors[np.where(inside, index, 0), component]
        return np.where(inside, found, np.uint32(0))

    def _index(self, index: Index) -> Lanes:
        base = np.full(self.lanes, index.base, np.uint32)
        return base if index.relative is None else base + self._bits(index.relative, 0)

    def _write(self, operand: Operand, component: int, value: Lanes, active: Lanes) -> None:
        bits = np.ascontiguousarray(value).view(np.uint32)
        if operand.file is RegisterFile.TEMP:
            place = self.registers[operand.number, component]
            place[active] = bits[active]
            return
        array, index = self.arrays[operand.number], self._index(operand.indices[-1])
        lanes = np.flatnonzero(active & (index < len(array)))
        array[index[lanes], component, lanes] = bits[lanes]

    # --- instructions ----------------------------------------------------------------------

    def _statement(self, statement: Statement, active: Lanes) -> None:
        kinds = {
            Kind.ALU: self._alu,
            Kind.MOVE: self._alu,
            Kind.DOT: self._dot,
            Kind.LOAD: self._load,
            Kind.STORE: self._store,
            Kind.ATOMIC: self._atomic,
            Kind.QUERY: self._size,
        }
        kinds[statement.row.kind](statement, active)

    def _alu(self, statement: Statement, active: Lanes) -> None:
        row, function = statement.row, statement.row.evaluate
        targets = statement.operands[: row.destinations]
        pairs = list(zip(statement.operands, row.operands, strict=True))[row.destinations :]
        writes: list[tuple[Operand, int, Lanes]] = []
        for component in range(4):
            sources = [self._read(o, component, s.scalar) for o, s in pairs]
            results: Any = function(*sources)  # type: ignore[misc]
            results = results if isinstance(results, tuple) else (results,)
            for target, result in zip(targets, results, strict=True):
                if target.file is not RegisterFile.NULL and component in target.written():
                    writes.append((target, component, self._saturated(statement, result)))
        self._write_all(writes, active)

    def _dot(self, statement: Statement, active: Lanes) -> None:
        target, *sources = statement.operands
        vectors = [
            tuple(self._read(o, slot, Scalar.F32) for slot in range(spec.slots or 0))
            for o, spec in zip(sources, statement.row.operands[1:], strict=True)
        ]
        result = self._saturated(statement, statement.row.evaluate(*vectors))  # type: ignore[misc]
        self._write_all([(target, component, result) for component in target.written()], active)

    def _write_all(self, writes: list[tuple[Operand, int, Lanes]], active: Lanes) -> None:
        for target, component, value in writes:
            self._write(target, component, value, active)

    def _saturated(self, statement: Statement, value: Lanes) -> Lanes:
        if not statement.saturate:
            return value
        number = value.view(np.float32)
        return np.fmin(np.fmax(number, np.float32(0)), np.float32(1))

    # --- memory ----------------------------------------------------------------------------

    def _roles(self, statement: Statement) -> tuple[Memory, Operand, list[tuple[Operand, Spec]]]:
        pairs = list(zip(statement.operands, statement.row.operands, strict=True))
        named = next(o for o, s in pairs if s.role in (Role.RESOURCE, Role.TARGET))
        return self.memory[f"{named.file.prefix}{named.number}"], named, pairs

    def _place(
        self, memory: Memory, pairs: list[tuple[Operand, Spec]], component: int
    ) -> tuple[Lanes, Lanes]:
        """(dword, whether it is there) for a dword `component` behind an address."""
        operands = [o for o, s in pairs if s.role is Role.ADDRESS]
        at = [self._bits(o, 0).astype(np.int64) for o in operands]
        if memory.stride and len(at) == 1:  # an atomic's address: (index, offset) in one operand
            at.append(self._bits(operands[0], 1).astype(np.int64))
        offset = (at[-1] & ~3) + 4 * component
        if not memory.stride:
            return offset // 4, offset + 4 <= memory.words.nbytes
        inside = (at[0] < memory.words.nbytes // memory.stride) & (offset + 4 <= memory.stride)
        return (at[0] * memory.stride + offset) // 4, inside

    def _load(self, statement: Statement, active: Lanes) -> None:
        memory, named, pairs = self._roles(statement)
        target = statement.operands[0]
        writes: list[tuple[Operand, int, Lanes]] = []
        for component in target.written():
            source = named.component(component)
            if memory.typed:
                value = self._texel(memory, pairs, source)
            else:
                dword, inside = self._place(memory, pairs, source)
                found = memory.words[np.where(inside, dword, 0)]
                value = np.where(inside, found, np.uint32(0))
            writes.append((target, component, value))
        self._write_all(writes, active)

    def _texel(self, memory: Memory, pairs: list[tuple[Operand, Spec]], component: int) -> Lanes:
        """One channel is stored; green and blue read as 0, alpha as 1, outside red as 0."""
        at = next(self._bits(o, 0) for o, s in pairs if s.role is Role.ADDRESS).astype(np.int64)
        if component:
            return np.full(self.lanes, component == 3, np.uint32)
        inside = at < len(memory.words)
        return np.where(inside, memory.words[np.where(inside, at, 0)], np.uint32(0))

    def _store(self, statement: Statement, active: Lanes) -> None:
        memory, named, pairs = self._roles(statement)
        for component in named.written():
            dword, inside = self._place(memory, pairs, component)
            value = self._read(statement.operands[-1], component, Scalar.BITS)
            lanes = active & inside
            memory.words[dword[lanes]] = value[lanes]

    def _atomic(self, statement: Statement, active: Lanes) -> None:
        memory, _, pairs = self._roles(statement)
        scalars = [s.scalar for _, s in pairs if s.role is Role.SOURCE]
        values = [self._read(o, 0, s.scalar) for o, s in pairs if s.role is Role.SOURCE]
        dword, inside = self._place(memory, pairs, 0)
        old = np.where(inside, memory.words[np.where(inside, dword, 0)], np.uint32(0))
        typed = old.view(_DTYPES.get(scalars[0], np.uint32))
        new: Any = statement.row.evaluate(typed, *values)  # type: ignore[misc]
        lanes = active & inside
        memory.words[dword[lanes]] = new.view(np.uint32)[lanes]
        if statement.row.destinations:
            target = statement.operands[0]
            self._write_all([(target, c, old) for c in target.written()], active)

    def _size(self, statement: Statement, active: Lanes) -> None:
        """`bufinfo`: bytes, structures or texels."""
        memory, _, _ = self._roles(statement)
        unit = 4 if memory.typed else memory.stride or 1
        size = np.full(self.lanes, memory.words.nbytes // unit, np.uint32)
        target = statement.operands[0]
        self._write_all([(target, c, size) for c in target.written()], active)
