"""Memory instructions: operands become resource, address and values, by their roles; samples."""

from __future__ import annotations

from typing import cast

from translate.ir.builder import Builder
from translate.ir.memory import (
    SHARED,
    STRUCTURED,
    Addressing,
    MemoryKind,
    Resource,
    Sample,
    SampleMode,
)
from translate.ir.values import Value
from translate.isa.declare import COMPONENTS
from translate.isa.instruction import Kind, Role, Scalar
from translate.isa.registers import Dimension, Operand, RegisterFile, SamplerMode
from translate.isa.texture import LOD_CLAMP, OFFSET, REFERENCE
from translate.lower.operands import Operands
from translate.program import Statement

_MEMORY_FILES = (RegisterFile.RESOURCE, RegisterFile.UAV, RegisterFile.GROUP_SHARED)
_ADDRESSING = {  # by the number of address operands of fixed width
    0: Addressing.TEXELS,
    1: Addressing.BYTES,
    2: Addressing.STRUCTURES,
}
_DIMENSIONS = {
    MemoryKind.RAW: Dimension.RAW_BUFFER,
    MemoryKind.STRUCTURED: Dimension.STRUCTURED_BUFFER,
}
_ADDRESS, _MEMORY = Role.ADDRESS, (Role.RESOURCE, Role.TARGET)
_CONSECUTIVE_MASKS = (0b0001, 0b0011, 0b0111, 0b1111)  # FS §22.4.11, §22.4.13


