"""Parse a compiler's output, fxc's or vkd3d-compiler's, into messages with places.

fxc prints the first form, vkd3d-compiler the second:

    blur.hlsl(3,5-9): error X3004: undeclared identifier 'a'
    blur.hlsl:3:5: E5005: Undefined variable "a".

vkd3d-compiler 2.1 counts wrong after an `#include`: such lines are left out of its messages. It
misplaces nested arrays in group-shared memory: a warning names them.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias, cast

from translate.dataclass import dataclass, replace
from translate.errors import NOWHERE, CompileError, Where, escaped, render_caret
from translate.hlsl.source import ANY_NAME, decoded, without_comments

ERROR, WARNING = "error", "warning"
_Node: TypeAlias = "dict[str | None, _Node | str]"

_FXC = re.compile(
    r"(?:(?P<file>.*?)\((?P<line>\d{1,9})(?:,(?P<column>\d{1,9})(?:-(?P<end>\d{1,9}))?)?"
    r"[^()]*+\) ?: )?"
    r"(?:fatal |(?P<internal>internal ))?(?P<kind>error|warning)(?: (?P<code>\w+))? ?: (?P<text>.*)"
)
_VKD3D = re.compile(
    r"(?P<file>.*?):(?P<line>\d{1,9}):(?P<column>\d{1,9}): "
    r"(?P<code>(?P<kind>[EW])\d+): (?P<text>.*)"
)
_KINDS = {"E": ERROR, "W": WARNING}
_NOISE = re.compile(
    r"compilation (?:failed|object save succeeded|succeeded)|[0-9a-f]{4}:(?:fixme|err|warn):"
    r"|Microsoft \(R\)|Copyright \(C\)"
)
# The name in the output -> the file, its lines, and the number of lines inserted before them
Lines = Callable[[str], "tuple[str | None, Sequence[bytes], int]"]
_INCLUDE = re.compile(rb"#\s*include\b")
_SHARED = re.compile(r"\bgroupshared\b([^;]{0,1000}+)")
_TWO_INDICES = re.compile(r"\]\s*+\[")
_STRUCTURE = re.compile(r"\bstruct\s++(\w++)\s*+\{([^{}]*+)\}")
_NESTED = (
    "vkd3d-compiler loads from wrong elements of an array within an array in group-shared memory;"
    " use arrays with one index, or fxc"
)


@dataclass(frozen=True)
class Message:
    """One message; `source_line` is the line at `where`, if it can be read."""

    kind: str
    text: str
    where: Where = NOWHERE
    source_line: str | None = None

    def __str__(self) -> str:
        head = escaped(f"{self.kind}: {self.text}", keep="\n\t")
        if self.where != NOWHERE:
            head = f"{self.where}: {head}"
        caret = render_caret(self.where, self.source_line)
        return f"{head}\n{caret}" if caret else head


def read_messages(output: str, find_lines: Lines) -> list[Message]:
    """Parse the messages; consecutive ones that belong together are joined."""
    found: list[Message] = []
    for line in output.splitlines():
        match = _FXC.fullmatch(line.rstrip()) or _VKD3D.fullmatch(line.rstrip())
        if match is not None:
            message = _message(match.groupdict(), find_lines)
            if found and _goes_on(found[-1], message):
                found[-1] = replace(found[-1], text=f"{found[-1].text}\n{_bare(message)}")
            else:
                found.append(message)
        elif found and line[:1].isspace() and line.strip():
            found[-1] = replace(found[-1], text=f"{found[-1].text}\n{line.rstrip()}")
    return found


def other_lines(output: str) -> list[str]:
    """The lines that are not messages, without the boilerplate that compilers always print."""
    lines = (line.rstrip() for line in output.splitlines())
    return [line for line in lines if line.strip() and not _NOISE.search(line)]


def error_of(messages: Iterable[Message], hint: str = "") -> CompileError:
    """Combine messages into one error: the first error, then all others."""
    first, *others = sorted(messages, key=lambda message: message.kind != ERROR)
    text = f"{first.text.removesuffix('.')}; {hint}" if hint else first.text
    rest = tuple(str(message) for message in others)
    return CompileError(text, first.where, first.source_line, rest, refused=True)


def _message(row: dict[str, str | None], find_lines: Lines) -> Message:
    kind = _KINDS.get(row["kind"] or "", row["kind"] or ERROR)
    code = "internal error" if row.get("internal") else row["code"]
    text = ": ".join(part for part in (code, row["text"]) if part)
    file, lines, inserted = find_lines(row["file"] or "")
    number = int(row["line"] or 0) - inserted
    if number <= 0:
        return Message(kind, text, Where(file) if file else NOWHERE)
    line = lines[number - 1] if number <= len(lines) else None
    column, length = _span(line, int(row["column"] or 0), int(row.get("end") or 0))
    where = Where(file or ANY_NAME, number, column, length)
    return Message(kind, text, where, decoded(line) if line is not None else None)


def _span(line: bytes | None, first: int, last: int) -> tuple[int | None, int]:
    """The column and length in characters; compilers count bytes."""
    last = max(first, last)
    if not first or line is None:
        return first or None, last - first + 1
    column = len(decoded(line[: first - 1])) + 1
    return column, len(decoded(line[:last])) - column + 1


def _goes_on(before: Message, after: Message) -> bool:
    """Whether a message continues another: fxc repeats place and code in lists of overloads."""
    same = before.kind == after.kind and before.where == after.where
    return same and before.where.line is not None and _code(before) == _code(after)


def _code(message: Message) -> str:
    return message.text.partition(":")[0]


def _bare(message: Message) -> str:
    return message.text.partition(": ")[2]


class FileNames:
    """Paths, to find the one that a compiler names."""

    def __init__(self, paths: Iterable[str]):
        self._tree: _Node = {}  # by parts from the last one on; None has the first path with these
        for path in paths:
            node = self._tree
            for part in _parts(path):
                node = cast("_Node", node.setdefault(part, {}))
                node.setdefault(None, path)

    def find(self, name: str) -> str | None:
        """The path that agrees with the name in the most trailing parts, ignoring case."""
        node, found = self._tree, None
        for part in _parts(name):
            if part not in node:
                break
            node = cast("_Node", node[part])
            found = cast("str", node[None])
        return found


def _parts(path: str) -> list[str]:
    return os.path.normpath(path.replace("\\", "/")).lower().split("/")[::-1]


def without_wrong_lines(
    messages: Iterable[Message], file: str, lines: Sequence[bytes]
) -> Iterator[Message]:
    """Leave out the lines after the first `#include`: the compiler counts included lines, too."""
    first = next((n for n, line in enumerate(lines, 1) if _INCLUDE.search(line)), None)
    for message in messages:
        where = message.where
        if where.file == file and where.line is not None and first and where.line >= first:
            text = f"{message.text} (line {where.line} of the text with its #include files)"
            yield replace(message, text=text, where=Where(file))
        else:
            yield message


def nested_array_warnings(texts: Mapping[str, bytes]) -> Iterator[Message]:
    """Warn of each array of arrays, or of structures with arrays, in group-shared memory."""
    codes = {file: without_comments(decoded(data)) for file, data in texts.items()}
    structures = {s[1] for code in codes.values() for s in _STRUCTURE.finditer(code) if "[" in s[2]}
    for file, code in codes.items():
        ends = [match.start() for match in re.finditer("\n", code)]
        for shared in _SHARED.finditer(code):
            of_structures = "[" in shared[1] and not structures.isdisjoint(shared[1].split())
            if of_structures or _TWO_INDICES.search(shared[1]):
                line = bisect_left(ends, shared.start()) + 1
                yield Message(WARNING, _NESTED, Where(file, line))
