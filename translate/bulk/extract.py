"""Find containers inside other files: archives, executables, source text with byte arrays.

Damaged ones are found too, and shaders of every stage. Containers without a program of their own,
such as effects, are left out, but they may enclose containers that have one.

`fxc /Fh` writes an array of bytes in decimal, `BYTE g_main[] = { 68, 88, 66, 67, ... };`. Other
tools write them in hexadecimal or as dwords, Unity's YAML has hexadecimal digits without more, and
JSON base64.
"""

from __future__ import annotations

import base64
import errno
import hashlib
import os
import re
import struct
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import BinaryIO, NamedTuple, TypeAlias

from translate.dataclass import dataclass
from translate.dxbc.container import HEADER, MAGIC, PROGRAM_CHUNKS, Container, parse_container
from translate.errors import DecodeError, escaped
from translate.files import open_regular

_PIECE_BYTES = 1 << 20
_TEXT_BYTES = 1 << 17
_BEFORE_BYTES = 1 << 4  # for a pattern that looks behind
_AFTER_BYTES = 1 << 12  # a longer match that begins in a piece is not found
_VERSION = 1
_MOST_CHUNKS = 1024  # compilers write a dozen
_MOST_DAMAGED = 16  # limits how often a byte is read, so that reading stays linear
_PROGRAM = (*PROGRAM_CHUNKS, b"DXIL")
_NAME_DIGITS = 32
_STAGES = {  # By the program type in the version token
    **{0: "ps", 1: "vs", 2: "gs", 3: "hs", 4: "ds", 5: "cs"},
    **{6: "lib", 13: "ms", 14: "as"},  # DXIL only
}
_SAMPLE_BYTES = 1 << 16
_LIST = rb"(?<![\w.])"
_NUMBER = re.compile(rb"\s*(0[xX][0-9a-fA-F]{1,8}|[0-9]{1,10})[uU]?[lL]{0,2}\s*(?:,|\Z)")
_BEYOND_NUMBERS = re.compile(rb"[^0-9a-fA-FxXuUlL,\s]")
_SPACE = b" \t\r\n\f\v"
Written = tuple[bytes, Sequence[int]]  # bytes, and where the text of each begins; then the end


