"""The texels of an EXR file, as a program for `vkrunner.values.pictures`.

A process of its own, since OpenEXR prints lines of its own about damaged files, with text of the
file. Its standard input has the most bytes that a picture may have with a byte for each component,
and the path, each on a line. It writes a .npy file to its standard output, or why the picture is
refused, and then exits with 1.
"""

from __future__ import annotations

import importlib
import os
import sys
from io import BytesIO
from typing import Any

import numpy as np

# Errors for broken pictures; OpenEXR gives an OSError no cause
_MALFORMED = (OSError, ValueError, EOFError, TypeError, OverflowError, RuntimeError)
_MOST_TEXELS = 178_956_970  # as many as Pillow reads
_CHANNELS = (("RGBA",), ("RGB",), ("Y",), ("R",))


def _texels(path: str, most_bytes: int) -> Any:
    openexr: Any = importlib.import_module("OpenEXR")
    with openexr.File(path, header_only=True) as file:
        for header in (part.header for part in file.parts):  # all of which it would read
            first, last = np.asarray(header["dataWindow"], np.int64)
            width, height = (last - first + 1).tolist()
            most = min(_MOST_TEXELS, most_bytes // max(len(header["channels"]), 1))
            if width * height > most:
                raise ValueError(f"it has {width} by {height} pixels")
    with openexr.File(path) as file:
        channels: dict[str, Any] = file.channels()
        found = next((names for names in _CHANNELS if {*names} == channels.keys()), None)
        if found is None:
            there = ", ".join(channels)
            raise ValueError(f"it has the channels {there}, not RGBA, RGB, R or Y")
        return np.ascontiguousarray(channels[found[0]].pixels)


def main() -> int:
    with os.fdopen(os.dup(1), "wb") as output:
        os.dup2(2, 1)  # OpenEXR prints to both
        try:
            most_bytes, _, path = sys.stdin.buffer.read().partition(b"\n")
            texels = _texels(os.fsdecode(path), int(most_bytes))
        except _MALFORMED as error:
            output.write(str(error).encode(errors="backslashreplace"))
            return 1
        array_bytes = BytesIO()  # np.save needs a file that can seek
        np.save(array_bytes, texels, allow_pickle=False)
        output.write(array_bytes.getbuffer())
    return 0


if __name__ == "__main__":
    sys.exit(main())
