"""SPDB: which line of the HLSL an instruction comes from, by the program database within.

A program database is a file of streams (MSF 7.00). The debug information stream names the modules'
streams, which have line tables ("C13") of (offset into the program chunk, line), the files they
speak of, and symbols that say which instructions come from inlined functions. Source: LLVM's
documentation of the PDB format, "The MSF File Format", "The PDB DBI Stream", "The Module
Information Stream"; observed fxc output.
"""

from __future__ import annotations

import struct
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from translate.dxbc.inlines import SourceRange, inlined_ranges

_MAGIC = b"Microsoft C/C++ MSF 7.00\r\n\x1aDS\0\0\0"
_SUPERBLOCK = struct.Struct("<6I")  # after the magic: block size, ..., directory bytes, -, its map
_DBI_STREAM = 3
_DBI_HEADER_BYTES = 64
_MODULES_SIZE = struct.Struct("<i")  # at 24 in the header: bytes of module records
_MODULE = struct.Struct("<HHIII")  # at 32 in a record: flags, stream, symbol, C11 and C13 bytes
_MODULE_HEAD = 64
_NO_STREAM = 0xFFFF
_NAMES_MAGIC = 0xEFFEEFFE
_CHECKSUMS, _LINES, _INLINEES = 0xF4, 0xF2, 0xF6  # kinds of C13 subsections
_LINE_MASK, _IS_STATEMENT = 0x00FFFFFF, 0x80000000
_MAX_STREAMS = 4096
_EFFORT = 64  # bytes, rows and places gone through for each byte of the payload at most


@dataclass(frozen=True, slots=True)
class SourceLines:
    """Where lines begin: `offsets` in bytes into the program chunk, ascending, and `places`."""

    offsets: tuple[int, ...]
    places: tuple[tuple[str | None, int], ...]

    def at(self, offset: int) -> tuple[str | None, int | None]:
        """File and line of the instruction at an offset."""
        index = bisect_right(self.offsets, offset) - 1
        return self.places[index] if index >= 0 else (None, None)


def parse_source_lines(payload: bytes) -> SourceLines:
    """The line table of a program database.

    Raises ValueError where it is damaged, or has none.
    """
    try:
        return _parse(payload)
    except (struct.error, IndexError) as error:
        raise ValueError(f"it ends too early ({error})") from None


@dataclass(slots=True)
class _Budget:
    """What may still be done; damaged tables may lead to the same bytes again and again."""

    left: int

    def spend(self, amount: int) -> None:
        self.left -= amount
        if self.left < 0:
            raise ValueError("its tables lead to the same bytes too often")


def _parse(payload: bytes) -> SourceLines:
    budget = _Budget(_EFFORT * len(payload))
    streams = _streams(payload)
    names = next((s for s in streams if _is_names(s)), b"")
    places: dict[int, tuple[str | None, int]] = {}
    for symbols, table in _modules(streams):
        budget.spend(len(symbols) + len(table) + len(places))
        sections = dict(_subsections(table))
        files = _Files(sections.get(_CHECKSUMS, b""), names, budget)
        for row in _rows(sections.get(_LINES, b"")):
            places[row.start] = (files.name(row.file), row.line)
        offsets = sorted(places)
        for row in inlined_ranges(symbols, sections.get(_INLINEES, b"")):
            if not 0 <= row.line <= _LINE_MASK:
                raise ValueError(f"an inlined function has a line {row.line}")
            place = (files.name(row.file), row.line)
            inside = offsets[bisect_left(offsets, row.start) : bisect_left(offsets, row.end)]
            budget.spend(len(inside))
            places.update((offset, place) for offset in inside)
    if not places:
        raise ValueError("it has no lines")
    offsets = sorted(places)
    return SourceLines(tuple(offsets), tuple(places[offset] for offset in offsets))


def _streams(payload: bytes) -> list[bytes]:
    """Every stream, put together from its blocks."""
    if not payload.startswith(_MAGIC):
        raise ValueError("it is not a program database")
    size, _, count, directory_bytes, _, map_block = _SUPERBLOCK.unpack_from(payload, len(_MAGIC))
    fits = 64 <= size <= len(payload) and count * size <= len(payload) + size
    if not fits or directory_bytes > len(payload):
        raise ValueError("its blocks do not fit")
    blocks = _numbers(payload, map_block * size, -(-directory_bytes // size))
    directory = _joined(payload, size, blocks, directory_bytes)
    (number,) = _numbers(directory, 0, 1)
    if number > _MAX_STREAMS:
        raise ValueError(f"it has {number} streams")
    sizes = [0 if n == 0xFFFFFFFF else n for n in _numbers(directory, 4, number)]
    if sum(sizes) > len(payload):
        raise ValueError("its streams are larger than the file")
    streams: list[bytes] = []
    position = 4 + 4 * number
    for stream_bytes in sizes:
        blocks = _numbers(directory, position, -(-stream_bytes // size))
        position += 4 * len(blocks)
        streams.append(_joined(payload, size, blocks, stream_bytes))
    return streams


def _numbers(data: bytes, offset: int, count: int) -> tuple[int, ...]:
    return struct.unpack_from(f"<{count}I", data, offset)


def _joined(payload: bytes, size: int, blocks: tuple[int, ...], nbytes: int) -> bytes:
    return b"".join(payload[b * size : (b + 1) * size] for b in blocks)[:nbytes]


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
        kind, nbytes = _numbers(table, position, 2)
        yield kind, table[position + 8 : position + 8 + nbytes]
        position += 8 + -(-nbytes // 4) * 4


def _rows(lines: bytes) -> Iterator[SourceRange]:
    """Where statements begin; rows without the highest bit are expressions within them."""
    position = 12
    while position + 12 <= len(lines):
        file, count, nbytes = _numbers(lines, position, 3)
        if 12 + count * 8 > nbytes:
            raise ValueError("a block of lines does not fit")
        numbers = _numbers(lines, position + 12, 2 * count)
        for offset, line in zip(numbers[::2], numbers[1::2], strict=True):
            if line & _IS_STATEMENT:
                yield SourceRange(offset, offset, file, line & _LINE_MASK)
        position += nbytes


def _is_names(stream: bytes) -> bool:
    return len(stream) >= 12 and _numbers(stream, 0, 1)[0] == _NAMES_MAGIC


@dataclass(slots=True)
class _Files:
    """The names that the entries of a module's checksums point to in the string table."""

    checksums: bytes
    names: bytes
    budget: _Budget
    known: dict[int, str | None] = field(default_factory=dict[int, str | None])

    def name(self, offset: int) -> str | None:
        """The name of the entry at an offset."""
        if offset not in self.known:
            self.known[offset] = self._read(offset)
        return self.known[offset]

    def _read(self, offset: int) -> str | None:
        if offset + 4 > len(self.checksums) or not self.names:
            return None
        start = 12 + _numbers(self.checksums, offset, 1)[0]
        end = self.names.find(0, start)
        self.budget.spend(max(0, end - start))
        return self.names[start:end].decode("utf-8", "replace") if end > start else None
