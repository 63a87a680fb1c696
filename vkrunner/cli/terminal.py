"""Colours, unless NO_COLOR is set, pictures and a line of progress on a terminal.

A picture has two pixels in each character. The line shows that long work goes on: compiling,
reading, running, writing.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from threading import Event, Lock, Thread
from typing import TextIO

from translate.errors import escaped
from vkrunner import Device, VulkanError
from vkrunner.values.numbers import Array
from vkrunner.values.pictures import fitted

_RESET = "\x1b[0m"
_RED, _GREEN, _YELLOW, _BOLD = (f"\x1b[{code}m" for code in (31, 32, 33, 1))
_STATUS = {"FAILED": _RED, "ERROR": _RED, "PASSED": _GREEN, "SKIPPED": _YELLOW}
_PLACE = re.compile(r"^([^\n]*?): (error|warning): ")
_CARET = re.compile(r"^( *\| *)(\^+)$")
_HALF = "\u2580"  # the upper half of a character is in the text's colour
_MOST_LINES = 24
Say = Callable[[str], None]
_SHOWN_AFTER_S = 1.0
_LOOK_EVERY_S = 0.2
_COMPILING = "the driver compiles a pipeline"


def has_colour(stream: TextIO) -> bool:
    """Whether a stream is a terminal that shows colours (https://no-color.org)."""
    wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return wanted and stream.isatty()


def coloured(text: str) -> str:
    """A test's outcome as coloured text: its status, `error:` and the caret stand out."""
    return "\n".join(map(_line, text.split("\n")))


def _line(line: str) -> str:
    status, space, rest = line.partition(" ")
    if status in _STATUS:
        return f"{_STATUS[status]}{status}{_RESET}{space}{rest}"
    if place := _PLACE.match(line):
        kind = _RED if place[2] == "error" else _YELLOW
        shown = f"{_BOLD}{place[1]}:{_RESET} {kind}{place[2]}:{_RESET} "
        return shown + line[place.end() :]
    return _CARET.sub(rf"\1{_GREEN}\2{_RESET}", line)


def shows_pictures() -> bool:
    """Whether standard output is a terminal with colours and Unicode."""
    encoding = (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "")
    return has_colour(sys.stdout) and encoding == "utf8"


def picture_text(texels: Array) -> str:
    """A picture, u8[height, width, 3], in lines of coloured characters, as large as fits."""
    import shutil  # pictures on a terminal only

    columns, lines = shutil.get_terminal_size()
    shown = fitted(texels, columns, 2 * min(max(lines - 4, 1), _MOST_LINES)).tolist()
    rows = (
        _row(upper, lower) for upper, lower in zip(shown[::2], [*shown[1::2], []], strict=False)
    )
    return "".join(rows)


def _row(upper: list[list[int]], lower: list[list[int]]) -> str:
    """A line of the upper and the lower row of pixels; the last row has none below it."""
    cells = [_colour(38, pixel) for pixel in upper]
    below = [_colour(48, pixel) for pixel in lower] or [""] * len(cells)
    return "".join(f"{a}{b}{_HALF}" for a, b in zip(cells, below, strict=True)) + f"{_RESET}\n"


def _colour(ground: int, pixel: list[int]) -> str:
    """The escape sequence for a colour; of terminals with 256 colours, the nearest of its cube."""
    red, green, blue = pixel
    if os.environ.get("COLORTERM", "") in ("truecolor", "24bit"):
        return f"\x1b[{ground};2;{red};{green};{blue}m"
    r, g, b = (max(0, (value - 35) // 40) for value in pixel)  # levels 0, 95, 135, 175, 215, 255
    return f"\x1b[{ground};5;{16 + 36 * r + 6 * g + b}m"


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
