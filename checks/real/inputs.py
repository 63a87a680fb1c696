"""Random contents for every resource that a program declares: the same for each device."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from translate import Binding, Constant, ShaderInterface
from vkrunner.values.formats import Format, format_of_name

Array = np.ndarray[Any, Any]

_VECTOR = 16
_FORMATS = {
    ("float", 1): ("r32_float", "r32_float", "r16_float", "r8_unorm"),
    ("float", 2): ("r32g32_float", "r16g16_float", "r8g8_unorm"),
    ("float", 3): ("r32g32b32a32_float", "r16g16b16a16_float", "r8g8b8a8_unorm"),
    ("float", 4): ("r32g32b32a32_float", "r16g16b16a16_float", "r8g8b8a8_unorm"),
    ("uint", 1): ("r32_uint", "r32_uint", "r8_uint", "r16_uint"),
    ("sint", 1): ("r32_sint", "r32_sint", "r8_sint", "r16_sint"),
    ("uint", 2): ("r32g32_uint", "r16g16_uint"),
    ("uint", 4): ("r32g32b32a32_uint", "r8g8b8a8_uint"),
    ("sint", 4): ("r32g32b32a32_sint",),
}
_COUNTS = (1, 2, 7, 16, 33, 64, 200)
_EXTENTS = (1, 2, 3, 5, 8, 16, 17, 31)
_LAYERS = (1, 1, 2, 3)
_MORE = (0, 0, 0, 1, 5)  # vectors of a constant buffer after those that are declared
_SPECIAL = (0x7F800000, 0xFF800000, 0x7FC00000, 0x80000000, 0x00000001, 0x7F7FFFFF, 0xFFFFFFFF)
_GROUPS = ((1, 1, 1), (2, 1, 1), (3, 1, 1), (2, 2, 1), (4, 1, 1), (1, 2, 2), (8, 1, 1))
_ADDRESSES = ("clamp", "wrap", "mirror", "border")
_MOST_THREADS = 2048
_NUMBERS = re.compile(r"\bvThread(?:Group)?ID\.(\w+)")


@dataclass(frozen=True)
class Input:
    """The resource of one register, or of one of a range; `levels` are a texture's mips."""

    binding: Binding
    levels: tuple[Array, ...] = ()
    format: str = ""
    counter: int | None = None
    filter: tuple[str, ...] = ()
    address: str = "clamp"

    def bound(self, device: Any) -> Any:
        """The value for `dispatch`."""
        kind = self.binding.kind
        if kind == "sampler":
            comparison = "less_equal" if self.binding.comparison else None
            return device.sampler(self.filter, self.address, comparison=comparison)
        if kind == "texture":
            return device.texture(self.levels[0], format=self.format, mips=self.levels[1:] or 1,
                                  dimension=self.binding.dimension)  # fmt: skip
        made = device.buffer(self.levels[0], self.counter)
        return made.view(format=self.format) if kind == "typed_buffer" else made


