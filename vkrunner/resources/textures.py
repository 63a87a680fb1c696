"""Texture and TextureView: images that stay on the device between dispatches."""

# Views and the functions of this module read private attributes of textures.
# pyright: reportPrivateUsage=false

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from translate import FormatName
from translate.dataclass import dataclass, replace
from translate.interface import line_of
from vkrunner.errors import FormatError, InvalidValueError, MissingError, ShapeError
from vkrunner.resources.array_like import ArrayLike
from vkrunner.resources.device_objects import (
    Closing,
    DeviceChild,
    DeviceTexture,
    ObjectMaker,
    state_of,
)
from vkrunner.values.formats import Format, check_stored, family_of, format_of_name
from vkrunner.values.numbers import (
    Array,
    as_array,
    as_integer,
    bytes_of,
    check_numbers,
    is_integer,
    zeros,
)
from vkrunner.values.texture_layout import (
    Dimension,
    DimensionName,
    Part,
    TextureLayout,
    dimension_of_name,
    layout_of_array,
    one_mip,
)


class Texture(DeviceChild[DeviceTexture], Closing, ArrayLike):
    """A texture on the device, made by `Device.texture`.

    It has the dtype of the array that it was made from. `np.asarray(texture)` is a copy of its
    first mip; `np.from_dlpack` and `len` take it as well. It is freed by `close`, at the end of a
    `with`, when it is collected, or with its device.
    """

    _noun = "texture"

    def __init__(self, maker: ObjectMaker, layout: TextureLayout, levels: Sequence[Array]):
        self._layout = layout
        super().__init__(maker, maker.make_texture(layout, levels))

    @property
    def format(self) -> FormatName:
        """The DXGI name of the format, in lower case."""
        return self._layout.format.name

    @property
    def dimension(self) -> DimensionName:
        """1d, 1darray, 2d, 2darray, 2dms, 2dmsarray, 3d, cube or cubearray."""
        return self._layout.dimension.name

    @property
    def mips(self) -> int:
        """The number of mips."""
        return self._layout.size.mips

    @property
    def samples(self) -> int:
        """The number of samples of a texel; 1 unless the texture is multisampled."""
        return self._layout.size.samples

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the first mip as an array."""
        return self._layout.shape(self._layout.dimension, 0, self._layout.size.layers)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of the texture's arrays: numbers, or the bytes of compressed blocks."""
        return self._layout.dtype

    def read(self, mip: int = 0) -> Array:
        """The contents of a mip.

        Parameters
        ----------
        mip : int, optional
            The mip, 0 for the largest.

        Returns
        -------
        numpy.ndarray
            A new array of the texture's dtype.
        """
        return self.view(mip).read()

    def write(self, array: Array | bytes, mip: int = 0) -> None:
        """Replace a mip.

        Parameters
        ----------
        array : array_like or bytes
            An array of the mip's shape and dtype, or as many bytes.
        mip : int, optional
            The mip, 0 for the largest.

        Raises
        ------
        ArgumentError
            The sizes, shapes or numbers are not the same.
        """
        self.view(mip).write(array)

    def view(
        self,
        mip: int | None = None,
        first_slice: int = 0,
        num_slices: int | None = None,
        dimension: DimensionName | None = None,
        num_mips: int | None = None,
        first_w_slice: int = 0,
        num_w_slices: int | None = None,
        format: FormatName | None = None,
    ) -> TextureView:
        """A part of the texture.

        A cube can be viewed as a 2darray, a slice of a 2darray as a 2d, the first mip of a 2d as a
        2dms of one sample. A UAV shows the first mip of its view.

        Parameters
        ----------
        mip : int, optional
            The first mip; by default the view has all mips.
        first_slice : int, optional
            The first layer (a cube's face).
        num_slices : int, optional
            The number of layers; by default all that follow, or one if `dimension` has no layers.
        dimension : str, optional
            The dimension of the view, as for `Device.texture`; by default the texture's.
        num_mips : int, optional
            The number of mips; by default one if `mip` is given, otherwise all.
        first_w_slice : int, optional
            For a 3D texture that is bound as a UAV, the first slice of the depth.
        num_w_slices : int, optional
            The number of these slices; by default all that follow.
        format : str, optional
            Another format of the texture's family, as D3D views typeless resources: `r32_uint` for
            a texture in `r32_sint`, `r8g8b8a8_unorm_srgb` for one in `r8g8b8a8_unorm`. Arrays of
            the view have that format's dtype.

        Returns
        -------
        TextureView
            The view.

        Raises
        ------
        ArgumentError
            The texture has no such mips, slices or formats.

        References
        ----------
        D3D11_TEX3D_UAV, for `first_w_slice` and `num_w_slices`.
        """
        size = self._layout.size
        seen = dimension_of_name(dimension) if dimension is not None else self._layout.dimension
        first_mip = 0 if mip is None else as_integer(mip, "mip")
        first_slice = as_integer(first_slice, "first_slice")
        mips = size.mips if mip is None and not seen.multisampled else 1
        if num_mips is not None:
            mips = as_integer(num_mips, "num_mips")
        slices = size.layers - first_slice if seen.layered else 1
        if num_slices is not None:
            slices = as_integer(num_slices, "num_slices")
        part = Part(first_mip, mips, first_slice, slices)
        _check_view(self, seen, part)
        if first_w_slice != 0 or num_w_slices is not None:
            if mip is None and num_mips is None:
                part = one_mip(part, 0)
            part = _with_w_slices(self, part, first_w_slice, num_w_slices)
        return TextureView(self, seen, part, self._format_of_view(format))

    def _format_of_view(self, name: FormatName | None) -> FormatName:
        own = self._layout.format
        if name is None:
            return own.name
        if format_of_name(name).family != own.family:
            names = ", ".join(other.name for other in family_of(own))
            raise FormatError(f"a texture of {own.name} shows {names}, not {name}")
        return name

    def _brief(self) -> tuple[str, ...]:
        size = self._layout.size
        several = [("mips", size.mips), ("samples", size.samples)]
        counts = [f"{count} {name}" for name, count in several if count > 1]
        return (f"{self.format} {self.dimension} {self.dtype}{list(self.shape)}", *counts)

    def _facts(self) -> list[tuple[str, object]]:
        names = ("format", "dimension", "dtype", "shape", "mips", "samples")
        return [(name, getattr(self, name)) for name in names]

    def close(self) -> None:
        """Free the memory when work in flight has ended. A second call does nothing."""
        self._close()


