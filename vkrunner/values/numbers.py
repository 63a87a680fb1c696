"""Numbers: integers that callers pass, which are never rounded, and numbers in text."""

from __future__ import annotations

from contextlib import suppress
from operator import index
from typing import Any

from vkrunner.errors import WrongTypeError

_TRUTHS = {"true": True, "false": False}


def parse_number(text: str) -> float:
    """An integer, decimal or with one of Python's prefixes (0x), or a float. Raises ValueError."""
    for base in (10, 0):
        with suppress(ValueError):
            return int(text, base)
    return float(text)


def read_number(text: str, label: str) -> float:
    """A number of the command line, or true or false. Raises ArgumentError for other text."""
    if text in _TRUTHS:
        return _TRUTHS[text]
    with suppress(ValueError):
        return parse_number(text)
    raise WrongTypeError(f"{label}: {text!r} is not a number")


def is_integer(value: Any) -> bool:
    """Whether a value is an integer; True, False and arrays of several numbers are not."""
    try:
        index(value)
    except TypeError:
        return False
    return not isinstance(value, bool)


def as_integer(value: Any, name: str) -> int:
    """An integer of any type as `int`. Raises ArgumentError, with `name`, for other values."""
    if not is_integer(value):
        raise WrongTypeError(f"{name} is a whole number, not {value!r}")
    return int(value.__index__())


def counted(count: int, noun: str) -> str:
    """A number with its noun: `1 race`, `1,024 races`."""
    return f"{count:,} {noun}{'s' if count > 1 else ''}"
