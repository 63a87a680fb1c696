"""TextureLayout: a texture's format, dimension and size, and the shape and dtype of its arrays.

The axes of an array are those of images in NumPy libraries: depth or layers first, then height,
width, the samples of a texel, and components last. Source: D3D11_SRV_DIMENSION; Vulkan
specification, "Image Views"; Direct3D 11.3 functional specification §5.3.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal, TypeAlias

import numpy as np

from translate.dataclass import dataclass, replace
from vkrunner.errors import FormatError, InvalidValueError, ShapeError, UnknownNameError
from vkrunner.values.formats import ADD_ALPHA, Format, check_stored, format_of_elements

DimensionName: TypeAlias = Literal[
    "1d", "1darray", "2d", "2darray", "2dms", "2dmsarray", "3d", "cube", "cubearray"
]
"""The dimension of a texture or of a view of one: `"1d"`, `"1darray"`, `"2d"`, `"2darray"`,
`"2dms"` (multisampled), `"2dmsarray"`, `"3d"`, `"cube"` or `"cubearray"`.
"""

_FACES = 6
_MOST_COMPONENTS = 4  # of a texel
_SAMPLE_COUNTS = (1, 2, 4, 8, 16)


@dataclass(frozen=True, slots=True)
class Dimension:
    """A dimension of textures. `name` is fxc's, without `texture`.

    `view_type` is the end of the VkImageViewType's name. `axes` counts the axes of one image (1 to
    3). With `layered` an axis of layers (or of a cube's faces) precedes them.
    """

    name: DimensionName
    view_type: str
    axes: int
    layered: bool = False
    cube: bool = False
    multisampled: bool = False

    @property
    def array_axes(self) -> int:
        """The number of an array's axes, without components."""
        return self.axes + self.layered + self.multisampled

    @property
    def axis_names(self) -> tuple[str, ...]:
        """The names of an array's axes, without components."""
        extents = ("depth", "height", "width")[3 - self.axes :]
        return (*("layers",) * self.layered, *extents, *("samples",) * self.multisampled)

    def check_layers(self, layers: int) -> None:
        """Raise ArgumentError if a view of this dimension cannot have so many layers."""
        if self.cube and (layers % _FACES or (self.name == "cube" and layers != _FACES)):
            wanted = "6" if self.name == "cube" else "a multiple of 6"
            raise InvalidValueError(f"a {self.name} has {wanted} layers, not {layers}")
        if not self.layered and layers != 1:
            raise InvalidValueError(f"a {self.name} has one layer, not {layers}: pass num_slices=1")


DIMENSIONS: dict[str, Dimension] = {
    dimension.name: dimension
    for dimension in (
        Dimension("1d", "1D", 1),
        Dimension("1darray", "1D_ARRAY", 1, layered=True),
        Dimension("2d", "2D", 2),
        Dimension("2darray", "2D_ARRAY", 2, layered=True),
        Dimension("2dms", "2D", 2, multisampled=True),
        Dimension("2dmsarray", "2D_ARRAY", 2, layered=True, multisampled=True),
        Dimension("3d", "3D", 3),
        Dimension("cube", "CUBE", 2, layered=True, cube=True),
        Dimension("cubearray", "CUBE_ARRAY", 2, layered=True, cube=True),
    )
}


@dataclass(frozen=True, slots=True)
class Part:
    """A range of mips and layers of an image; of a 3D image also a range of depth slices.

    `num_w_slices` is None for all slices.
    """

    first_mip: int
    num_mips: int
    first_layer: int
    num_layers: int
    first_w_slice: int = 0
    num_w_slices: int | None = None

    @property
    def mips(self) -> range:
        return range(self.first_mip, self.first_mip + self.num_mips)

    def meets(self, other: Part) -> bool:
        """Whether the two parts of an image have texels in common."""
        spans = zip(self._spans, other._spans, strict=True)
        return all(ours[0] < theirs[1] and theirs[0] < ours[1] for ours, theirs in spans)

    @property
    def _spans(self) -> tuple[tuple[int, float], ...]:
        """The ranges of mips, layers and slices, each as start and end (exclusive)."""
        slices = math.inf if self.num_w_slices is None else self.num_w_slices
        return (
            (self.first_mip, self.first_mip + self.num_mips),
            (self.first_layer, self.first_layer + self.num_layers),
            (self.first_w_slice, self.first_w_slice + slices),
        )


@dataclass(frozen=True, slots=True)
class ImageSize:
    """The size of a texture: texels of the first mip, counts of layers, mips and samples.

    `axes` counts the axes of one image (1 to 3).
    """

    axes: int
    width: int
    height: int = 1
    depth: int = 1
    layers: int = 1
    mips: int = 1
    samples: int = 1

    @property
    def is_cube_compatible(self) -> bool:
        """Whether a cube view of six of its layers is possible."""
        square = self.axes == 2 and self.width == self.height
        return square and self.layers >= _FACES and self.samples == 1

    def extent(self, mip: int) -> tuple[int, int, int]:
        """Width, height and depth of a mip: halved, rounded down, at least 1 (FS §5.3.2)."""
        return max(1, self.width >> mip), max(1, self.height >> mip), max(1, self.depth >> mip)

    def part_extent(self, part: Part, mip: int) -> tuple[int, int, int]:
        """Width, height and depth of a mip; the depth counts only the slices in the part."""
        width, height, depth = self.extent(mip)
        return width, height, depth if part.num_w_slices is None else part.num_w_slices

    def shape(self, dimension: Dimension, mip: int, layers: int) -> tuple[int, ...]:
        """The shape of an array of one mip, without the axis of components."""
        width, height, depth = self.extent(mip)
        extents = (depth, height, width)[3 - self.axes :]
        first = (layers,) if dimension.layered else ()
        last = (self.samples,) if dimension.multisampled else ()
        return (*first, *extents, *last)


def one_mip(part: Part, mip: int) -> Part:
    """One mip of a part, with the same layers and slices."""
    return replace(part, first_mip=mip, num_mips=1)


def dimension_of_name(name: str) -> Dimension:
    """The dimension with a name such as `2darray` or `Texture2DArray`, ignoring case.

    Raises ArgumentError for other names.
    """
    found = DIMENSIONS.get(str(name).lower().removeprefix("texture"))
    if found is None:
        raise UnknownNameError(
            f"{name!r} is not a dimension of textures; these are {', '.join(DIMENSIONS)}"
        )
    return found


def size_of_shape(dimension: Dimension, shape: tuple[int, ...], mips: int) -> ImageSize:
    """The size of a texture; `shape` is the shape of its first mip, without components.

    Raises ArgumentError for a wrong number of axes or layers, and for more mips than the extents
    allow.
    """
    if len(shape) != dimension.array_axes:
        axes = ", ".join(dimension.axis_names)
        raise ShapeError(f"the shape of a {dimension.name} is [{axes}], not {list(shape)}")
    rest = list(shape)
    samples = rest.pop() if dimension.multisampled else 1
    layers = rest.pop(0) if dimension.layered else 1
    dimension.check_layers(layers)
    depth, height, width = (1, 1, 1, *rest)[-3:]
    size = ImageSize(dimension.axes, width, height, depth, layers, mips, samples)
    most = 1 if dimension.multisampled else max(width, height, depth).bit_length()
    if not 1 <= mips <= most and 0 not in shape:
        raise InvalidValueError(
            f"a {dimension.name} of {list(shape)} has 1 to {most} mips, not {mips}"
        )
    return size


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
        return replace(self, format=format)

    def cast(self, format: Format) -> TextureLayout:
        """The same layout with another format of the same family, and that format's dtype."""
        components = (format.components,) if format.components > 1 else ()
        return replace(self, format=format, dtype=format.dtype, components=components)

    def shape(self, dimension: Dimension, mip: int, layers: int) -> tuple[int, ...]:
        """The shape of an array with so many layers of one mip."""
        return (*element_axes(self.format, self.size, dimension, mip, layers), *self.components)


def element_axes(
    format: Format, size: ImageSize, dimension: Dimension, mip: int, layers: int
) -> tuple[int, ...]:
    """The shape of an array of one mip, without components; compressed formats count blocks."""
    return block_axes(format, dimension, size.shape(dimension, mip, layers))


def block_axes(format: Format, dimension: Dimension, shape: tuple[int, ...]) -> tuple[int, ...]:
    """An array's shape in elements, from one in texels; the last blocks may be partial."""
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
