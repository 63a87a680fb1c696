"""Collect doubtful parts of a listing while it is parsed, and report them as warnings.

fxc rounds floats to six digits after the point, and 3Dmigoto's assembler reads two or three letters
after a source as a write mask, not as a swizzle. Source: listings of fxc 10.1; 3Dmigoto's assembler
(public source). D3D accepts accesses that are always out of bounds, or use one number as two, so
they are no errors, but fxc does not write them. Source: 900 programs by fxc 10.1, which have none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby

from translate.asm.lines import Fault
from translate.asm.literals import is_rounded, literal_kind, source_types
from translate.dataclass import dataclass, field
from translate.errors import ListingWarning, Where, shown
from translate.isa.declarations import (
    CUSTOM_DATA,
    DCL_CONSTANT_BUFFER,
    DCL_INDEXABLE_TEMP,
    DCL_RESOURCE_STRUCTURED,
    DCL_TGSM_STRUCTURED,
    DCL_UAV_STRUCTURED,
)
from translate.isa.instruction import SM51, Instruction, Kind, Role, Scalar, Spec
from translate.isa.registers import COMPONENTS, Operand, RegisterFile
from translate.program import Program, Statement

_STRUCTURED = (DCL_RESOURCE_STRUCTURED, DCL_TGSM_STRUCTURED, DCL_UAV_STRUCTURED)
_ACCESSES = (Kind.LOAD, Kind.STORE, Kind.ATOMIC)
_DWORD = 4  # bytes
_Sizes = dict[tuple[RegisterFile, int], int]
ROUNDED = (
    "{} may be rounded: fxc prints only six digits after the point;"
    " use the container itself, or a listing of it that `sm5vk disasm` or fxc /Lx prints"
)
RENDERDOC_ROUNDED = (
    "{} may be rounded: RenderDoc prints only some digits after the point; use the shader's"
    " container, which RenderDoc can save"
)
_CACHED = 1 << 12
_LISTED = 12  # a warning names at most so many runs of lines
_IMMEDIATE = re.compile(r"-?\s*+(?:\|\s*+)?([ld])\s*+\(([^()]*+)\)")
_NUMBER = re.compile(r"[^\s,]+")
_LETTERS = re.compile(r"\.([xyzw]+)")
_ZERO = "0.000000"
_FLOAT = re.compile(r"[+-]?(?:\d*\.\d|\d+\.|\d+[eE])")
_WRITTEN_ROLES = (Role.DESTINATION, Role.TARGET)


@dataclass(slots=True)
class Doubts:
    """The doubts of one listing, grouped by reason.

    Each reason gives one warning at its first place, with the numbers of all affected lines.
    `guessed`: the listing is RenderDoc's, which guesses the types of numbers.
    """

    found: dict[str, list[tuple[int, Fault]]] = field(
        default_factory=dict[str, list[tuple[int, Fault]]]
    )
    guessed: bool = False

    def add(self, reason: str, fault: Fault, line: int) -> None:
        """Record a doubt; the first `fault` of a reason has the warning's message."""
        self.found.setdefault(reason, []).append((line, fault))

    def check_literal(self, row: Instruction, text: str, start: int, line: int) -> None:
        """Check the immediate `text` at column `start`."""
        doubt = _doubtful_guess(text) if self.guessed else _doubtful_literal(row, text)
        if doubt is not None:
            reason, message, at, length = doubt
            self.add(reason, Fault(message, start + at, length), line)

    def check_entry(self, text: str, start: int, line: int) -> None:
        """Check a number of the immediate constant buffer.

        Its value alone decides whether fxc prints it as a float or as an integer.
        """
        if self.guessed:
            doubt = _doubtful_guess(f"l({text})")
        else:
            doubt = _doubtful_number(text, Scalar.BITS, "")
        if doubt is not None:
            self.add(doubt[0], Fault(doubt[1], start, len(text)), line)

    def warnings(self, file: str | None, lines: list[str]) -> Iterator[ListingWarning]:
        """The warnings in the order of their lines."""
        for cases in sorted(self.found.values(), key=lambda cases: cases[0][0]):
            line, fault = cases[0]
            numbers = tuple(dict.fromkeys(number for number, _ in cases))
            where = Where(file, line, fault.start + 1, fault.length)
            also = f" (also in {_named(numbers[1:])})" if len(numbers) > 1 else ""
            yield ListingWarning(fault.message + also, where, lines[line - 1], numbers)


