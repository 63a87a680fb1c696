"""The texels of an EXR file, as a program for `vkrunner.values.pictures`.

A process of its own, since OpenEXR prints lines of its own about damaged files, with text of the
file. It reads the path from its standard input and writes a .npy file to its standard output, or
why the picture is refused, and then exits with 1.
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
_CHANNELS = (("RGBA",), ("RGB",), ("Y",), ("R",))


def _texels(path: str) -> Any:
    openexr: Any = importlib.import_module("OpenEXR")
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
            texels = _texels(os.fsdecode(sys.stdin.buffer.read()))
        except _MALFORMED as error:
            output.write(str(error).encode(errors="backslashreplace"))
            return 1
        array_bytes = BytesIO()  # np.save needs a file that can seek
        np.save(array_bytes, texels, allow_pickle=False)
        output.write(array_bytes.getbuffer())
    return 0


if __name__ == "__main__":
    sys.exit(main())