def layout_of(seen: Texture | TextureView) -> TextureLayout:
    """The dimension, format and shapes of the arrays of a texture or of a view."""
    if isinstance(seen, Texture):
        return seen._layout
    layout = seen.texture._layout
    return layout if seen.format == layout.format.name else layout.cast(format_of_name(seen.format))


@dataclass(frozen=True, slots=True, repr=False)
class TextureView(ArrayLike):
    """A part of a texture; see `Texture.view`. NumPy accepts it as an array, like a texture.

    Attributes
    ----------
    texture : Texture
        The texture.
    dimension : Dimension
        The dimension of the view.
    part : Part
        The mips and slices that the view shows.
    format : str
        The DXGI name of the view's format.
    """

    texture: Texture
    dimension: Dimension
    part: Part
    format: FormatName

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of the view's arrays: the texture's, or that of the view's other format."""
        return layout_of(self).dtype

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the view's first mip as an array."""
        part = self.part
        shape = layout_of(self).shape(self.dimension, part.first_mip, part.num_layers)
        return shape if part.num_w_slices is None else (part.num_w_slices, *shape[1:])

    def __repr__(self) -> str:
        first, last = self.part.first_mip, self.part.mips[-1]
        mips = f"mip {first}" if first == last else f"mips {first} to {last}"
        shown = f"{self.format} {self.dimension.name} {self.dtype}{list(self.shape)}"
        owner = f"of a texture of {', '.join(self.texture._brief())}"
        return line_of(self, shown, mips, owner, state_of(self.texture))

    def read(self) -> Array:
        """The contents of the view's first mip.

        Returns
        -------
        numpy.ndarray
            A new array of the view's dtype and shape.
        """
        with self.texture._in_use() as texels:
            data = texels.read(first_mip_of(self).part)
        return data.view(self.dtype).reshape(self.shape)

    def write(self, array: Array | bytes) -> None:
        """Replace the contents of the view's first mip.

        Parameters
        ----------
        array : array_like or bytes
            An array of the view's shape and dtype, or as many bytes.

        Raises
        ------
        ArgumentError
            The sizes, shapes or numbers are not the same.
        """
        texels = as_array(array, "the texture")
        check_texels(self, texels)
        data = bytes_of(texels)
        with self.texture._in_use() as memory:
            memory.write(first_mip_of(self).part, data)


def check_texels(view: TextureView, array: Array) -> None:
    """Raise ArgumentError unless an array fits a view's first mip.

    It must have the same size in bytes, and numbers of the same kind unless it is bytes. An array
    of several axes must have those of the view.
    """
    nbytes = math.prod(view.shape) * view.dtype.itemsize
    if array.nbytes != nbytes:
        sizes = f"the view has {nbytes} bytes, the array {array.nbytes}"
        raise ShapeError(f"{sizes}: they must be equal")
    axes = view.dimension.array_axes
    if array.ndim > 1 and array.shape[:axes] != view.shape[:axes]:
        raise ShapeError(f"the view has the shape {list(view.shape)}, not {list(array.shape)}")
    check_numbers(view.dtype, array, "the view")
    if array.dtype != np.uint8:  # bytes
        check_stored(format_of_name(view.format), array.dtype, "the view")


