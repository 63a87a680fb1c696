"""Numbers as callers pass them: whole ones, of which none is rounded, and those of a command."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from vkrunner.errors import ArgumentError

_TRUTHS = {"true": True, "false": False}


def read_number(text: str, label: str) -> float:
    """An integer with Python's prefixes, a float, true or false. Raises ArgumentError."""
    if text in _TRUTHS:
        return _TRUTHS[text]
    with suppress(ValueError):
        return int(text, 0)
    with suppress(ValueError):
        return float(text)
    raise ArgumentError(f"{label}: {text!r} is not a number")


def is_integer(value: Any) -> bool:
    """Whether a value is a whole number; True and False are not."""
    return hasattr(value, "__index__") and not isinstance(value, bool)


def as_integer(value: Any, name: str) -> int:
    """A whole number as an `int`. Raises ArgumentError, with the parameter's name, for the rest."""
    if not is_integer(value):
        raise ArgumentError(f"{name} is a whole number, not {value!r}")
    return int(value.__index__())
