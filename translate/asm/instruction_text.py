"""Parse an instruction up to its operands, and split these."""

from __future__ import annotations

import re

from translate.asm.declaration_fields import returns_token
from translate.asm.declarations import UNKNOWN_DIMENSION
from translate.asm.faults import Fault
from translate.asm.lexer import Line
from translate.asm.mnemonics import Mnemonic, read_mnemonic
from translate.errors import NOWHERE, shown
from translate.isa.enums import DIMENSIONS_BY_NAME, RETURN_TYPES, Dimension, ReturnType
from translate.isa.instruction import PRECISE_SHIFT, Kind
from translate.isa.registers import COMPONENTS
from translate.program import Statement

_WORD = re.compile(rf"[A-Za-z]\w*(?:{UNKNOWN_DIMENSION})?")
# Between the mnemonic and the operands: `[precise(x)]`, `(1,0,0)(texture2d)(...)`, `_nz`
_MIDDLE = re.compile(
    r"(?:\s*+\[\s*+(precise)\s*+(?:\(\s*+(\w+)\s*+\)\s*+)?\])?"
    r"((?:\s*+\([^()]*+\))*+)(_\w++)?(?=\s|$)"
)
_GROUP = re.compile(r"\(([^()]*)\)")
_OPERAND = re.compile(r"[^,()]*(?:\([^()]*(?:\([^()]*\)[^()]*)*\)[^,()]*)*")
_STRIDE = re.compile(r"\s*(?:stride\s*=\s*)?(\d{1,4})\s*")
_BARE_OFFSETS = re.compile(r"\s*-?\d+\s*,\s*-?\d+\s*,\s*-?\d+\s*")
_OFFSETABLE = (Kind.LOAD, Kind.TEXTURE)
_MAX_STRIDE = 4095  # the token's maximum
_OFFSET_RANGE = range(-8, 8)


def read_word(line: Line) -> tuple[Mnemonic, int]:
    """Parse a line's mnemonic; returns it, and the position after it."""
    match = _WORD.match(line.text, line.start)
    if match is None:
        found = line.text[line.start :]
        raise Fault(f"expected an instruction, found {shown(found)}", line.start, len(found))
    text, end = line.text, match.end()
    word = match[0]
    suffix = _trailing_suffix(text, end)
    return read_mnemonic(word + suffix, line.start), end


def _trailing_suffix(text: str, end: int) -> str:
    """The suffix after parentheses: `_uint` in `resinfo_indexable(texture2d)(float,...)_uint`."""
    if end == len(text) or (text[end] != "(" and text[end : end + 2] != " ["):
        return ""
    match = _MIDDLE.match(text, end)
    return match[4] or "" if match else ""


def read_head(mnemonic: Mnemonic, text: str, end: int) -> tuple[Statement, int]:
    """Parse the text up to the operands: a statement without these, and where they begin."""
    row = mnemonic.row
    statement = Statement(row, (), NOWHERE, mnemonic.controls, extra=(0,) * row.padding)
    if end < len(text) and (text[end] == "(" or mnemonic.offsets or "[" in text[end : end + 2]):
        return statement, _read_middle(statement, mnemonic, text, end)
    if mnemonic.offsets or mnemonic.indexable:
        raise Fault("expected a group in parentheses after the mnemonic", end)
    if end < len(text) and not text[end].isspace():
        raise Fault(f"expected a space after {row.name}, found {shown(text[end])}", end)
    return statement, end


