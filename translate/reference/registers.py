"""Operands of instructions: reading sources and writing results.

Source: FS §7; reference "Model", "Operand modifiers", "Control flow" (indexing).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ClassVar

import numpy as np

from translate.errors import ProgramError
from translate.isa.instruction import Lanes, Scalar
from translate.isa.registers import Index, Operand, RegisterFile
from translate.reference.batch import INPUTS, Batch
from translate.reference.layout import Classes, Layout
from translate.reference.numbers import as_double, as_number, modified
from translate.reference.report import Reporter, Uses
from translate.reference.storage import Storage

Writer = Callable[[Lanes, Lanes, "Lanes | None"], None]  # of bits, in lanes, with their marks

_FEW = 1 << 12  # lanes, for which immediates are kept


class Registers:
    """Reads and writes operands for the lanes of a batch."""

    def __init__(
        self, layout: Layout, storage: Storage, classes: Classes, batch: Batch, reporter: Reporter
    ):
        self._layout = layout
        self._storage = storage
        self._classes = classes
        self._batch = batch
        self._reporter = reporter
        icb = np.array(layout.immediate_constants, np.uint32).reshape(-1, 4)
        self._immediate_constants: Lanes = icb

    @property
    def uses(self) -> Uses:
        """The uses of numbers that were loaded out of bounds."""
        return self._reporter.uses

    # --- sources -----------------------------------------------------------------------------

    def read(self, operand: Operand, slot: int, scalar: Scalar, lanes: Lanes) -> Lanes:
        """The value of a 32-bit source for destination component `slot`, in the type `scalar`."""
        return as_number(self.read_bits(operand, slot, scalar, lanes), scalar)

    def reader(self, operand: Operand, slot: int, scalar: Scalar) -> Callable[[Lanes], Lanes]:
        """The function of lanes that reads a source of a computation as `read` does."""
        values, everyone = self._of_all(operand, operand.component(slot)), self._batch.everyone
        if values is None or operand.modifier:
            return partial(self.read, operand, slot, scalar)
        if scalar is Scalar.F32:
            return lambda lanes: as_number(values if lanes is everyone else values[lanes], scalar)
        numbers = as_number(values, scalar)
        return lambda lanes: numbers if lanes is everyone else numbers[lanes]

    def _of_all(self, operand: Operand, component: int) -> Lanes | None:
        """A source in all lanes, now and later; None if it has no such array."""
        if operand.file is RegisterFile.TEMP and operand.number < self._layout.temps:
            return self._batch.temps[4 * operand.number + component]
        if operand.file in INPUTS:
            return self._batch.input(operand.file, component)
        if operand.file.is_immediate and self._batch.lane_count <= _FEW:
            return self._component(operand, component, self._batch.everyone)
        return None

    def read_bits(self, operand: Operand, slot: int, scalar: Scalar, lanes: Lanes) -> Lanes:
        """The bits of a source as u32[lanes], with modifiers, not flushed; do not modify them.

        Raises TranslateError for an undeclared register.
        """
        bits = self._component(operand, operand.component(slot), lanes)
        return modified(bits, operand.modifier, scalar)

    def read_double(self, operand: Operand, pair: int, lanes: Lanes) -> Lanes:
        """f64[lanes] from swizzle letters 2*pair and 2*pair + 1 (low dword, high dword)."""
        low, high = (
            self._component(operand, operand.component(2 * pair + half), lanes) for half in (0, 1)
        )
        return as_double(low, high, operand.modifier)

    def index(self, index: Index, lanes: Lanes) -> int | Lanes:
        """The value of an index: an int if it is constant, otherwise u32[lanes].

        The sum of register and constant wraps at 2^32 (FS §7.3).
        """
        if index.relative is None:
            return index.base
        values = self.read_bits(index.relative, 0, Scalar.U32, lanes)
        if not self._reporter.muted:
            self._reporter.uses.use(index.relative, 0, lanes)
        return values + np.uint32(index.base)

    def _component(self, operand: Operand, component: int, lanes: Lanes) -> Lanes:
        file = operand.file
        if file is RegisterFile.TEMP:
            if not self._reporter.muted:
                self._reporter.uses.read(operand, component, lanes)
            return self._batch.part(self._batch.temps[self._temp(operand, component)], lanes)
        if file.is_immediate:
            position = component if operand.components == 4 else 0
            return np.full(len(lanes), operand.values[position], np.uint32)
        if file in INPUTS:
            return self._batch.part(self._batch.input(file, component), lanes)
        if file not in self._VECTORS:
            raise ProgramError(f"{file.prefix} cannot be read here", self._reporter.where)
        return self._VECTORS[file](self, operand, component, lanes)

    def _temp(self, operand: Operand, component: int) -> int:
        if operand.number >= self._layout.temps:
            message = f"r{operand.number} is not declared: dcl_temps {self._layout.temps}"
            raise ProgramError(message, self._reporter.where)
        return 4 * operand.number + component

    def _icb_component(self, operand: Operand, component: int, lanes: Lanes) -> Lanes:
        index = self.index(operand.indices[0], lanes)
        return self._vector(operand, "icb", self._immediate_constants, index, component, lanes)

    def _vector(
        self,
        operand: Operand,
        name: str,
        vectors: Lanes,
        index: int | Lanes,
        component: int,
        lanes: Lanes,
    ) -> Lanes:
        """A component of `vectors`, u32[count, 4], at an index.

        Past the end it is 0, and a violation is reported (FS §7.5).
        """
        if isinstance(index, int):
            if index < len(vectors):
                return np.full(len(lanes), vectors[index, component], np.uint32)
            index = np.full(len(lanes), index, np.uint32)
        inside = index < len(vectors)
        if inside.all():
            return vectors[index, component]
        self._reporter.outside_array(operand, name, lanes, index, ~inside, defined=True)
        if not len(vectors):
            return np.zeros(len(lanes), np.uint32)
        return np.where(inside, vectors[np.where(inside, index, 0), component], np.uint32(0))

    def _constant_component(self, operand: Operand, component: int, lanes: Lanes) -> Lanes:
        """A component of a constant buffer's vector.

        Lanes may access different buffers: cb[slot][i] with the slot from a class, or a dynamic
        index into a range of cs_5_1.
        """
        element = self.index(operand.indices[-1], lanes)
        result = np.zeros(len(lanes), np.uint32)
        for number, chosen in self.registers_named(operand, lanes):
            name = self.slot_name(operand, number)
            vectors = self._storage.constants(name)
            if chosen is None:
                return self._vector(operand, name, vectors, element, component, lanes)
            at = element if isinstance(element, int) else element[chosen]
            part = self._vector(operand, name, vectors, at, component, lanes[chosen])
            result[chosen] = part
        return result

    def _this_component(self, operand: Operand, component: int, lanes: Lanes) -> Lanes:
        slot = self.index(operand.indices[0], lanes)
        if isinstance(slot, int):
            return np.full(len(lanes), self._classes.this(slot, component), np.uint32)
        result = np.zeros(len(lanes), np.uint32)
        for one in np.unique(slot):
            result[slot == one] = self._classes.this(int(one), component)
        return result

    def element(self, operand: Operand, lane: Lanes) -> tuple[str, bool]:
        """The register or element that a lane accesses, and whether it exists.

        Names are `r0`, `x0[2]`, `icb[7]`, `cb0[4]`, `vThreadID`.
        """
        file = operand.file
        if file is RegisterFile.CONSTANT_BUFFER:
            ((number, _),) = self.registers_named(operand, lane)
            name = self.slot_name(operand, number)
            length = len(self._storage.constants(name))
        elif file is RegisterFile.INDEXABLE_TEMP:
            name, length = f"x{operand.number}", self._array(operand, 0)[2]
        elif file is RegisterFile.IMMEDIATE_CONSTANT_BUFFER:
            name, length = file.prefix, len(self._immediate_constants)
        else:
            return f"{file.prefix}{operand.number if file.index_count else ''}", True
        index = int(np.broadcast_to(self.index(operand.indices[-1], lane), 1)[0])
        return f"{name}[{index}]", index < length

    # --- resources ---------------------------------------------------------------------------

    def registers_named(self, operand: Operand, lanes: Lanes) -> list[tuple[int, Lanes | None]]:
        """The registers that an operand of t#, u#, s# or cb# refers to, each with its lanes.

        Lanes are positions within `lanes`; None if all access the same register. In cs_5_1 the
        operand has the range's id before the register.
        """
        ranged = len(operand.indices) > operand.file.index_count
        register = self.index(operand.indices[1 if ranged else 0], lanes)
        if isinstance(register, int):
            return [(register, None)]
        distinct = np.unique(register)
        if len(distinct) == 1:
            return [(int(distinct[0]), None)]
        return [(int(number), np.flatnonzero(register == number)) for number in distinct]

    def slot_name(self, operand: Operand, number: int) -> str:
        """The key of a register in Resources; outside its range, a name that has no entry."""
        slots = self._layout.slots.get((operand.file, operand.number))
        if slots is None or len(operand.indices) <= operand.file.index_count:
            return f"{operand.file.prefix}{number}"
        if not slots.first <= number <= slots.last:
            return f"{slots.register(slots.first)}[{number - slots.first}]"
        return slots.register(number)

    # --- destinations ------------------------------------------------------------------------

    def write(
        self,
        operand: Operand,
        component: int,
        bits: Lanes,
        lanes: Lanes,
        marks: Lanes | None = None,
    ) -> None:
        """Write one component of a destination; writes to `null` have no effect.

        `marks` are those of its value, None for those of the whole instruction (`uses.py`).
        """
        if operand.file is RegisterFile.TEMP:
            row = self._temp(operand, component)
            self._reporter.uses.write(row, lanes, marks)
            self._batch.temps[row][slice(None) if lanes is self._batch.everyone else lanes] = bits
        elif operand.file is RegisterFile.INDEXABLE_TEMP:
            self._reporter.uses.keep(lanes, marks)
            self._write_array(operand, component, bits, lanes)
        elif operand.file is not RegisterFile.NULL:
            message = f"{operand.file.prefix} cannot be written here"
            raise ProgramError(message, self._reporter.where)

    def writer(self, operand: Operand, component: int) -> Writer:
        """The function that writes a component of a destination as `write` does."""
        if operand.file is not RegisterFile.TEMP or operand.number >= self._layout.temps:
            return partial(self.write, operand, component)
        row = 4 * operand.number + component
        values, everyone, uses = self._batch.temps[row], self._batch.everyone, self.uses

        def write(bits: Lanes, lanes: Lanes, marks: Lanes | None) -> None:
            if uses.is_active:
                uses.write(row, lanes, marks)
            values[slice(None) if lanes is everyone else lanes] = bits

        return write

    def _array(self, operand: Operand, component: int) -> tuple[Lanes, int, int]:
        """The contents, components and length of an x#."""
        declared = self._layout.arrays.get(operand.number)
        if declared is None or component >= declared.components:
            message = f"x{operand.number}.{'xyzw'[component]} is not declared"
            raise ProgramError(message, self._reporter.where)
        return self._batch.arrays[operand.number], declared.components, declared.length

    def _array_component(self, operand: Operand, component: int, lanes: Lanes) -> Lanes:
        """Read x#. Out of bounds D3D's result is undefined; here it is 0 (FS §7.3)."""
        contents, components, length = self._array(operand, component)
        index = self.index(operand.indices[1], lanes)
        if isinstance(index, int) and index < length:
            return self._batch.part(contents[index * components + component], lanes)
        inside, row = self._array_rows(operand, index, length, lanes)
        values = contents[row * components + component, lanes]
        return values if inside.all() else np.where(inside, values, np.uint32(0))

    def _write_array(self, operand: Operand, component: int, bits: Lanes, lanes: Lanes) -> None:
        contents, components, length = self._array(operand, component)
        index = self.index(operand.indices[1], lanes)
        inside, row = self._array_rows(operand, index, length, lanes)
        if inside.all():
            contents[row * components + component, lanes] = bits
            return
        bits = np.broadcast_to(bits, len(lanes))
        contents[row[inside] * components + component, lanes[inside]] = bits[inside]

    def _array_rows(
        self, operand: Operand, index: int | Lanes, length: int, lanes: Lanes
    ) -> tuple[Lanes, Lanes]:
        """For each lane: whether the index of x# is in bounds, and the index (0 out of bounds)."""
        rows = np.full(len(lanes), index) if isinstance(index, int) else index.astype(np.int64)
        inside = rows < length
        if inside.all():
            return inside, rows
        name = f"x{operand.number}"
        self._reporter.outside_array(operand, name, lanes, rows, ~inside, defined=False)
        return inside, np.where(inside, rows, 0)

    # Not an attribute of an instance: with references to itself, its memory would stay until a
    # collection.
    _VECTORS: ClassVar[dict[RegisterFile, Callable[[Registers, Operand, int, Lanes], Lanes]]] = {
        RegisterFile.INDEXABLE_TEMP: _array_component,
        RegisterFile.IMMEDIATE_CONSTANT_BUFFER: _icb_component,
        RegisterFile.CONSTANT_BUFFER: _constant_component,
        RegisterFile.THIS_POINTER: _this_component,
    }