class ChangedFileError(OSError):
    """A file is no longer as it was when it was opened or searched."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        super().__init__(errno.ESTALE, "the file changed while it was read", os.fspath(path))


class Pieces:
    """The bytes of an open file, like `bytes`. All methods raise OSError."""

    def __init__(self, file: BinaryIO, path: str | os.PathLike[str]) -> None:
        self._file = file
        self._path = path
        self._size_bytes = file.seek(0, os.SEEK_END)
        self._begin, self._piece = 0, b""

    def __len__(self) -> int:
        return self._size_bytes

    def __getitem__(self, part: slice) -> bytes:
        start, stop, _ = part.indices(self._size_bytes)
        begin, end = start - self._begin, stop - self._begin
        if 0 <= begin <= end <= len(self._piece):
            return self._piece[begin:end]
        self._file.seek(start)
        data = self._file.read(max(stop - start, 0))
        if len(data) < stop - start:
            raise ChangedFileError(self._path)
        return data

    def find(self, sought: bytes, start: int = 0) -> int:
        """The first place of some bytes from `start` on; -1 without one."""
        for begin, piece in self._from(start):
            found = piece.find(sought, max(start - begin, 0))
            if found >= 0:
                return begin + found
        return -1

    def search(self, pattern: re.Pattern[bytes], start: int = 0) -> tuple[int, int] | None:
        """The first match [start, end) of a pattern from `start` on."""
        for begin, piece in self._from(start):
            match = pattern.search(piece, max(start - begin, 0))
            if match is not None:
                return begin + match.start(), begin + match.end()
        return None

    def count_lines(self, start: int, end: int) -> int:
        """How many lines end in [start, end)."""
        places = range(start, end, _PIECE_BYTES)
        return sum(self[at : min(at + _PIECE_BYTES, end)].count(b"\n") for at in places)

    def _from(self, start: int) -> Iterator[tuple[int, bytes]]:
        """The pieces from that with `start` on, and where each begins; each overlaps the next."""
        for at in range(start - start % _PIECE_BYTES, self._size_bytes, _PIECE_BYTES):
            begin = max(at - _BEFORE_BYTES, 0)
            piece = self[begin : at + _PIECE_BYTES + _AFTER_BYTES]
            self._begin, self._piece = begin, piece
            yield begin, piece


@dataclass(frozen=True, slots=True, order=True)
class Part:
    """A container inside a file.

    Attributes
    ----------
    name : str
        `HASH.PROFILE.dxbc`, from the SHA-256 of its bytes: equal containers have equal names.
    start : int
        The byte of the file where the container begins.
    end : int
        The byte after its end.
    form : str
        How the file has the container's bytes in text: bytes or dwords (lists of numbers),
        hexadecimal or base64; "" where it has the bytes themselves.
    """

    name: str
    start: int
    end: int
    form: str = ""

    def read(self, path: Path) -> bytes:
        """Read the container.

        Parameters
        ----------
        path : Path
            The file that contains the part.

        Returns
        -------
        bytes
            The container.

        Raises
        ------
        OSError
            The file cannot be read, or no longer has this part.
        """
        with open_regular(path) as file:
            data = Pieces(file, path)
            try:
                if self.form:
                    found = ByteArray(data, self.form, self.start, self.end)[:]
                else:
                    found = data[self.start : self.end]
            except ValueError:
                raise ChangedFileError(path) from None
        if not hashlib.sha256(found).hexdigest().startswith(self.name.partition(".")[0]):
            raise ChangedFileError(path)
        return found


@dataclass(frozen=True, slots=True)
class Damaged:
    """Data that begins like a container but is not a valid one."""

    offset: int
    reason: str


Data: TypeAlias = "bytes | Pieces | ByteArray"


def find_containers(data: Data) -> Iterator[Part | Damaged]:
    """The containers in `data`, in order of their offsets; they do not overlap.

    The tag `DXBC` alone does not count, because programs that read containers include it too. A tag
    followed by a version is a container. It is damaged if its sizes are wrong, or its checksum.
    """
    ends: list[int] = []  # of the damaged containers around `at`
    at = data.find(MAGIC)
    while at >= 0:
        following = at + len(MAGIC)
        found = _read(data, at, ends) if _begins_container(data, at) else None
        if isinstance(found, Part):
            following = found.end
        if found is not None:
            yield found
        at = data.find(MAGIC, following)


def _begins_container(data: Data, at: int) -> bool:
    return data[at + 20 : at + 24] == _VERSION.to_bytes(4, "little")


def _read(data: Data, at: int, ends: list[int]) -> Part | Damaged | None:
    """The container at `at`; None if it has no program."""
    ends[:] = [end for end in ends if end > at]
    try:
        size = _size(data, at)
        if len(ends) == _MOST_DAMAGED:
            return Damaged(at, f"it lies within {_MOST_DAMAGED} others that are damaged")
        ends.append(at + size)
        contents = data[at : at + size]
        container = parse_container(contents, None)
    except DecodeError as error:
        return Damaged(at, error.message)
    if container.warnings:
        return Damaged(at, container.warnings[0])
    profile = _profile(container)
    if profile is None:
        return None
    ends.pop()
    digest = hashlib.sha256(contents).hexdigest()
    return Part(f"{digest[:_NAME_DIGITS]}.{profile}.dxbc", at, at + size)


def _size(data: Data, at: int) -> int:
    """The size in the header. Raises DecodeError if it cannot be right."""
    header = data[at : at + HEADER.size]
    if len(header) < HEADER.size:
        raise DecodeError("its header is cut off")
    size, count = HEADER.unpack(header)[-2:]
    if size > len(data) - at:
        raise DecodeError(f"the container has {size} bytes, but only {len(data) - at} are left")
    if count > _MOST_CHUNKS:
        raise DecodeError(f"the container has {count} chunks, more than compilers write")
    return size


def _profile(container: Container) -> str | None:
    """The profile in the program's version token; None for a container without a program."""
    for fourcc in _PROGRAM:
        index = container.find(fourcc)
        if index is not None and len(container.chunks[index].payload) >= 4:
            (token,) = struct.unpack_from("<I", container.chunks[index].payload)
            stage = _STAGES.get(token >> 16, f"stage{token >> 16}")
            return f"{stage}_{token >> 4 & 0xF}_{token & 0xF}"
    return None


