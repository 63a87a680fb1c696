"""RTS0: the serialised root signature, with its static samplers.

The chunk has six dwords: version, number and offset of parameters, number and offset of static
samplers, flags. A parameter has its type, its visibility, and the offset of its data. Source:
d3d12.h for the fields and enumerants of each structure; observed output of fxc 10.1 (`/T cs_5_1`)
for their order. Version 2, which is 1.1 in D3D12, has flags in ranges and root descriptors.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from math import isfinite

from translate.dataclass import dataclass
from translate.errors import DecodeError
from translate.interface import StaticSampler, register_name
from translate.interface.root_signature import RootParameter, RootSignature

_HEADER = struct.Struct("<6I")
_PARAMETER = struct.Struct("<3I")
_TABLE = struct.Struct("<2I")  # number and offset of ranges
_CONSTANTS = struct.Struct("<3I")  # register, space, dwords
_DESCRIPTOR = struct.Struct("<2I")  # register, space
_SAMPLER = struct.Struct("<4IfIII2f3I")
_VERSION_1_0, _VERSION_1_2 = 1, 3
_DESCRIPTOR_TABLE, _ROOT_CONSTANTS = 0, 1
_ROOT_DESCRIPTORS = {2: "cb", 3: "t", 4: "u"}
_RANGES = ("t", "u", "cb", "s")
_UNBOUNDED = 0xFFFFFFFF
_EFFORT = 16  # bytes to read at most, per byte of the payload: tables may share bytes

_ADDRESSES = {1: "wrap", 2: "mirror", 3: "clamp", 4: "border", 5: "mirror_once"}
_COMPARISONS = {
    **{1: "never", 2: "less", 3: "equal", 4: "less_equal"},
    **{5: "greater", 6: "not_equal", 7: "greater_equal", 8: "always"},
}
_TRANSPARENT, _BLACK, _WHITE = (0.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0), (1.0, 1.0, 1.0, 1.0)
_BORDERS = {0: _TRANSPARENT, 1: _BLACK, 2: _WHITE, 3: _BLACK, 4: _WHITE}  # 3 and 4: of integers
_LINEAR = 0x10, 0x4, 0x1  # bits of a D3D12_FILTER: minification, magnification, mips
_ANISOTROPIC = 0x40
_REDUCTION_SHIFT, _COMPARISON = 7, 1
_REDUCTIONS = {0: None, _COMPARISON: None, 2: "minimum", 3: "maximum"}


def parse_rts0(payload: bytes) -> RootSignature:
    """Parse the chunk. Raises DecodeError if it is damaged."""
    try:
        return _Reader(payload, _EFFORT * len(payload)).signature()
    except (struct.error, KeyError, ValueError) as error:
        raise DecodeError(f"the root signature (RTS0) is damaged: {error}") from None


@dataclass(eq=False, slots=True)
class _Reader:
    """Reads records by offset; `effort` is the number of bytes that may still be read."""

    data: bytes
    effort: int
    version: int = 0

    def signature(self) -> RootSignature:
        self.version, count, at, samplers, samplers_at, _flags = _HEADER.unpack_from(self.data)
        stride = _SAMPLER.size + (4 if self.version >= _VERSION_1_2 else 0)  # with flags
        return RootSignature(
            tuple(self._parameter(*one) for one in self._each(_PARAMETER, at, count)),
            tuple(map(_sampler, self._each(_SAMPLER, samplers_at, samplers, stride))),
        )

    def _each(
        self, record: struct.Struct, at: int, count: int, stride: int | None = None
    ) -> Iterator[tuple[int, ...]]:
        step = stride or record.size
        self.effort -= count * step
        if self.effort < 0:
            raise ValueError("more entries than bytes")
        return (record.unpack_from(self.data, at + n * step) for n in range(count))

    def _parameter(self, kind: int, visibility: int, at: int) -> RootParameter:
        if kind == _DESCRIPTOR_TABLE:
            ((count, ranges_at),) = self._each(_TABLE, at, 1)
            record = struct.Struct("<5I" if self.version == _VERSION_1_0 else "<6I")
            ranges = self._each(record, ranges_at, count)
            return RootParameter("table", tuple(_range(*one[:4]) for one in ranges))
        if kind == _ROOT_CONSTANTS:
            ((register, space, dwords),) = self._each(_CONSTANTS, at, 1)
            return RootParameter("constants", (register_name("cb", register, space),), dwords)
        ((register, space),) = self._each(_DESCRIPTOR, at, 1)
        return RootParameter(
            "descriptor", (register_name(_ROOT_DESCRIPTORS[kind], register, space),)
        )


def _range(kind: int, count: int, number: int, space: int) -> str:
    if kind >= len(_RANGES):
        raise ValueError(f"a range of kind {kind}")
    first = register_name(_RANGES[kind], number, space)
    if count == 1:
        return first
    last = "" if count == _UNBOUNDED else register_name(_RANGES[kind], number + count - 1, space)
    return f"{first}-{last}"


def _sampler(fields: tuple[int, ...]) -> StaticSampler:
    filter_, u, v, w, bias, anisotropy, comparison, border, low, high, number, space, _ = fields
    if not all(map(isfinite, (bias, low, high))):
        raise ValueError("a level of detail is no finite number")
    reduction = filter_ >> _REDUCTION_SHIFT
    minify, magnify, mips = ("linear" if filter_ & bit else "point" for bit in _LINEAR)
    return StaticSampler(
        number,
        space,
        (minify, magnify, mips),
        (_ADDRESSES[u], _ADDRESSES[v], _ADDRESSES[w]),
        comparison=_COMPARISONS[comparison] if reduction == _COMPARISON else None,
        reduction=_REDUCTIONS[reduction],
        border=_BORDERS[border],
        min_lod=float(low),
        max_lod=float(high),
        lod_bias=float(bias),
        max_anisotropy=min(max(anisotropy, 1), 16) if filter_ & _ANISOTROPIC else 1,
    )
