"""Run Microsoft's compiler from its DLL: `d3dcompiler.py DLL [fxc's options] SOURCE`.

This is a separate program that needs only Python's standard library. It runs as `python -I`, so
that a crash or hang of the DLL affects only that process. It accepts fxc's options for compilation,
prints the compiler's messages, and exits with 1 if the compiler rejects the source. Source:
Microsoft's reference of D3DCompile, ID3DBlob, ID3DInclude and D3DCOMPILE.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from translate.dataclass import dataclass, field

# The DLL's functions are stdcall, which differs from C's convention only on 32-bit Windows.
_FUNCTION: Callable[..., Any] = getattr(ctypes, "WINFUNCTYPE", ctypes.CFUNCTYPE)
_LIBRARY: Callable[[str], Any] = getattr(ctypes, "WinDLL", ctypes.CDLL)

_HRESULT = ctypes.c_int32
_E_FAIL = -0x7FFFBFFB  # 0x80004005
_S_OK = 0

# fxc's option -> D3DCOMPILE_*
FLAGS = {
    "nologo": 0,
    "Zi": 1 << 0,
    "Vd": 1 << 1,
    "Od": 1 << 2,
    "Zpr": 1 << 3,
    "Zpc": 1 << 4,
    "Gpp": 1 << 5,
    "Op": 1 << 8,
    "Gfa": 1 << 9,
    "Gfp": 1 << 10,
    "Ges": 1 << 11,
    "Gec": 1 << 12,
    "Gis": 1 << 13,
    "O0": 1 << 14,
    "O1": 0,
    "O2": 1 << 14 | 1 << 15,
    "O3": 1 << 15,
    "WX": 1 << 18,
    "res_may_alias": 1 << 19,
    "enable_unbounded_descriptor_tables": 1 << 20,
    "all_resources_bound": 1 << 21,
    "Zss": 1 << 22,
    "Zsb": 1 << 23,
}
_WITH_VALUE = ("T", "E", "D", "I", "Fo")


class _Macro(ctypes.Structure):
    _fields_ = (("name", ctypes.c_char_p), ("definition", ctypes.c_char_p))


@dataclass
class Request:
    """A parsed command line."""

    source: str = ""
    output: str = ""
    profile: str = ""
    entry: str = "main"
    flags: int = 0
    macros: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    folders: list[str] = field(default_factory=list[str])


def parse(words: Sequence[str]) -> Request:
    """Parse fxc's options. Raises ValueError for an option that the DLL does not support."""
    made = Request()
    rest = iter(words)
    for word in rest:
        name = word[1:]
        if not word.startswith(("/", "-")):
            made.source = word
        elif name in _WITH_VALUE:
            _take(made, name, next(rest, ""))
        elif name in FLAGS:
            made.flags |= FLAGS[name]
        else:
            known = ", ".join(FLAGS)
            raise ValueError(f"the compiler's DLL has no flag for {word}; it has {known}")
    if not (made.source and made.output and made.profile):
        raise ValueError("a source, /T and /Fo are required")
    return made


def _take(made: Request, name: str, value: str) -> None:
    if name == "D":
        macro, _, text = value.partition("=")
        made.macros.append((macro, text))
    elif name == "I":
        made.folders.append(value)
    elif name == "T":
        made.profile = value
    elif name == "E":
        made.entry = value
    else:
        made.output = value


# --- COM ------------------------------------------------------------------------------------------

_RELEASE, _POINTER, _SIZE = 2, 3, 4  # methods of ID3DBlob; QueryInterface and AddRef come first


def _method(thing: ctypes.c_void_p, number: int, result: Any) -> Any:
    """Call a COM object's method that has no arguments."""
    table = ctypes.cast(thing, ctypes.POINTER(ctypes.POINTER(ctypes.c_void_p))).contents
    return _FUNCTION(result, ctypes.c_void_p)(table[number])(thing)


