"""SPDB: map instructions to HLSL lines, using the program database in the chunk.

A program database is a file of streams (MSF). The debug information stream lists the streams of
modules. A module has line tables ("C13") of (offset into the program chunk, line), their files, and
symbols that identify instructions of inlined functions. Other streams contain the HLSL. Source:
LLVM's documentation of the PDB format, "The PDB DBI Stream", "The Module Information Stream";
"The MSF File Format", "The PDB Info Stream", "The PDB Serialized Hash Table Format"; observed fxc
output.

An inline site (S_INLINESITE) names the inlined function. Its annotations list the instructions as
steps of the code's offset and of the line. Source: LLVM's documentation of the PDB format,
"CodeView Symbol Records"; Microsoft's cvinfo.h, "BinaryAnnotationOpcode"; observed fxc output.
"""

from __future__ import annotations

import re
import struct
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping

from translate.dataclass import dataclass, field

_MAGIC = b"Microsoft C/C++ MSF 7.00\r\n\x1aDS\0\0\0"
_SUPERBLOCK = struct.Struct("<6I")  # after the magic: block size, ..., directory bytes, -, its map
_MAX_STREAMS = 4096
_INFO_HEAD = 28  # in the info stream: version, signature, age, GUID
_S_GPROC32, _S_LPROC32, _S_INLINESITE = 0x1110, 0x110F, 0x114D
_PROCEDURE_OFFSET, _PROCEDURE_NAME = 30, 37  # in a procedure's record, counted from its kind
_ANNOTATIONS = 14  # in a site's record: after kind, parent, end and the function
_FUNCTION = 10
_INLINEE = struct.Struct("<3I")  # function, offset of the file's checksum, line
_SET_OFFSET, _STEP_OFFSET, _LENGTH, _FILE, _STEP_LINE = 1, 3, 4, 5, 6
_STEP_BOTH, _LENGTH_AND_STEP = 11, 12
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
_LONGEST_NAME = 4096  # letters of a file's path, which each instruction of the file may show
_EFFORT = 64  # limits the work per byte of the payload


