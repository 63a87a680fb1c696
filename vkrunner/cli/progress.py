"""A progress line on the terminal during long work: compiling, reading, running, writing."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from threading import Event, Lock, Thread

from translate.errors import escaped
from vkrunner import Device, VulkanError

Say = Callable[[str], None]

_SHOWN_AFTER_S = 1.0
_LOOK_EVERY_S = 0.2
_COMPILING = "the driver compiles a pipeline"


@contextmanager
def show_work(device: Device) -> Generator[Say]:
    """Within the `with`, show the current work on standard error if it takes over a second.

    The yielded function sets the text; "" means none. While the device's driver compiles, the line
    says so. The line is erased for the next text, and at the end. Nothing is shown if standard
    error is not a terminal.
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
    """Erase the cursor's line on standard error, which is a terminal."""
    print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def show_line(text: str) -> None:
    """Replace the cursor's line by a text."""
    print(f"\r\x1b[K{escaped(text)[:79]}", end="", file=sys.stderr, flush=True)


def _nothing(text: str) -> None:
    """Show no text."""


class _Line:
    """The line of `show_work`: its text, the time since it was set, and whether it is shown."""

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
        text = self._said
        with suppress(VulkanError):  # the work that fails tells
            text = _COMPILING if self._device.is_compiling else text
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