def first_mip_of(view: TextureView) -> TextureView:
    """A view of only the first mip, for a UAV."""
    part = view.part
    return TextureView(view.texture, view.dimension, one_mip(part, part.first_mip), view.format)


def make_texture(
    maker: ObjectMaker,
    source: Array | bytes | Sequence[int],
    format: FormatName | None,
    dimension: DimensionName,
    mips: int | Sequence[Array],
    samples: int | None,
) -> Texture:
    """See `Device.texture`."""
    seen = dimension_of_name(dimension)
    if samples is not None and not seen.multisampled:
        seen = dimension_of_name(f"{seen.name.replace('array', '')}ms{'array' * seen.layered}")
    chosen = format_of_name(format) if format is not None else None
    first = _first_level(source, chosen)
    levels = [first, *_further_levels(mips)]
    count = as_integer(mips, "mips") if is_integer(mips) else len(levels)
    layout = layout_of_array(seen, first.dtype, first.shape, chosen, count)
    if first.size == 0:
        raise ShapeError(f"a texture has texels, not {list(first.shape)}")
    if samples not in (None, layout.size.samples):
        raise ShapeError(
            f"the axis after the width has {layout.size.samples} samples, not {samples}"
        )
    for mip, level in enumerate(levels):
        _check_level(layout, mip, level)
    return Texture(maker, layout, levels)


def _further_levels(mips: Any) -> list[Array]:
    """The arrays of the mips after the first; none if `mips` is a number."""
    if is_integer(mips):
        return []
    if not isinstance(mips, (tuple, list)):
        raise InvalidValueError(f"mips is a whole number or a list of arrays, not {mips!r}")
    return [as_array(level, "a mip") for level in cast("Sequence[Any]", mips)]


def _first_level(source: Array | bytes | Sequence[int], format: Format | None) -> Array:
    """The texels of the first mip: the array `source`, or zeros if `source` is a shape."""
    if not isinstance(source, (tuple, list)):
        return as_array(source, "the texture")
    if format is None:
        raise MissingError("a texture made from a shape needs a format")
    shape = tuple(as_integer(length, "a length of a shape") for length in source)
    if any(length < 0 for length in shape):
        raise InvalidValueError(f"a shape has no lengths below 0: {list(shape)}")
    components = (format.components,) if format.components > 1 else ()
    return zeros((*shape, *components), format.dtype, "a texture")


def _check_level(layout: TextureLayout, mip: int, level: Array) -> None:
    expected = layout.shape(layout.dimension, mip, layout.size.layers)
    if level.shape != expected or level.dtype != layout.dtype:
        raise ShapeError(
            f"mip {mip} is an array of {layout.dtype}{list(expected)},"
            f" not of {level.dtype}{list(level.shape)}"
        )


def _check_view(texture: Texture, seen: Dimension, part: Part) -> None:
    layout = texture._layout
    size, own = layout.size, layout.dimension
    is_other = size.samples > 1 and seen.multisampled != own.multisampled
    if seen.axes != own.axes or is_other:
        raise FormatError(f"a {own.name} texture cannot be seen as a {seen.name}")
    if seen.cube and not size.is_cube_compatible:
        raise FormatError(f"a {seen.name} needs six square layers, not {list(texture.shape)}")
    for what, first, count, there in (
        ("mips", part.first_mip, part.num_mips, size.mips),
        ("slices", part.first_layer, part.num_layers, size.layers),
    ):
        if first < 0 or count < 1 or first + count > there:
            raise InvalidValueError(f"{count} {what} from {first} on: the texture has {there}")
    if seen.multisampled and (part.first_mip, part.num_mips) != (0, 1):
        raise FormatError(f"a {seen.name} shows the first mip, and no other")
    if seen.multisampled and layout.format.has_blocks:
        raise FormatError(f"D3D has no {seen.name} textures of {layout.format.name}")
    seen.check_layers(part.num_layers)


def _with_w_slices(texture: Texture, part: Part, first: int, count: int | None) -> Part:
    """The part, of one mip of a 3D texture, with only `count` depth slices from `first` on.

    None for `count` means all that follow. Raises ArgumentError.
    """
    layout = texture._layout
    if layout.dimension.axes != 3:
        raise FormatError(f"a {layout.dimension.name} has no w slices; a 3d has")
    if part.num_mips != 1:
        raise FormatError(f"w slices are of one mip; the view has {part.num_mips}")
    depth = layout.size.extent(part.first_mip)[2]
    first = as_integer(first, "first_w_slice")
    count = depth - first if count is None else as_integer(count, "num_w_slices")
    if first < 0 or count < 1 or first + count > depth:
        raise InvalidValueError(f"{count} w slices from {first} on: the mip has {depth}")
    return part if count == depth else replace(part, first_w_slice=first, num_w_slices=count)
