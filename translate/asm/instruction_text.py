"""Parse an instruction up to its operands, and split these.

The rows define all suffixes of a mnemonic: those of control fields, `_aoffimmi`, `_indexable`, and
the dimension of a declaration.
"""

from __future__ import annotations

import re

from translate.asm.declaration_fields import returns_token
from translate.asm.lines import Fault, Line
from translate.asm.operand_text import NO_FLAGS, UNKNOWN_DIMENSION
from translate.dataclass import dataclass
from translate.errors import NOWHERE, did_you_mean, shown
from translate.isa import BY_NAME
from translate.isa.declarations import DIMENSION_SHIFT
from translate.isa.instruction import PRECISE_SHIFT, SATURATE, TEST, Control, Instruction, Kind
from translate.isa.registers import (
    COMPONENTS,
    DIMENSIONS_BY_NAME,
    RETURN_TYPES,
    Dimension,
    ReturnType,
)
from translate.program import Statement

OFFSETS, INDEXABLE = "_aoffimmi", "_indexable"
_CACHED = 1 << 12
_LONGEST = 100  # longer than any mnemonic with all its suffixes

_known: dict[str, Mnemonic] = {}
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


@dataclass(frozen=True, slots=True)
class Mnemonic:
    """A parsed mnemonic; `offsets` and `indexable` mean that groups in parentheses follow."""

    row: Instruction
    controls: int
    offsets: bool
    indexable: bool


def read_mnemonic(word: str, start: int) -> Mnemonic:
    """Parse the word at column `start`. Raises Fault for an unknown instruction or suffix."""
    known = _known.get(word)
    if known is not None:
        return known
    if len(word) > _LONGEST:
        raise Fault(f"unknown instruction {shown(word)}", start, len(word))
    mnemonic = _resolve(word, start)
    if len(_known) < _CACHED:
        _known[word] = mnemonic
    return mnemonic


def _resolve(word: str, start: int) -> Mnemonic:
    """Find the longest instruction name such that the rest of the word is valid suffixes."""
    end = len(word)
    nearest: Instruction | None = None
    while end > 0:
        row = BY_NAME.get(word[:end])
        if row is not None:
            nearest = nearest or row
            mnemonic = _with_suffixes(row, word[end:])
            if mnemonic is not None:
                return mnemonic
        end = _previous_end(word, end)
    raise Fault(_unknown(word, nearest), start, len(word))


def _previous_end(word: str, end: int) -> int:
    """The end of the next shorter candidate for the instruction's name: before the last suffix."""
    if end == len(word) and word.endswith(NO_FLAGS):
        return end - len(NO_FLAGS)
    return word.rfind("_", 0, end)


def _with_suffixes(row: Instruction, rest: str) -> Mnemonic | None:
    """Parse the suffixes; None if one is unknown, repeated or missing."""
    controls = 0
    if row.syntax == "{flags}" and rest == NO_FLAGS:  # printed without a space
        return Mnemonic(row, controls, False, False)
    if "{dimension}" in row.syntax:
        dimension, rest = _take_dimension(rest)
        if dimension is None:
            return None
        controls = dimension.number << DIMENSION_SHIFT
    found: set[str] = set()
    while rest:
        name, bits, length = _take_suffix(row, rest)
        if name is None or name in found:
            return None
        found.add(name)
        controls |= bits
        rest = rest[length:]
    if TEST in row.controls and TEST.name not in found:
        return None
    return Mnemonic(row, controls, OFFSETS in found, INDEXABLE in found)


def _take_dimension(rest: str) -> tuple[Dimension | None, str]:
    """Parse the dimension after `dcl_resource`; also returns the rest."""
    names = {UNKNOWN_DIMENSION: Dimension.UNKNOWN, **DIMENSIONS_BY_NAME}
    for name in sorted(names, key=len, reverse=True):
        if rest.startswith(f"_{name}") and rest[len(name) + 1 :][:1] in ("", "_"):
            return names[name], rest[len(name) + 1 :]
    return None, rest


def _take_suffix(row: Instruction, rest: str) -> tuple[str | None, int, int]:
    """The longest suffix at the start of `rest`: its control field, bits and length."""
    best: tuple[str | None, int, int] = (None, 0, 0)
    if not row.is_declaration:
        for name in (OFFSETS, INDEXABLE):
            if rest.startswith(name):
                best = (name, 0, len(name))
    for control in _suffix_controls(row):
        for value, suffix in enumerate(control.suffixes):
            if suffix.startswith("_") and rest.startswith(suffix) and len(suffix) > best[2]:
                best = (control.name, value << control.shift, len(suffix))
    return best


def _suffix_controls(row: Instruction) -> tuple[Control, ...]:
    """The row's control fields, and `_sat` if another field uses its bit.

    This is for `sync_sat_ugroup`, see `printer`.
    """
    shares = any(c.shift == SATURATE.shift for c in row.controls) and not row.saturable
    return (*row.controls, SATURATE) if shares else row.controls


def _unknown(word: str, nearest: Instruction | None) -> str:
    """The message for an unknown word, which may begin with the name of `nearest`."""
    if nearest is None or len(nearest.name) * 2 < len(word):
        return f"unknown instruction {shown(word)}{did_you_mean(word, BY_NAME)}"
    if TEST in nearest.controls and word == nearest.name:
        return f"{word} needs a test: {word}_z or {word}_nz"
    if "{dimension}" in nearest.syntax:
        names = [f"{nearest.name}_{name}" for name in DIMENSIONS_BY_NAME]
        return f"{shown(word)} has no known resource dimension{did_you_mean(word, names)}"
    names = [name for name in BY_NAME if name != nearest.name]
    suffix = shown(word[len(nearest.name) :])
    return f"{nearest.name} has no suffix {suffix}{did_you_mean(word, names)}"


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
