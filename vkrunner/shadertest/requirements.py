"""The lines of `[require]`: each becomes a check of a device. The shader models of a test.

`[require]` limits the models. In the header of `[compute shader]`, `fail` and `notimpl` name the
models for which the compiler refuses the shader, `todo` those for which it does not yet give the
expected result.
"""

from __future__ import annotations

import itertools
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import partial
from typing import Any

from translate.hlsl.options import PROFILES, HlslOptions
from vkrunner import DeviceFeatures, DeviceInfo, DeviceLimits
from vkrunner.shadertest.cases import CompileCheck, Requirement
from vkrunner.shadertest.cursor import Cursor
from vkrunner.shadertest.literals import real
from vkrunner.shadertest.qualifiers import Circumstances, Condition, read_condition
from vkrunner.shadertest.section_lines import dxgi_format

RELATIONS: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "==": operator.eq,
}
_RELATION = re.compile("|".join(RELATIONS))
_HEX_FORM = "dxbc-tpf-hex"
_HEX_FORMS = ("d3dbc-hex", _HEX_FORM, "dxbc-dxil-hex")
_MARK = re.compile(r"[a-z][\w-]*")
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
_OPTION = re.compile(r"[a-z][\w-]*")
_AXIS = re.compile(r"\.[xyz]\b")
# Every D3D11 device loads these formats from a UAV; other formats are optional.
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


def model_of(profile: str) -> float:
    """The shader model of a profile: 5.1 for `cs_5_1`."""
    return float(profile.removeprefix("cs_").replace("_", "."))


def read_relation(cursor: Cursor) -> tuple[str, float]:
    """Read `>= 5.0`, as (relation, number)."""
    relation = cursor.expect(_RELATION, f"one of {', '.join(RELATIONS)}").text
    return relation, real(cursor, "a limit")


@dataclass(frozen=True, slots=True)
class Models:
    """The profiles that `[require]` allows, lowest first; `is_limited` if it names a model."""

    profiles: tuple[str, ...] = PROFILES
    is_limited: bool = False
    missing: str = ""  # the reason why no model is left

    def limited(self, relation: str, model: float) -> Models:
        """These models, without the profiles that do not meet a condition such as `>= 5.0`."""
        left = tuple(p for p in self.profiles if RELATIONS[relation](model_of(p), model))
        reason = "" if left else f"needs shader model {relation} {model:g}; there are 4.0 to 5.1"
        return Models(left, True, self.missing or reason)

    @property
    def first(self) -> str:
        """The profile to compile for: the lowest, or the usual one if no model is named."""
        return self.profiles[0] if self.is_limited else HlslOptions.profile


@dataclass(frozen=True, slots=True)
class Marks:
    """The words in a shader's header, with their conditions; `hex` is one of vkd3d's hex forms."""

    todo: tuple[Condition, ...] = ()
    fail: tuple[Condition, ...] = ()
    hex: str = ""

    @property
    def unread(self) -> str:
        """The reason why no device runs the shader, if its form cannot be read."""
        return f"{self.hex} is not read" if self.hex not in ("", _HEX_FORM) else ""

    def check(self, profile: str) -> CompileCheck:
        """The expected result of compiling for a profile."""
        now = Circumstances(model_of(profile))
        fails, todo = (any(c.holds(now) for c in given) for given in (self.fail, self.todo))
        return CompileCheck(profile, fails, todo)

    def checks(self, models: Models) -> tuple[CompileCheck, ...]:
        """The compilations to check, chosen like in vkd3d's runner.

        These are the first model, if it or no model should compile, and adjacent models of which
        only one should.
        """
        rows = [self.check(profile) for profile in models.profiles]
        chosen = {models.first} if not self.check(models.first).fails else set[str]()
        for before, after in itertools.pairwise(rows):
            if before.fails != after.fails:
                chosen |= {before.profile, after.profile}
        return tuple(row for row in rows if row.profile in (chosen or {models.first}))

    def profile_to_run(self, models: Models) -> str | None:
        """The first model, or the next one that should compile; None if none should."""
        later = models.profiles[models.profiles.index(models.first) :]
        return next((p for p in later if not self.check(p).fails), None)


def read_marks(cursor: Cursor) -> Marks:
    """Read `todo`, `fail`, `notimpl`, with conditions, and `dxbc-tpf-hex`, to the end."""
    given: dict[str, list[Condition]] = {"todo": [], "fail": [], "notimpl": []}
    form = ""
    while not cursor.at_end:
        word = cursor.choose((*given, *_HEX_FORMS), "word", _MARK).text
        if word in given:
            given[word].append(read_condition(cursor))
        else:
            form = word
    return Marks(tuple(given["todo"]), (*given["fail"], *given["notimpl"]), form)


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


# -- options of the compiler -----------------------------------------------------------------------


def compiler_flags(cursor: Cursor) -> tuple[str, ...]:
    """fxc's flags for vkd3d's names of options."""
    flags: list[str | None] = []
    while not cursor.at_end:
        flags.append(_FLAGS[cursor.choose(_FLAGS, "option", _OPTION).text])
    return tuple(flag for flag in flags if flag is not None)


def flags_for(profile: str, flags: tuple[str, ...]) -> tuple[str, ...]:
    """The flags that a profile allows: cs_5_1 does not allow -Gec."""
    return tuple(flag for flag in flags if flag != "-Gec" or profile != "cs_5_1")
