"""SPDB: map instructions to HLSL lines, using the program database in the chunk.

A program database consists of streams (`msf`). The debug information stream lists the streams of
modules. A module has line tables ("C13") of (offset into the program chunk, line), their files, and
symbols that identify instructions of inlined functions. Other streams contain the HLSL. Source:
LLVM's documentation of the PDB format, "The PDB DBI Stream", "The Module Information Stream";
observed fxc output.
"""

from __future__ import annotations

import re
import struct
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from translate.dxbc.inlines import SourceRange, inlined_ranges, procedure_name
from translate.dxbc.msf import named_streams, numbers, read_streams

_INFO_STREAM, _DBI_STREAM = 1, 3
_LINE_ONE = re.compile(r'^#line 1 "([^"\n]+)"\r?\n', re.MULTILINE)
_SOURCE = "/src/files/"  # prefix of HLSL streams, before the file's name in lower case
_DBI_HEADER_BYTES = 64
_MODULES_SIZE = struct.Struct("<i")  # at 24 in the header: bytes of module records
_MODULE = struct.Struct("<HHIII")  # at 32 in a record: flags, stream, symbol, C11 and C13 bytes
_MODULE_HEAD = 64
_NO_STREAM = 0xFFFF
_NAMES_MAGIC = 0xEFFEEFFE
_CHECKSUMS, _LINES, _INLINEES = 0xF4, 0xF2, 0xF6  # kinds of C13 subsections
_LINE_MASK, _IS_STATEMENT = 0x00FFFFFF, 0x80000000
_RET_BYTES = 4  # in offsets of inlined functions, fxc omits the `ret` before the first label
_EFFORT = 64  # limits the work per byte of the payload


@dataclass(frozen=True, slots=True)
class SourceLines:
    """A line table: ascending byte offsets into the program chunk, and (file, line) for each.

    `texts` maps the HLSL files' names to their text, the compiled file first; `entry` is the entry
    point.
    """

    offsets: tuple[int, ...]
    places: tuple[tuple[str | None, int], ...]
    texts: Mapping[str, str]
    entry: str | None

    def at(self, offset: int) -> tuple[str | None, int | None]:
        """File and line of the instruction at an offset."""
        index = bisect_right(self.offsets, offset) - 1
        return self.places[index] if index >= 0 else (None, None)


def parse_source_lines(payload: bytes, subroutines: int | None = None) -> SourceLines:
    """The line table and the HLSL in a program database.

    `subroutines` is the offset of the program's first label. Raises ValueError if the database is
    damaged or has no lines.
    """
    try:
        return _parse(payload, len(payload) if subroutines is None else subroutines)
    except (struct.error, IndexError) as error:
        raise ValueError(f"it ends too early ({error})") from None


@dataclass(slots=True)
class _Budget:
    """Limits the work, because damaged tables may repeat the same bytes endlessly."""

    left: int

    def spend(self, amount: int) -> None:
        self.left -= amount
        if self.left < 0:
            raise ValueError("its tables lead to the same bytes too often")


def _parse(payload: bytes, subroutines: int) -> SourceLines:
    budget = _Budget(_EFFORT * len(payload))
    streams = read_streams(payload)
    names = next((s for s in streams if _is_names(s)), b"")
    places: dict[int, tuple[str | None, int]] = {}
    entry: str | None = None
    for symbols, table in _modules(streams):
        budget.spend(len(symbols) + len(table) + len(places))
        sections = dict(_subsections(table))
        files = _Files(sections.get(_CHECKSUMS, b""), names, budget)
        for row in _rows(sections.get(_LINES, b"")):
            places[row.start] = (files.name(row.file), row.line)
        entry = entry or procedure_name(symbols)
        offsets = sorted(places)
        for row in inlined_ranges(symbols, sections.get(_INLINEES, b"")):
            if not 0 <= row.line <= _LINE_MASK:
                raise ValueError(f"an inlined function has a line {row.line}")
            place = (files.name(row.file), row.line)
            skipped = _RET_BYTES if row.start + _RET_BYTES >= subroutines else 0
            start, end = row.start + skipped, row.end + skipped
            inside = offsets[bisect_left(offsets, start) : bisect_left(offsets, end)]
            budget.spend(len(inside))
            places.update((offset, place) for offset in inside)
    if not places:
        raise ValueError("it has no lines")
    texts = _texts(streams, {file for file, _ in places.values() if file is not None}, budget)
    offsets = sorted(places)
    return SourceLines(tuple(offsets), tuple(places[o] for o in offsets), texts, entry)