class Form(NamedTuple):
    """A way to write bytes in text: a container's start, the first text beyond, and the reader.

    `size` is the number of bytes that are written together, `separator` what may stand between.
    `least` is the shortest text, after the start, of the other bytes up to a container's version.
    """

    start: re.Pattern[bytes]
    beyond: re.Pattern[bytes]
    size: int
    separator: bytes
    least: int
    read: Callable[[bytes], Written]


class ByteArray:
    """Bytes that are written in the part [start, end) of a text, in a form of FORMS.

    Like `bytes`, but read in pieces: decoded, text takes many times its size.
    """

    def __init__(self, text: Pieces, form: str, start: int, end: int) -> None:
        self.form, self.start = form, start
        self._text, self._form = text, FORMS[form]
        self._starts, self._counts = [start], [0]  # of pieces: their text, the bytes before them
        self._kept: dict[int, Written] = {}
        end, length = min(end, len(text)), _TEXT_BYTES
        while self._starts[-1] < end:
            begin = self._starts[-1]
            piece = text[begin : min(begin + length, end)]
            blanks = len(piece) - len(piece.lstrip(_SPACE))
            if blanks:
                self._starts[-1] += blanks
                continue
            is_last = begin + len(piece) == end
            if self._form.separator and not is_last:
                piece = piece[: piece.rfind(self._form.separator) + 1]
            data, places = self._form.read(piece)
            if not data and not is_last:  # many blanks are between its digits
                length *= 2
                continue
            if not data:
                break
            length = _TEXT_BYTES
            self._starts.append(self._starts[-1] + places[-1])
            self._counts.append(self._counts[-1] + len(data))
            self._kept = {len(self._counts) - 2: (data, places)}
            is_cut_short = self._form.separator and places[-1] < len(piece)
            if is_cut_short or len(data) % self._form.size:  # what follows is no part of it
                break

    def __len__(self) -> int:
        return self._counts[-1]

    def __getitem__(self, part: slice) -> bytes:
        start, stop, _ = part.indices(len(self))
        found: list[bytes] = []
        for number in range(self._piece_of(start), len(self._starts) - 1):
            before = self._counts[number]
            if before >= stop:
                break
            found.append(self._read(number)[0][max(start - before, 0) : stop - before])
        return b"".join(found)

    def find(self, sought: bytes, start: int = 0) -> int:
        """The first place of some bytes from `start` on; -1 without one."""
        for number in range(self._piece_of(start), len(self._starts) - 1):
            before, after = self._counts[number : number + 2]
            at = self._read(number)[0].find(sought, max(start - before, 0))
            if at >= 0:
                return before + at
            beyond = max(after - len(sought) + 1, start)
            at = self[beyond : after + len(sought) - 1].find(sought)
            if at >= 0:
                return beyond + at
        return -1

    def text_of(self, start: int, end: int) -> tuple[int, int] | None:
        """The part [start, end) of the text that holds these bytes; None if it holds others too."""
        if start % self._form.size or (end % self._form.size and end < len(self)):
            return None
        return self._place(start), self._place(end)

    def _place(self, at: int) -> int:
        """Where the text of a byte begins."""
        number = self._piece_of(at)
        if self._counts[number] == at:
            return self._starts[number]
        return self._starts[number] + self._read(number)[1][at - self._counts[number]]

    def _piece_of(self, at: int) -> int:
        return bisect_right(self._counts, at) - 1

    def _read(self, number: int) -> Written:
        """A piece's bytes; those of the last two are kept."""
        if number not in self._kept:
            if len(self._kept) > 1:
                del self._kept[next(iter(self._kept))]
            start, end = self._starts[number : number + 2]
            self._kept[number] = self._form.read(self._text[start:end])
        return self._kept[number]


def is_text(data: Pieces) -> bool:
    """Whether the data looks like source text: no byte 0 near the beginning."""
    return b"\0" not in data[:_SAMPLE_BYTES]


