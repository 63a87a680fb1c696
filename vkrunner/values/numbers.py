"""Whole numbers as callers pass them: Python's, NumPy's, and nothing that would be rounded."""

from __future__ import annotations

from typing import Any

from vkrunner.errors import ArgumentError


def is_integer(value: Any) -> bool:
    """Whether a value is a whole number; True and False are not."""
    return hasattr(value, "__index__") and not isinstance(value, bool)


def as_integer(value: Any, name: str) -> int:
    """A whole number as an `int`. Raises ArgumentError, with the parameter's name, for the rest."""
    if not is_integer(value):
        raise ArgumentError(f"{name} is a whole number, not {value!r}")
    return int(value.__index__())