def _texts(streams: list[bytes], files: set[str], budget: _Budget) -> dict[str, str]:
    """The HLSL text of each file, in the order of the streams; names are as in the line table.

    If a file begins with a `#line 1` that gives it the name in the table, the text after it is that
    file's: `translate.compile_hlsl` compiles a temporary file in this way.
    """
    spellings: dict[str, list[str]] = {}
    for file in sorted(files):
        spellings.setdefault(_plain(file), []).append(file)
    named = [*named_streams(streams[_INFO_STREAM])]
    texts: dict[str, str] = {}
    for name, number in sorted(named, key=lambda row: row[1]):
        if name.startswith(_SOURCE):
            file = name.removeprefix(_SOURCE)
            budget.spend(len(streams[number]))
            text = streams[number].decode("utf-8", "replace").rstrip("\0")
            found = spellings.get(_plain(file))
            renamed = _LINE_ONE.search(text) if found is None else None
            if renamed is not None and (found := spellings.get(_plain(renamed[1]))):
                text = text[renamed.end() :]
            texts.update(dict.fromkeys(found or [file], text))
    return texts


def _plain(file: str) -> str:
    """A path in a form for comparison; fxc copies the spelling of `#line`."""
    return file.replace("\\\\", "\\").replace("/", "\\").lower()


def _modules(streams: list[bytes]) -> Iterator[tuple[bytes, bytes]]:
    """(symbols, C13 subsections) of every module."""
    dbi = streams[_DBI_STREAM]
    (nbytes,) = _MODULES_SIZE.unpack_from(dbi, 24)
    modules = dbi[_DBI_HEADER_BYTES : _DBI_HEADER_BYTES + max(nbytes, 0)]
    position = 0
    while position + _MODULE_HEAD <= len(modules):
        _, stream, symbols, c11, c13 = _MODULE.unpack_from(modules, position + 32)
        names = modules.index(0, position + _MODULE_HEAD)
        end = modules.index(0, names + 1) + 1
        position = -(-end // 4) * 4
        if stream != _NO_STREAM:
            contents = streams[int(stream)]
            first = int(symbols) + int(c11)
            yield contents[4 : int(symbols)], contents[first : first + int(c13)]


def _subsections(table: bytes) -> Iterator[tuple[int, bytes]]:
    position = 0
    while position + 8 <= len(table):
        kind, nbytes = numbers(table, position, 2)
        yield kind, table[position + 8 : position + 8 + nbytes]
        position += 8 + -(-nbytes // 4) * 4


def _rows(lines: bytes) -> Iterator[SourceRange]:
    """The rows of a line table that begin a statement.

    Rows without the highest bit are expressions inside a statement.
    """
    position = 12
    while position + 12 <= len(lines):
        file, count, nbytes = numbers(lines, position, 3)
        if 12 + count * 8 > nbytes:
            raise ValueError("a block of lines does not fit")
        pairs = numbers(lines, position + 12, 2 * count)
        for offset, line in zip(pairs[::2], pairs[1::2], strict=True):
            if line & _IS_STATEMENT:
                yield SourceRange(offset, offset, file, line & _LINE_MASK)
        position += nbytes


def _is_names(stream: bytes) -> bool:
    return len(stream) >= 12 and numbers(stream, 0, 1)[0] == _NAMES_MAGIC


@dataclass(slots=True)
class _Files:
    """The names of source files, by the offsets of their entries in the table of checksums."""

    checksums: bytes
    names: bytes
    budget: _Budget
    known: dict[int, str | None] = field(default_factory=dict[int, str | None])

    def name(self, offset: int) -> str | None:
        """The file's name for the checksum entry at an offset."""
        if offset not in self.known:
            self.known[offset] = self._read(offset)
        return self.known[offset]

    def _read(self, offset: int) -> str | None:
        if offset + 4 > len(self.checksums) or not self.names:
            return None
        start = 12 + numbers(self.checksums, offset, 1)[0]
        end = self.names.find(0, start)
        self.budget.spend(max(0, end - start))
        return self.names[start:end].decode("utf-8", "replace") if end > start else None
