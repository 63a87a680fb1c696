"""Views that a dispatch may not combine: a UAV and another view of the same texels or bytes.

D3D11 does not bind a subresource as a UAV and to another register: it unbinds an input view, and
ignores a call that sets two UAVs (Direct3D 11.3 functional specification §5.3.9.4). In Vulkan a
load may give the value before or after a store through another view, depending on optimizations.
"""

from __future__ import annotations

from collections.abc import Sequence

from translate.interface import COUNTER
from vkrunner.binding.arguments import ByteRange, ImagePart, ResidentArgument, Shown
from vkrunner.errors import OverlapError


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
