"""Arguments: for each descriptor, the view that it shows, and the array or resource behind it.

The subclasses of Shown describe the view, one class for each kind of descriptor. An Argument adds
the data: an array comes with each submission, a resource stays on the device between them.

D3D11 does not bind a subresource as a UAV and to another register: it unbinds an input view, and
ignores a call that sets two UAVs (Direct3D 11.3 functional specification §5.3.9.4). In Vulkan a
load may give the value before or after a store through another view, depending on optimizations.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from translate.dataclass import dataclass, replace
from translate.errors import escaped
from translate.interface import CONSTANT_BUFFER, COUNTER, TEXTURE, TYPED_BUFFER, Binding
from vkrunner.binding.constants import constant_bytes
from vkrunner.binding.registers import misread_text
from vkrunner.errors import FormatError, OverlapError, warn
from vkrunner.resources.buffers import Buffer, BufferView
from vkrunner.resources.device_objects import DeviceChild, ObjectMaker, check_owner, object_of
from vkrunner.resources.textures import TextureView
from vkrunner.values.formats import (
    FLOAT,
    FORMATS,
    Format,
    format_of_elements,
    name_read_as,
    reread_as,
)
from vkrunner.values.numbers import Array, as_array, bytes_of, counted
from vkrunner.values.samplers import SamplerState
from vkrunner.values.texture_layout import Dimension, Part, TextureLayout

Place = tuple[str, int]  # (register, element)

DWORD_BYTES = 4
VECTOR_BYTES = 16  # the unit of a constant buffer
_PADDED = 3  # arrays of three components have a fourth on most devices: see _lost_text


@dataclass(frozen=True, slots=True)
class Shown:
    """Descriptor number `element` of a binding; subclasses have the part that it shows."""

    binding: Binding
    element: int

    @property
    def place(self) -> Place:
        return self.binding.register, self.element


@dataclass(frozen=True, slots=True)
class ByteRange(Shown):
    """Bytes of a structured or raw buffer, or a hidden counter; if `size` is 0, null descriptor."""

    offset: int
    size: int


@dataclass(frozen=True, slots=True)
class ConstantRange(ByteRange):
    """Bytes of a constant buffer; the shader reads zeros from a null constant buffer."""


@dataclass(frozen=True, slots=True)
class TexelRange(ByteRange):
    """Texels of a typed buffer. A null range too has a format, because the module declares one."""

    format: Format


@dataclass(frozen=True, slots=True)
class NullImage(Shown):
    """A null texture. It too has a format, because the module declares one."""

    format: Format


@dataclass(frozen=True, slots=True)
class ImagePart(Shown):
    """Mips and slices of a texture, seen in a dimension and in the format of `layout`."""

    layout: TextureLayout
    dimension: Dimension
    part: Part

    @property
    def format(self) -> Format:
        return self.layout.format


@dataclass(frozen=True, slots=True)
class SamplerSettings(Shown):
    """The state of a sampler."""

    state: SamplerState


Typed = TexelRange | NullImage | ImagePart


@dataclass(frozen=True, slots=True)
class Argument:
    """The argument for one descriptor.

    This base class itself is for null descriptors, and for samplers given by their state alone.
    """

    shown: Shown


@dataclass(frozen=True, slots=True)
class ArrayArgument(Argument):
    """An array that is uploaded; also constants as bytes, or the initial value of a counter.

    For a UAV, the result has a new array of the same dtype and shape.
    """

    array: Array

    @property
    def contents(self) -> Array:
        """The bytes to upload, u8[n]; a raw buffer's end with zeros up to a whole dword."""
        data, shown = bytes_of(self.array), self.shown
        if not isinstance(shown, ByteRange) or shown.size == data.nbytes:
            return data
        return np.concatenate([data, np.zeros(shown.size - data.nbytes, np.uint8)])

    @property
    def is_moved(self) -> bool:
        """Whether each submission uploads the array.

        An empty array has no memory, and a multisampled texture is filled only once.
        """
        shown = self.shown
        is_filled_once = isinstance(shown, ImagePart) and shown.layout.size.samples > 1
        return self.array.size > 0 and not is_filled_once

    def copied(self) -> Self:
        """The argument with a copy of the array."""
        return replace(self, array=self.array.copy())

    def with_value(self, value: Any) -> Self:
        """The argument with another array of the same dtype and shape, or with other constants."""
        binding = self.shown.binding
        label = binding.label
        if binding.kind == CONSTANT_BUFFER:
            array = constant_bytes(binding, value, label)
            shown = replace(self.shown, size=array.nbytes)
            return replace(self, shown=shown, array=array)
        return replace(self, array=as_array(value, label))


