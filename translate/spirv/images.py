"""Typed resources: image types and formats, fetches, reads, writes, atomics and sizes.

Source: SPIR-V specification, "Image Format".
"""

from __future__ import annotations

from translate.ir import ops, row
from translate.ir.builder import bits_of
from translate.ir.memory import ImageShape, Resource
from translate.ir.types import F32, TEXELS, U32, Type, parse_format
from translate.ir.values import Value
from translate.spirv.code import Code, Emitters, element_pointer, mark, split
from translate.spirv.grammar import (
    Capability,
    Dim,
    ImageFormat,
    ImageOperands,
    Op,
    Scope,
    StorageClass,
)
from translate.spirv.memory import Memory

_SUFFIXES = {"float": "f", "unorm": "", "snorm": "Snorm", "uint": "ui", "sint": "i"}
_ORDERS = {"r": "R", "rg": "Rg", "rgba": "Rgba"}
_UNEVEN = {
    "r10g10b10a2_unorm": ImageFormat.Rgb10A2,
    "r10g10b10a2_uint": ImageFormat.Rgb10a2ui,
    "r11g11b10_float": ImageFormat.R11fG11fB10f,
    "a8_unorm": ImageFormat.R8,  # see `is_alpha_in_red`
}
_PACKED = {
    "b5g6r5_unorm": ((11, 5), (5, 6), (0, 5), (0, 0)),
    "b5g5r5a1_unorm": ((10, 5), (5, 5), (0, 5), (15, 1)),
    "b4g4r4a4_unorm": ((8, 4), (4, 4), (0, 4), (12, 4)),
}
# Formats that need only the Shader capability
_BASIC = frozenset(
    getattr(ImageFormat, name)
    for name in (
        *("Rgba32f", "Rgba16f", "R32f", "Rgba8", "Rgba8Snorm", "Rgba32i", "Rgba16i", "Rgba8i"),
        *("R32i", "Rgba32ui", "Rgba16ui", "Rgba8ui", "R32ui"),
    )
)


def image_format(name: str) -> int:
    """The image format for a DXGI name in lower case; Unknown if SPIR-V has none."""
    if name in _UNEVEN:
        return _UNEVEN[name]
    parsed = parse_format(name)
    widths = {bits for _, bits in parsed.channels} if parsed is not None else set[int]()
    if parsed is None or parsed.order not in _ORDERS or len(widths) != 1:
        return ImageFormat.Unknown
    spelled = f"{_ORDERS[parsed.order]}{widths.pop()}{_SUFFIXES[parsed.kind]}"
    number: int = getattr(ImageFormat, spelled, ImageFormat.Unknown)
    return number


def is_extended(number: int) -> bool:
    """Whether a storage image of the format needs StorageImageExtendedFormats."""
    return number not in _BASIC and number != ImageFormat.Unknown


def is_alpha_in_red(name: str) -> bool:
    """Whether storage images keep this format's alpha in red, because SPIR-V lacks the format."""
    return name == "a8_unorm"


def has_unused_alpha(name: str) -> bool:
    """Whether the format has alpha bits that D3D ignores, reading 1 instead."""
    return name in ("b8g8r8x8_unorm", "b8g8r8x8_unorm_srgb")


def packed_fields(name: str) -> tuple[tuple[int, int], ...]:
    """(first bit, bits) of red, green, blue and alpha in a 16-bit texel; 0 bits if missing.

    Few devices support these formats in typed buffers, so 16-bit integers are bound instead. Empty
    for all other formats.
    """
    return _PACKED.get(name, ())


def is_normalised_depth(name: str) -> bool:
    """Whether comparisons clamp their reference to [0, 1] even if a float format is bound."""
    return name == "r24_unorm_x8_typeless"


_SAMPLED, _STORAGE = 1, 2  # OpTypeImage's "Sampled"
_RED, _ALPHA = 0, 3
_ONE = 0x3F800000
_ANY_DEPTH = 2  # OpTypeImage's "Depth": may be used with and without comparison
_ATOMIC_FORMATS = {
    **{"uint": ImageFormat.R32ui, "sint": ImageFormat.R32i},
    "float": ImageFormat.R32ui,  # `_is_bits`
}
_AXES = (Dim.Buffer, Dim.Dim1D, Dim.Dim2D, Dim.Dim3D)