def _named(numbers: tuple[int, ...]) -> str:
    """`line 5`, or `lines 5, 7 to 9 and 30 more`."""
    runs = [*_runs(numbers)]
    texts = [str(a) if a == b else f"{a} to {b}" for a, b in runs[:_LISTED]]
    rest = sum(b - a + 1 for a, b in runs[_LISTED:])
    plural = "s" if len(numbers) > 1 else ""
    return f"line{plural} {', '.join(texts)}" + (f" and {rest} more" if rest else "")


def _runs(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    for _, run in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0]):
        lines = [number for _, number in run]
        yield lines[0], lines[-1]


@lru_cache(_CACHED)
def _doubtful_literal(row: Instruction, text: str) -> tuple[str, str, int, int] | None:
    """Check an immediate; None if it is not doubtful.

    Returns a reason, a message, and the position in `text` and length of the doubtful number.
    """
    match = _IMMEDIATE.match(text)
    if match is None:
        return None
    kind = Scalar.F64 if match[1] == "d" else _kind_of_all(row)
    numbers = [*_NUMBER.finditer(text, match.start(2), match.end(2))]
    for number in numbers:
        doubt = _doubtful_number(number[0], kind, row.name)
        if doubt is not None:
            return (*doubt, number.start(), len(number[0]))
    if not row.folds_zeros or any(n[0].removesuffix("l") != _ZERO for n in numbers):
        return None
    message = ROUNDED.format(shown(numbers[0][0]))
    return "rounded", message, numbers[0].start(), len(numbers[0][0])


def _kind_of_all(row: Instruction) -> Scalar:
    """The type that every immediate of an instruction has: BITS if they may differ."""
    return Scalar.BITS if source_types(row) > {Scalar.F32} else literal_kind(row)


@lru_cache(_CACHED)
def _doubtful_guess(text: str) -> tuple[str, str, int, int] | None:
    """Like `_doubtful_literal`, for listings of RenderDoc.

    RenderDoc prints a whole vector as floats if one number looks like a float, with six or four
    digits after the point. It prints a single 0 as an integer.
    """
    match = _IMMEDIATE.match(text)
    if match is None:
        return None
    numbers = [*_NUMBER.finditer(text, match.start(2), match.end(2))]
    kind = Scalar.F64 if match[1] == "d" else Scalar.F32 if len(numbers) > 1 else Scalar.BITS
    if kind is Scalar.F32 and not any(number[0].strip("-0.") for number in numbers):
        kind = Scalar.BITS
    for number in numbers:
        if is_rounded(number[0], kind) or is_rounded(number[0], kind, digits=4):
            message = RENDERDOC_ROUNDED.format(shown(number[0]))
            return "rounded", message, number.start(), len(number[0])
    return None


@lru_cache(_CACHED)
def _doubtful_number(text: str, kind: Scalar, name: str) -> tuple[str, str] | None:
    """Check a number where instruction `name` expects `kind`.

    Returns a reason and a message; None if the number is not doubtful.
    """
    if kind in (Scalar.U32, Scalar.I32) and _FLOAT.match(text):
        return "float", f"{name} takes integers, but {shown(text)} is a float: its bits are used"
    if kind is Scalar.F32 and text.lstrip("+-").isdecimal() and int(text) != 0:
        message = f"{name} takes floats, but {text} is an integer: its bits are used"
        return "integer", f"{message}; write {text}.0"
    if is_rounded(text, kind):
        return "rounded", ROUNDED.format(shown(text))
    return None


