"""The reference machine with the face of a device, so that it runs the cases of other tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np

import translate
from translate import Program, reference
from translate.interface import CONSTANT_BUFFER, TEXTURE, TYPED_BUFFER, Binding
from translate.reference import Buffer, Findings, Sampler, Texture

Array = np.ndarray[Any, Any]
KINDS = {"f": "float", "u": "uint", "i": "sint"}


@dataclass(eq=False)
class HeldBuffer:
    """A buffer that keeps what dispatches wrote, with its view's format."""

    array: Array
    counter: int | None = None
    format: str | None = None
    owner: HeldBuffer | None = None

    def view(self, format: str) -> HeldBuffer:
        return HeldBuffer(self.array, self.counter, format, self)

    def read(self) -> Array:
        return self.array


@dataclass(eq=False)
class HeldTexture:
    """A texture of arrays as NumPy people hold images."""

    levels: list[Array]
    dimension: str
    format: str


@dataclass
class Result:
    """UAVs by register and by HLSL name."""

    values: dict[str, Array]
    counters: dict[str, int]
    findings: Findings = field(default_factory=Findings)

    def __getitem__(self, name: str) -> Array:
        return self.values[name]

    def __getattr__(self, name: str) -> Array:
        if name not in self.values:
            raise AttributeError(name)
        return self.values[name]


class Kernel:
    """A program with the interface that its translation gives it."""

    def __init__(self, source: Any, class_instances: Any = None, **options: Any):
        self.program = source if isinstance(source, Program) else translate.load(source)
        self.class_instances = class_instances or {}
        chosen = translate.Options(validate=False, class_instances=self.class_instances)
        self.interface = translate.to_spirv(self.program, chosen).interface

    def dispatch(self, groups: Any, **arguments: Any) -> Result:
        given = {self.interface[name].register: value for name, value in arguments.items()}
        resources = {name: self._resource(name, value) for name, value in given.items()}
        if isinstance(groups, int):
            groups = (groups, 1, 1)
        outcome = reference.run(
            self.program, resources, groups, class_instances=self.class_instances
        )
        values = {
            name: self._taken_back(name, given[name], data, outcome.written.counters)
            for name, data in outcome.written.buffers.items()
        }
        for name, mips in outcome.written.textures.items():
            like = given[name].levels[0] if isinstance(given[name], HeldTexture) else given[name]
            values[name] = mips[0].reshape(-1).view(like.dtype).reshape(like.shape)
        for register in list(values):
            values[self.interface[register].name or register] = values[register]
        return Result(values, dict(outcome.written.counters), outcome.findings)

    def close(self) -> None:
        pass

    def _taken_back(self, name: str, value: Any, data: Array, counters: Mapping[str, int]) -> Array:
        array = value.array if isinstance(value, HeldBuffer) else as_array(value)
        result = data[: array.nbytes].view(array.dtype).reshape(array.shape)
        if isinstance(value, HeldBuffer):
            (value.owner or value).array = result
            value.counter = counters.get(name)
        return result

    def _resource(self, name: str, value: Any) -> reference.Resource:
        binding = self.interface[name]
        if binding.kind == CONSTANT_BUFFER:
            return Buffer(constants(binding, value))
        if value is None or isinstance(value, Sampler):
            return value
        if binding.kind == TEXTURE:
            shape = (binding.dimension or "").removeprefix("texture")
            held = value if isinstance(value, HeldTexture) else held_texture([value], shape)
            return texture_of(held)
        held = value if isinstance(value, HeldBuffer) else HeldBuffer(as_array(value))
        data = bytes_of(held.array)
        if binding.kind == TYPED_BUFFER:
            return Buffer(data.copy(), format=held.format or format_of(held.array, 1))
        counter = held.counter
        if counter is None and any(b.register == f"{name}.counter" for b in self.interface):
            counter = 0
        padded = np.zeros(-(-len(data) // 4) * 4, np.uint8)
        padded[: len(data)] = data
        return Buffer(padded, counter=counter)


def as_array(value: Any) -> Array:
    return np.frombuffer(value, np.uint8) if isinstance(value, bytes) else value


def bytes_of(array: Array) -> Array:
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8) if array.size else _NOTHING


_NOTHING: Array = np.zeros(0, np.uint8)


def format_of(array: Array, axes: int) -> str:
    components = array.shape[-1] if array.ndim > axes else 1
    bits = array.dtype.itemsize * 8
    return "".join(f"{c}{bits}" for c in "rgba"[:components]) + "_" + KINDS[array.dtype.kind]


def axes_of(dimension: str) -> int:
    plain = dimension.removesuffix("array")
    axes = {"1d": 1, "2d": 2, "3d": 3, "cube": 3, "2dms": 3}[plain]
    return axes + (dimension.endswith("array") and plain != "cube")


def held_texture(levels: Sequence[Array], dimension: str, format: str | None = None) -> HeldTexture:
    chosen = format or format_of(levels[0], axes_of(dimension))
    return HeldTexture(list(levels), dimension, chosen)


def texture_of(held: HeldTexture) -> Texture:
    """Mips with all five axes, of bytes."""
    plain, axes = held.dimension.removesuffix("array"), axes_of(held.dimension)
    mips: list[Array] = []
    for level in held.levels:
        shape = list(level.shape[:axes])
        if plain != "2dms":
            shape.append(1)
        if plain == "1d":
            shape.insert(-2, 1)
        shape = [1] * (4 - len(shape)) + shape
        mips.append(bytes_of(level).reshape(*shape, -1).copy())
    return Texture(tuple(mips), held.format, held.dimension)


def constants(binding: Binding, value: Any) -> Array:
    """A constant buffer of a dict by name, of an array or of nothing."""
    data = np.zeros(-(-(binding.size_bytes or 16) // 16) * 16, np.uint8)
    if isinstance(value, Mapping):
        assert binding.dtype is not None
        made = np.zeros((), binding.dtype)
        for name, one in value.items():
            made[name] = one
        value = made.reshape(1)
    if value is not None:
        given = bytes_of(value)
        data = np.zeros(max(len(data), -(-len(given) // 16) * 16), np.uint8)
        data[: len(given)] = given
    return data


class Everything:
    """Features: all that there are."""

    def __getattr__(self, name: str) -> bool:
        return True


class ReferenceDevice:
    """Of a device what tests use of it."""

    features = Everything()
    info = SimpleNamespace(float_controls=frozenset({"rounding_mode_rte_32"}))

    def kernel(self, source: Any, **options: Any) -> Kernel:
        return Kernel(source, **options)

    def buffer(self, array: Array, counter: int | None = None) -> HeldBuffer:
        return HeldBuffer(array, counter)

    def texture(
        self,
        array: Array,
        format: str | None = None,
        dimension: str = "2d",
        mips: Sequence[Array] = (),
    ) -> HeldTexture:
        return held_texture([array, *mips], dimension, format)

    def sampler(
        self,
        filter: Any = "linear",
        address: Any = "clamp",
        border: Any = 1.0,
        comparison: str | None = None,
        **more: Any,
    ) -> Sampler:
        filters = (filter,) * 3 if isinstance(filter, str) else tuple(filter)
        addresses = (address,) * 3 if isinstance(address, str) else tuple(address)
        colour = tuple(float(c) for c in np.broadcast_to(border, 4))
        r, g, b, a = colour
        return Sampler(*filters, addresses, comparison or "never", (r, g, b, a), **more)