class MemoryDriver:
    """Lowers loads, stores, atomics, counters, queries and `sync`."""

    def __init__(self, builder: Builder, operands: Operands):
        self.b = builder
        self.operands = operands

    def load(self, statement: Statement) -> None:
        """Lower a load: dst, [status,] address..., resource, [sample]."""
        memory, named = self.resource(statement)
        self.operands.uses.read.add(memory)
        if statement.operands[0].file is not RegisterFile.NULL:
            self._load(statement, memory, named)
        self.write_status(statement)  # after all reads: it may replace a source

    def _load(self, statement: Statement, memory: Resource, named: Operand) -> None:
        target = statement.operands[0]
        components = [named.component(c) for c in target.written()]
        address = self._address(statement, memory) + self._sources(statement)
        lowered = self._lower(statement, memory, named, address, components)
        values = cast("list[Value]", lowered)
        for component, value in zip(target.written(), values, strict=True):
            self.operands.write(target, component, value)

    def store(self, statement: Statement) -> None:
        """Lower a store: target, address..., value."""
        memory, named = self.resource(statement)
        self._require_uav(memory, named)
        self.operands.uses.written.add(memory)
        typed = memory.is_texels
        self._check_mask(statement, named, typed)
        address = self._address(statement, memory)
        source = statement.operands[-1]
        values = [self.operands.read(source, c, Scalar.BITS) for c in named.written()]
        self._lower(statement, memory, named, address, values)

    def atomic(self, statement: Statement) -> None:
        """Lower an atomic: [dst,] target, address, value..."""
        memory, named = self.resource(statement)
        self._require_uav(memory, named)
        is_exchange = statement.row.name == "imm_atomic_exch"
        if memory.is_texels and memory.component == "float" and not is_exchange:
            message = f"{statement.row.name} needs uint or sint; {memory} holds floats"
            raise self.operands.fault(message, named)
        uses = self.operands.uses
        for done in (uses.read, uses.written, uses.atomic):
            done.add(memory)
        address = self._address(statement, memory)
        values = [
            self.operands.read(operand, 0, spec.scalar)
            for operand, spec in zip(statement.operands, statement.row.operands, strict=True)
            if spec.role is Role.SOURCE
        ]
        old = cast("Value", self._lower(statement, memory, named, address, values))
        if statement.row.destinations:
            self._write_scalar(statement.operands[0], old)

    def counter(self, statement: Statement) -> None:
        """Lower an operation on a hidden counter: dst, u#."""
        memory, named = self.resource(statement)
        if memory.kind is not MemoryKind.STRUCTURED or not memory.is_uav:
            raise self.operands.fault(f"{memory} has no hidden counter", named)
        self.operands.uses.counter.add(memory)
        old = cast("Value", self._lower(statement, memory, named))
        self._write_scalar(statement.operands[0], old)

    def query(self, statement: Statement) -> None:
        """Lower a query of a resource's size or samples: dst, [argument,] resource, [argument]."""
        memory, named = self.resource(statement)
        self._check_query(statement, memory, named)
        target = statement.operands[0]
        if target.file is RegisterFile.NULL:
            return
        arguments = self._sources(statement, _ADDRESS) + self._sources(statement)
        kinds = [c.read(statement.controls) for c in statement.row.controls]
        components = [named.component(c) for c in target.written()]
        lowered = self._lower(
            statement, memory, named, arguments, components, kinds[0] if kinds else 0
        )
        values = cast("list[Value]", lowered)
        for component, value in zip(target.written(), values, strict=True):
            self.operands.write(target, component, value)

    def _lower(
        self, statement: Statement, memory: Resource, named: Operand, *arguments: object
    ) -> object:
        """Call the row's `lower`, with the builder set to the selected descriptor of an array."""
        assert statement.row.lower is not None
        descriptor = self.operands.descriptor(memory, named)
        with self.b.of_array(descriptor):
            return statement.row.lower(self.b, memory, *arguments)

    def sync(self, statement: Statement) -> None:
        """Lower `sync` to a barrier with its flags; it has no operands."""
        flags = {c.name: c.read(statement.controls) for c in statement.row.controls}
        assert statement.row.lower is not None
        statement.row.lower(self.b, flags)

    def _write_scalar(self, target: Operand, value: Value) -> None:
        if target.file is RegisterFile.NULL:
            return
        for component in target.written():
            self.operands.write(target, component, value)

    def write_status(self, statement: Statement) -> None:
        """Write the status of a tiled-resource form: all bound resources are resident (FS §5.9)."""
        if statement.row.feedback:
            self._write_scalar(statement.operands[1], self.b.u32(1))

    def _sources(self, statement: Statement, role: Role = Role.SOURCE) -> list[Value]:
        """The values of the scalar operands in a role."""
        return [
            self.operands.read(operand, 0, Scalar.U32)
            for operand, spec in zip(statement.operands, statement.row.operands, strict=True)
            if spec.role is role
        ]

    def resource(self, statement: Statement) -> tuple[Resource, Operand]:
        """The operand in the RESOURCE or TARGET role, and its resource."""
        for operand, spec in zip(statement.operands, statement.row.operands, strict=True):
            if spec.role in _MEMORY:
                memory = self.operands.resource(operand)
                if operand.file not in _MEMORY_FILES:
                    message = f"{operand.file.prefix} is not a buffer"
                    raise self.operands.fault(message, operand)
                if statement.row.kind in (Kind.LOAD, Kind.STORE):
                    self._check_kind(statement, memory, operand)
                if statement.dimension is not None and operand not in self.operands.stand_ins:
                    self._check_declared(statement, statement.dimension, memory, operand)
                return memory, operand
        raise AssertionError(f"{statement.row.name} has no resource operand")

    def _check_kind(self, statement: Statement, memory: Resource, operand: Operand) -> None:
        """Check that memory is raw, structured or typed, by the number of address operands."""
        specs = statement.row.operands
        fixed = sum(s.role is _ADDRESS and s.slots is not None for s in specs)
        if memory.kind.addressing is not _ADDRESSING[fixed]:
            kind = memory.kind.text
            raise self.operands.fault(f"{statement.row.name} on {memory}, which is {kind}", operand)
        if statement.row.kind is Kind.LOAD and memory.is_texels:
            self._check_shape(statement, memory, operand)

    def _check_query(self, statement: Statement, memory: Resource, operand: Operand) -> None:
        """Check the kind of resource: a query is of buffers, of images or of their samples."""
        wants = statement.row.operands[1:]
        of_buffers = len(wants) == 1 and not statement.row.controls
        of_samples = not of_buffers and all(spec.role is not _ADDRESS for spec in wants)
        is_view = memory.kind is not MemoryKind.SAMPLER and memory.kind not in SHARED
        fits = memory.is_image != of_buffers and is_view
        if not fits or (of_samples and not memory.shape.multisampled):
            what = memory.dimension or memory.kind.text
            message = f"{statement.row.name} on {memory}, which is a {what}"
            raise self.operands.fault(message, operand)

    def _check_shape(self, statement: Statement, memory: Resource, operand: Operand) -> None:
        """Check the shape: multisampled textures have their own loads; cubes are only sampled."""
        takes_sample = any(spec.role is Role.SOURCE for spec in statement.row.operands)
        if takes_sample != memory.shape.multisampled or memory.shape.cube:
            message = f"{statement.row.name} on {memory}, which is a {memory.dimension}"
            raise self.operands.fault(message, operand)

    def _check_declared(
        self, statement: Statement, dimension: Dimension, memory: Resource, operand: Operand
    ) -> None:
        """Check that `_indexable(...)(...)` says what the declaration says; an index may differ."""
        returns = statement.returns
        declared = memory.dimension or _DIMENSIONS.get(memory.kind, dimension).printed
        pairs = [(dimension.printed, declared)]
        if statement.stride and memory.kind is MemoryKind.STRUCTURED:
            pairs.append((f"stride={statement.stride}", f"stride={memory.stride}"))
        if returns is not None and memory.is_texels:
            pairs.append((COMPONENTS.get(returns[0], returns[0].printed), memory.component))
        for said, known in pairs:
            if said != known:
                message = f"{statement.row.name} on {said}; {memory} is declared as {known}"
                raise self.operands.fault(message, operand)

    def _address(self, statement: Statement, memory: Resource) -> list[Value]:
        values: list[Value] = []
        for operand, spec in zip(statement.operands, statement.row.operands, strict=True):
            if spec.role is _ADDRESS:
                count = spec.slots or _coordinates(memory)
                values += [self.operands.read(operand, c, Scalar.U32) for c in range(count)]
                if spec.slots is None and memory.has_mips:
                    values = self._offset(statement, memory, values)
                    values.append(self.operands.read(operand, 3, Scalar.U32))
        return values

    def _offset(
        self, statement: Statement, memory: Resource, coordinates: list[Value]
    ) -> list[Value]:
        """Add `_aoffimmi` to coordinates, but not to layers; sums wrap (FS §22.4.6)."""
        offsets = (statement.offsets or (0, 0, 0))[: memory.shape.axes]
        moved = [
            self.b.iadd(coordinate, self.b.u32(offset)) if offset else coordinate
            for coordinate, offset in zip(coordinates, offsets, strict=False)
        ]
        return moved + coordinates[len(moved) :]

    def _check_mask(self, statement: Statement, named: Operand, typed: bool) -> None:
        if typed and named.mask != 0b1111:
            raise self.operands.fault(f"{statement.row.name} writes .xyzw", named)
        if not typed and named.mask not in _CONSECUTIVE_MASKS:
            letters = "".join("xyzw"[c] for c in named.written()) or "none"
            message = (
                f"{statement.row.name} takes the write masks .x .xy .xyz .xyzw, not .{letters}"
            )
            raise self.operands.fault(message, named)

    def _require_uav(self, memory: Resource, operand: Operand) -> None:
        if not memory.is_uav and memory.kind not in SHARED:
            raise self.operands.fault(f"{memory} is read-only", operand)


