"""The lines of `[require]`: each is read as a check of a device."""

from __future__ import annotations

import re
from dataclasses import fields
from functools import partial
from typing import Any

from vkrunner import DeviceFeatures, DeviceInfo, DeviceLimits
from vkrunner.shadertest.cases import Requirement
from vkrunner.shadertest.cursor import WORD, Cursor
from vkrunner.shadertest.models import RELATIONS, SHADER_MODEL, read_relation
from vkrunner.shadertest.section_reader import read_format

_FEATURES = (*(field.name for field in fields(DeviceFeatures)), *DeviceInfo.FLOAT_CONTROLS)
_LIMITS = {field.name: str(field.type).startswith("tuple") for field in fields(DeviceLimits)}
_MODEL, _NEWEST_MODEL = "shader model", 5.1
_LATER = "is of Shader Model 6, and up to 5.1 there is"
_GRAPHICS = "is for graphics, and there are compute shaders only"
_LACKING = {  # vkd3d's capabilities that no device gives here -> why
    **dict.fromkeys(("native-16-bit", "wave-ops"), _LATER),
    **dict.fromkeys(
        (
            *("clip-planes", "depth-bounds", "fog", "geometry-shader", "point-size", "rov"),
            *("rt-vp-array-index", "tessellation-shader"),
        ),
        _GRAPHICS,
    ),
}
_CAPABILITY = re.compile(r"[a-z][\w-]*")
_DEVICE = re.compile(r"(?:not\s+)?device\b")
_AXIS = re.compile(r"\.[xyz]\b")
# Formats that every D3D11 device loads from a UAV; others are an option of the device.
_ALWAYS_LOADED = ("r32_float", "r32_uint", "r32_sint")
_LOADS = "storage_image_read_without_format"
# `options:` -> fxc's flags; models from 5.1 on have no `backcompat`
_FLAGS = {
    "none": None,
    "row-major": "-Zpr",
    "column-major": "-Zpc",
    "backcompat": "-Gec",
    "unbounded-descriptor-arrays": "-enable_unbounded_descriptor_tables",
}


def read_requirement(cursor: Cursor) -> Requirement:
    """One line: a feature, a limit compared, `device PART`, `format F uav-load`, `shader model`."""
    device = cursor.accept(_DEVICE)
    if device is not None:
        made = partial(_check_name, _part_of_a_name(cursor), device.text == "device")
    elif cursor.accept(SHADER_MODEL):
        made = _comparison(cursor, _MODEL)
    elif cursor.accept("format"):
        made = _loads(cursor)
    else:
        made = _feature_or_limit(cursor)
    cursor.finish()
    return made


def read_compiler_options(cursor: Cursor) -> tuple[str, ...]:
    """The compiler's flags for what follows `options:`."""
    flags: list[str] = []
    while not cursor.at_end:
        word = cursor.expect(_CAPABILITY, "an option of the compiler")
        if word.text not in _FLAGS:
            raise word.error(f"no option {word.text!r}; there are {', '.join(_FLAGS)}")
        flag = _FLAGS[word.text]
        flags.extend([flag] if flag is not None else [])
    return tuple(flags)


def flags_for(profile: str, flags: tuple[str, ...]) -> tuple[str, ...]:
    """The flags that a model has."""
    return tuple(flag for flag in flags if flag != "-Gec" or profile != "cs_5_1")


def _part_of_a_name(cursor: Cursor) -> str:
    token = cursor.take_rest("a part of a device's name")
    part = token.text.strip('"')
    if not part:
        raise token.error("expected a part of a device's name")
    return part


def _loads(cursor: Cursor) -> Requirement:
    """`r32-float uav-load`, after `format`."""
    format = read_format(cursor)
    while not cursor.at_end:
        word = cursor.expect(_CAPABILITY, "uav-load")
        if word.text != "uav-load":
            raise word.error(f"no capability {word.text!r} of a format; there is uav-load")
    always = format is not None and format.name in _ALWAYS_LOADED
    return _check_nothing if always else partial(_check_feature, _LOADS)


def _feature_or_limit(cursor: Cursor) -> Requirement:
    lacking = next((name for name in _LACKING if cursor.accept(name)), None)
    if lacking is not None:
        return partial(_give, f"{lacking} {_LACKING[lacking]}")
    word = cursor.expect(WORD, "a feature, a limit, device or not device")
    name = word.text
    if name in _FEATURES:
        return partial(_check_feature, name)
    if name not in _LIMITS:
        there = ", ".join((*_FEATURES, *_LACKING, *_LIMITS))
        raise word.error(f"nothing to require is called {name!r}; there are {there}")
    axis = cursor.accept(_AXIS)
    if _LIMITS[name] != (axis is not None):
        wrong = "three axes: .x, .y or .z" if axis is None else "no axes"
        raise word.error(f"{name} has {wrong}")
    index = None if axis is None else "xyz".index(axis.text[1])
    return _comparison(cursor, name, index)


def _comparison(cursor: Cursor, name: str, axis: int | None = None) -> Requirement:
    relation, number = read_relation(cursor)
    return partial(_check_number, name, axis, relation, number)


# -- checks, which are sent to other processes -----------------------------------------------------


def _check_nothing(info: DeviceInfo) -> str | None:
    return None


def _give(reason: str, info: DeviceInfo) -> str | None:
    return reason


def _check_name(part: str, is_wanted: bool, info: DeviceInfo) -> str | None:
    return None if info.is_called(part, info.type) is is_wanted else f"not for {info.name}"


def _check_feature(name: str, info: DeviceInfo) -> str | None:
    is_there = name in (*info.features.names(), *info.float_controls)
    return None if is_there else f"{info.name} lacks {name}"


def _check_number(
    name: str, axis: int | None, relation: str, wanted: float, info: DeviceInfo
) -> str | None:
    found: Any = _NEWEST_MODEL if name == _MODEL else getattr(info.limits, name)
    found = found if axis is None else found[axis]
    if RELATIONS[relation](found, wanted):
        return None
    return f"needs {name} {relation} {wanted:g}; {info.name} has {found:g}"
