"""Warns if a shader's stores lose components, because a passed array has fewer of them."""

from __future__ import annotations

from translate.interface import Binding
from vkrunner.binding.arguments import Argument, ArrayArgument, ImagePart, TexelRange
from vkrunner.binding.registers import label_of
from vkrunner.errors import warn


def warn_of_lost_components(binding: Binding, argument: Argument) -> None:
    """Issue a RuntimeWarning if the array of a UAV has fewer components than the HLSL declares.

    The array's dtype and shape determined its format. Without RDEF the declaration is unknown.
    """
    shown, declared = argument.shown, binding.components
    if not (binding.written and declared and isinstance(argument, ArrayArgument)):
        return
    if binding.atomic or not isinstance(shown, (TexelRange, ImagePart)):
        return
    format = shown.format
    if format.components < declared:
        several = f"{format.components} component{'s' if format.components > 1 else ''}"
        choice = binding.name or binding.register
        warn(
            f"{label_of(binding)} is {binding.component}{declared}, the array has {several}: the"
            f" others are lost; if that is meant, name the format: device.kernel(...,"
            f" formats={{{choice!r}: {format.name!r}}}) (command line: --format"
            f" {choice}={format.name})"
        )
