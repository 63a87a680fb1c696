"""Typed buffers and textures: loads, stores and atomics of texels, in and out of bounds.

Source: FS §22.4.6-9, §22.17; reference "Out-of-bounds" §3, §4, §6. A load with a coordinate, slice
or mip out of bounds gives 0 and the format's defaults; a load from a null resource gives 0 in all
components. Out-of-bounds stores and atomics do nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from translate.errors import OptionError
from translate.interface import TEXTURE, TYPED_BUFFER
from translate.isa.instruction import Lanes, Results
from translate.isa.registers import RegisterFile
from translate.reference.atomics import apply_in_order
from translate.reference.findings import OUTSIDE
from translate.reference.formats import Format, decode, encode
from translate.reference.layout import Slots
from translate.reference.races import AccessLog
from translate.reference.report import Reporter
from translate.reference.resources import Array

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


class TexelSpace:
    """A typed view as declared by the shader; `bound` is None for a null resource.

    Mips are u8[slices, height, width, samples, texel bytes]; a buffer is a single row.
    """

    def __init__(self, register: str, slots: Slots, bound: Bound | None):
        """Raises TranslateError if the bound resource does not match the declaration."""
        self.register = register
        self.shape = slots.dimension.shape
        self.is_uav = slots.file is RegisterFile.UAV
        self.bound = bound is not None
        self.log: AccessLog | None = None  # of accesses that can race
        self.format: Format | None = None
        self.mips: tuple[Array, ...] = ()
        if bound is None:
            return
        self.format, self.mips, dimension = bound
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
