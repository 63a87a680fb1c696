"""Conditions on devices and shader models: lines of `[require]`, and words before a step.

A line of `[require]` becomes a check of a device. `todo`, `bug` and `if` before a step may have a
condition in parentheses, such as `(sm>=5 & !llvmpipe | mvk)`, on the model and a device's tags.
"""

from __future__ import annotations

import operator
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import partial
from typing import Any

from vkrunner import DeviceFeatures, DeviceInfo, DeviceLimits
from vkrunner.shadertest.arguments import dxgi_format, real
from vkrunner.shadertest.cases import Condition, Qualifiers, Requirement
from vkrunner.shadertest.cursor import Cursor

PLATFORM = "VKD3D_TEST_PLATFORM"  # on "windows", vkd3d's runner ignores `todo` and `bug`
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
# The shader models that vkd3d's conditions may name
MODELS = (2.0, 3.0, 4.0, 4.1, 5.0, 5.1, 6.0, 6.2)
TAGS = (
    *("d3d12", "glsl", "llvmpipe", "mesa<23.3", "msl", "mvk<1.2.11", "mvk", "opengl", "vulkan"),
    "warp",
)
_MODEL = re.compile(r"\d+(?:\.\d+)?(?![\w.])")
_TAG = re.compile(r"[a-z]\w*(?:[<>=]+[\d.]+)?")
_MESA = re.compile(r"Mesa (\d+)\.(\d+)")
_OLD_MESA = (23, 3)


# -- [require] -------------------------------------------------------------------------------------


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


def _holds(rows: Sequence[Sequence[Condition]], model: float, tags: frozenset[str]) -> bool:
    """Whether one row has only true terms."""
    return any(all(term(model, tags) for term in row) for row in rows)


def _is_model(relation: str, wanted: float, model: float, tags: frozenset[str]) -> bool:
    return RELATIONS[relation](model, wanted)


def _has_tag(name: str, wanted: bool, model: float, tags: frozenset[str]) -> bool:
    return (name in tags) is wanted


# the first words of a line -> the reader of its arguments
REQUIREMENTS: dict[str, Callable[[Cursor], Requirement]] = {
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


# -- words before a step ---------------------------------------------------------------------------


def heeds_todo() -> bool:
    """Whether `todo` and `bug` count, as in vkd3d's runner."""
    return os.environ.get(PLATFORM) != "windows"


def read_qualifiers(cursor: Cursor) -> Qualifiers:
    """Read the words `todo`, `bug` and `if` before a line, in any order."""
    found: dict[str, list[Condition]] = {"todo": [], "bug": [], "if": []}
    while (word := next((w for w in found if cursor.accept(w)), None)) is not None:
        found[word].append(read_condition(cursor))
    return Qualifiers(tuple(found["todo"]), tuple(found["bug"]), tuple(found["if"]))


def read_condition(cursor: Cursor) -> Condition:
    """Read a condition in parentheses; without parentheses it is always true."""
    if not cursor.accept("("):
        return partial(_holds, [[]])
    rows = [_row(cursor)]
    while cursor.accept("|"):
        rows.append(_row(cursor))
    cursor.expect(")", "&, | or )")
    return partial(_holds, rows)


def _row(cursor: Cursor) -> list[Condition]:
    terms = [_term(cursor)]
    while cursor.accept("&"):
        terms.append(_term(cursor))
    return terms


def _term(cursor: Cursor) -> Condition:
    for relation in (">=", "<"):
        if cursor.accept(f"sm{relation}"):
            return partial(_is_model, relation, _model(cursor))
    negated = cursor.accept("!") is not None
    tag = cursor.choose(("sm>=MODEL", "sm<MODEL", *TAGS), "tag", _TAG)
    return partial(_has_tag, tag.text, not negated)


def _model(cursor: Cursor) -> float:
    token = cursor.expect(_MODEL, "a shader model")
    if float(token.text) not in MODELS:
        there = ", ".join(str(model) for model in MODELS)
        raise token.error(f"unknown shader model {token.text}; expected one of {there}")
    return float(token.text)


def tags_of(info: DeviceInfo) -> frozenset[str]:
    """vkd3d's tags of a device; the reference machine has none."""
    if info.type == "reference":
        return frozenset()
    tags = {"vulkan"}
    tags |= {"llvmpipe"} if info.is_called("llvmpipe") else set()
    tags |= {"mvk"} if info.is_called("moltenvk") else set()
    mesa = _MESA.search(info.driver_version)
    tags |= {"mesa<23.3"} if mesa and (int(mesa[1]), int(mesa[2])) < _OLD_MESA else set()
    return frozenset(tags)
