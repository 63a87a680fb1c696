"""The arguments of a case on a device, and their contents after a dispatch."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np

from vkrunner.values.formats import Format, format_of_name

from .case import Argument
from .operands import EDGES

Array = np.ndarray[Any, Any]

_AFTER = 5  # elements that follow a view
_VECTOR = 16  # bytes


class Bound:
    """One argument; `value` is passed to `dispatch`."""

    def __init__(self, device: Any, argument: Argument, seed: int):
        self.argument = argument
        self.value: Any = None
        self.kept: Any = None  # a resource on the device, to be compared as a whole
        if argument.kind == "sampler":
            border = {"border": argument.border} if argument.border else {}
            self.value = device.sampler(
                argument.filter, argument.address, comparison=argument.comparison, **border
            )
        elif argument.placement != "null":
            rng = np.random.default_rng([seed, zlib.crc32(argument.name.encode())])
            bind = self._texture if argument.kind == "texture" else self._buffer
            bind(device, rng)

    def _texture(self, device: Any, rng: np.random.Generator) -> None:
        a = self.argument
        format, dimension = format_of_name(a.format), a.dimension.removeprefix("texture")
        levels = [
            contents(rng, mip_shape(a, mip), format, whole=a.whole or a.register[0] == "t")
            for mip in range(a.mips)
        ]
        self.value = self.kept = device.texture(
            levels[0], format=a.format, dimension=dimension, mips=levels[1:] or 1
        )
        if a.window:
            mip, first, slices = a.window
            layered = dimension.endswith("array")
            part = {"first_slice": first, "num_slices": slices} if layered else {}
            self.value = self.kept.view(mip, num_mips=a.mips - mip, **part)

    def _buffer(self, device: Any, rng: np.random.Generator) -> None:
        a = self.argument
        (count,) = a.shape
        total = count if a.placement == "array" else a.first + count + _AFTER
        format = format_of_name(a.format) if a.format else None
        if format is not None:
            data = contents(rng, (total,), format, whole=a.whole)
        else:
            data = words(rng, (total, element_bytes(a) // 4)) * np.uint32(not a.zero)
        if a.placement == "array" and format is None:
            self.value = data.reshape(-1) if a.kind == "raw" else data
            return
        self.kept = device.buffer(data, a.counter)
        view = {"format": a.format} if format is not None else {}
        if a.placement == "buffer" and not view:
            self.value = self.kept
            return
        shown = {"view": count, "empty": 0}.get(a.placement)
        self.value = self.kept.view(a.first, shown, **view)

    def left(self, result: Any) -> dict[str, Array]:
        """The contents of a UAV after a dispatch, also beyond a view's ends, and its counter."""
        name, register, element = self.argument.name, self.argument.register, self.argument.element
        if not name.startswith("u") or self.value is None:
            return {}
        if self.kept is not None:
            found = {name: self.kept.read()}
            for mip in range(1, self.argument.mips):
                found[f"{name}.mip{mip}"] = self.kept.read(mip)
        else:
            found = {name: result[register] if element is None else result[register][element]}
        if self.argument.counter is not None:
            found[f"{name}.counter"] = np.array([self.kept.counter])
        return found

    def close(self) -> None:
        for owner in (self.kept, self.value):
            if hasattr(owner, "close"):
                owner.close()


def element_bytes(argument: Argument) -> int:
    """The size of a dword, structure, vector or texel."""
    if argument.format:
        return format_of_name(argument.format).texel_bytes
    return _VECTOR if argument.kind == "constants" else argument.stride


def mip_shape(argument: Argument, mip: int) -> tuple[int, ...]:
    """The extents of a mip: all are halved except layers and faces."""
    layers = 1 if argument.dimension.endswith(("array", "cube")) else 0
    shape = argument.shape
    return (*shape[:layers], *(max(1, extent >> mip) for extent in shape[layers:]))


def words(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """u32: half of them edge values, half random."""
    any_bits = rng.integers(0, 2**32, shape, dtype=np.uint32)
    return np.where(rng.random(shape) < 0.5, rng.choice(np.uint32(EDGES), shape), any_bits)


def contents(
    rng: np.random.Generator, shape: tuple[int, ...], format: Format, *, whole: bool
) -> Array:
    """Texels that every device reads as the same numbers."""
    shape = (*shape, format.components)
    if format.kind in ("uint", "sint"):
        return words(rng, shape).astype(format.dtype)
    if format.kind == "unorm":
        return rng.choice(np.array([0, np.iinfo(format.dtype).max], format.dtype), shape)
    if format.is_depth:
        return (rng.integers(0, 9, shape) / 8).astype(format.dtype)
    numbers = rng.integers(-8, 9, shape).astype(format.dtype)
    if whole:
        return numbers + format.dtype.type(0)
    edges = np.array([np.inf, -np.inf, 0.5, -0.0, 1000.25, -3.75], format.dtype)
    return np.where(rng.random(shape) < 0.3, rng.choice(edges, shape), numbers)
