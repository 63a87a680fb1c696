"""Standard streams that are closed when the command starts, as by `sm5vk run - <&-`."""

from __future__ import annotations

import errno
import io
import os
import sys
from typing import BinaryIO

_NAMES = {"stdin": "standard input", "stdout": "standard output", "stderr": "standard error"}


class _Closed(io.TextIOBase):
    """A stream whose use is an error, as Python's own None would be a fault."""

    def __init__(self, name: str):
        self._error = OSError(errno.EBADF, "it is closed", _NAMES[name])

    def write(self, _text: str, /) -> int:
        raise self._error

    @property
    def buffer(self) -> BinaryIO:
        raise self._error


def replace_closed_streams() -> None:
    """Put streams in place of those that are closed: what is written to standard error is lost.

    Files of their numbers are opened, or else the next file would be taken for the stream, by a
    driver that prints for instance.
    """
    for number, name in enumerate(_NAMES):
        if getattr(sys, name) is not None:
            continue
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
        if name == "stderr":
            sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 (to the end)
        else:
            setattr(sys, name, _Closed(name))
