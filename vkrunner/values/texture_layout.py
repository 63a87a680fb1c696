"""TextureLayout: what the arrays of a texture look like, and how an array lies in a texture."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from vkrunner.errors import ArgumentError
from vkrunner.values.arrays import Array
from vkrunner.values.dimensions import Dimension, ImageSize, size_of_shape
from vkrunner.values.formats import Format, format_of_elements

_SAMPLE_COUNTS = (1, 2, 4, 8, 16)


@dataclass(frozen=True, slots=True)
class TextureLayout:
    """Dimension, format and size of a texture; dtype and the axes of components of its arrays."""

    dimension: Dimension
    format: Format
    size: ImageSize
    dtype: np.dtype[Any]
    components: tuple[int, ...]

    def with_format(self, format: Format) -> TextureLayout:
        """The same texels under another format of their size."""
        return dataclasses.replace(self, format=format)

    def shape(self, dimension: Dimension, mip: int, layers: int) -> tuple[int, ...]:
        """The shape of an array of one mip of some layers."""
        return (*self.size.shape(dimension, mip, layers), *self.components)


def layout_of_array(
    dimension: Dimension, array: Array, format: Format | None, mips: int = 1
) -> TextureLayout:
    """How an array lies in a texture. Without a format its dtype and components choose one.

    Raises ArgumentError where axes, components or bytes do not fit.
    """
    shape, axes = array.shape, dimension.array_axes
    components = shape[axes:]
    if len(shape) < axes or len(components) > 1:
        raise ArgumentError(
            f"a {dimension.name} takes {axes} axes, and one of components where there are several,"
            f" not an array of {list(shape)}"
        )
    chosen = format or format_of_elements(array.dtype, math.prod(components), shape)
    texel_bytes = array.dtype.itemsize * math.prod(components)
    if texel_bytes != chosen.texel_bytes:
        raise ArgumentError(
            f"a texel of {chosen.name} has {chosen.texel_bytes} bytes, the array's {texel_bytes}"
        )
    size = size_of_shape(dimension, shape[:axes], mips)
    if dimension.multisampled and size.samples not in _SAMPLE_COUNTS:
        raise ArgumentError(f"a texel has 1, 2, 4, 8 or 16 samples, not {size.samples}")
    return TextureLayout(dimension, chosen, size, array.dtype, components)
