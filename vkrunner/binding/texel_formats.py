"""The format in which a shader reads or writes the texels of a value, and whether it fits."""

from __future__ import annotations

from translate.errors import escaped
from translate.interface import TEXTURE, TYPED_BUFFER, Binding
from vkrunner.binding.arguments import ImagePart, Shown, TexelRange
from vkrunner.errors import FormatError, warn
from vkrunner.values.formats import FLOAT, FORMATS, Format, name_read_as, reread_as
from vkrunner.values.numbers import counted


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
