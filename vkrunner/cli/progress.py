"""A line on the terminal while the driver compiles a pipeline, which may take minutes."""

from __future__ import annotations

import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from threading import Event, Thread

from vkrunner import Device

_SHOWN_AFTER_S = 1.0
_LOOK_EVERY_S = 0.2


@contextmanager
def show_compiling(device: Device) -> Generator[None]:
    """Show it within a `with`, where standard error is a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    ended = Event()
    thread = Thread(target=_watch, args=(device, ended), daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def clear_line() -> None:
    """Erase the cursor's line on standard error, a terminal."""
    print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def show_line(text: str) -> None:
    """Put a text in its place."""
    print(f"\r\x1b[K{text[:79]}", end="", file=sys.stderr, flush=True)


def _watch(device: Device, ended: Event) -> None:
    begun: float | None = None
    shown = False
    while not ended.wait(_LOOK_EVERY_S):
        if not device.is_compiling:
            begun = None
        elif begun is None:
            begun = time.monotonic()
        seconds = 0 if begun is None else time.monotonic() - begun
        if seconds >= _SHOWN_AFTER_S:
            show_line(f"the driver compiles a pipeline: {seconds:.0f} s")
        elif shown:
            clear_line()
        shown = seconds >= _SHOWN_AFTER_S
    if shown:
        clear_line()
