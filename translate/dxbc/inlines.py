"""Inlined functions in a program database: the source lines of their instructions.

An inline site (S_INLINESITE) names the inlined function. Its annotations list the instructions as
steps of the code's offset and of the line. Source: LLVM's documentation of the PDB format,
"CodeView Symbol Records"; Microsoft's cvinfo.h, "BinaryAnnotationOpcode"; observed fxc output.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

_S_GPROC32, _S_LPROC32, _S_INLINESITE = 0x1110, 0x110F, 0x114D
_PROCEDURE_OFFSET, _PROCEDURE_NAME = 30, 37  # in a procedure's record, counted from its kind
_ANNOTATIONS = 14  # in a site's record: after kind, parent, end and the function
_FUNCTION = 10
_INLINEE = struct.Struct("<3I")  # function, offset of the file's checksum, line

_SET_OFFSET, _STEP_OFFSET, _LENGTH, _FILE, _STEP_LINE = 1, 3, 4, 5, 6
_STEP_BOTH, _LENGTH_AND_STEP = 11, 12


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
    numbers = _compressed(annotations)
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
