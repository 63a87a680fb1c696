"""Find containers in C source, such as `BYTE g_main[] = { 68, 88, 66, 67, ... };`.

`fxc /Fh` writes such arrays in decimal, other tools in hexadecimal.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from mmap import mmap

_SAMPLE_BYTES = 1 << 16
_MAGIC = b"DXBC"
_START = re.compile(
    rb"(?<![\w.])"
    + rb"\s*,\s*".join(rb"(?:0*%d|0[xX]%02x)[uU]?" % (byte, byte) for byte in _MAGIC)
    + rb"\s*,"
)
_BEYOND = re.compile(rb"[^0-9a-fA-FxXuU,\s]")  # ends a list of numbers
_NUMBER = re.compile(rb"\s*(0[xX][0-9a-fA-F]{1,2}|[0-9]{1,3})[uU]?\s*(?:,|\Z)")


@dataclass(frozen=True, slots=True)
class ByteArray:
    """The numbers of an array, and where in the text each begins, from the array's start on."""

    start: int
    data: bytes
    places: Sequence[int]

    def text_of(self, first: int, count: int) -> tuple[int, int]:
        """The bytes [start, end) of the text that hold so many numbers."""
        end = first + count
        return self.start + self.places[first], self.start + self.places[end]


def is_text(data: bytes | mmap) -> bool:
    """Whether the data looks like source text: no byte 0 near the beginning."""
    return b"\0" not in data[:_SAMPLE_BYTES]


def find_arrays(text: bytes | mmap) -> Iterator[ByteArray]:
    """Find arrays of bytes that begin with the bytes of `DXBC`, in order.

    An array ends before the first text that is not a number from 0 to 255.
    """
    match = _START.search(text)
    while match is not None:
        beyond = _BEYOND.search(text, match.end())
        end = beyond.start() if beyond is not None else len(text)
        yield ByteArray(match.start(), *_numbers(text[match.start() : end]))
        match = _START.search(text, end)


def numbers_of(text: bytes) -> bytes:
    """The numbers from 0 to 255 at the beginning of a text."""
    return _numbers(text)[0]


def _numbers(text: bytes) -> tuple[bytes, Sequence[int]]:
    """The numbers at the beginning of a text, where each begins, and where they end."""
    made, places = bytearray(), array("Q", [0])
    at = 0
    while (match := _NUMBER.match(text, at)) is not None:
        digits = match[1]
        number = int(digits, 16) if digits[1:2] in (b"x", b"X") else int(digits)
        if number > 255:
            break
        made.append(number)
        at = match.end()
        places.append(at)
    return bytes(made), places
