"""Typed buffers and textures: loads, stores and atomics of texels, sizes and sample positions.

Source: FS §22.4.6-9, §22.17; reference "Out-of-bounds" §3, §4, §6. A load with a coordinate, slice
or mip out of bounds gives 0 and the format's defaults; a load from a null resource gives 0 in all
components. Out-of-bounds stores and atomics do nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from translate.dataclass import dataclass
from translate.errors import OptionError
from translate.interface import TEXTURE, TYPED_BUFFER
from translate.isa.instruction import Lanes, Results
from translate.isa.registers import RegisterFile
from translate.isa.texture import SAMPLE_POSITIONS
from translate.reference.findings import OUTSIDE
from translate.reference.formats import Format, decode, encode
from translate.reference.layout import Slots
from translate.reference.races import AccessLog
from translate.reference.report import Reporter
from translate.reference.resources import Array
from translate.reference.words import apply_in_order

Bound = tuple[Format, tuple[Array, ...], str]

_ATOMIC = ("r32_uint", "r32_sint", "r32_float")
_DIMENSIONS = {  # Texture's dimensions by the declared (axes, multisampled, cube)
    (0, False, False): "buffer",
    (1, False, False): "1d",
    (2, False, False): "2d",
    (2, True, False): "2dms",
    (2, False, True): "cube",
    (3, False, False): "3d",
}
_RECIPROCAL, _UINT = 1, 2  # the suffixes `_rcpfloat` and `_uint` of resinfo


class TexelSpace:
    """A typed view as declared by the shader; `bound` is None for a null resource.

    Mips are u8[slices, height, width, samples, texel bytes]; a buffer is a single row.
    """

    def __init__(self, register: str, slots: Slots, bound: Bound | None):
        """Raises TranslateError if the bound resource does not match the declaration."""
        self.register = register
        assert slots.dimension is not None
        self.shape = slots.dimension.shape
        self.is_uav = slots.file is RegisterFile.UAV
        self.bound = bound is not None
        self.log: AccessLog | None = None  # of accesses that can race
        self.format: Format | None = None
        self.mips: tuple[Array, ...] = ()
        if bound is None:
            return
        self.format, mips, dimension = bound
        self.mips = mips[:1] if self.is_uav else mips  # a UAV is a view of one mip (FS §22.4.14)
        shape = self.shape
        wanted = _DIMENSIONS.get((shape.axes, shape.multisampled, shape.cube), "nothing known")
        if dimension.removesuffix("array") != wanted:
            raise OptionError(f"{register} is declared as {wanted}; {dimension} is bound")
        if self.format.component != slots.component:
            raise OptionError(f"{register} is read as {slots.component}; {self.format.name} is not")

    def search_races(self, reporter: Reporter) -> None:
        """Note the accesses from now on, to find races."""
        kind = TYPED_BUFFER if self.shape.is_buffer else TEXTURE
        mips, has_rows, coordinates = self.mips, self.shape.axes >= 2, self.coordinates
        count = len(_rows(mips[0])) if mips else 0

        def place(at: int) -> tuple[int, tuple[int, ...]]:
            _, height, width, _, _ = mips[0].shape  # without `self`, which keeps `place`: no cycle
            row, x = divmod(int(at), width)
            layer, y = divmod(row, height)
            there = (x, y, layer) if has_rows else (x, layer)
            return 0, there[:coordinates]

        self.log = AccessLog(self.register, kind, count, reporter, place)

    @property
    def coordinates(self) -> int:
        """The number of integer coordinates of a texel."""
        return self.shape.coordinates

    @property
    def has_mips(self) -> bool:
        """Whether addresses contain a mip."""
        return not (self.is_uav or self.shape.is_buffer or self.shape.multisampled)

    @property
    def texel_count(self) -> int:
        """The number of elements of a buffer."""
        return self.mips[0].shape[2] if self.mips else 0

    def load(self, address: Sequence[Lanes], lanes: Lanes, reporter: Reporter) -> list[Lanes]:
        """Load a texel: four u32[lanes], converted from the format."""
        if self.format is None:
            self._report(address, lanes, np.ones(len(lanes), np.bool_), reporter, defined=True)
            return [np.zeros(len(lanes), np.uint32) for _ in range(4)]
        texels = np.zeros((len(lanes), self.format.texel_bytes), np.uint8)
        outside = np.ones(len(lanes), np.bool_)
        for mip, chosen in self._by_mip(address):
            inside, at = self._locate(mip, [axis[chosen] for axis in address])
            picked = chosen[inside]
            texels[picked] = _rows(self.mips[mip])[at[inside]]
            if self.log is not None:
                self.log.load(lanes[picked], at[inside])
            outside[picked] = False
        undefined = outside & self._has_texel_without_sample(address)
        self._report(address, lanes, outside & ~undefined, reporter, defined=True)
        self._report(address, lanes, undefined, reporter, defined=False)
        return decode(self.format, texels)

    def contains(self, address: Sequence[Lanes]) -> Lanes:
        """Whether each lane's address is inside the texture or buffer, bool[lanes]."""
        found = np.zeros(len(address[0]), np.bool_)
        for mip, chosen in self._by_mip(address) if self.mips else ():
            found[chosen] = self._locate(mip, [axis[chosen] for axis in address])[0]
        return found

    def _has_texel_without_sample(self, address: Sequence[Lanes]) -> Lanes:
        """Whether the texel exists, even if the sample does not.

        D3D does not define the value of a missing sample (FS §22.4.7).
        """
        if not self.shape.multisampled:
            return np.zeros(len(address[0]), np.bool_)
        first_sample = [*address[:-1], np.zeros_like(address[-1])]
        return self._locate(0, first_sample)[0]

    def store(
        self,
        address: Sequence[Lanes],
        values: Sequence[Lanes],
        lanes: Lanes,
        reporter: Reporter,
    ) -> None:
        """Store four u32[lanes], converted to the format. The last lane at a texel wins."""
        inside, at = self._locate_written(address, lanes, reporter, defined=self.bound)
        if self.format is not None and inside.any():
            texels = encode(self.format, [np.ascontiguousarray(v)[inside] for v in values])
            rows, at = _rows(self.mips[0]), at[inside]
            if self.log is not None:
                self.log.store(lanes[inside], at, (rows[at] != texels).any(axis=1), texels)
            rows[at] = texels

    def atomic(
        self,
        address: Sequence[Lanes],
        evaluate: Callable[..., Results],
        values: Sequence[Lanes],
        lanes: Lanes,
        reporter: Reporter,
        *,
        returns: bool,
    ) -> Lanes:
        """Execute an atomic in lane order; returns old values, u32[lanes], 0 out of bounds."""
        if self.format is not None and self.format.name not in _ATOMIC:
            raise OptionError(f"{self.register}: atomics take {', '.join(_ATOMIC)} only")
        defined = self.bound and not returns
        inside, at = self._locate_written(address, lanes, reporter, defined=defined)
        result = np.zeros(len(lanes), np.uint32)
        if inside.any():
            dwords = _rows(self.mips[0]).view(np.uint32)[:, 0]
            kept, at = [value[inside] for value in values], at[inside]
            result[inside], changed = apply_in_order(dwords, at, evaluate, kept)
            if self.log is not None:
                tells = len(values) == 2 and returns
                self.log.atomic(lanes[inside], at, changed, compares=tells)
        return result

    def _locate_written(
        self, address: Sequence[Lanes], lanes: Lanes, reporter: Reporter, *, defined: bool
    ) -> tuple[Lanes, Lanes]:
        if self.mips:
            inside, at = self._locate(0, address)
        else:
            inside, at = np.zeros(len(lanes), np.bool_), np.zeros(len(lanes), np.int64)
        self._report(address, lanes, ~inside, reporter, defined=defined)
        return inside, at

    def _by_mip(self, address: Sequence[Lanes]) -> list[tuple[int, Lanes]]:
        """The existing mips that lanes access, each with these lanes' positions."""
        if not self.has_mips:
            return [(0, np.arange(len(address[0])))]
        named = address[-1]
        return [
            (int(mip), np.flatnonzero(named == mip))
            for mip in np.unique(named)
            if mip < len(self.mips)
        ]

    def _locate(self, mip: int, address: Sequence[Lanes]) -> tuple[Lanes, Lanes]:
        """For each lane: whether its address is inside the mip, and the number of its texel."""
        slices, height, width, samples, _ = self.mips[mip].shape
        x, y, layer, sample = self._axes([axis.astype(np.int64) for axis in address])
        inside = (x < width) & (y < height) & (layer < slices) & (sample < samples)
        return inside, ((layer * height + y) * width + x) * samples + sample

    def _axes(self, address: Sequence[Lanes]) -> tuple[Lanes, Lanes, Lanes, Lanes]:
        """x, y, slice and sample; 0 for those that the shape lacks."""
        shape, zero = self.shape, np.zeros_like(address[0])
        rest = list(address[: self.coordinates])
        x = rest.pop(0)
        y = rest.pop(0) if shape.axes >= 2 else zero
        layer = rest.pop(0) if rest else zero
        return x, y, layer, address[-1] if shape.multisampled else zero

    def _report(
        self,
        address: Sequence[Lanes],
        lanes: Lanes,
        outside: Lanes,
        reporter: Reporter,
        *,
        defined: bool,
    ) -> None:
        if not outside.any():
            return
        kind = TYPED_BUFFER if self.shape.is_buffer else TEXTURE
        place = [axis[outside] for axis in address]
        reporter.add(self.register, kind, OUTSIDE, lanes[outside], place, defined=defined)


