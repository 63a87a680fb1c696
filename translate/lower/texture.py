"""Sampling: coordinates, texture, sampler, and operands of the mode."""

from __future__ import annotations

from typing import cast

from translate.ir.builder import Builder
from translate.ir.memory import MemoryKind, Resource, Sample, SampleMode
from translate.ir.values import Value
from translate.isa.instruction import Role, Scalar
from translate.isa.registers import Operand, RegisterFile
from translate.isa.texture import LOD_CLAMP, OFFSET, REFERENCE
from translate.lower.memory import MemoryDriver
from translate.lower.operands import Operands
from translate.program import Statement


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
        """Check a texture's dimension and type; cubes take no offsets, comparisons need floats."""
        row = statement.row
        fits = any(texture.dimension == d.printed for s in row.operands for d in s.dimensions)
        if texture.is_uav or not fits:
            what = texture.dimension or texture.kind.name.lower()
            raise self.operands.fault(f"{row.name} on {texture}, which is a {what}", named)
        if texture.shape.cube and any(statement.offsets or ()):
            raise self.operands.fault(f"an offset on {texture}, which is a cube", named)
        if REFERENCE in row.operands and texture.component != "float":
            message = f"a comparison needs floats; {texture} holds {texture.component}"
            raise self.operands.fault(message, named)

    def _sampler(self, statement: Statement) -> tuple[Resource, Operand]:
        """The sampler and its operand; the operand's component selects the channel to gather."""
        for operand, spec in zip(statement.operands, statement.row.operands, strict=True):
            if spec.role is Role.SAMPLER:
                sampler = self.operands.resource(operand)
                if sampler.kind is not MemoryKind.SAMPLER:
                    raise self.operands.fault(f"{sampler} is not a sampler", operand)
                return sampler, operand
        raise AssertionError(f"{statement.row.name} has no sampler operand")

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
