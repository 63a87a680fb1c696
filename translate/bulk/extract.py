"""Extract containers from other files: archives, executables, source text with byte arrays."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from translate.bulk.embedded import (
    ChangedFileError,
    Damaged,
    Pieces,
    bytes_in,
    find_arrays,
    find_containers,
    is_text,
)
from translate.files import open_regular


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
            data = Pieces(file, path)[self.start : self.end]
        try:
            found = bytes_in(data, self.form) if self.form else data
        except ValueError:
            raise ChangedFileError(path) from None
        if not hashlib.sha256(found).hexdigest().startswith(self.name.partition(".")[0]):
            raise ChangedFileError(path)
        return found


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
                yield Note(f"{path}: byte {found.offset:#x}", found.reason)
            else:
                yield Part(found.name, found.offset, found.offset + found.size)
        if is_text(data):
            yield from _in_arrays(path, data)


def _in_arrays(path: Path, text: Pieces) -> Iterator[Part | Note]:
    line, counted = 1, 0
    for array in find_arrays(text):
        if array.start < counted:  # of another form
            line, counted = 1, 0
        line, counted = line + text.count_lines(counted, array.start), array.start
        for found in find_containers(array.data):
            if isinstance(found, Damaged):
                yield Note(f"{path}:{line}", found.reason)
            else:
                place = array.text_of(found.offset, found.size)
                if place is not None:
                    yield Part(found.name, *place, array.form)