def _rows(mip: Array) -> Array:
    """A mip as u8[texels, texel bytes], without a copy."""
    return mip.reshape(-1, mip.shape[-1])


@dataclass(frozen=True, slots=True)
class Question:
    """A query of a texture.

    `argument` is each lane's mip or sample; `kind` is the number of the mnemonic's suffix.
    """

    space: TexelSpace
    argument: Lanes
    kind: int


def resource_info(question: Question) -> list[Lanes]:
    """`resinfo`: (width, height, depth or layers, number of mips) of the queried mip.

    Past the last mip, all but the number of mips are 0.
    """
    space, mip = question.space, question.argument
    levels = len(space.mips)
    sizes = np.array([_extents(space, m) for m in range(levels)], np.uint32).reshape(-1, 3)
    inside = mip < levels
    if levels:
        found = np.where(inside[:, None], sizes[np.where(inside, mip, 0)], np.uint32(0))
    else:
        found = np.zeros((len(mip), 3), np.uint32)
    numbers = [*found.T, np.full(len(mip), levels, np.uint32)]
    if question.kind == _UINT:
        return [np.ascontiguousarray(number) for number in numbers]
    floats = [number.astype(np.float32) for number in numbers]
    if question.kind == _RECIPROCAL:
        for axis in range(space.shape.axes):
            floats[axis] = np.float32(1) / floats[axis]
    return [number.view(np.uint32) for number in floats]


