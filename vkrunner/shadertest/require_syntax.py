"""The lines of `[require]`, and whether a device meets them."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import fields

from vkrunner import DeviceFeatures, DeviceInfo, DeviceLimits
from vkrunner.shadertest.cursor import WORD, Cursor
from vkrunner.shadertest.literals import real
from vkrunner.shadertest.records import Requirement

FEATURES = tuple(field.name for field in fields(DeviceFeatures))
LIMITS = tuple(field.name for field in fields(DeviceLimits))
_OPERATORS: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "==": operator.eq,
}
_OPERATOR = re.compile("|".join(_OPERATORS))
_AXES = "xyz"
_NEWEST_MODEL = 5.1


def read_requirement(cursor: Cursor) -> Requirement:
    """One line: a feature, a limit compared, `device PART`, `not device PART`, `shader model`."""
    start = cursor.rest
    if cursor.accept(re.compile(r"shader\s+model\b")):
        made = _comparison(cursor, "shader model", "shader model")
    elif cursor.accept(re.compile(r"not\s+device\b")):
        made = Requirement(start, "not device", _rest(cursor))
    elif cursor.accept(re.compile(r"device\b")):
        made = Requirement(start, "device", _rest(cursor))
    else:
        made = _named(cursor)
    cursor.finish()
    return made


def _named(cursor: Cursor) -> Requirement:
    word = cursor.expect(WORD, "a feature, a limit, device or not device")
    if word.text in LIMITS:
        return _comparison(cursor, "limit", word.text)
    if word.text in FEATURES:
        return Requirement(word, "feature", word.text)
    if word.text in DeviceInfo.FLOAT_CONTROLS:
        return Requirement(word, "float control", word.text)
    there = ", ".join((*FEATURES, *DeviceInfo.FLOAT_CONTROLS, *LIMITS))
    raise word.error(f"nothing to require is called {word.text!r}; there are {there}")


def _comparison(cursor: Cursor, kind: str, name: str) -> Requirement:
    axis = cursor.accept(re.compile(r"\.[xyz]\b"))
    relation = cursor.expect(_OPERATOR, f"one of {', '.join(_OPERATORS)}")
    number = real(cursor, "a limit")
    index = _AXES.index(axis.text[1]) if axis is not None else None
    token = cursor.span_since(relation)
    return Requirement(token, kind, name, index, relation.text, number)


def _rest(cursor: Cursor) -> str:
    text = cursor.rest.text.strip('"')
    if not text:
        raise cursor.error("expected a part of a device's name")
    cursor.accept(re.compile(r".*"))
    return text


def lacking(requirement: Requirement, info: DeviceInfo) -> str | None:
    """Why a device does not meet a requirement; None where it does."""
    name = requirement.name
    if requirement.kind == "feature":
        return None if getattr(info.features, name) else f"{info.name} lacks {name}"
    if requirement.kind == "float control":
        return None if name in info.float_controls else f"{info.name} lacks {name}"
    if requirement.kind in ("device", "not device"):
        wanted = requirement.kind == "device"
        return None if info.is_called(name, info.type) is wanted else f"not for {info.name}"
    found = _NEWEST_MODEL if requirement.kind == "shader model" else _limit(requirement, info)
    if _OPERATORS[requirement.operator](found, requirement.number):
        return None
    wanted = f"{name} {requirement.operator} {requirement.number:g}"
    return f"needs {wanted}; {info.name} has {found:g}"


def _limit(requirement: Requirement, info: DeviceInfo) -> float:
    found: float | tuple[int, int, int] = getattr(info.limits, requirement.name)
    if isinstance(found, tuple):
        axis = requirement.axis
        if axis is None:
            raise requirement.token.error(f"{requirement.name} has three axes: .x, .y or .z")
        return found[axis]
    if requirement.axis is not None:
        raise requirement.token.error(f"{requirement.name} has no axes")
    return found