class Images:
    """Declares image variables in `memory` and emits accesses to them."""

    def __init__(self, code: Code, memory: Memory):
        self.code = code
        self.sections = code.sections
        self.memory = memory
        self.types: dict[Resource, int] = {}

    def emitters(self) -> Emitters:
        """The emitter of each operation."""
        return {
            ops.LOAD_TEXEL: self._load,
            ops.STORE_TEXEL: self._store,
            ops.ATOMIC_TEXEL: self._atomic,
            ops.TEXEL_COUNT: self._texel_count,
            ops.IMAGE_SIZE: self._size,
            ops.IMAGE_LEVELS: self._levels,
            ops.IMAGE_SAMPLES: self._samples,
        }

    # --- types and variables -------------------------------------------------------------------

    def _scalar(self, resource: Resource) -> int:
        if self._fields(resource) or self._is_bits(resource):
            return self.sections.uint
        return self.sections.texel_scalar(TEXELS[resource.component])

    def _is_bits(self, resource: Resource) -> bool:
        """Whether texels of floats are bound as integers: SPIR-V exchanges no floats without an
        extension."""
        return self.code.tables.usage[resource].atomic and resource.component == "float"

    def _fields(self, resource: Resource) -> tuple[tuple[int, int], ...]:
        """The `packed_fields` if texels of a buffer are bound as integers; () for all others."""
        is_bound_so = resource.shape.is_buffer and not resource.is_uav
        return packed_fields(self.code.tables.views[resource].format) if is_bound_so else ()

    def _format(self, resource: Resource) -> int:
        """The OpTypeImage format; UAVs of Unknown need the device's without-format features."""
        if not resource.is_uav:
            return ImageFormat.Unknown
        usage = self.code.tables.usage[resource]
        if usage.atomic:
            return _ATOMIC_FORMATS[resource.component]
        number = image_format(self.code.tables.views[resource].format)
        if is_extended(number):
            self.sections.capabilities.add(Capability.StorageImageExtendedFormats)
        if number == ImageFormat.Unknown and usage.read:
            self.sections.capabilities.add(Capability.StorageImageReadWithoutFormat)
        if number == ImageFormat.Unknown and usage.written:
            self.sections.capabilities.add(Capability.StorageImageWriteWithoutFormat)
        return number

    def type(self, resource: Resource) -> int:
        """The id of a resource's image type, which is declared at its first use."""
        number = self.types.get(resource)
        if number is None:
            shape, storage = resource.shape, resource.is_uav
            capability = _capability(shape, storage)
            if capability is not None:
                self.sections.capabilities.add(capability)
            number = self.types[resource] = self.sections.type(
                Op.TypeImage,
                self._scalar(resource),
                Dim.Cube if shape.cube else _AXES[shape.axes],
                0 if storage or shape.is_buffer else _ANY_DEPTH,
                int(shape.arrayed),
                int(self._is_multisampled(resource)),
                _STORAGE if storage else _SAMPLED,
                self._format(resource),
            )
        return number

    def _is_multisampled(self, resource: Resource) -> bool:
        """Whether it is multisampled in Vulkan: a D3D texture with a single sample is not."""
        return resource.shape.multisampled and not self.code.tables.views[resource].single_sample

    def _pointer(self, resource: Resource, descriptor: Value | None) -> int:
        assert resource.is_texels
        kind, storage_class = self.type(resource), StorageClass.UniformConstant
        variable = self.memory.opaque(resource, kind)
        return element_pointer(self.code, resource, storage_class, kind, variable, descriptor)

    def image(self, resource: Resource, descriptor: Value | None) -> int:
        """Load an image; `descriptor` is its index if the resource is an array."""
        pointer = self._pointer(resource, descriptor)
        loaded = self.code.instruct(Op.Load, self.type(resource), pointer)
        return mark(self.code, resource, descriptor, loaded)

    def coordinates(self, scalar: int, values: list[Value]) -> int:
        """The id of coordinates: the scalar itself, or a vector of several."""
        ids = [*map(self.code.use, values)]
        if len(ids) == 1:
            return ids[0]
        vector = self.sections.vector(scalar, len(ids))
        return self.code.instruct(Op.CompositeConstruct, vector, *ids)

    # --- accesses ------------------------------------------------------------------------------

    def _load(self, value: Value) -> int:
        access = row.ACCESS.of(value)
        resource, count = access.resource, access.address_count
        args, descriptor = split(value.args, resource)
        image = self.image(resource, descriptor)
        coordinates = self.coordinates(self.code.type(U32), args[:count])
        op = Op.ImageRead if resource.is_uav else Op.ImageFetch
        operands: list[int] = []
        if len(args) > count:
            # with a single sample, the guards make the index 0, which is also valid as a level of
            # detail
            is_sample = self._is_multisampled(resource)
            mask = ImageOperands.Sample if is_sample else ImageOperands.Lod
            operands = [mask, self.code.use(args[count])]
        texel = self.code.type(value.type)
        fields = self._fields(resource)
        kind = self.sections.vector(self._scalar(resource), 4)
        loaded = self.code.instruct(op, kind, image, coordinates, *operands)
        if fields:
            return self._unpacked(texel, loaded, fields)
        if self._is_bits(resource):
            return self._from_bits(texel, loaded)
        return self._as_d3d_reads(resource, texel, loaded)

    def _unpacked(self, texel: int, loaded: int, fields: tuple[tuple[int, int], ...]) -> int:
        """Four floats from the fields of a loaded integer; a missing alpha is 1."""
        code, sections = self.code, self.sections
        uint, float_ = sections.uint, sections.float
        packed = code.instruct(Op.CompositeExtract, uint, loaded, _RED)
        parts: list[int] = []
        for first, bits in fields:
            if not bits:
                parts.append(sections.ir_constant(F32, _ONE))
                continue
            top = (1 << bits) - 1
            shifted = code.instruct(Op.ShiftRightLogical, uint, packed, sections.u32(first))
            field = code.instruct(Op.BitwiseAnd, uint, shifted, sections.u32(top))
            number = code.instruct(Op.ConvertUToF, float_, field)
            scale = sections.ir_constant(F32, bits_of(top))
            parts.append(code.instruct(Op.FDiv, float_, number, scale))
        return code.instruct(Op.CompositeConstruct, texel, *parts)

    def _from_bits(self, texel: int, loaded: int) -> int:
        """Four floats from the bits of a texel of one float: the others are 0, 0 and 1."""
        code, sections = self.code, self.sections
        bits = code.instruct(Op.CompositeExtract, sections.uint, loaded, _RED)
        red = code.instruct(Op.Bitcast, sections.float, bits)
        zero, one = sections.ir_constant(F32, 0), sections.ir_constant(F32, _ONE)
        return code.instruct(Op.CompositeConstruct, texel, red, zero, zero, one)

    def _as_d3d_reads(self, resource: Resource, texel: int, loaded: int) -> int:
        """A loaded texel with D3D's components; for most formats, image views arrange these."""
        name, code, sections = self.code.tables.views[resource].format, self.code, self.sections
        if resource.is_uav and is_alpha_in_red(name):
            alpha = code.instruct(Op.CompositeExtract, sections.float, loaded, _RED)
            zero = sections.ir_constant(F32, 0)
            return code.instruct(Op.CompositeConstruct, texel, zero, zero, zero, alpha)
        if resource.shape.is_buffer and has_unused_alpha(name):
            one = sections.ir_constant(F32, _ONE)
            parts = [
                code.instruct(Op.CompositeExtract, sections.float, loaded, part)
                for part in range(_ALPHA)
            ]
            return code.instruct(Op.CompositeConstruct, texel, *parts, one)
        return loaded

    def _store(self, value: Value) -> None:
        access = row.ACCESS.of(value)
        args, descriptor = split(value.args, access.resource)
        image = self.image(access.resource, descriptor)
        coordinates = self.coordinates(self.code.type(U32), args[:-1])
        texel = self.code.use(args[-1])
        if is_alpha_in_red(self.code.tables.views[access.resource].format):
            alpha = self.code.instruct(Op.CompositeExtract, self.sections.float, texel, _ALPHA)
            kind = self.code.type(args[-1].type)
            texel = self.code.instruct(Op.CompositeConstruct, kind, *[alpha] * 4)
        if self._is_bits(access.resource):
            kind = self.sections.vector(self.sections.uint, 4)
            texel = self.code.instruct(Op.Bitcast, kind, texel)
        self.code.effect(Op.ImageWrite, image, coordinates, texel)

    def _atomic(self, value: Value) -> int:
        access = row.ATOMIC.of(value)
        resource, scalar = access.resource, self._scalar(access.resource)
        count = access.address_count
        args, descriptor = split(value.args, resource)
        coordinates = self.coordinates(self.code.type(U32), args[:count])
        pointer_type = self.sections.pointer(StorageClass.Image, scalar)
        pointer = self.code.instruct(
            Op.ImageTexelPointer, pointer_type, self._pointer(resource, descriptor), coordinates,
            self.sections.u32(0),
        )  # fmt: skip
        mark(self.code, resource, descriptor, pointer)
        operands, uint = [*map(self.code.use, args[count:])], self.sections.uint
        if scalar != uint:
            operands = [self.code.instruct(Op.Bitcast, scalar, number) for number in operands]
        old = self.memory.atomic(access.operation, scalar, pointer, Scope.Device, operands)
        return old if scalar == uint else self.code.instruct(Op.Bitcast, uint, old)

    # --- queries -------------------------------------------------------------------------------

    def _query(self, op: int, type_id: int, value: Value, *more: int) -> int:
        """Emit a query of the value's resource, with the value's operands and `more`."""
        self.sections.capabilities.add(Capability.ImageQuery)
        resource = row.RESOURCE.of(value)
        args, descriptor = split(value.args, resource)
        image = self.image(resource, descriptor)
        return self.code.instruct(op, type_id, image, *map(self.code.use, args), *more)

    def _texel_count(self, value: Value) -> int:
        return self._query(Op.ImageQuerySize, self.code.type(U32), value)

    def _size(self, value: Value) -> int:
        """A vector of four numbers: extents, layers, then zeros."""
        resource = row.RESOURCE.of(value)
        args, _ = split(value.args, resource)
        single = resource.shape.multisampled and not self._is_multisampled(resource)
        mip = [self.sections.u32(0)] if single else []  # otherwise in the arguments
        op = Op.ImageQuerySizeLod if args or mip else Op.ImageQuerySize
        count, uint = resource.shape.coordinates, self.code.type(U32)
        kind = self.sections.vector(uint, count) if count > 1 else uint
        size = self._query(op, kind, value, *mip)
        zeros = [self.sections.u32(0)] * (4 - count)
        texel = self.code.type(Type.TEXEL_U32)
        return self.code.instruct(Op.CompositeConstruct, texel, size, *zeros)

    def _levels(self, value: Value) -> int:
        return self._query(Op.ImageQueryLevels, self.code.type(U32), value)

    def _samples(self, value: Value) -> int:
        if not self._is_multisampled(row.RESOURCE.of(value)):
            return self.sections.u32(1)
        return self._query(Op.ImageQuerySamples, self.code.type(U32), value)


def _capability(shape: ImageShape, storage: bool) -> int | None:
    """The capability for an image type's shape, in addition to Shader (SPIR-V, "Dim")."""
    if shape.is_buffer:
        return Capability.ImageBuffer if storage else Capability.SampledBuffer
    if shape.axes == 1:
        return Capability.Image1D if storage else Capability.Sampled1D
    if shape.cube and shape.arrayed:
        return Capability.SampledCubeArray
    return None