def doubtful_mask(
    row: Instruction,
    spec: Spec,
    operands: Sequence[Operand],
    coordinates: int | None,
    text: str,
) -> tuple[str, str] | None:
    """Check a source with two or three letters, which are a write mask and not a swizzle.

    Returns a reason and a message; None if the result is the same. With a write mask, component c
    of the register is read for component c of the result, whatever the letters are. `operands` are
    the instruction's operands up to this one; `coordinates` is the number of components of an
    address, if known.
    """
    letters = "".join(_LETTERS.findall(text.rpartition("]")[2])[-1:])  # not those of an index
    named = operands[-1].written()
    if len(letters) != len(named):
        message = (
            f"{shown(text)} is a write mask, not a swizzle, and does not move components;"
            " a swizzle has one or four letters"
        )
        return "order", message
    if spec.slots == 1 and len(letters) > 1 and row.kind is Kind.FLOW:
        message = f"{row.name} reads one component, x, of {shown(text)}: write one letter"
        return "mask", message
    count = spec.slots or (coordinates if spec.role is Role.ADDRESS else None)
    read = range(count) if count else _written(row, operands)
    missing = "".join(COMPONENTS[c] for c in read if c not in named)
    if (spec.role is Role.ADDRESS and count is None) or not missing:
        return None
    message = (
        f"{row.name} reads {missing} too, but {shown(text)} is a write mask of {letters}, not a"
        " swizzle, and does not move components; a swizzle has one or four letters"
    )
    return "mask", message


def _written(row: Instruction, operands: Sequence[Operand]) -> list[int]:
    """The components that the instruction writes."""
    specs = zip(row.operands, operands, strict=False)
    written = {c for s, o in specs if s.role in _WRITTEN_ROLES for c in o.written()}
    return sorted(written)


def doubtful_accesses(program: Program) -> Iterator[ListingWarning]:
    """Warnings of constant indices past the end, and of addresses in structured buffers."""
    lengths: _Sizes = {}
    strides: _Sizes = {}
    doubts = Doubts()
    for statement in program.statements:
        if statement.row.is_declaration:
            _note(statement, lengths, strides, program.version >= SM51)
            continue
        for reason, operand, message in _doubtful(statement, lengths, strides):
            at = statement.where
            column, length = operand.text_span or (at.column or 1, at.length)
            doubts.add(reason, Fault(message, column - 1, length), at.line or 1)
    yield from doubts.warnings(program.file, program.source_lines or [])


def _note(declared: Statement, lengths: _Sizes, strides: _Sizes, ranges: bool) -> None:
    """Enter the length of a cb, icb or x#, or the stride of a structured resource."""
    row, extra = declared.row, declared.extra
    if row is DCL_CONSTANT_BUFFER:
        buffer = declared.operands[0]
        length = extra[0] if ranges else buffer.indices[-1].base
        if length:  # 0 is an unknown length
            lengths[buffer.file, buffer.number] = length
    elif row is CUSTOM_DATA:
        lengths[RegisterFile.IMMEDIATE_CONSTANT_BUFFER, 0] = len(declared.data) // 4
    elif row is DCL_INDEXABLE_TEMP:
        lengths[RegisterFile.INDEXABLE_TEMP, extra[0]] = extra[1]
    elif row in _STRUCTURED:
        strides[declared.operands[0].file, declared.operands[0].number] = extra[0]


def _doubtful(
    statement: Statement, lengths: _Sizes, strides: _Sizes
) -> Iterator[tuple[str, Operand, str]]:
    address: list[Operand] = []
    memory: Operand | None = None
    for operand, spec in zip(statement.operands, statement.specs, strict=True):
        icb = operand.file is RegisterFile.IMMEDIATE_CONSTANT_BUFFER
        length = lengths.get((operand.file, 0 if icb else operand.number))
        if length is not None and operand.indices and operand.indices[-1].relative is None:
            index = operand.indices[-1].base
            if index >= length:
                yield "index", operand, f"past the end: it is declared with {length} vectors"
        if spec.role is Role.ADDRESS:
            address.append(operand)
        elif spec.role in (Role.RESOURCE, Role.TARGET):
            memory = operand
    if memory is None or statement.row.kind not in _ACCESSES:
        return
    stride = strides.get((memory.file, memory.number))
    if stride is None or not address:
        return
    if statement.row.kind is Kind.ATOMIC:
        one = address[0]
        if one.file is not RegisterFile.IMMEDIATE32 and one.component(0) == one.component(1):
            message = "the same number is the structure's index and the offset in it, in bytes"
            yield "address", one, message
        return
    offset = address[-1]
    if offset.file is not RegisterFile.IMMEDIATE32:
        return
    if statement.row.kind is Kind.STORE:
        components = memory.written()
    else:
        components = tuple(map(memory.component, statement.operands[0].written()))
    end = offset.values[0] + _DWORD * (max(components, default=-1) + 1)
    if end > stride:
        message = f"the access ends at byte {end}, the structure at byte {stride}"
        yield "structure", memory, message
