"""HLSL source text: recognising it, and finding its entry points."""

from __future__ import annotations

import codecs
import os
import re
from dataclasses import dataclass
from functools import cached_property

_SUFFIXES = (".hlsl", ".hlsli", ".fx", ".fxh")
_CONTAINER = b"DXBC"
# An unterminated string ends with its line.
_COMMENT = re.compile(r'("(?:[^"\\\n]|\\.)*+"?)|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_THREADS = re.compile(r"\[\s*+numthreads\s*+\(")
_ENTRY = re.compile(
    r"\[\s*+numthreads\s*+\([^)\[]*+\)\s*+\]"
    r"(?:\s*+\[(?!\s*+numthreads)[^\[\]]*+\])*+"  # other attributes
    r"\s*+void\s++(\w++)\s*+\("
)
_STATEMENT_END = re.compile("[;{}]")
_WORD = re.compile(r"\w+")
_MODIFIERS = ("globallycoherent", "uniform", "static", "const", "extern", "shared")
_RESOURCES = ("Texture", "RWTexture", "Sampler", "sampler")
_LINE_END = re.compile(rb"\r\n|\r|\n")
_PLAIN_NAME = re.compile(r"[\w .+@-]+", re.ASCII)
_REPLACED = re.compile(r'[~:?*<>|"\x01-\x1f]|[. ]$')  # `A~1.H`, `a.h::$DATA` and `a.h.` are `a.h`
_DEVICE = re.compile(
    r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9]) *(?:\.|$)", re.IGNORECASE
)
ANY_NAME = "shader.hlsl"


@dataclass(frozen=True)
class HlslSource:
    """Text to compile, as bytes, and the file that it comes from, if any."""

    data: bytes
    file: str | None = None

    @property
    def folder(self) -> str:
        """The first folder that `#include` searches: the file's, or the current one."""
        folder = os.path.dirname(os.path.abspath(self.file)) if self.file else ""
        return folder if os.path.isdir(folder) else os.getcwd()

    @property
    def label(self) -> str:
        """The file, or a name for text without one, in messages."""
        return self.file or ANY_NAME

    @property
    def name(self) -> str:
        """A file name for the compiler: the file's own, if it is a usual one everywhere."""
        name = os.path.basename(self.file or "")
        return name if _PLAIN_NAME.fullmatch(name) and not is_replaced(name) else ANY_NAME

    @cached_property
    def text(self) -> str:
        """The text; bytes that are not UTF-8 are decoded as Latin-1."""
        return decoded(self.data)

    def prefixed(self, head: str) -> bytes:
        """The text for the compiler: the lines of `head`, then the source."""
        return head.encode() + self.data.removeprefix(codecs.BOM_UTF8)

    def entry_points(self) -> list[str]:
        """The functions with a `numthreads` attribute, in order, each once."""
        return list(dict.fromkeys(_ENTRY.findall(without_comments(self.text))))


def lines_of(data: bytes) -> list[bytes]:
    """Split a text into lines as compilers do."""
    return _LINE_END.split(data)


def decoded(data: bytes) -> str:
    """Decode source text of any encoding."""
    data = data.removeprefix(codecs.BOM_UTF8)  # as compilers get it
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


def is_hlsl(data: bytes, file: str | None = None) -> bool:
    """Whether the data is HLSL: by the file's suffix, or because a function has `numthreads`."""
    if data[:4] == _CONTAINER:
        return False
    if file is not None and file.lower().endswith(_SUFFIXES):
        return True
    return b"numthreads" in data and bool(_THREADS.search(without_comments(decoded(data))))


def is_replaced(name: str) -> bool:
    """Whether Windows or Wine may open another file, or a device, for a name with slashes.

    Sources: Microsoft, "Naming Files, Paths, and Namespaces"; Wine's short names have a `~` too.
    """
    parts = [part for part in name.split("/") if part not in ("", ".", "..")]
    return any(_REPLACED.search(part) or _DEVICE.match(part) for part in parts)


def without_comments(text: str) -> str:
    """Replace each comment by a space and its line ends."""
    return _COMMENT.sub(lambda match: match[1] or " " + "\n" * match[0].count("\n"), text)


def declares(text: str, name: str) -> bool:
    """Whether HLSL declares a resource of a name, such as `Texture2D<float4> a, name[2];`."""
    for statement in _STATEMENT_END.split(without_comments(text)):
        declared = " ".join(part.partition(":")[0] for part in statement.split(","))
        kind, *names = [word for word in _WORD.findall(declared) if word not in _MODIFIERS] or [""]
        is_resource = kind.lower().endswith("buffer") or kind.startswith(_RESOURCES)
        if is_resource and name in names:
            return True
    return False
