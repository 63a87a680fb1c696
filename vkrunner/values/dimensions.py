"""Dimensions of textures: the axes of an array, and the size of each mip.

The axes of an array are those of images in NumPy libraries: depth or layers first, then height,
width, the samples of a texel, and components last. Source: D3D11_SRV_DIMENSION; Vulkan
specification, "Image Views"; Direct3D 11.3 functional specification §5.3.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from vkrunner.errors import InvalidValueError, ShapeError, UnknownNameError

DimensionName: TypeAlias = Literal[
    "1d", "1darray", "2d", "2darray", "2dms", "2dmsarray", "3d", "cube", "cubearray"
]
"""The dimension of a texture or of a view of one: `"1d"`, `"1darray"`, `"2d"`, `"2darray"`,
`"2dms"` (multisampled), `"2dmsarray"`, `"3d"`, `"cube"` or `"cubearray"`.
"""

_FACES = 6


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
