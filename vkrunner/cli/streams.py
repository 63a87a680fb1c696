"""Standard streams that are closed when the command starts, for instance by `sm5vk run - <&-`."""

from __future__ import annotations

import errno
import io
import os
import sys
from typing import BinaryIO

_NAMES = {"stdin": "standard input", "stdout": "standard output", "stderr": "standard error"}


class _Closed(io.TextIOBase):
    """A stream that raises OSError when it is used; Python's own None would crash the command."""

    def __init__(self, name: str):
        self._error = OSError(errno.EBADF, "it is closed", _NAMES[name])

    def write(self, _text: str, /) -> int:
        raise self._error

    @property
    def buffer(self) -> BinaryIO:
        raise self._error


def replace_closed_streams() -> None:
    """Replace closed standard streams. Text for a closed standard error is lost.

    Their file descriptors are opened on os.devnull. Otherwise the next opened file would get such a
    descriptor, and a driver that prints would write to that file.
    """
    for number, name in enumerate(_NAMES):
        if getattr(sys, name) is not None:
            continue
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
        if name == "stderr":
            sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 (open until the end)
        else:
            setattr(sys, name, _Closed(name))
