"""Files that are written whole or not at all, and files that are read whole."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO


def read_file(path: Path, most_bytes: int | None = None) -> bytes:
    """The bytes of a regular file of at most that many.

    Raises OSError for a larger one, and as `open_regular` does.
    """
    with open_regular(path) as file:
        if most_bytes is not None and os.fstat(file.fileno()).st_size > most_bytes:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), os.fspath(path))
        return file.read()


@contextmanager
def open_regular(path: Path) -> Generator[BinaryIO]:
    """A regular file. Raises OSError for a pipe or a device, which may have no end."""
    with open(path, "rb", opener=_open_at_once) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "not a regular file", os.fspath(path))
        yield file


def _open_at_once(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))  # else a pipe waits for a writer


def write_whole(contents: Mapping[Path, bytes]) -> None:
    """Write files together: only when all are complete does any take its name."""
    prepared: list[tuple[Path, Path]] = []
    try:
        for path, data in contents.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            temporary = path.with_name(f".{path.name}.{os.getpid()}")
            prepared.append((temporary, path))
            temporary.write_bytes(data)
        for temporary, path in prepared:
            os.replace(temporary, path)
    finally:
        for temporary, _ in prepared:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