@dataclass(frozen=True, slots=True)
class ResidentArgument(Argument):
    """A resource that stays on the device.

    `given` is the caller's buffer or view. If it is a UAV, the result refers to it.
    """

    resource: DeviceChild[Any]
    given: Buffer | BufferView | TextureView | None = None

    @property
    def on_device(self) -> Any:
        """The backend's object for the resource. Raises ArgumentError if the resource is closed."""
        return object_of(self.resource)

    def check_owner(self, maker: ObjectMaker) -> None:
        """Raise ArgumentError if the resource is closed, or belongs to another device."""
        check_owner(self.resource, maker, f"{self.shown.binding.label}: ")


Filled = ArrayArgument | ResidentArgument  # neither null nor a new sampler


def check_overlaps(arguments: Sequence[ResidentArgument]) -> None:
    """Raise ArgumentError for a UAV and another view of the same texels or bytes.

    Views without common texels or bytes are allowed, even of one D3D subresource, such as a buffer.
    """
    views: dict[int, list[Shown]] = {}
    for argument in arguments:
        views.setdefault(id(argument.resource), []).append(argument.shown)
    for same in views.values():
        if len(same) > 1 and any(map(_is_uav, same)):
            found = _common_texels(same) or _common_bytes(same)
            if found is not None:
                raise OverlapError(_text(*found))


def _is_uav(view: Shown) -> bool:
    return view.binding.register.startswith("u")


def _common_bytes(views: Sequence[Shown]) -> tuple[ByteRange, ByteRange] | None:
    """Two overlapping views of a buffer, one or both of them UAVs; None without such a pair."""
    last: ByteRange | None = None  # the views with the largest ends so far
    last_uav: ByteRange | None = None
    ranges = [view for view in views if isinstance(view, ByteRange) and view.size]
    for view in sorted(ranges, key=lambda v: (v.offset, v.size)):
        before = last if _is_uav(view) else last_uav
        if before is not None and view.offset < _end(before):
            return before, view
        if last is None or _end(view) > _end(last):
            last = view
        if _is_uav(view):
            last_uav = view  # no UAV before it ends later
    return None


def _end(view: ByteRange) -> int:
    return view.offset + view.size


def _common_texels(views: Sequence[Shown]) -> tuple[ImagePart, ImagePart] | None:
    """A UAV of a texture and another view with common texels; None without such a pair."""
    parts = [view for view in views if isinstance(view, ImagePart)]
    for uav in filter(_is_uav, parts):
        for other in parts:
            if other is not uav and uav.part.meets(other.part):
                return uav, other
    return None


def _text(one: Shown, other: Shown) -> str:
    """The error's text; it names a view that is not a UAV first."""
    first, second = sorted((one, other), key=lambda v: (_is_uav(v), v.place))
    names = f"{_label(first)} and {_label(second)}"
    if one.binding.kind == COUNTER:
        return f"{names} share a hidden counter: bind one"
    what, copy, parts = "bytes", "device.buffer(buffer.read())", "elements"
    if isinstance(one, ImagePart):
        what, parts = "texels", "mips or slices"
        copy = "device.texture(texture.read(), format=texture.format, ...)"
    return (
        f"{names} show the same {what}, and a UAV shares none with another register: pass a copy,"
        f" {copy}, or views of different {parts}"
    )


def _label(view: Shown) -> str:
    binding = view.binding
    return binding.label + (f"[{view.element}]" if binding.count != 1 else "")


