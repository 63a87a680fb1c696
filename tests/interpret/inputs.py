"""Random resources for a module's declarations, and the options that describe them."""

import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from checks.interpret.descriptors import register
from translate.ir.memory import VIEWS, MemoryKind, Resource
from translate.ir.values import Module
from translate.reference.formats import read_format
from translate.reference.resources import Buffer, Sampler, Texture
from translate.reference.resources import Resource as Bound

Array = np.ndarray[Any, Any]
Rng = np.random.Generator

UNBOUNDED = 3  # registers of an unbounded range
_BOUND = (*VIEWS, MemoryKind.TYPED, MemoryKind.CONSTANTS, MemoryKind.SAMPLER)
_NULL, _NULL_OF_ARRAYS = 0.03, 0.2
_LAYERS, _SAMPLES = 2, 4
_FORMATS: Mapping[str, Sequence[str]] = {
    "float": ("r32g32b32a32_float", "r32_float", "r8g8b8a8_unorm", "r16g16b16a16_float"),
    "uint": ("r32g32b32a32_uint", "r32_uint", "r8g8b8a8_uint"),
    "sint": ("r32g32b32a32_sint", "r32_sint", "r16g16b16a16_sint"),
}
_ATOMIC = {"uint": "r32_uint", "sint": "r32_sint"}
_FILTERS = ("point", "linear")
_ADDRESSES = ("wrap", "mirror", "clamp", "border", "mirror_once")
_COMPARISONS = ("less", "equal", "greater_equal")
# Integers that loops count to, and floats with all special values
_NUMBERS = np.array([0, 1, 2, 3, 5, 8, 16], np.uint32)
_EDGES = np.array(
    [0x80000000, 1, 0x80000001, 0x7FFFFF, 0x800000, 0x3F800000, 0xBF800000, 0x3F000000, 0x40490FDB,
     0xC2F00000, 0x7F7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000, 0x4F000000, 0xFFFFFFFF, 0x7FFFFFFF,
     0x41200000, 0x34000000],
    np.uint32,
)  # fmt: skip


def formats(module: Module, seed: int) -> dict[str, str | tuple[str, ...]]:
    """A format for every typed resource, in the form of `Options.formats`."""
    found: dict[str, str | tuple[str, ...]] = {}
    for resource in module.resources:
        if resource.kind is MemoryKind.TYPED:
            count = resource.count or UNBOUNDED
            names = tuple(_format(module, resource, index, seed) for index in range(count))
            found[resource.register] = names if resource.is_array else names[0]
    return found


def lengths(module: Module) -> dict[str, int]:
    """The lengths of ranges, in the form of `Options.array_lengths`."""
    return {r.register: UNBOUNDED for r in module.resources if r.count == 0}


def bindings(module: Module, seed: int, roomy: bool = False) -> dict[str, Bound]:
    """Resources for most registers; `roomy`: for all, so large that few accesses are outside."""
    bound: dict[str, Bound] = {}
    for resource in module.resources:
        for index in range(resource.count or UNBOUNDED):
            name = register(resource, index)
            rng = _rng(name, seed)
            is_null = rng.random() < (_NULL_OF_ARRAYS if resource.is_array else _NULL)
            if resource.kind in _BOUND and (roomy or not is_null):
                bound[name] = _Maker(rng, roomy).bound(
                    module, resource, _format(module, resource, index, seed)
                )
    return bound


def _rng(name: str, seed: int) -> Rng:
    return np.random.default_rng([seed, zlib.crc32(name.encode())])


