"""HlslSource: text to compile. What is HLSL, and which functions of it may be entry points."""

from __future__ import annotations

import codecs
import os
import re
from dataclasses import dataclass
from functools import cached_property

_SUFFIXES = (".hlsl", ".hlsli", ".fx", ".fxh")
_CONTAINER = b"DXBC"
# A string that nothing ends goes to its line's end.
_COMMENT = re.compile(r'("(?:[^"\\\n]|\\.)*+"?)|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_THREADS = re.compile(r"\[\s*+numthreads\s*+\(")
_ENTRY = re.compile(
    r"\[\s*+numthreads\s*+\([^)\[]*+\)\s*+\]"
    r"(?:\s*+\[(?!\s*+numthreads)[^\[\]]*+\])*+"  # other attributes
    r"\s*+void\s++(\w++)\s*+\("
)
_LINE_END = re.compile(rb"\r\n|\r|\n")
_PLAIN_NAME = re.compile(r"[\w .+@-]+", re.ASCII)
_ANY_NAME = "shader.hlsl"


@dataclass(frozen=True)
class HlslSource:
    """Text to compile: bytes, and the file that they were read from, if there is one."""

    data: bytes
    file: str | None = None

    @property
    def folder(self) -> str:
        """Where `#include` looks first: the file's folder, or the current one where it has none."""
        folder = os.path.dirname(os.path.abspath(self.file)) if self.file else ""
        return folder if os.path.isdir(folder) else os.getcwd()

    @property
    def name(self) -> str:
        """The file name for the compiler: that of the file, if it is plain."""
        name = os.path.basename(self.file or "")
        return name if _PLAIN_NAME.fullmatch(name) else _ANY_NAME

    @cached_property
    def text(self) -> str:
        """The text; bytes that are no UTF-8 are read as Latin-1, which has every byte."""
        return decoded(self.data)

    def prefixed(self, head: str = "") -> bytes:
        """The text for the compiler, with a line that names the file; `head` lines come first."""
        line = f'{head}#line 1 "{self.name}"\n'
        return line.encode() + self.data.removeprefix(codecs.BOM_UTF8)

    def entry_points(self) -> list[str]:
        """The functions with a `numthreads` attribute, each once, in their order."""
        return list(dict.fromkeys(_ENTRY.findall(without_comments(self.text))))


def lines_of(data: bytes) -> list[bytes]:
    """The lines of a text, as compilers count them."""
    return _LINE_END.split(data)


def decoded(data: bytes) -> str:
    """Text of a source, whatever its encoding."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def is_hlsl(data: bytes, file: str | None = None) -> bool:
    """Whether it is HLSL: by the file's suffix, else where a function has `numthreads`."""
    if data[:4] == _CONTAINER:
        return False
    if file is not None and file.lower().endswith(_SUFFIXES):
        return True
    return b"numthreads" in data and bool(_THREADS.search(without_comments(decoded(data))))


def without_comments(text: str) -> str:
    """Text with a blank in place of each comment."""
    return _COMMENT.sub(lambda match: match[1] or " ", text)
