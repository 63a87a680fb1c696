"""The lines of `[require]`: each is read as a check of a device."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import fields

from vkrunner import DeviceFeatures, DeviceInfo, DeviceLimits
from vkrunner.shadertest.cases import Requirement
from vkrunner.shadertest.cursor import WORD, Cursor, Token
from vkrunner.shadertest.literals import real

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
_NEWEST_MODEL = 5.1


def read_requirement(cursor: Cursor) -> Requirement:
    """One line: a feature, a limit compared, `device PART`, `not device PART`, `shader model`."""
    if cursor.accept(re.compile(r"shader\s+model\b")):
        made = _comparison(cursor, "shader model", lambda info: _NEWEST_MODEL)
    elif cursor.accept(re.compile(r"not\s+device\b")):
        made = _device(cursor, is_wanted=False)
    elif cursor.accept("device"):
        made = _device(cursor, is_wanted=True)
    else:
        made = _named(cursor)
    cursor.finish()
    return made


def _device(cursor: Cursor, *, is_wanted: bool) -> Requirement:
    token = cursor.take_rest("a part of a device's name")
    part = token.text.strip('"')
    if not part:
        raise token.error("expected a part of a device's name")

    def check(info: DeviceInfo) -> str | None:
        return None if info.is_called(part, info.type) is is_wanted else f"not for {info.name}"

    return check


def _named(cursor: Cursor) -> Requirement:
    word = cursor.expect(WORD, "a feature, a limit, device or not device")
    name = word.text
    if name in LIMITS:
        axis = _axis(cursor)
        return _comparison(cursor, name, lambda info: _limit(info, word, axis))
    if name not in (*FEATURES, *DeviceInfo.FLOAT_CONTROLS):
        there = ", ".join((*FEATURES, *DeviceInfo.FLOAT_CONTROLS, *LIMITS))
        raise word.error(f"nothing to require is called {name!r}; there are {there}")

    def check(info: DeviceInfo) -> str | None:
        is_there = name in (*info.features.names(), *info.float_controls)
        return None if is_there else f"{info.name} lacks {name}"

    return check


def _axis(cursor: Cursor) -> int | None:
    axis = cursor.accept(re.compile(r"\.[xyz]\b"))
    return "xyz".index(axis.text[1]) if axis is not None else None


def _comparison(cursor: Cursor, name: str, actual: Callable[[DeviceInfo], float]) -> Requirement:
    relation = cursor.expect(_OPERATOR, f"one of {', '.join(_OPERATORS)}").text
    wanted = real(cursor, "a limit")

    def check(info: DeviceInfo) -> str | None:
        found = actual(info)
        if _OPERATORS[relation](found, wanted):
            return None
        return f"needs {name} {relation} {wanted:g}; {info.name} has {found:g}"

    return check


def _limit(info: DeviceInfo, word: Token, axis: int | None) -> float:
    """A limit of a device, of those with three axes the one that is named."""
    found: float | tuple[int, int, int] = getattr(info.limits, word.text)
    if isinstance(found, tuple):
        if axis is None:
            raise word.error(f"{word.text} has three axes: .x, .y or .z")
        return found[axis]
    if axis is not None:
        raise word.error(f"{word.text} has no axes")
    return found
