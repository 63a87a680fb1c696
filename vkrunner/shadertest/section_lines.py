"""The arguments of the lines of `[uav]`, `[srv]`, `[cb]`, `[sampler]` and `[shader]`."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import partial
from typing import Any

from translate.hlsl.d3dcompiler import FLAGS
from translate.interface import register_name
from vkrunner import ArgumentError
from vkrunner.shadertest.cases import Extents, Number
from vkrunner.shadertest.cursor import WORD, Cursor, Token
from vkrunner.shadertest.literals import integer, number, numbers, value_of
from vkrunner.values import samplers
from vkrunner.values.formats import Format, format_of_name
from vkrunner.values.texture_layout import DIMENSIONS

INDEX = re.compile(r"\d+(?![\w.])")
MEMBER = re.compile(r"[A-Za-z_]\w*(?:\.\w+|\[\d+\])*\s*=(?!=)")
COUNTER_BUFFER = "counter_buffer"  # vkd3d's buffer with a counter; probes read the counter
_CLASSES = {"uav": "u", "srv": "t", "cb": "cb", "sampler": "s"}
# dimension -> its extents in `size`, in the order of an array's axes
_EXTENTS = {
    "buffer": ("elements",),
    "raw_buffer": ("dwords",),
    **{name: dimension.axis_names for name, dimension in DIMENSIONS.items()},
    COUNTER_BUFFER: ("elements",),
}
_WRITTEN = ("samples", "width", "height", "depth", "layers", "elements", "dwords")  # in `size`
_MOST_EXTENT = 2**31 - 1
_OLD_SIZE = re.compile(r"\d+\s*,")
_COMPARISON = re.compile(r"\w+(?: +\w+)*")
_KIND_OF_FORMAT = re.compile(r"(?:float|uint|sint|unorm|snorm|typeless)\b")
_NO_FORMATS = ("r32_typeless", "unknown")
_INSTANCE = re.compile(r"[A-Za-z_]\w*(?:\[\d+\])*")
NAME = re.compile(r"[\w.]+")
_MACRO = re.compile(r"[A-Za-z_]\w*")
_FLAG = re.compile(r"[-/]\w+")


def read_key(cursor: Cursor, section: str) -> str:
    """Read a register by its number, `0` or `2 space 1`, or an HLSL name."""
    found = cursor.accept(INDEX)
    if found is None:
        return cursor.expect(WORD, f"the number or the HLSL name of a {section}").text
    space = integer(cursor, "a register space") if cursor.accept("space") else 0
    return register_name(_CLASSES[section], int(value_of(found)), space)


# -- [uav], [srv], [cb] ----------------------------------------------------------------------------


def size(cursor: Cursor) -> Extents:
    """Read `(2d, 4, 4)`, or in older files of vkd3d `(4, 4)` for a 2d texture."""
    start = cursor.expect("(", "(")
    is_old = cursor.sees(_OLD_SIZE)
    dimension = "2d" if is_old else cursor.choose(_EXTENTS, "dimension", NAME).text
    axes = _EXTENTS[dimension]
    given: dict[str, int] = {"layers": 6} if dimension == "cube" else {}
    for axis in (name for name in _WRITTEN if name in axes and name not in given):
        if dimension == "cube" and axis == "height" and cursor.sees(")"):
            given[axis] = given["width"]  # vkd3d writes it once
            continue
        if not (is_old and axis == "width"):
            cursor.expect(",", f", and {axis}")
        least = 0 if axis in ("elements", "dwords") else 1
        given[axis] = integer(cursor, axis, least, _MOST_EXTENT)
    cursor.expect(")", ")")
    return Extents(cursor.span_since(start), dimension, tuple(given[axis] for axis in axes))


def stride(cursor: Cursor) -> Number:
    """Read the stride of a structured buffer, in bytes."""
    found = number(cursor)
    if found.is_float or found.value % 4 or not 4 <= found.value <= 2048:
        raise found.token.error("a stride is a multiple of 4 from 4 to 2048")
    return found


def dxgi_format(cursor: Cursor) -> Format | None:
    """Read a DXGI format: `r32_float`, vkd3d's `r32-float` or, in older files, `r32 float`.

    vkd3d's `r32-typeless` and `unknown` mean no format.
    """
    first = cursor.expect(re.compile(r"[\w-]+"), "a format, for instance r32_float")
    cursor.accept(_KIND_OF_FORMAT)
    token = cursor.span_since(first)
    name = re.sub("[- ]+", "_", token.text).removesuffix("_shadow")
    if name in _NO_FORMATS:
        return None
    try:
        return format_of_name(name)
    except ArgumentError as error:
        raise token.error(str(error)) from None


def guard(cursor: Cursor) -> tuple[int, int]:
    """Read the numbers of elements before and after a view: `4` for both, or `(4, 8)`."""
    if not cursor.accept("("):
        both = integer(cursor, "the elements of a guard", 0, 2**20)
        return both, both
    before = integer(cursor, "the elements in front", 0, 2**20)
    cursor.expect(",", ",")
    after = integer(cursor, "the elements after", 0, 2**20)
    cursor.expect(")", ")")
    return before, after


def member(cursor: Cursor) -> tuple[Token, tuple[Number, ...]]:
    """Read a variable of a constant buffer, and its numbers: `s.direction = 0 0 1`."""
    token = cursor.expect(re.compile(r"[\w.\[\]]+"), "a name")
    cursor.expect("=", "=")
    found = numbers(cursor)
    if not found:
        raise cursor.error("expected numbers")
    return token, found


# -- [sampler] -------------------------------------------------------------------------------------


def _setting(cursor: Cursor, name: str) -> Any:
    """Read a setting of a sampler: one name or number, three names, or four numbers."""
    allowed, most = samplers.SETTINGS[name]
    found = _names(cursor, name, allowed) if allowed is not None else _finite(cursor)
    if len(found) not in (1, most):
        several = {1: "", 3: " or three", 4: " or four"}[most]
        kind = name if allowed is not None else "number"
        raise cursor.error(f"expected one {kind}{several}, got {len(found)}")
    return found if len(found) > 1 else found[0]


def _names(cursor: Cursor, setting: str, allowed: Mapping[str, str]) -> list[str]:
    names: list[str] = []
    while not cursor.at_end:
        token = cursor.expect(_COMPARISON if setting == "comparison" else WORD, setting)
        names.append("_".join(token.text.split()))  # vkd3d writes `less equal`
        if names[-1] not in allowed:
            there = ", ".join(allowed)
            raise token.error(f"unknown {setting} {token.text!r}; expected one of {there}")
    return names


def _finite(cursor: Cursor) -> list[float]:
    found = numbers(cursor)
    for one in found:
        if not math.isfinite(one.value):
            raise one.token.error("expected a finite number")
    return [float(one.value) for one in found]


SETTINGS = {name: partial(_setting, name=name) for name in samplers.SETTINGS}


# -- [shader], [compute shader] --------------------------------------------------------------------


def entry(cursor: Cursor) -> str:
    """Read the name of a function."""
    return cursor.expect(_MACRO, "the name of a function").text


def class_instance(cursor: Cursor) -> tuple[Token, str | list[str]]:
    """Read `INTERFACE = INSTANCE`, or several instances for an array of interfaces."""
    interface = cursor.expect(WORD, "the name of an interface")
    cursor.expect("=", "=")
    found: list[str] = []
    while not found or cursor.accept(","):
        found.append(cursor.expect(_INSTANCE, "the name of a class instance").text)
    return interface, found[0] if len(found) == 1 else found


def define(cursor: Cursor) -> tuple[Token, str]:
    """Read a macro: `NAME=VALUE` to the end of the line, or `NAME` for 1."""
    name = cursor.expect(_MACRO, "the name of a macro")
    return name, cursor.take_rest("a value").text if cursor.accept("=") else "1"


def fxc_flags(cursor: Cursor) -> tuple[str, ...]:
    """Read options of fxc. Those that are not in `FLAGS` may name files, which a test must not."""
    found: list[str] = []
    while not found or not cursor.at_end:
        flag = cursor.expect(_FLAG, "an option of fxc, for instance -Zi")
        if flag.text[1:] not in FLAGS:
            there = ", ".join(f"-{name}" for name in FLAGS)
            raise flag.error(f"unknown option {flag.text!r}; expected one of {there}")
        found.append(flag.text)
    return tuple(found)
