"""The views of a dispatch: those that it may not combine, and the formats of their texels.

D3D11 does not bind a subresource as a UAV and to another register: it unbinds an input view, and
ignores a call that sets two UAVs (Direct3D 11.3 functional specification §5.3.9.4). In Vulkan a
load may give the value before or after a store through another view, depending on optimizations.
"""

from __future__ import annotations

from collections.abc import Sequence

from translate.errors import escaped
from translate.interface import COUNTER, TEXTURE, TYPED_BUFFER, Binding
from vkrunner.binding.arguments import ByteRange, ImagePart, ResidentArgument, Shown, TexelRange
from vkrunner.errors import FormatError, OverlapError, warn
from vkrunner.values.formats import FLOAT, FORMATS, Format, name_read_as, reread_as
from vkrunner.values.numbers import counted


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
        raise FormatError(
            f"{label} is read as {binding.component}, but {format.name} is {format.component}:"
            f" {_suggested(binding, format, is_own=is_own)}"
        )
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


def warn_of_lost_components(binding: Binding, shown: Shown) -> None:
    """Issue a RuntimeWarning if the array of a UAV has fewer components than the HLSL declares.

    The array's dtype and shape determined its format. Without RDEF the declaration is unknown.
    """
    declared = binding.components
    if not (binding.written and declared) or binding.atomic:
        return
    if not isinstance(shown, (TexelRange, ImagePart)):
        return
    format = shown.format
    if format.components < declared:
        several = counted(format.components, "component")
        choice = binding.name or binding.register
        remedy = (
            f"if that is meant, name the format: device.kernel(..., formats={{{choice!r}:"
            f" {format.name!r}}}) (command line: --format {choice}={format.name})"
        )
        if format.components == 3:  # most devices store no such format
            remedy = "pass an array with a fourth component"
        warn(
            f"{binding.label} is {binding.component}{declared}, the array has {several}: the"
            f" others are lost; {remedy}"
        )
