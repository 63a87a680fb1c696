"""TextureLayout: what the arrays of a texture look like, and how an array lies in a texture."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
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

    def cast(self, format: Format) -> TextureLayout:
        """The same texels under another format of their family, in its own dtype."""
        components = (format.components,) if format.components > 1 else ()
        return dataclasses.replace(self, format=format, dtype=format.dtype, components=components)

    def shape(self, dimension: Dimension, mip: int, layers: int) -> tuple[int, ...]:
        """The shape of an array of one mip of some layers."""
        return (*element_axes(self.format, self.size, dimension, mip, layers), *self.components)


def element_axes(
    format: Format, size: ImageSize, dimension: Dimension, mip: int, layers: int
) -> tuple[int, ...]:
    """The axes of an array of one mip, without components: texels, or blocks of them."""
    shape = size.shape(dimension, mip, layers)
    return _by_blocks(dimension, shape, lambda n, side: -(-n // format.block[side]))


def texel_axes(format: Format, dimension: Dimension, shape: tuple[int, ...]) -> tuple[int, ...]:
    """The texels of an array's axes, which are of texels or of blocks of them."""
    return _by_blocks(dimension, shape, lambda n, side: n * format.block[side])


def _by_blocks(
    dimension: Dimension, shape: tuple[int, ...], change: Callable[[int, int], int]
) -> tuple[int, ...]:
    """An array's axes, those of width and height changed by the side of a block, 0 or 1."""
    sides = {"width": 0, "height": 1}
    named = zip(dimension.axis_names, shape, strict=True)
    return tuple(change(n, sides[name]) if name in sides else n for name, n in named)


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
            f"{'a block' if chosen.has_blocks else 'a texel'} of {chosen.name} has"
            f" {chosen.texel_bytes} bytes, the array's {texel_bytes}"
        )
    _check_dimension(dimension, chosen)
    size = size_of_shape(dimension, texel_axes(chosen, dimension, shape[:axes]), mips)
    if dimension.multisampled and size.samples not in _SAMPLE_COUNTS:
        raise ArgumentError(f"a texel has 1, 2, 4, 8 or 16 samples, not {size.samples}")
    return TextureLayout(dimension, chosen, size, array.dtype, components)


def _check_dimension(dimension: Dimension, format: Format) -> None:
    """Raise ArgumentError for textures that D3D does not have."""
    is_flat = dimension.axes == 1 and format.block[1] > 1
    has_depth = dimension.axes == 3 and format.is_depth_stencil
    if is_flat or has_depth or (dimension.multisampled and format.has_blocks):
        raise ArgumentError(f"D3D has no {dimension.name} textures of {format.name}")
