"""Enumerations that tokens and listings share: dimensions, return types, sampler modes.

Source: d3d12TokenizedProgramFormat.hpp, D3D10_SB_RESOURCE_DIMENSION, _RETURN_TYPE.
"""

from __future__ import annotations

from enum import Enum


class Dimension(Enum):
    """A resource's dimension: number in the token, printed name, address components, arrayed."""

    number: int
    printed: str
    coordinates: int
    arrayed: bool

    def __init__(self, number: int, printed: str, coordinates: int, arrayed: bool = False):
        self.number = number
        self.printed = printed
        self.coordinates = coordinates
        self.arrayed = arrayed

    UNKNOWN = (0, "unknown", 0)
    BUFFER = (1, "buffer", 1)
    TEXTURE1D = (2, "texture1d", 1)
    TEXTURE2D = (3, "texture2d", 2)
    TEXTURE2DMS = (4, "texture2dms", 2)
    TEXTURE3D = (5, "texture3d", 3)
    TEXTURECUBE = (6, "texturecube", 3)
    TEXTURE1DARRAY = (7, "texture1darray", 2, True)
    TEXTURE2DARRAY = (8, "texture2darray", 3, True)
    TEXTURE2DMSARRAY = (9, "texture2dmsarray", 3, True)
    TEXTURECUBEARRAY = (10, "texturecubearray", 4, True)
    RAW_BUFFER = (11, "raw_buffer", 1)
    STRUCTURED_BUFFER = (12, "structured_buffer", 2)

    @property
    def multisampled(self) -> bool:
        return self in (Dimension.TEXTURE2DMS, Dimension.TEXTURE2DMSARRAY)


class ReturnType(Enum):
    """What a typed resource's component is read as (token nibble, printed name)."""

    number: int
    printed: str

    def __init__(self, number: int, printed: str):
        self.number = number
        self.printed = printed

    UNORM = (1, "unorm")
    SNORM = (2, "snorm")
    SINT = (3, "sint")
    UINT = (4, "uint")
    FLOAT = (5, "float")
    MIXED = (6, "mixed")
    DOUBLE = (7, "double")
    CONTINUED = (8, "<continued>")
    UNUSED = (9, "<unused>")


class SamplerMode(Enum):
    """`dcl_sampler`'s mode (token bits [14:11])."""

    number: int
    printed: str

    def __init__(self, number: int, printed: str):
        self.number = number
        self.printed = printed

    DEFAULT = (0, "mode_default")
    COMPARISON = (1, "mode_comparison")
    MONO = (2, "mode_mono")


DIMENSIONS: dict[int, Dimension] = {d.number: d for d in Dimension}
DIMENSIONS_BY_NAME: dict[str, Dimension] = {d.printed: d for d in Dimension}
RETURN_TYPES: dict[int, ReturnType] = {r.number: r for r in ReturnType}
RETURN_TYPES_BY_NAME: dict[str, ReturnType] = {r.printed: r for r in ReturnType}
SAMPLER_MODES: dict[int, SamplerMode] = {m.number: m for m in SamplerMode}
