"""Sampling and gathering; a texture and a sampler are combined into a sampled image."""

from __future__ import annotations

from collections.abc import Mapping

from translate.ir import ops, row
from translate.ir.memory import Sample, SampleMode
from translate.ir.types import F32, U32
from translate.ir.values import Value
from translate.spirv.code import Code, Emitters, element_pointer, mark, varies
from translate.spirv.grammar import Capability, ImageOperands, Op, StorageClass
from translate.spirv.images import Images, is_normalised_depth
from translate.spirv.memory import Memory

_OPS: Mapping[SampleMode, int] = {
    SampleMode.LOD: Op.ImageSampleExplicitLod,
    SampleMode.GRADIENTS: Op.ImageSampleExplicitLod,
    SampleMode.COMPARE: Op.ImageSampleDrefExplicitLod,
    SampleMode.GATHER: Op.ImageGather,
    SampleMode.GATHER_COMPARE: Op.ImageDrefGather,
}
_ONE = 0x3F800000
_COMPARING = (SampleMode.COMPARE, SampleMode.GATHER_COMPARE)


class Sampling:
    """Emits sampling operations."""

    def __init__(self, code: Code, memory: Memory, images: Images):
        self.code = code
        self.sections = code.sections
        self.memory = memory
        self.images = images

    def emitters(self) -> Emitters:
        """The emitter of each operation."""
        return {
            ops.SAMPLE: self._sample,
            ops.SAMPLE_COMPARE: self._sample,
        }

    def _sample(self, value: Value) -> int:
        sample = row.SAMPLE.of(value)
        args = list(value.args)
        sampler_index = args.pop() if sample.sampler.is_array else None
        texture_index = args.pop() if sample.resource.is_array else None
        count = sample.resource.shape.sampling_coordinates
        coordinates = self.images.coordinates(self.code.type(F32), args[:count])
        rest = [*map(self.code.use, args[count:])]
        operands = [self._sampled_image(sample, texture_index, sampler_index), coordinates]
        if sample.mode in _COMPARING:
            operands.append(self._reference(sample, rest.pop(0)))
        if sample.mode is SampleMode.GATHER:
            operands.append(self.sections.u32(sample.component))
        operands += self._image_operands(sample, rest)
        return self.code.instruct(_OPS[sample.mode], self.code.type(value.type), *operands)

    def _sampled_image(
        self, sample: Sample, texture_index: Value | None, sampler_index: Value | None
    ) -> int:
        sections, code = self.sections, self.code
        sampler_type = sections.type(Op.TypeSampler)
        variable = self.memory.opaque(sample.sampler, sampler_type)
        image = self.images.image(sample.resource, texture_index)
        storage_class = StorageClass.UniformConstant
        pointer = element_pointer(
            code, sample.sampler, storage_class, sampler_type, variable, sampler_index
        )
        loaded = code.instruct(Op.Load, sampler_type, pointer)
        sampler = mark(code, sample.sampler, sampler_index, loaded)
        kind = sections.type(Op.TypeSampledImage, self.images.type(sample.resource))
        sampled = code.instruct(Op.SampledImage, kind, image, sampler)
        if varies(self.code, sample.resource, texture_index):  # decorations must not be repeated
            return mark(code, sample.resource, texture_index, sampled)
        return mark(code, sample.sampler, sampler_index, sampled)

    def _reference(self, sample: Sample, given: int) -> int:
        """The reference of a comparison, clamped to [0, 1] if required; NaN stays NaN."""
        code, sections = self.code, self.sections
        if not is_normalised_depth(code.tables.views[sample.resource].format):
            return given
        for op, end in ((Op.FOrdLessThan, 0), (Op.FOrdGreaterThan, _ONE)):
            bound = sections.ir_constant(F32, end)
            is_outside = code.instruct(op, sections.bool, given, bound)
            given = code.instruct(Op.Select, sections.float, is_outside, bound, given)
        return given

    def _image_operands(self, sample: Sample, rest: list[int]) -> list[int]:
        """Image Operands: the mask, then in its order LOD or gradients, offset, LOD clamp."""
        mask, operands = 0, list[int]()
        if sample.mode is SampleMode.LOD:
            mask |= ImageOperands.Lod
            operands.append(rest.pop(0))
        elif sample.mode is SampleMode.COMPARE:
            mask |= ImageOperands.Lod
            operands.append(self.sections.ir_constant(F32, 0))
        elif sample.mode is SampleMode.GRADIENTS:
            mask |= ImageOperands.Grad
            operands += self._gradients(sample, rest)
        offset_mask, offset = self._offset(sample, rest)
        mask |= offset_mask
        operands += offset
        if sample.clamped:
            self.sections.capabilities.add(Capability.MinLod)
            mask |= ImageOperands.MinLod
            operands.append(rest.pop(0))
        return [mask, *operands] if mask else []

    def _gradients(self, sample: Sample, rest: list[int]) -> list[int]:
        """The gradients d/dx and d/dy: vectors with a component for each axis, three for cubes."""
        axes = sample.resource.shape.axes + sample.resource.shape.cube
        dx, dy = rest[:axes], rest[axes : 2 * axes]
        del rest[: 2 * axes]
        if axes == 1:
            return dx + dy
        vector = self.sections.vector(self.sections.float, axes)
        return [self.code.instruct(Op.CompositeConstruct, vector, *d) for d in (dx, dy)]

    def _offset(self, sample: Sample, rest: list[int]) -> tuple[int, list[int]]:
        sections = self.sections
        if sample.dynamic_offset:
            sections.capabilities.add(Capability.ImageGatherExtended)
            given, rest[-2:] = rest[-2:], []
            unsigned = sections.vector(self.code.type(U32), 2)
            pair = self.code.instruct(Op.CompositeConstruct, unsigned, *given)
            offset = self.code.instruct(Op.Bitcast, sections.vector(sections.sint, 2), pair)
            return ImageOperands.Offset, [offset]
        if not sample.offset:
            return 0, []
        numbers = [
            sections.constant(Op.Constant, sections.sint, n & 0xFFFFFFFF) for n in sample.offset
        ]
        if len(numbers) == 1:
            return ImageOperands.ConstOffset, numbers
        vector = sections.vector(sections.sint, len(numbers))
        return ImageOperands.ConstOffset, [
            sections.constant(Op.ConstantComposite, vector, *numbers)
        ]
