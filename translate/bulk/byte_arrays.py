"""Find containers that are written in text, as source code and other formats hold them.

`fxc /Fh` writes an array of bytes in decimal, `BYTE g_main[] = { 68, 88, 66, 67, ... };`. Other
tools write them in hexadecimal or as dwords, Unity's YAML has hexadecimal digits without more, and
JSON base64.
"""

from __future__ import annotations

import base64
import re
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from translate.bulk.pieces import Pieces

_SAMPLE_BYTES = 1 << 16
_MAGIC = b"DXBC"
_LIST = rb"(?<![\w.])"
_NUMBER = re.compile(rb"\s*(0[xX][0-9a-fA-F]{1,8}|[0-9]{1,10})[uU]?[lL]{0,2}\s*(?:,|\Z)")
_BEYOND_NUMBERS = re.compile(rb"[^0-9a-fA-FxXuUlL,\s]")
_SPACE = b" \t\r\n\f\v"

Written = tuple[bytes, Sequence[int]]  # bytes, and where the text of each begins; then the end


class Form(NamedTuple):
    """A way to write bytes in text: a container's start, the first text beyond, and the reader."""

    start: re.Pattern[bytes]
    beyond: re.Pattern[bytes]
    read: Callable[[bytes], Written]


@dataclass(frozen=True, slots=True)
class ByteArray:
    """Bytes that are written in text from byte `start` of it on, in a form of FORMS."""

    form: str
    start: int
    data: bytes
    places: Sequence[int]

    def text_of(self, first: int, count: int) -> tuple[int, int] | None:
        """The bytes [start, end) of the text that hold these; None if other bytes share them."""
        begin, end = self.places[first], self.places[first + count]
        if (first and self.places[first - 1] == begin) or (
            first + count < len(self.data) and self.places[first + count - 1] == end
        ):
            return None
        return self.start + begin, self.start + end


def is_text(data: Pieces) -> bool:
    """Whether the data looks like source text: no byte 0 near the beginning."""
    return b"\0" not in data[:_SAMPLE_BYTES]


def find_arrays(text: Pieces) -> Iterator[ByteArray]:
    """Find bytes in text that begin with the bytes of `DXBC`, in order for each form.

    They end before the first text that is not of their form.
    """
    for name, form in FORMS.items():
        found = text.search(form.start)
        while found is not None:
            beyond = text.search(form.beyond, found[1])
            end = beyond[0] if beyond is not None else len(text)
            yield ByteArray(name, found[0], *form.read(text[found[0] : end]))
            found = text.search(form.start, end)


def bytes_in(text: bytes, form: str) -> bytes:
    """The bytes that a text holds in a form."""
    return FORMS[form].read(text)[0]


def _read_numbers(text: bytes, width: int) -> Written:
    """The numbers of so many bytes at the beginning of a text."""
    made, places = bytearray(), array("Q", [0])
    at = 0
    while (match := _NUMBER.match(text, at)) is not None:
        digits = match[1]
        number = int(digits, 16) if digits[1:2] in (b"x", b"X") else int(digits)
        if number >> 8 * width:
            break
        made += number.to_bytes(width, "little")
        at = match.end()
        places.extend([places[-1]] * (width - 1))
        places.append(at)
    return bytes(made), places


def _read_digits(text: bytes, digits: int, size: int, read: Callable[[bytes], bytes]) -> Written:
    """The bytes of groups of so many digits, each of `size` bytes; blanks may be anywhere."""
    plain = text.translate(None, _SPACE)
    count = len(plain) // digits
    data = read(plain[: count * digits])
    kept: Sequence[int] = range(len(text))
    if len(plain) < len(text):
        kept = array("Q", (at for at, byte in enumerate(text) if byte not in _SPACE))
    ends = [*kept[digits::digits][:count]]
    ends += [kept[-1] + 1] * (count - len(ends))
    begins = [0, *ends[:-1]] if ends else []
    places = array("Q", (begin for begin in begins for _ in range(size)))
    del places[len(data) :]
    return data, array("Q", [*places, ends[-1] if ends else 0])


def _number(width: int, numbers: Sequence[int]) -> Form:
    """A list of numbers of so many bytes, in decimal or hexadecimal."""
    each = (rb"(?:0*%d|0[xX]0*%x)[uU]?[lL]{0,2}" % (number, number) for number in numbers)
    start = _LIST + rb"\s*,\s*".join(each) + rb"\s*,"
    return Form(
        re.compile(start, re.IGNORECASE), _BEYOND_NUMBERS, partial(_read_numbers, width=width)
    )


FORMS: Mapping[str, Form] = {
    "bytes": _number(1, _MAGIC),
    "dwords": _number(4, [int.from_bytes(_MAGIC, "little")]),
    "hexadecimal": Form(
        re.compile(rb"(?<![0-9a-zA-Z])" + _MAGIC.hex().encode()),
        re.compile(rb"[^0-9a-fA-F\s]"),
        partial(_read_digits, digits=2, size=1, read=lambda text: bytes.fromhex(text.decode())),
    ),
    "base64": Form(
        re.compile(rb"(?<![0-9a-zA-Z+/])" + base64.b64encode(_MAGIC)[:5]),
        re.compile(rb"[^0-9a-zA-Z+/=\s]"),
        partial(_read_digits, digits=4, size=3, read=base64.b64decode),
    ),
}
