"""A file that is searched in pieces: to map it would end the process if the file is cut off."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator
from typing import BinaryIO

_PIECE_BYTES = 1 << 20
_BEFORE_BYTES = 1 << 4  # for a pattern that looks behind
_AFTER_BYTES = 1 << 12  # a longer match that begins in a piece is not found


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
