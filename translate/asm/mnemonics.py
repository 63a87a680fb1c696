"""Split a mnemonic into the instruction's row, control bits, and extensions that follow.

The rows define all suffixes: those of control fields, `_aoffimmi`, `_indexable`, and the dimension
of a declaration.
"""

from __future__ import annotations

from dataclasses import dataclass

from translate.asm.declarations import NO_FLAGS, UNKNOWN_DIMENSION
from translate.asm.faults import Fault
from translate.errors import did_you_mean, shown
from translate.isa import BY_NAME
from translate.isa.declarations import DIMENSION_SHIFT
from translate.isa.enums import DIMENSIONS_BY_NAME, Dimension
from translate.isa.instruction import SATURATE, TEST, Control, Instruction

OFFSETS, INDEXABLE = "_aoffimmi", "_indexable"
_CACHED = 1 << 12
_LONGEST = 100  # longer than any mnemonic with all its suffixes

_known: dict[str, Mnemonic] = {}


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