def _blob_bytes(blob: ctypes.c_void_p) -> bytes:
    """Copy and release a blob; b"" for a null pointer."""
    if not blob:
        return b""
    data = ctypes.string_at(
        _method(blob, _POINTER, ctypes.c_void_p), _method(blob, _SIZE, ctypes.c_size_t)
    )
    _method(blob, _RELEASE, ctypes.c_ulong)
    return data


_OPEN: Any = _FUNCTION(
    _HRESULT,
    ctypes.c_void_p,  # this
    ctypes.c_int,  # D3D_INCLUDE_TYPE
    ctypes.c_char_p,  # the name
    ctypes.c_void_p,  # the text of the file that includes it
    ctypes.POINTER(ctypes.c_void_p),
    ctypes.POINTER(ctypes.c_uint),
)
_CLOSE: Any = _FUNCTION(_HRESULT, ctypes.c_void_p, ctypes.c_void_p)


class Includes:
    """An ID3DInclude that looks beside the including file first, then in the folders.

    The COM object at `address` lives as long as this object.
    """

    def __init__(self, folders: Sequence[str]):
        self._folders = list(folders)
        self._open: dict[int, tuple[Any, str]] = {}  # address of a text -> the text, its folder
        self._methods = (_OPEN(self._on_open), _CLOSE(self._on_close))
        pointers = [ctypes.cast(method, ctypes.c_void_p) for method in self._methods]
        self._table = (ctypes.c_void_p * 2)(*pointers)
        self._object = ctypes.c_void_p(ctypes.addressof(self._table))

    @property
    def address(self) -> int:
        return ctypes.addressof(self._object)

    def _on_open(
        self, _this: int, _kind: int, name: bytes, parent: int | None, data: Any, size: Any
    ) -> int:
        for path in filter(os.path.isfile, self._candidates(os.fsdecode(name), parent)):
            try:
                with open(path, "rb") as file:
                    text = file.read()
            except OSError:
                continue
            buffer = ctypes.create_string_buffer(text, len(text) + 1)
            self._open[ctypes.addressof(buffer)] = buffer, os.path.dirname(path)
            data[0], size[0] = ctypes.addressof(buffer), len(text)
            return _S_OK
        return _E_FAIL

    def _candidates(self, name: str, parent: int | None) -> Iterator[str]:
        above = self._open.get(parent or 0)
        folders = [above[1]] if above is not None else []
        return (os.path.join(folder, name) for folder in (*folders, *self._folders))

    def _on_close(self, _this: int, data: int | None) -> int:
        self._open.pop(data or 0, None)
        return _S_OK


def compile_text(library: Any, request: Request, text: bytes) -> tuple[int, bytes, bytes]:
    """Call D3DCompile: the HRESULT, the container and the messages."""
    function = library.D3DCompile
    function.restype = _HRESULT
    macros = [(name.encode(), value.encode()) for name, value in request.macros]
    table = (_Macro * (len(macros) + 1))(*macros)  # the last row is all null
    includes = Includes(request.folders)
    code, messages = ctypes.c_void_p(), ctypes.c_void_p()
    result = function(
        ctypes.c_char_p(text),
        ctypes.c_size_t(len(text)),
        os.path.basename(request.source).encode(),
        table,
        ctypes.c_void_p(includes.address),
        request.entry.encode(),
        request.profile.encode(),
        ctypes.c_uint(request.flags),
        ctypes.c_uint(0),
        ctypes.byref(code),
        ctypes.byref(messages),
    )
    return result, _blob_bytes(code), _blob_bytes(messages).rstrip(b"\0")


def main(words: Sequence[str]) -> int:
    """Compile; returns 0 for a container, 1 if the compiler rejects the source, 2 for bad usage."""
    try:
        request = parse(words[1:])
        library = _LIBRARY(words[0])
        with open(request.source, "rb") as file:
            text = file.read()
    except (OSError, ValueError, IndexError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    result, container, messages = compile_text(library, request, text)
    if messages:
        sys.stderr.buffer.write(messages.rstrip() + b"\n")
    if result < 0:
        if not messages:
            print(f"error: D3DCompile returned {result & 0xFFFFFFFF:#x}", file=sys.stderr)
        return 1
    with open(request.output, "wb") as file:
        file.write(container)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
