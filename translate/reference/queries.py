"""Sizes, sample counts and sample positions of textures. Source: FS §22.4.14, §22.4.21-22."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from translate.isa.instruction import Lanes
from translate.isa.texture import SAMPLE_POSITIONS
from translate.reference.texels import TexelSpace

_RECIPROCAL, _UINT = 1, 2  # the suffixes `_rcpfloat` and `_uint` of resinfo


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