def _coordinates(memory: Resource) -> int:
    """The number of components of an address (reference "Memory and resource operations")."""
    if memory.is_texels:
        return memory.shape.coordinates
    return 2 if memory.kind in STRUCTURED else 1


class TextureDriver:
    """Lowers `sample_*` and `gather4*`."""

    def __init__(self, builder: Builder, operands: Operands, memory: MemoryDriver):
        self.b = builder
        self.operands = operands
        self.memory = memory

    def sample(self, statement: Statement) -> None:
        """Lower: dst, [status,] coordinates, [offset,] resource, sampler, operands of the mode."""
        texture, named = self.memory.resource(statement)
        self._check_texture(statement, texture, named)
        self.operands.uses.read.add(texture)
        if statement.operands[0].file is not RegisterFile.NULL:
            self._sample(statement, texture, named)
        self.memory.write_status(statement)  # after all reads: it may replace a source

    def _sample(self, statement: Statement, texture: Resource, named: Operand) -> None:
        target = statement.operands[0]
        sampler, selected = self._sampler(statement)
        self.operands.uses.samplers.setdefault(texture, set()).add(sampler.register)
        specs = statement.row.operands
        offset = (statement.offsets or (0, 0, 0))[: texture.shape.axes]

        def sample_of(mode: SampleMode) -> Sample:
            return Sample(
                texture,
                sampler,
                mode,
                component=selected.component(0),
                offset=offset if any(offset) else (),
                dynamic_offset=OFFSET in specs,
                clamped=LOD_CLAMP in specs,
            )

        components = [named.component(c) for c in target.written()]
        assert statement.row.lower is not None
        arguments = self._arguments(statement, texture)
        descriptors = self.operands.descriptor(texture, named)
        descriptors += self.operands.descriptor(sampler, selected)
        with self.b.of_array(descriptors):
            values = cast(
                "list[Value]", statement.row.lower(self.b, sample_of, arguments, components)
            )
        for component, value in zip(target.written(), values, strict=True):
            self.operands.write(target, component, value)

    def _check_texture(self, statement: Statement, texture: Resource, named: Operand) -> None:
        """Check a texture's dimension and type; cubes take no offsets."""
        row = statement.row
        (spec,) = (spec for spec in row.operands if spec.role is Role.RESOURCE)
        fits = any(texture.dimension == dimension.printed for dimension in spec.dimensions)
        if texture.is_uav or not fits:
            what = texture.dimension or texture.kind.name.lower()
            raise self.operands.fault(f"{row.name} on {texture}, which is a {what}", named)
        if texture.shape.cube and any(statement.offsets or ()):
            raise self.operands.fault(f"an offset on {texture}, which is a cube", named)
        if spec.scalar is Scalar.F32 and texture.component != "float":
            message = f"{row.name} takes floats; {texture} holds {texture.component}"
            raise self.operands.fault(message, named)

    def _sampler(self, statement: Statement) -> tuple[Resource, Operand]:
        """The sampler and its operand; the operand's component selects the channel to gather."""
        for operand, spec in zip(statement.operands, statement.row.operands, strict=True):
            if spec.role is Role.SAMPLER:
                sampler = self.operands.resource(operand)
                if sampler.kind is not MemoryKind.SAMPLER:
                    raise self.operands.fault(f"{sampler} is not a sampler", operand)
                self._check_mode(statement, sampler, operand)
                return sampler, operand
        raise AssertionError(f"{statement.row.name} has no sampler operand")

    def _check_mode(self, statement: Statement, sampler: Resource, operand: Operand) -> None:
        """Check a sampler's declared mode (FS §22.3.34); an index may name any mode's."""
        compares = REFERENCE in statement.row.operands
        if compares != sampler.comparison and operand not in self.operands.stand_ins:
            mode = SamplerMode.COMPARISON if sampler.comparison else SamplerMode.DEFAULT
            message = f"{statement.row.name} on {sampler}, which is declared {mode.printed}"
            raise self.operands.fault(message, operand)

    def _arguments(self, statement: Statement, texture: Resource) -> list[Value]:
        """The operands of the IR operation: coordinates, sources in order, per-thread offsets."""
        arguments: list[Value] = []
        offsets: list[Value] = []
        for operand, spec in zip(statement.operands, statement.row.operands, strict=True):
            if spec.role is Role.ADDRESS:
                count = texture.shape.sampling_coordinates
                arguments += self._read(operand, count, Scalar.F32)
            elif spec is OFFSET:
                offsets = self._read(operand, 2, Scalar.U32)
            elif spec.role is Role.SOURCE:
                axes = texture.shape.axes + texture.shape.cube
                count = 1 if spec.slots == 1 else axes
                arguments += self._read(operand, count, Scalar.F32)
        return arguments + offsets

    def _read(self, operand: Operand, count: int, scalar: Scalar) -> list[Value]:
        return [self.operands.read(operand, c, scalar) for c in range(count)]
