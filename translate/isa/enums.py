"""Enumerations used in tokens and listings: dimensions, return types, sampler modes.

Source: d3d12TokenizedProgramFormat.hpp, D3D10_SB_RESOURCE_DIMENSION, _RETURN_TYPE.
"""

from __future__ import annotations

from enum import Enum

from translate.ir.memory import BUFFER_SHAPE, ImageShape


class Dimension(Enum):
    """A resource's dimension: number in the token, printed name, shape."""

    number: int
    printed: str
    shape: ImageShape

    def __init__(self, number: int, printed: str, shape: ImageShape = BUFFER_SHAPE):
        self.number = number
        self.printed = printed
        self.shape = shape

    UNKNOWN = (0, "unknown")
    BUFFER = (1, "buffer")
    TEXTURE1D = (2, "texture1d", ImageShape(1))
    TEXTURE2D = (3, "texture2d", ImageShape(2))
    TEXTURE2DMS = (4, "texture2dms", ImageShape(2, multisampled=True))
    TEXTURE3D = (5, "texture3d", ImageShape(3))
    TEXTURECUBE = (6, "texturecube", ImageShape(2, cube=True))
    TEXTURE1DARRAY = (7, "texture1darray", ImageShape(1, arrayed=True))
    TEXTURE2DARRAY = (8, "texture2darray", ImageShape(2, arrayed=True))
    TEXTURE2DMSARRAY = (9, "texture2dmsarray", ImageShape(2, arrayed=True, multisampled=True))
    TEXTURECUBEARRAY = (10, "texturecubearray", ImageShape(2, arrayed=True, cube=True))
    RAW_BUFFER = (11, "raw_buffer")
    STRUCTURED_BUFFER = (12, "structured_buffer")


class ReturnType(Enum):
    """The type of a typed resource's component: number in the token, printed name."""

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
    """The mode of `dcl_sampler` (token bits [14:11])."""

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