def find_arrays(text: Pieces) -> Iterator[ByteArray]:
    """Find bytes in text that begin with the bytes of `DXBC`, in order for each form.

    They end before the first text that is not of their form. Those that are too short for a
    container are left out.
    """
    for name, form in FORMS.items():
        found = text.search(form.start)
        while found is not None:
            beyond = text.search(form.beyond, found[1])
            end = beyond[0] if beyond is not None else len(text)
            if end - found[1] >= form.least:
                yield ByteArray(text, name, found[0], end)
            found = text.search(form.start, end)


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
    if not count:
        return b"", array("Q", [0])
    data = read(plain[: count * digits])
    kept: Sequence[int] = range(len(text))
    if len(plain) < len(text):
        kept = array("Q", (at for at, byte in enumerate(text) if byte not in _SPACE))
    ends = [*kept[digits::digits][:count]]
    ends += [kept[-1] + 1] * (count - len(ends))
    begins = [0, *ends[:-1]]
    places = array("Q", (begin for begin in begins for _ in range(size)))
    del places[len(data) :]
    return data, array("Q", [*places, ends[-1]])


def _number(width: int, numbers: Sequence[int]) -> Form:
    """A list of numbers of so many bytes, in decimal or hexadecimal."""
    each = (rb"(?:0*%d|0[xX]0*%x)[uU]?[lL]{0,2}" % (number, number) for number in numbers)
    start = _LIST + rb"\s*,\s*".join(each) + rb"\s*,"
    pattern = re.compile(start, re.IGNORECASE)
    least = len(b"0," * (20 // width)) - 1
    return Form(pattern, _BEYOND_NUMBERS, width, b",", least, partial(_read_numbers, width=width))


FORMS: Mapping[str, Form] = {
    "bytes": _number(1, MAGIC),
    "dwords": _number(4, [int.from_bytes(MAGIC, "little")]),
    "hexadecimal": Form(
        re.compile(rb"(?<![0-9a-zA-Z])" + MAGIC.hex().encode()),
        re.compile(rb"[^0-9a-fA-F\s]"),
        1,
        b"",
        40,
        partial(_read_digits, digits=2, size=1, read=lambda text: bytes.fromhex(text.decode())),
    ),
    "base64": Form(
        re.compile(rb"(?<![0-9a-zA-Z+/])" + base64.b64encode(MAGIC)[:5]),
        re.compile(rb"[^0-9a-zA-Z+/=\s]"),
        3,
        b"",
        27,
        partial(_read_digits, digits=4, size=3, read=base64.b64decode),
    ),
}


@dataclass(frozen=True, slots=True)
class Note:
    """A damaged container, which is skipped.

    Attributes
    ----------
    place : str
        The file, and the place in it.
    reason : str
        The damage.
    """

    place: str
    reason: str

    def __str__(self) -> str:
        return f"{self.place}: warning: skipping a damaged container: {self.reason}"


def find_parts(path: Path) -> Iterator[Part | Note]:
    """Find the containers in a file, in order, and notes of damaged ones.

    Equal containers are all listed.

    Parameters
    ----------
    path : Path
        A file of any kind. It is read in pieces, so it may be larger than memory.

    Yields
    ------
    Part or Note
        A container, or the reason why one is skipped.

    Raises
    ------
    OSError
        The file cannot be read.
    """
    with open_regular(path) as file:
        data = Pieces(file, path)
        for found in find_containers(data):
            if isinstance(found, Damaged):
                yield Note(f"{escaped(str(path))}: byte {found.offset:#x}", found.reason)
            else:
                yield found
        if is_text(data):
            yield from _in_arrays(path, data)


def _in_arrays(path: Path, text: Pieces) -> Iterator[Part | Note]:
    line, counted = 1, 0
    for written in find_arrays(text):
        if written.start < counted:  # of another form
            line, counted = 1, 0
        line, counted = line + text.count_lines(counted, written.start), written.start
        for found in find_containers(written):
            if isinstance(found, Damaged):
                yield Note(f"{escaped(str(path))}:{line}", found.reason)
            else:
                place = written.text_of(found.start, found.end)
                if place is not None:
                    yield Part(found.name, *place, written.form)