def read_streams(payload: bytes) -> list[bytes]:
    """All streams, each joined from its blocks.

    Raises ValueError or struct.error if the file is damaged.
    """
    if not payload.startswith(_MAGIC):
        raise ValueError("it is not a program database")
    size, _, count, directory_bytes, _, map_block = _SUPERBLOCK.unpack_from(payload, len(_MAGIC))
    fits = 64 <= size <= len(payload) and count * size <= len(payload) + size
    if not fits or directory_bytes > len(payload):
        raise ValueError("its blocks do not fit")
    blocks = numbers(payload, map_block * size, -(-directory_bytes // size))
    directory = _joined(payload, size, blocks, directory_bytes)
    (number,) = numbers(directory, 0, 1)
    if number > _MAX_STREAMS:
        raise ValueError(f"it has {number} streams")
    sizes = [0 if n == 0xFFFFFFFF else n for n in numbers(directory, 4, number)]
    if sum(sizes) > len(payload):
        raise ValueError("its streams are larger than the file")
    streams: list[bytes] = []
    position = 4 + 4 * number
    for stream_bytes in sizes:
        blocks = numbers(directory, position, -(-stream_bytes // size))
        position += 4 * len(blocks)
        streams.append(_joined(payload, size, blocks, stream_bytes))
    return streams


def numbers(data: bytes, offset: int, count: int) -> tuple[int, ...]:
    """Read `count` dwords at an offset."""
    return struct.unpack_from(f"<{count}I", data, offset)


def _joined(payload: bytes, size: int, blocks: tuple[int, ...], nbytes: int) -> bytes:
    return b"".join(payload[b * size : (b + 1) * size] for b in blocks)[:nbytes]


def named_streams(info: bytes) -> Iterator[tuple[str, int]]:
    """(name, number) of each named stream, from the info stream.

    After the names comes a hash table: the number of entries, its capacity, two bit sets (used and
    deleted slots), then for each entry the name's offset and the stream's number.
    """
    (nbytes,) = numbers(info, _INFO_HEAD, 1)
    names = info[_INFO_HEAD + 4 : _INFO_HEAD + 4 + nbytes]
    position = _INFO_HEAD + 4 + nbytes
    (count,) = numbers(info, position, 1)
    position += 8
    for _ in range(2):
        (words,) = numbers(info, position, 1)
        position += 4 + 4 * words
    entries = numbers(info, position, 2 * count)
    for start, number in zip(entries[::2], entries[1::2], strict=True):
        end = names.find(0, start)
        if end > start:
            yield names[start:end].decode("utf-8", "replace"), number


@dataclass(frozen=True, slots=True)
class SourceRange:
    """The instructions of one source line: bytes [start, end) of the program chunk.

    `file` is the offset of the source file's entry in the table of checksums.
    """

    start: int
    end: int
    file: int
    line: int


def inlined_ranges(symbols: bytes, inlinees: bytes) -> Iterator[SourceRange]:
    """The ranges of all inline sites; outer sites come before nested ones."""
    functions = {
        function: (file, line)
        for function, file, line in _INLINEE.iter_unpack(_whole(inlinees[4:], _INLINEE.size))
    }
    start = 0
    for record in _records(symbols):
        (kind,) = struct.unpack_from("<H", record)
        if kind in (_S_GPROC32, _S_LPROC32):
            (start,) = struct.unpack_from("<I", record, _PROCEDURE_OFFSET)
        elif kind == _S_INLINESITE:
            (function,) = struct.unpack_from("<I", record, _FUNCTION)
            if function in functions:
                yield from _site(record[_ANNOTATIONS:], start, *functions[function])


def procedure_name(symbols: bytes) -> str | None:
    """The name of the first procedure, which is the shader; None if it has no name."""
    for record in _records(symbols):
        (kind,) = struct.unpack_from("<H", record)
        if kind in (_S_GPROC32, _S_LPROC32):
            name = record[_PROCEDURE_NAME:].partition(b"\0")[0]
            return name.decode("utf-8", "replace") or None
    return None


def _whole(data: bytes, size: int) -> bytes:
    return data[: len(data) // size * size]


def _records(symbols: bytes) -> Iterator[bytes]:
    """The symbol records, each beginning with its kind."""
    position = 0
    while position + 4 <= len(symbols):
        (nbytes,) = struct.unpack_from("<H", symbols, position)
        if nbytes < 2:
            raise ValueError("a symbol is empty")
        yield symbols[position + 2 : position + 2 + nbytes]
        position += 2 + nbytes


def _site(annotations: bytes, start: int, file: int, line: int) -> Iterator[SourceRange]:
    """The ranges of one site. A range ends after its length, or where the next one begins."""
    # Numbers below 128 are bytes, and nearly all are
    numbers = iter(annotations) if annotations.isascii() else _compressed(annotations)
    rows: list[tuple[int, int | None, int, int]] = []  # offset, length, file, line
    offset = start
    for opcode in numbers:
        if opcode == 0:
            break
        operand = next(numbers, 0)
        if opcode == _SET_OFFSET:
            offset = operand  # from the program chunk's start, like the procedure's
        elif opcode == _STEP_LINE:
            line += _signed(operand)
        elif opcode == _FILE:
            file = operand
        elif opcode == _LENGTH and rows:
            rows[-1] = (rows[-1][0], operand, *rows[-1][2:])
        elif opcode == _STEP_OFFSET:
            offset += operand
            rows.append((offset, None, file, line))
        elif opcode == _STEP_BOTH:
            line += _signed(operand >> 4)
            offset += operand & 15
            rows.append((offset, None, file, line))
        elif opcode == _LENGTH_AND_STEP:
            offset += next(numbers, 0)
            rows.append((offset, operand, file, line))
    ends = [row[0] for row in rows[1:]]
    for (first, length, in_file, at_line), following in zip(rows, [*ends, 0], strict=True):
        end = first + length if length is not None else following
        yield SourceRange(first, end, in_file, at_line)


def _compressed(data: bytes) -> Iterator[int]:
    """Decode numbers of one, two or four bytes; the first bits give the size."""
    position = 0
    while position < len(data):
        first = data[position]
        size = 1 if first < 0x80 else 2 if first < 0xC0 else 4
        number = int.from_bytes(data[position : position + size], "big")
        yield number & (0x7F, 0x3FFF, 0, 0x1FFFFFFF)[size - 1]
        position += size


def _signed(number: int) -> int:
    """Decode a signed number; the lowest bit is the sign."""
    return -(number >> 1) if number & 1 else number >> 1


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
    named: list[tuple[str, int]] = []
    for row in named_streams(streams[_INFO_STREAM]):
        budget.spend(len(row[0]))  # names may share bytes
        named.append(row)
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
        fits = start < end <= start + _LONGEST_NAME
        return self.names[start:end].decode("utf-8", "replace") if fits else None