def _extents(space: TexelSpace, mip: int) -> tuple[int, int, int]:
    """Extents and layers in the shader's order, then zeros.

    For an array of cubes, the third one is the number of cubes.
    """
    slices, height, width = space.mips[mip].shape[:3]
    shape = space.shape
    extents = [width, height][: min(shape.axes, 2)]
    if shape.axes == 3 or shape.arrayed:
        extents.append(slices // 6 if shape.cube else slices)
    x, y, z = (*extents, 0, 0)[:3]
    return x, y, z


def sample_info(question: Question) -> list[Lanes]:
    """`sampleinfo`: (number of samples, 0, 0, 0), as integers with `_uint`, otherwise floats.

    The number is 0 for a null resource.
    """
    count = np.full(len(question.argument), _samples(question.space), np.uint32)
    nothing = np.zeros_like(count)
    if not question.kind:
        count = count.astype(np.float32).view(np.uint32)
    return [count, nothing, nothing, nothing]


def sample_position(question: Question) -> list[Lanes]:
    """`samplepos`: (x, y, 0, 0), from -0.5 to 0.5; 0 past the last sample."""
    pattern = SAMPLE_POSITIONS.get(_samples(question.space), ())
    places = np.array([*pattern, (0, 0)], np.float32) / np.float32(16)
    chosen = places[np.minimum(question.argument, len(pattern))]
    nothing = np.zeros(len(chosen), np.uint32)
    x, y = (np.ascontiguousarray(chosen[:, axis]).view(np.uint32) for axis in (0, 1))
    return [x, y, nothing, nothing]


def _samples(space: TexelSpace) -> int:
    return space.mips[0].shape[3] if space.mips else 0
