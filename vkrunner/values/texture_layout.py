"""TextureLayout: the format and size of a texture, and the shape and dtype of its arrays."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from vkrunner.errors import FormatError, InvalidValueError, ShapeError
from vkrunner.values.dimensions import Dimension, ImageSize, size_of_shape
from vkrunner.values.formats import ADD_ALPHA, Format, check_stored, format_of_elements

_MOST_COMPONENTS = 4  # of a texel
_SAMPLE_COUNTS = (1, 2, 4, 8, 16)


@dataclass(frozen=True, slots=True)
class TextureLayout:
    """Dimension, format and size of a texture, and the dtype of its arrays.

    `components` is the last axis of the arrays, `(n,)`, or `()` for arrays without this axis.
    """

    dimension: Dimension
    format: Format
    size: ImageSize
    dtype: np.dtype[Any]
    components: tuple[int, ...]

    def with_format(self, format: Format) -> TextureLayout:
        """The same layout with another format of the same texel size."""
        return dataclasses.replace(self, format=format)

    def cast(self, format: Format) -> TextureLayout:
        """The same layout with another format of the same family, and that format's dtype."""
        components = (format.components,) if format.components > 1 else ()
        return dataclasses.replace(self, format=format, dtype=format.dtype, components=components)

    def shape(self, dimension: Dimension, mip: int, layers: int) -> tuple[int, ...]:
        """The shape of an array with so many layers of one mip."""
        return (*element_axes(self.format, self.size, dimension, mip, layers), *self.components)


def element_axes(
    format: Format, size: ImageSize, dimension: Dimension, mip: int, layers: int
) -> tuple[int, ...]:
    """The shape of an array of one mip, without components; compressed formats count blocks."""
    shape = size.shape(dimension, mip, layers)
    return _by_blocks(dimension, shape, lambda n, side: -(-n // format.block[side]))


def texel_axes(format: Format, dimension: Dimension, shape: tuple[int, ...]) -> tuple[int, ...]:
    """An array's shape in texels, from one in texels or, for compressed formats, in blocks."""
    return _by_blocks(dimension, shape, lambda n, side: n * format.block[side])


def _by_blocks(
    dimension: Dimension, shape: tuple[int, ...], change: Callable[[int, int], int]
) -> tuple[int, ...]:
    """An array's shape with `change(length, side)` in place of width (side 0) and height (1)."""
    sides = {"width": 0, "height": 1}
    named = zip(dimension.axis_names, shape, strict=True)
    return tuple(change(n, sides[name]) if name in sides else n for name, n in named)


def layout_of_array(
    dimension: Dimension,
    dtype: np.dtype[Any],
    shape: tuple[int, ...],
    format: Format | None,
    mips: int = 1,
) -> TextureLayout:
    """The layout of a texture with an array's texels.

    Without `format`, dtype and components choose it. Raises ArgumentError if axes, components or
    bytes do not fit.
    """
    axes = dimension.array_axes
    components = shape[axes:]
    too_many = len(components) > 1 or (format is None and math.prod(components) > _MOST_COMPONENTS)
    if len(shape) < axes or too_many:
        names = ", ".join(dimension.axis_names)
        raise ShapeError(
            f"a {dimension.name} texture takes [{names}] or [{names}, components] with up to"
            f" {_MOST_COMPONENTS} components, not the shape {list(shape)}"
        )
    chosen = format or format_of_elements(dtype, math.prod(components), shape)
    check_stored(chosen, dtype, "a texture")
    texel_bytes = dtype.itemsize * math.prod(components)
    if texel_bytes != chosen.texel_bytes:
        raise ShapeError(
            f"{'a block' if chosen.has_blocks else 'a texel'} of {chosen.name} has"
            f" {chosen.texel_bytes} bytes, the array's {texel_bytes}"
            f"{_advice(chosen, dtype, components)}"
        )
    _check_dimension(dimension, chosen)
    size = size_of_shape(dimension, texel_axes(chosen, dimension, shape[:axes]), mips)
    if dimension.multisampled and size.samples not in _SAMPLE_COUNTS:
        raise InvalidValueError(f"a texel has 1, 2, 4, 8 or 16 samples, not {size.samples}")
    return TextureLayout(dimension, chosen, size, dtype, components)


def _advice(format: Format, dtype: np.dtype[Any], components: tuple[int, ...]) -> str:
    """Advice on an array whose texels have another size than those of its format, or ""."""
    if components == (3,) and format.components == 4:
        return f": {ADD_ALPHA}"
    if components or format.texel_bytes != format.components * dtype.itemsize:
        return ""
    return (
        ": the array has one number for each texel; name a format with one component, or give it"
        f" {format.components}: numpy.stack([array] * {format.components}, axis=-1)"
    )


def _check_dimension(dimension: Dimension, format: Format) -> None:
    """Raise ArgumentError for combinations of dimension and format that D3D does not have."""
    is_flat = dimension.axes == 1 and format.block[1] > 1
    has_depth = dimension.axes == 3 and format.is_depth_stencil
    if is_flat or has_depth or (dimension.multisampled and format.has_blocks):
        raise FormatError(f"D3D has no {dimension.name} textures of {format.name}")
