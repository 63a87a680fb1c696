"""A line on the terminal that says what takes long: compiling, reading, running, writing."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from threading import Event, Lock, Thread

from vkrunner import Device

Say = Callable[[str], None]

_SHOWN_AFTER_S = 1.0
_LOOK_EVERY_S = 0.2
_COMPILING = "the driver compiles a pipeline"


@contextmanager
def show_work(device: Device) -> Generator[Say]:
    """Within a `with`: shows on standard error, a terminal, what has been done for a second.

    That is the text that was said last, "" for none; or that the device's driver compiles. The line
    is gone when another text is said, and at the end.
    """
    if not sys.stderr.isatty():
        yield _nothing
        return
    line, ended = _Line(device), Event()
    thread = Thread(target=line.watch, args=(ended,), daemon=True)
    thread.start()
    try:
        yield line.say
    finally:
        ended.set()
        thread.join()


def clear_line() -> None:
    """Erase the cursor's line on standard error, a terminal."""
    print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def show_line(text: str) -> None:
    """Put a text in its place."""
    print(f"\r\x1b[K{text[:79]}", end="", file=sys.stderr, flush=True)


def _nothing(text: str) -> None:
    """Show nothing."""


class _Line:
    """The line of `show_work`: a text, since when it holds, and whether it is shown."""

    def __init__(self, device: Device):
        self._device = device
        self._lock = Lock()
        self._said = self._text = ""
        self._begun = time.monotonic()
        self._is_shown = False

    def say(self, text: str) -> None:
        with self._lock:
            self._said = text
            self._change(text)

    def watch(self, ended: Event) -> None:
        while not ended.wait(_LOOK_EVERY_S):
            with self._lock:
                self._look()
        with self._lock:
            self._change("")

    def _look(self) -> None:
        text = _COMPILING if self._device.is_compiling else self._said
        if text != self._text:
            self._change(text)
        seconds = time.monotonic() - self._begun
        if text and seconds >= _SHOWN_AFTER_S:
            show_line(f"{text}: {seconds:.0f} s")
            self._is_shown = True

    def _change(self, text: str) -> None:
        if self._is_shown:
            clear_line()
        self._text, self._begun, self._is_shown = text, time.monotonic(), False