def _read_middle(statement: Statement, mnemonic: Mnemonic, text: str, position: int) -> int:
    """Parse `[precise]` and the groups in parentheses; returns the position after them."""
    match = _MIDDLE.match(text, position)
    if match is None:
        message = f"expected operands, found {shown(text[position:])}"
        raise Fault(message, position, len(text) - position)
    if match[1]:
        statement.controls |= _precise_mask(match) << PRECISE_SHIFT
    groups = [(g[1], g.start(1)) for g in _GROUP.finditer(text, match.start(3), match.end(3))]
    if mnemonic.offsets:
        if not groups:
            raise Fault("_aoffimmi needs offsets in parentheses", position)
        statement.offsets = _offsets(*groups.pop(0))
    elif mnemonic.row.kind in _OFFSETABLE:
        bare = [group for group in groups if _BARE_OFFSETS.fullmatch(group[0])]
        if len(bare) == 1:  # vkd3d-compiler writes no suffix, and the dimension first
            groups.remove(bare[0])
            statement.offsets = _offsets(*bare[0])
    if mnemonic.indexable and not 1 <= len(groups) <= 2:
        raise Fault("_indexable needs a dimension and return types in parentheses", position)
    if not mnemonic.indexable and groups:
        raise Fault("only _aoffimmi and _indexable take parentheses", groups[0][1] - 1)
    for group, start in groups:
        _read_group(statement, group, start)
    return match.end()


def _precise_mask(match: re.Match[str]) -> int:
    """The mask of precise components; all of them if no letters are given."""
    letters: str | None = match[2]
    if letters is None:
        return 15
    mask = 0
    for letter in letters:
        if letter not in COMPONENTS:
            message = f"[precise] names components of xyzw, got {shown(letters)}"
            raise Fault(message, match.start(2), len(letters))
        mask |= 1 << COMPONENTS.index(letter)
    return mask


def _offsets(text: str, start: int) -> tuple[int, int, int]:
    """Parse three texel offsets from -8 to 7."""
    parts = [part.strip() for part in text.split(",")]
    valid = all(re.fullmatch(r"-?\d", part) and int(part) in _OFFSET_RANGE for part in parts)
    if len(parts) != 3 or not valid:
        message = f"_aoffimmi takes three offsets from -8 to 7, got {shown(text)}"
        raise Fault(message, start, max(1, len(text)))
    u, v, w = map(int, parts)
    return u, v, w


def _read_group(statement: Statement, text: str, start: int) -> None:
    """Parse one group: `texture2d`, `structured_buffer, stride=16`, or four return types."""
    name, comma, rest = text.partition(",")
    dimension = DIMENSIONS_BY_NAME.get(name.strip())
    if name.strip() == UNKNOWN_DIMENSION:
        dimension = Dimension.UNKNOWN
    if dimension is None and text.count(",") == 3:
        statement.returns = _returns(text, start)
        return
    if dimension is None:
        raise Fault(f"unknown dimension {shown(name.strip())}", start, max(1, len(name)))
    statement.dimension = dimension
    if comma:
        match = _STRIDE.fullmatch(rest)
        if match is None or int(match[1]) > _MAX_STRIDE:
            message = f"expected a stride up to {_MAX_STRIDE}, found {shown(rest.strip())}"
            raise Fault(message, start + len(name) + 1, max(1, len(rest)))
        statement.stride = int(match[1])


def _returns(text: str, start: int) -> tuple[ReturnType, ...]:
    token = returns_token(text, start)
    numbers = [token >> 4 * c & 15 for c in range(4)]
    if any(number not in RETURN_TYPES for number in numbers):
        raise Fault(f"unknown return type in {shown(text)}", start, len(text))
    return tuple(RETURN_TYPES[number] for number in numbers)


def split_operands(text: str, position: int) -> list[tuple[str, int]]:
    """Split at commas outside parentheses: each operand, and where it begins."""
    parts: list[tuple[str, int]] = []
    if not text[position:].strip():
        return parts
    while True:
        match = _OPERAND.match(text, position)
        end = match.end() if match else position
        part = text[position:end]
        stripped = part.strip()
        start = position + len(part) - len(part.lstrip())
        if not stripped:
            raise Fault("expected an operand", min(start, max(0, len(text) - 1)))
        parts.append((stripped, start))
        if end == len(text):
            return parts
        if text[end] != ",":
            raise Fault(f"unbalanced parenthesis: {shown(text[end:])}", end)
        position = end + 1