class Maker:
    """Random inputs of a program. `point`: no filter has a tolerance; `special`: any floats."""

    def __init__(self, interface: ShaderInterface, seed: int, *, point: bool, special: bool):
        self.interface, self.point, self.special = interface, point, special
        self.seed, self.rng = seed, np.random.default_rng(seed)

    def groups(self, listing: str) -> tuple[int, int, int]:
        """A number of groups with few threads, along axes that the program uses."""
        size = int(np.prod(self.interface.thread_group))
        used = {x for found in _NUMBERS.findall(listing) for x in found}
        few = [g for g in _GROUPS if size * np.prod(g) <= _MOST_THREADS or g == (1, 1, 1)]
        few = [g for g in few if all(n == 1 or x in used for n, x in zip(g, "xyz", strict=True))]
        return few[self.rng.integers(len(few))]

    def inputs(self) -> dict[str, list[Input]]:
        """Each register with its resource; a range has those of its first registers."""
        counters = {b.register.removesuffix(".counter") for b in self.interface
                    if b.kind == "counter"}  # fmt: skip
        made: dict[str, list[Input]] = {}
        for binding in self.interface:
            if binding.kind in ("counter", "tables", "report", "messages"):
                continue
            self.rng = np.random.default_rng([self.seed, zlib.crc32(binding.register.encode())])
            counted = binding.register in counters
            count = binding.count or 3
            made[binding.register] = [self._input(binding, counted) for _ in range(count)]
        return made

    def _pick(self, some: Sequence[Any]) -> Any:
        return some[int(self.rng.integers(len(some)))]

    def _input(self, binding: Binding, counted: bool) -> Input:
        kind = binding.kind
        if kind == "sampler":
            filter = "point" if self.point else self._pick(("point", "linear"))
            return Input(binding, filter=(filter,) * 3, address=self._pick(_ADDRESSES))
        if kind == "texture":
            return self._texture(binding)
        if kind == "typed_buffer":
            format = self._format(binding)
            count = self._pick(_COUNTS)
            return Input(binding, (self._texels((count,), format),), format.name)
        if kind == "constant_buffer":
            size = (binding.size_bytes or _VECTOR) + _VECTOR * self._pick(_MORE)
            return Input(binding, (self._typed(binding.constants or (), size, 1).reshape(-1),))
        stride = binding.stride or 4
        data = self._typed((binding.element,) if binding.element else (), stride,
                           self._pick(_COUNTS))  # fmt: skip
        counter = int(self.rng.integers(0, 4)) if counted else None
        shape = data.reshape(-1) if kind == "raw_buffer" else data
        return Input(binding, (shape,), counter=counter)

    def _texture(self, binding: Binding) -> Input:
        dimension = binding.dimension or "2d"
        format = self._format(binding)
        axes = {"1d": 1, "1darray": 1, "3d": 3}.get(dimension, 2)
        extents = [self._pick(_EXTENTS) for _ in range(axes)]
        if dimension.startswith("cube"):
            extents = [extents[0]] * 2
        layers = [6] if dimension == "cube" else []
        if dimension.endswith("array"):
            layers = [self._pick(_LAYERS) * (6 if dimension == "cubearray" else 1)]
        samples = [4] if "ms" in dimension else []
        most = 1 if samples or binding.written else self._pick((1, 2, 3))
        levels = []
        for mip in range(min(most, max(extents).bit_length())):
            shape = (*layers, *(max(1, e >> mip) for e in extents), *samples)
            levels.append(self._texels(shape, format))
        return Input(binding, tuple(levels), format.name)

    def _format(self, binding: Binding) -> Format:
        component = binding.component or "float"
        if binding.comparison:
            return format_of_name("d32_float")
        if binding.atomic:
            return format_of_name(f"r32_{component}")
        components = binding.components or 4
        formats = _FORMATS.get((component, components)) or _FORMATS[component, 4]
        return format_of_name(self._pick(formats))

    def _texels(self, shape: tuple[int, ...], format: Format) -> Array:
        shape = (*shape, format.components)
        if format.dtype.kind in "ui":
            top = 2 ** (8 * format.dtype.itemsize)
            if self.point and format.kind in ("unorm", "snorm"):  # others round either way
                most = np.iinfo(format.dtype).max
                return self.rng.choice(np.array([0, most], format.dtype), shape)
            any_bits = self.rng.integers(0, top, shape, dtype=np.uint64)
            small = self.rng.integers(0, 9, shape, dtype=np.uint64)
            whole = format.kind in ("uint", "sint")
            chosen = np.where(self.rng.random(shape) < (0.8 if whole else 0.2), small, any_bits)
            return chosen.astype(np.uint32).astype(format.dtype)
        if format.is_depth:
            return self.rng.random(shape).astype(format.dtype)
        with np.errstate(over="ignore"):
            return self._floats(shape).astype(format.dtype)

    # --- dwords ------------------------------------------------------------------------------

    def _floats(self, shape: tuple[int, ...]) -> Array:
        rng = self.rng
        numbers = rng.uniform(-2, 2, shape)
        numbers = np.where(rng.random(shape) < 0.3, np.abs(numbers) / 2, numbers)
        numbers = np.where(rng.random(shape) < 0.3, rng.integers(-3, 9, shape), numbers)
        numbers = np.where(rng.random(shape) < 0.1, 0, numbers).astype(np.float32)
        if self.special:
            odd = rng.choice(np.uint32(_SPECIAL), shape).view(np.float32)
            numbers = np.where(rng.random(shape) < 0.1, odd, numbers)
        return numbers.astype(np.float32)

    def _integers(self, shape: tuple[int, ...]) -> Array:
        rng = self.rng
        numbers = rng.integers(0, 17, shape, dtype=np.uint32)
        any_bits = rng.integers(0, 2**32, shape, dtype=np.uint32)
        share = 0.03 if self.special else 0.0  # loops end soon without
        return np.where(rng.random(shape) < share, any_bits, numbers)

    def _typed(self, constants: Sequence[Constant], size: int, count: int) -> Array:
        """Rows of dwords: floats and integers where the HLSL says so, else any of them."""
        shape = (count, max(1, size // 4))
        mixed = np.where(self.rng.random(shape) < 0.5, self._floats(shape).view(np.uint32),
                         self._integers(shape))  # fmt: skip
        floats, integers = self._floats(shape).view(np.uint32), self._integers(shape)
        for constant in constants:
            self._put(mixed, floats, integers, constant, 0)
        return mixed

    def _put(self, rows: Array, floats: Array, integers: Array, one: Constant, base: int) -> None:
        start = base + one.offset
        for member in one.members:
            self._put(rows, floats, integers, member, start)
        if one.members:
            return
        source = floats if one.type in ("float", "min16float", "half") else integers
        scalars = int(np.prod(one.shape)) if one.shape else 1
        rest = one.step_bytes * max(one.elements - 1, 0)
        end = start + rest + 4 * scalars
        if len(one.shape) == 2:
            end = start + one.step_bytes * max(one.elements, 1) * max(one.shape)
        rows[:, start // 4 : end // 4] = source[:, start // 4 : end // 4]
