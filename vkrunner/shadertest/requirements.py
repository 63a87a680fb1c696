"""The lines of `[require]`: each becomes a check of a device."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import fields
from functools import partial
from typing import Any

from vkrunner import DeviceFeatures, DeviceInfo, DeviceLimits
from vkrunner.shadertest.cases import Requirement
from vkrunner.shadertest.cursor import Cursor
from vkrunner.shadertest.literals import real
from vkrunner.shadertest.section_lines import dxgi_format

RELATIONS: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "==": operator.eq,
}
_RELATION = re.compile("|".join(RELATIONS))
_FEATURES = (*(field.name for field in fields(DeviceFeatures)), *DeviceInfo.FLOAT_CONTROLS)
# limit -> whether it has axes
_LIMITS = {field.name: str(field.type).startswith("tuple") for field in fields(DeviceLimits)}
MODEL, _NEWEST_MODEL = "shader model", 5.1
_LATER = ("native-16-bit", "wave-ops")
_GRAPHICS = (
    *("clip-planes", "depth-bounds", "fog", "geometry-shader", "point-size", "rov"),
    *("rt-vp-array-index", "tessellation-shader"),
)
_LACKING = {  # vkd3d's capabilities that no device has here -> the reason
    **dict.fromkeys(_LATER, "is of Shader Model 6, and up to 5.1 there is"),
    **dict.fromkeys(_GRAPHICS, "is for graphics, and there are compute shaders only"),
}
_AXIS = re.compile(r"\.[xyz]\b")
# Every D3D11 device loads these formats from a UAV; other formats are optional.
_ALWAYS_LOADED = ("r32_float", "r32_uint", "r32_sint")
_LOADS = "storage_image_read_without_format"


def model_of(profile: str) -> float:
    """The shader model of a profile: 5.1 for `cs_5_1`."""
    return float(profile.removeprefix("cs_").replace("_", "."))


def read_relation(cursor: Cursor) -> tuple[str, float]:
    """Read `>= 5.0`, as (relation, number)."""
    relation = cursor.expect(_RELATION, f"one of {', '.join(RELATIONS)}").text
    return relation, real(cursor, "a limit")


def _device(cursor: Cursor, *, is_wanted: bool) -> Requirement:
    """Read a part of a device's name, in quotes or not; `is_wanted`: a device must have it."""
    token = cursor.take_rest("a part of a device's name")
    part = token.text.strip('"')
    if not part:
        raise token.error("expected a part of a device's name")
    return partial(_check_name, part, is_wanted)


def _loads_of_format(cursor: Cursor) -> Requirement:
    """Read `r32-float uav-load`, after `format`."""
    format = dxgi_format(cursor)
    while not cursor.at_end:
        cursor.expect("uav-load", "uav-load")
    always = format is not None and format.name in _ALWAYS_LOADED
    return partial(_give, None) if always else partial(_check_feature, _LOADS)


def _whole(cursor: Cursor, check: Requirement) -> Requirement:
    """Read a requirement that consists of its name alone."""
    return check


def model(cursor: Cursor) -> Requirement:
    """Read a relation and a shader model, such as `>= 5.0`."""
    return partial(_check_number, MODEL, None, *read_relation(cursor))


def _limit(cursor: Cursor, name: str) -> Requirement:
    """Read the condition on a limit: `.x`, .y or .z if it has three axes, a relation, a number."""
    word = cursor.span
    axis = cursor.accept(_AXIS)
    if _LIMITS[name] != (axis is not None):
        wrong = "three axes: .x, .y or .z" if axis is None else "no axes"
        raise word.error(f"{name} has {wrong}")
    index = None if axis is None else "xyz".index(axis.text[1])
    return partial(_check_number, name, index, *read_relation(cursor))


# -- checks; they can be sent to other processes ---------------------------------------------------


def _give(reason: str | None, info: DeviceInfo) -> str | None:
    return reason


def _check_name(part: str, is_wanted: bool, info: DeviceInfo) -> str | None:
    return None if info.is_called(part, info.type) is is_wanted else f"not for {info.name}"


def _check_feature(name: str, info: DeviceInfo) -> str | None:
    is_there = name in (*info.features.names(), *info.float_controls)
    return None if is_there else f"{info.name} lacks {name}"


def _check_number(
    name: str, axis: int | None, relation: str, wanted: float, info: DeviceInfo
) -> str | None:
    found: Any = _NEWEST_MODEL if name == MODEL else getattr(info.limits, name)
    found = found if axis is None else found[axis]
    if RELATIONS[relation](found, wanted):
        return None
    return f"needs {name} {relation} {wanted:g}; {info.name} has {found:g}"


# the first words of a line -> the reader of its arguments
READERS: dict[str, Callable[[Cursor], Requirement]] = {
    "device": partial(_device, is_wanted=True),
    "not device": partial(_device, is_wanted=False),
    "format": _loads_of_format,
    **{name: partial(_whole, check=partial(_check_feature, name)) for name in _FEATURES},
    **{
        name: partial(_whole, check=partial(_give, f"{name} {why}"))
        for name, why in _LACKING.items()
    },
    **{name: partial(_limit, name=name) for name in _LIMITS},
}
