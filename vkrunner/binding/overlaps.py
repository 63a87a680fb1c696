"""Views that a dispatch may not combine: a UAV, and another view of the same texels or bytes.

D3D11 binds no subresource as a UAV and elsewhere: it unbinds an input view, and ignores a call that
sets two UAVs (Direct3D 11.3 functional specification §5.3.9.4). In Vulkan a load may give the value
before or after a store through another view, by the translator's and the driver's optimizations.
"""

from __future__ import annotations

from collections.abc import Sequence

from vkrunner.binding.arguments import Argument, ResidentBytes, ResidentCounter, ResidentTexture
from vkrunner.binding.registers import label_of
from vkrunner.errors import ArgumentError


def check_overlaps(arguments: Sequence[Argument]) -> None:
    """Raise ArgumentError for a UAV and another view of the same texels or bytes.

    Views without common texels or bytes are allowed, also of one D3D subresource (a buffer).
    """
    views: dict[int, list[Argument]] = {}
    for argument in arguments:
        if isinstance(argument, (ResidentBytes, ResidentTexture)):
            views.setdefault(id(argument.resident), []).append(argument)
    for same in views.values():
        if len(same) > 1 and any(map(_is_uav, same)):
            is_texture = isinstance(same[0], ResidentTexture)
            found = _common_texels(same) if is_texture else _common_bytes(same)
            if found is not None:
                raise ArgumentError(_text(*found))


def _is_uav(argument: Argument) -> bool:
    return argument.binding.register.startswith("u")


def _common_bytes(views: Sequence[Argument]) -> tuple[Argument, Argument] | None:
    """A UAV of a buffer and another view of some of its bytes."""
    last: Argument | None = None  # the views with the largest ends so far
    last_uav: Argument | None = None
    for view in sorted((v for v in views if v.byte_range[1]), key=lambda v: v.byte_range):
        before = last if _is_uav(view) else last_uav
        if before is not None and view.byte_range[0] < _end(before):
            return before, view
        if last is None or _end(view) > _end(last):
            last = view
        if _is_uav(view):
            last_uav = view  # no UAV before it ends later
    return None


def _end(view: Argument) -> int:
    return sum(view.byte_range)


def _common_texels(views: Sequence[Argument]) -> tuple[Argument, Argument] | None:
    """A UAV of a texture and another view of some of its texels."""
    shown = [view for view in views if isinstance(view, ResidentTexture)]
    for uav in filter(_is_uav, shown):
        for other in shown:
            if other is not uav and uav.view.part.meets(other.view.part):
                return uav, other
    return None


def _text(one: Argument, other: Argument) -> str:
    """The error's text, with the input first."""
    first, second = sorted((one, other), key=lambda a: (_is_uav(a), a.place))
    names = f"{_label(first)} and {_label(second)}"
    if isinstance(one, ResidentCounter):
        return f"{names} share a hidden counter: bind one"
    what, copy, parts = "bytes", "device.buffer(buffer.read())", "elements"
    if isinstance(one, ResidentTexture):
        what, parts = "texels", "mips or slices"
        copy = "device.texture(texture.read(), format=texture.format, ...)"
    return (
        f"{names} show the same {what}, and a UAV shares none with another register: pass a copy,"
        f" {copy}, or views of different {parts}"
    )


def _label(argument: Argument) -> str:
    binding = argument.binding
    return label_of(binding) + (f"[{argument.element}]" if binding.count != 1 else "")
