"""The lines of `[require]`: each is read as a check of a device."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import fields
from functools import partial
from typing import Any

from vkrunner import DeviceFeatures, DeviceInfo, DeviceLimits
from vkrunner.shadertest.cases import Requirement
from vkrunner.shadertest.cursor import WORD, Cursor
from vkrunner.shadertest.literals import real

_FEATURES = (*(field.name for field in fields(DeviceFeatures)), *DeviceInfo.FLOAT_CONTROLS)
_LIMITS = {field.name: str(field.type).startswith("tuple") for field in fields(DeviceLimits)}
_OPERATORS: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "==": operator.eq,
}
_OPERATOR = re.compile("|".join(_OPERATORS))
_MODEL, _NEWEST_MODEL = "shader model", 5.1


def read_requirement(cursor: Cursor) -> Requirement:
    """One line: a feature, a limit compared, `device PART`, `not device PART`, `shader model`."""
    device = cursor.accept(re.compile(r"(?:not\s+)?device\b"))
    if device is not None:
        made = partial(_check_name, _part_of_a_name(cursor), device.text == "device")
    elif cursor.accept(re.compile(r"shader\s+model\b")):
        made = _comparison(cursor, _MODEL)
    else:
        made = _feature_or_limit(cursor)
    cursor.finish()
    return made


def _part_of_a_name(cursor: Cursor) -> str:
    token = cursor.take_rest("a part of a device's name")
    part = token.text.strip('"')
    if not part:
        raise token.error("expected a part of a device's name")
    return part


def _feature_or_limit(cursor: Cursor) -> Requirement:
    word = cursor.expect(WORD, "a feature, a limit, device or not device")
    name = word.text
    if name in _FEATURES:
        return partial(_check_feature, name)
    if name not in _LIMITS:
        there = ", ".join((*_FEATURES, *_LIMITS))
        raise word.error(f"nothing to require is called {name!r}; there are {there}")
    axis = cursor.accept(re.compile(r"\.[xyz]\b"))
    if _LIMITS[name] != (axis is not None):
        wrong = "three axes: .x, .y or .z" if axis is None else "no axes"
        raise word.error(f"{name} has {wrong}")
    index = None if axis is None else "xyz".index(axis.text[1])
    return _comparison(cursor, name, index)


def _comparison(cursor: Cursor, name: str, axis: int | None = None) -> Requirement:
    relation = cursor.expect(_OPERATOR, f"one of {', '.join(_OPERATORS)}").text
    return partial(_check_number, name, axis, relation, real(cursor, "a limit"))


# -- checks, which are sent to other processes -----------------------------------------------------


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
    if _OPERATORS[relation](found, wanted):
        return None
    return f"needs {name} {relation} {wanted:g}; {info.name} has {found:g}"
