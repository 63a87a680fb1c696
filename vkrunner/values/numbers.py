"""Numbers: whole ones that callers pass, of which none is rounded, and those in text."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from vkrunner.errors import ArgumentError

_TRUTHS = {"true": True, "false": False}


def parse_number(text: str) -> float:
    """An integer, decimal or with Python's prefixes, or a float. Raises ValueError."""
    for base in (10, 0):
        with suppress(ValueError):
            return int(text, base)
    return float(text)


def read_number(text: str, label: str) -> float:
    """A number of a command line, or true or false. Raises ArgumentError."""
    if text in _TRUTHS:
        return _TRUTHS[text]
    with suppress(ValueError):
        return parse_number(text)
    raise ArgumentError(f"{label}: {text!r} is not a number")


def is_integer(value: Any) -> bool:
    """Whether a value is a whole number; True and False are not."""
    return hasattr(value, "__index__") and not isinstance(value, bool)


def as_integer(value: Any, name: str) -> int:
    """A whole number as an `int`. Raises ArgumentError, with the parameter's name, for the rest."""
    if not is_integer(value):
        raise ArgumentError(f"{name} is a whole number, not {value!r}")
    return int(value.__index__())
