"""The arguments of lines: numbers, patterns, types; and those of all sections except `[test]`."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from translate.hlsl.d3dcompiler import FLAGS
from translate.interface import register_name
from vkrunner import ArgumentError
from vkrunner.shadertest.cases import Extents, Number, Pattern, Values
from vkrunner.shadertest.cursor import NUMBER, WORD, Cursor, Token
from vkrunner.values import samplers
from vkrunner.values.elements import ElementType, element_of_dtype
from vkrunner.values.formats import Format, format_of_name
from vkrunner.values.numbers import parse_number
from vkrunner.values.texture_layout import DIMENSIONS

# pattern -> the smallest and largest count of its numbers
PATTERNS = {"zeros": (0, 0), "ones": (0, 0), "iota": (0, 2), "random": (1, 3), "fill": (1, 4096)}
FILES = ("npy", "image")
SCALARS = {
    **{"float": "<f4", "uint": "<u4", "int": "<i4", "double": "<f8", "bool": "<u4"},
    **{"int64_t": "<i8", "uint64_t": "<u8"},
}
PATTERN = re.compile(rf"(?:{'|'.join((*PATTERNS, *FILES))})\b(?!-)")
_TYPE = re.compile(rf"(?:{'|'.join(SCALARS)})(?:[1-4](?:x[1-4])?)?\b")
_PLACEHOLDER = re.compile(r"_(?!\w)")
_INTEGER = re.compile(r"[-+]?(?:0[xX][0-9a-fA-F]+|\d+)(?![\w.])")
_MOST_DIGITS = 200  # of an integer: enough for any float, in hexadecimal too
_DWORDS = (-(2**31), 2**32 - 1)
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


# -- numbers, patterns, types ----------------------------------------------------------------------


def number(cursor: Cursor) -> Number:
    """Read a number."""
    token = cursor.expect(NUMBER, "a number")
    return Number(token, value_of(token))


def value_of(token: Token) -> float:
    """The value of a token that is a number."""
    digits = token.text.lstrip("+-")
    if digits.isalnum() and len(digits) > _MOST_DIGITS:
        raise token.error(f"a number of {len(digits)} digits")
    return parse_number(token.text)


def integer(cursor: Cursor, what: str, least: int = 0, most: int = 2**32 - 1) -> int:
    """Read an integer from `least` to `most`; `what` names it in errors."""
    token = cursor.expect(_INTEGER, what)
    value = int(value_of(token))
    if not least <= value <= most:
        raise token.error(f"{what} is from {least} to {most}, not {value}")
    return value


def real(cursor: Cursor, what: str) -> float:
    """Read a finite number, 0 or more; `what` names it in errors."""
    found = number(cursor)
    if not (math.isfinite(found.value) and found.value >= 0):
        raise found.token.error(f"{what} is a number from 0 on, not {found.token.text}")
    return float(found.value)


def numbers(cursor: Cursor) -> tuple[Number, ...]:
    """Read numbers, up to other text; commas between them are optional."""
    found: list[Number] = []
    while cursor.sees(NUMBER):
        found.append(number(cursor))
        cursor.accept(",")
    return tuple(found)


def pattern(cursor: Cursor) -> Pattern:
    """Read a pattern; its file is relative to the test."""
    token = cursor.expect(PATTERN, f"one of {', '.join((*PATTERNS, *FILES))}")
    if token.text in FILES:
        name, path = cursor.path()
        return Pattern(name, token.text, path=path)
    found = numbers(cursor)
    least, most = PATTERNS[token.text]
    if not least <= len(found) <= most:
        wanted = f"{least} to {most} numbers" if most else "no numbers"
        raise token.error(f"{token.text} takes {wanted}, not {len(found)}")
    if token.text == "random" and (found[0].is_float or found[0].value < 0):
        raise found[0].token.error("a seed is an integer from 0 on")
    if token.text == "random" and len(found) == 2:
        raise found[1].token.error("random takes a seed, or a seed and two bounds")
    return Pattern(cursor.span_since(token), token.text, found)


def expected_values(cursor: Cursor) -> Values:
    """Read a probe's values: a pattern, or numbers with optional parentheses; `_` is any number."""
    if cursor.sees(PATTERN):
        return pattern(cursor)
    found: list[Number | None] = []
    with cursor.parentheses("a number or )"):
        while cursor.sees(NUMBER) or cursor.sees(_PLACEHOLDER):
            found.append(None if cursor.accept(_PLACEHOLDER) else number(cursor))
            cursor.accept(",")
    if not found:
        raise cursor.error("expected numbers, _ or a pattern")
    return tuple(found)


def element_type(cursor: Cursor) -> ElementType:
    """Read `float3`, or a structure: `float2 position, uint index`."""
    first = _one_type(cursor)
    if cursor.at_end:
        return element_of_dtype(first)
    fields = {_field_name(cursor).text: first}
    while cursor.accept(","):
        kind = _one_type(cursor)
        name = _field_name(cursor)
        if name.text in fields:
            raise name.error(f"the structure has {name.text} twice")
        fields[name.text] = kind
    return element_of_dtype(np.dtype([*fields.items()]))


def scalar_type(cursor: Cursor) -> ElementType:
    """Read a number's, vector's or matrix's type: `uint`, `float4`."""
    return element_of_dtype(_one_type(cursor))


def _one_type(cursor: Cursor) -> np.dtype[np.void]:
    token = cursor.expect(_TYPE, f"a type ({', '.join(SCALARS)}; float4, float4x4)")
    scalar = token.text.rstrip("1234x")
    shape = tuple(int(length) for length in token.text[len(scalar) :].split("x") if length)
    return np.dtype((SCALARS[scalar], shape)) if shape else np.dtype(SCALARS[scalar])


def _field_name(cursor: Cursor) -> Token:
    return cursor.expect(WORD, "the name of a field")


def check_dwords(found: tuple[Number, ...]) -> None:
    """Raise an error for an integer that does not fit into a dword."""
    for one in found:
        if isinstance(one.value, int) and not _DWORDS[0] <= one.value <= _DWORDS[1]:
            raise one.token.error(f"{one.token.text} does not fit into 32 bits")


# -- headers ---------------------------------------------------------------------------------------


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