def fitting(binding: Binding, format: Format, nbytes: int = 0, *, is_own: bool = False) -> Format:
    """The format in which a shader reads texels; it decides the sign of 32-bit integers.

    `is_own`: a texture or view has the format, so options of the kernel do not change it. Raises
    ArgumentError for a format that does not fit the register or the `nbytes` of an array.
    """
    label, format = binding.label, reread_as(format, binding.component)
    if binding.component is not None and format.component != binding.component:
        text = misread_text(binding, label, format.name, format.component)
        raise FormatError(f"{text}: {_suggested(binding, format, is_own=is_own)}")
    if binding.kind == TYPED_BUFFER and not format.in_buffers:
        raise FormatError(f"{label}: D3D has no typed buffers of {format.name}")
    if binding.descriptor_type.startswith("storage") and not format.in_uavs:
        raise FormatError(f"{label}: D3D has no UAVs of {format.name}")
    if nbytes % format.texel_bytes:
        raise FormatError(
            f"{label}: {nbytes} bytes are not whole elements of {format.name}"
            f" ({format.texel_bytes} bytes each)"
        )
    return format


def _suggested(binding: Binding, format: Format, *, is_own: bool) -> str:
    """The way to pass the same texels in a format that the shader can read, for an error."""
    name = name_read_as(format, binding.component)
    if name is None:
        return f"pass a {binding.component} format"
    if FLOAT in (FORMATS[name].kind, format.kind):  # the bits of its numbers are other numbers
        scaled = "" if binding.component == FLOAT else ", scaled before if they are from 0 to 1"
        return f"convert its numbers{scaled}: array.astype(np.{FORMATS[name].dtype})"
    made = f"device.buffer(array).view(format={name!r})"
    if binding.kind == TEXTURE:
        made = f"device.texture(array, format={name!r})"
    option = binding.name or binding.register
    named = f"name its format, device.kernel(..., formats={{{option!r}: {name!r}}}), or "
    way_out = f"{'' if is_own else named}pass {made}"
    return escaped(f"{way_out} (command line: --{option} VALUE:{name})")


def warn_of_components(binding: Binding, shown: Shown, *, is_array: bool) -> None:
    """Issue a RuntimeWarning if an array or buffer has other components than the HLSL declares.

    Its dtype and shape determined the format. Numbers are lost if the array of a UAV has fewer
    components, and are not seen if those of a typed buffer have more: each row is one element.
    Without RDEF the declaration is unknown.
    """
    declared = binding.components
    if not declared or binding.atomic or not isinstance(shown, (TexelRange, ImagePart)):
        return
    format = shown.format
    if is_array and binding.written and format.components < declared:
        warn(_lost_text(binding, format, declared))
    elif isinstance(shown, TexelRange) and declared < min(format.components, _PADDED):
        warn(_unseen_text(binding, format, declared, is_array=is_array))


def _lost_text(binding: Binding, format: Format, declared: int) -> str:
    several = counted(format.components, "component")
    remedy = f"if that is meant, name the format: {_named(binding, format.name)}"
    if format.components == 3:  # most devices store no such format
        remedy = "pass an array with a fourth component"
    return (
        f"{binding.label} is {binding.component}{declared}, the array has {several}: the"
        f" others are lost; {remedy}"
    )


def _unseen_text(binding: Binding, format: Format, declared: int, *, is_array: bool) -> str:
    own = format_of_elements(format.dtype, declared, ()).name
    numbers, first, remedy = f"{declared} numbers", f"first {declared}", f"reshape(-1, {declared})"
    hlsl = f"{binding.component}{declared}"
    if declared == 1:
        numbers, first, remedy, hlsl = "number", "first", "ravel()", f"{binding.component}"
    remedy = f"array.{remedy}" if is_array else f"buffer.view(format={own!r})"
    return (
        f"{binding.label} is {hlsl}, but each row of {format.components} numbers is one element,"
        f" of which the shader uses the {first}: for an element of each {numbers} pass {remedy}, or"
        f" name the format, {_named(binding, own)}; if rows are meant, name {format.name!r}"
    )


def _named(binding: Binding, format: str) -> str:
    choice = binding.name or binding.register
    return escaped(
        f"device.kernel(..., formats={{{choice!r}: {format!r}}})"
        f" (command line: --format {choice}={format})"
    )
