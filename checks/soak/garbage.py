"""Garbage whose finalizers call code of a caller's, in whichever thread the collector runs."""

from __future__ import annotations

import inspect
import weakref
from collections.abc import Callable
from types import FrameType

import checks.driver

# The simulated driver stands for C code, within which no finalizer and no handler runs.
DRIVER = frozenset({checks.driver.__file__})


class _Cycle:
    """Only the collector finds it."""

    def __init__(self, call: Callable[[], None] | None):
        self._me, self._call = self, call

    def __del__(self) -> None:
        if self._call is not None:
            _finalize(self._call)


def leave(call: Callable[[], None]) -> None:
    """Have a function called by finalizers of both kinds."""
    _Cycle(call)
    weakref.finalize(_Cycle(None), _finalize, call)


def _finalize(call: Callable[[], None]) -> None:
    if is_within(inspect.currentframe(), DRIVER):
        leave(call)
    else:
        call()


def is_within(frame: FrameType | None, places: frozenset[str]) -> bool:
    """Whether a function of these names or files, or one that it called, is at this frame."""
    while frame is not None:
        if not places.isdisjoint((frame.f_code.co_name, frame.f_code.co_filename)):
            return True
        frame = frame.f_back
    return False
