"""Numbers, patterns and element types: the same syntax in all sections."""

from __future__ import annotations

import math
import re

import numpy as np

from vkrunner.shadertest.cases import Number, Pattern, Values
from vkrunner.shadertest.cursor import NUMBER, WORD, Cursor, Token
from vkrunner.values.elements import ElementType, element_of_dtype
from vkrunner.values.numbers import parse_number

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


def sees_pattern(cursor: Cursor) -> bool:
    return cursor.sees(PATTERN)


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
    if sees_pattern(cursor):
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
