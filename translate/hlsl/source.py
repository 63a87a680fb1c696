"""HLSL source text: recognising it, its entry points, blocks between braces, and #if."""

from __future__ import annotations

import codecs
import os
import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from itertools import islice

from translate.dataclass import dataclass, replace

_SUFFIXES = (".hlsl", ".hlsli", ".fx", ".fxh")
_CONTAINER = b"DXBC"
# An unterminated string ends with its line.
_COMMENT = re.compile(r'("(?:[^"\\\n]|\\.)*+"?)|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_PROFILE = re.compile(rb"(?:\s|//[^\n]*)*+[a-z]s_\d_\d\s")
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
_DIRECTIVE = re.compile(r"^[^\S\n]*+#[^\S\n]*+(\w*+)((?:[^\n\\]|\\\r?\n|\\.)*+)", re.MULTILINE)
_FUNCTION = re.compile(r"\b(\w++)\s*+\([^(){};]*+\)\s*+(?::\s*+\w++\s*+)?$")
_MACRO = re.compile(r"[^\S\n]*+(\w++)(.*)", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*+"?')
# A comment that a backslash continues, or that begins in a directive and ends in a later line
_CONTINUED = re.compile(
    r"^(?:[^/\n]|/(?!/))*+//[^\n]*+(?:(?<=\\)|(?<=\\\r))\n"
    r"|^[^\S\n]*+#(?:[^/\n]|/(?!\*)|/\*(?:[^*\n]|\*(?!/))*+\*/)*+/\*(?:[^*\n]|\*(?!/))*+\n",
    re.MULTILINE,
)
_JUMP = re.compile(r"(?:^|;)\s*+(?:return|break|continue|discard)\b")
_LONGEST_HEAD = 2000  # characters of a function's parameters
_MOST, _DEEPEST = 200, 200  # matches of a pattern in a file, and blocks around one


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


def is_listing(data: bytes, file: str | None = None) -> bool:
    """Whether the text is a listing: its first line is a profile, and its name is not HLSL's."""
    return not (file or "").lower().endswith(_SUFFIXES) and bool(_PROFILE.match(data))


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


@dataclass(frozen=True, slots=True)
class Block:
    """The text between two braces: positions of these, and the lines that they are in.

    `parent` is the number of the block around it, -1 for none.
    """

    start: int
    end: int
    first: int
    last: int
    parent: int


class Outline:
    """A file's HLSL with comments blanked, and its blocks.

    `is_known` is False where nothing can be said: braces do not match, or lines have other numbers.
    """

    def __init__(self, text: str):
        self.text = _STRING.sub(lambda m: " " * len(m[0]), without_comments(text))
        self.is_known = _CONTINUED.search(text) is None
        # Where text behind an #if begins or ends, and the number of the innermost #if from there on
        self._edges, self._inner = [0], [-1]
        self._blocks: list[Block] = []
        self._starts = [0, *(m.end() for m in re.finditer("\n", self.text))]
        if self.is_known:
            self._read_directives()
        if self.is_known:
            self._read_blocks()

    def line(self, position: int) -> int:
        """The number of the line at a position, from 1."""
        return bisect_right(self._starts, position)

    def found(self, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        """The first matches that are compiled whatever macros are defined."""
        certain = (m for m in pattern.finditer(self.text) if self._is_certain(m.start()))
        return islice(certain, _MOST)

    def around(self, position: int) -> list[Block]:
        """The blocks around a position, the innermost first."""
        number = bisect_right(self._blocks, position - 1, key=lambda block: block.start) - 1
        found = list[Block]()
        while number >= 0:
            if position < self._blocks[number].end:
                found.append(self._blocks[number])
            number = self._blocks[number].parent
        return found

    def _is_certain(self, position: int) -> bool:
        return self._region(position) < 0

    def _region(self, position: int) -> int:
        """The number of the innermost #if around a position, -1 for none."""
        return self._inner[bisect_right(self._edges, position) - 1]

    def is_plain_statement(self, position: int) -> bool:
        """Whether a statement at a position runs whenever its block does."""
        block = next(iter(self.around(position)), None)
        if block is None:
            return False
        parts, at, number = list[str](), block.start + 1, self._blocks.index(block)
        for inner in self._blocks[number + 1 :]:
            if inner.start >= position:
                break
            if inner.parent == number:
                parts.append(self.text[at : inner.start])
                at = inner.end + 1
        before = ";".join([*parts, self.text[at:position]]).strip()
        if (before and before[-1] != ";") or before.count("(") != before.count(")"):
            return False  # after `if (...)`, or within an expression or the arguments of a macro
        return _JUMP.search(before) is None

    def _read_directives(self) -> None:
        """Find the text behind each #if but a guard around a whole file, and blank directives."""
        opened: list[int] = []
        guards: set[int] = set()
        unknown: list[tuple[int, int]] = []
        found = [*_DIRECTIVE.finditer(self.text)]
        self.is_known = False
        for number, match in enumerate(found):
            name = match[1]
            if name in ("if", "ifdef", "ifndef"):
                following = found[number + 1] if number + 1 < len(found) else None
                defines = following is not None and following[1] == "define"
                first = not number and not self.text[: match.start()].strip()
                if first and name == "ifndef" and defines and _same_macro(match, found[1]):
                    guards.add(match.start())
                opened.append(match.start())
            elif name == "endif":
                if not opened:
                    return
                start = opened.pop()
                if start not in guards or self.text[match.end() :].strip():
                    unknown.append((start, match.end()))
            elif name == "line":
                return  # lines have other numbers in the code
        self._set_regions(unknown)
        self.is_known = not opened
        self.text = _DIRECTIVE.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), self.text)

    def _set_regions(self, unknown: list[tuple[int, int]]) -> None:
        """Note the edges of regions [start, end), of which each two are nested or apart."""
        opened = [-1]
        for at, number in sorted((at, n) for n, edges in enumerate(unknown) for at in edges):
            if opened[-1] == number:
                opened.pop()
            else:
                opened.append(number)
            self._edges.append(at)
            self._inner.append(opened[-1])

    def _read_blocks(self) -> None:
        opened: list[int] = []
        self.is_known = False
        for match in re.finditer("[{}]", self.text):
            at = match.start()
            if match[0] == "{":
                if len(opened) == _DEEPEST:
                    return
                parent, line = opened[-1] if opened else -1, self.line(at)
                opened.append(len(self._blocks))
                self._blocks.append(Block(at, at, line, line, parent))
            elif match[0] == "}":
                if not opened or self._region(self._blocks[opened[-1]].start) != self._region(at):
                    return
                number = opened.pop()
                self._blocks[number] = replace(self._blocks[number], end=at, last=self.line(at))
        self.is_known = not opened

    def function(self, position: int) -> str:
        """The name of the function around a position; "" outside of one, and in namespaces."""
        around = self.around(position)
        return self._name(around[-1]) if around else ""

    def functions(self) -> Iterator[tuple[str, str]]:
        """The name and body of each function that is in no other block."""
        for block in self._blocks:
            if block.parent < 0:
                yield self._name(block), self.text[block.start : block.end]

    def _name(self, body: Block) -> str:
        match = _FUNCTION.search(self.head(body).rstrip())
        return match[1] if match else ""

    def head(self, body: Block) -> str:
        """The text before a block, from the last statement's or block's end on."""
        head = self.text[max(0, body.start - _LONGEST_HEAD) : body.start]
        return head[max(head.rfind(";"), head.rfind("}")) + 1 :]


def macros(text: str) -> dict[str, str]:
    """The macros that a text defines, with their replacement text."""
    defined = (m[2] for m in _DIRECTIVE.finditer(without_comments(text)) if m[1] == "define")
    return {m[1]: m[2] for m in map(_MACRO.match, defined) if m}


def _same_macro(one: re.Match[str], other: re.Match[str]) -> bool:
    return one[2].split()[:1] == other[2].split()[:1]