class _Maker:
    """Makes one resource, which is small or roomy."""

    def __init__(self, rng: Rng, roomy: bool):
        self.rng = rng
        self.elements = 2048 if roomy else 96  # of a buffer, at least
        self.extents = (64, 64, 16) if roomy else (8, 4, 2)

    def bound(self, module: Module, resource: Resource, format: str) -> Bound:
        if resource.kind is MemoryKind.SAMPLER:
            return self._sampler(resource)
        if resource.kind is MemoryKind.CONSTANTS:
            return Buffer(self._constants(resource.length).view(np.uint8))
        if resource.kind in VIEWS:
            return self._buffer(resource, module.tables.usage[resource].counter)
        if resource.shape.is_buffer:
            count = self._count()
            return Buffer(texels(self.rng, (count,), format).reshape(-1), format=format)
        return self._texture(resource, format)

    def _count(self) -> int:
        return self.elements + int(self.rng.integers(0, 9))

    def _buffer(self, resource: Resource, counts: bool) -> Buffer:
        """A buffer; views begin and end within it."""
        stride, count = resource.stride or 4, self._count()
        first, after = (int(n) for n in self.rng.integers(0, 4, 2))
        data = words(self.rng, (first + count + after) * stride // 4).view(np.uint8)
        counter = count // 2 if counts else None
        return Buffer(data, first * stride, count * stride, counter=counter)

    def _constants(self, vectors: int) -> Array:
        """Numbers that bound loops, and floats."""
        count = 4 * vectors
        floats = self.rng.integers(-8, 9, count).astype(np.float32).view(np.uint32)
        return np.where(self.rng.random(count) < 0.7, self.rng.choice(_NUMBERS, count), floats)

    def _texture(self, resource: Resource, format: str) -> Texture:
        shape = resource.shape
        width, height, depth = (*self.extents[: shape.axes], 1, 1)[:3]
        slices = _LAYERS if shape.arrayed else 1
        if shape.cube:
            slices, height = 6 * slices, width
        samples = _SAMPLES if shape.multisampled else 1
        mips: list[Array] = []
        for mip in range(3 if resource.has_mips else 1):
            extents = [max(1, extent >> mip) for extent in (depth, height, width)]
            layers = extents[0] if shape.axes == 3 else slices
            mips.append(texels(self.rng, (layers, *extents[1:], samples), format))
        return Texture(tuple(mips), format, resource.dimension.removeprefix("texture"))

    def _sampler(self, resource: Resource) -> Sampler:
        near, far, mip = (str(name) for name in self.rng.choice(_FILTERS, 3))
        u, v, w = (str(name) for name in self.rng.choice(_ADDRESSES, 3))
        comparison = str(self.rng.choice(_COMPARISONS)) if resource.comparison else "never"
        return Sampler(near, far, mip, (u, v, w), comparison)


def words(rng: Rng, count: int) -> Array:
    """Dwords: small numbers, floats about 1, edges of both, and any bits."""
    kinds = rng.integers(0, 4, count)
    floats = rng.normal(0, 4, count).astype(np.float32).view(np.uint32)
    any_bits = rng.integers(0, 2**32, count, dtype=np.uint32)
    return np.choose(
        kinds, [rng.choice(_NUMBERS, count), floats, rng.choice(_EDGES, count), any_bits]
    )


def _format(module: Module, resource: Resource, index: int, seed: int) -> str:
    if resource.kind is not MemoryKind.TYPED:
        return ""
    view = module.tables.views[resource]
    given = view.formats[index] if view.formats else view.format
    if given:
        return given
    if module.tables.usage[resource].atomic:
        return _ATOMIC[resource.component]
    rng = _rng(f"format of {resource} {index}", seed)
    return str(rng.choice(_FORMATS[resource.component]))


def texels(rng: Rng, shape: tuple[int, ...], name: str) -> Array:
    """u8[shape, texel bytes]."""
    texel_bytes = read_format(name).texel_bytes
    count = int(np.prod(shape)) * texel_bytes
    if name.endswith("float"):
        kind = np.dtype(np.float32 if name.startswith("r32") else np.float16)
        values = (rng.integers(-16, 17, count // kind.itemsize) / 4).astype(kind)
        return values.view(np.uint8).reshape(*shape, texel_bytes)
    return rng.integers(0, 256, count, dtype=np.uint8).reshape(*shape, texel_bytes)
