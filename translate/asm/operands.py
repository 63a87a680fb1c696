"""Parse operands in every spelling of fxc.

The role in the instruction's row decides whether a register's letters are a write mask or a
swizzle. Operands are immutable: parsing the same text at the same place may return the same object.
"""

from __future__ import annotations

import re
from functools import lru_cache

from translate.asm.lines import Fault
from translate.asm.literals import LiteralError, parse_double, parse_dword
from translate.asm.operand_text import EMPTY_TOKEN, PRECISION_NAMES, RANGE_FILES
from translate.errors import did_you_mean, shown
from translate.isa.instruction import Role
from translate.isa.registers import (
    COMPONENTS,
    Index,
    MinPrecision,
    Modifier,
    Operand,
    RegisterFile,
    Selection,
)

MAX_INDEX_DEPTH = 4  # as in a container
_CACHED = 1 << 13
_NO_SWIZZLE = (0, 1, 2, 3)
_PRECISIONS = {name: precision for precision, name in PRECISION_NAMES.items()}
_FILES = {file.prefix: file for file in RegisterFile if not file.is_immediate} | {
    file.prefix.upper(): file for file in RANGE_FILES
}
_IMMEDIATES = tuple(file.prefix for file in RegisterFile if file.is_immediate)
_NAMES = (*_FILES, *_IMMEDIATES)
MASKED_ROLES = (Role.DESTINATION, Role.TARGET, Role.DECLARED)

# Never two `\s*` in a row in these patterns: they would take quadratic time on a long run of
# spaces.
_HEAD = re.compile(r"(-?|\+(?!\s*\|))\s*(?:(\|)\s*)?([A-Za-z_]+)(-?\d+)?")
_REGISTER = re.compile(r"\W*[A-Za-z]+(\d+)(.*)")
_TAIL = re.compile(
    r"(?:\.(\w*))?(?:\s*\{\s*(\w+)(?:\s+as\s+\w+)?\s*\})??(\s*\{\s*nonuniform\s*\})?(?:\s*(\|))?"
)
_IMMEDIATE = re.compile(
    r"(-?)\s*(?:(\|)\s*)?([ld])\s*\((.*)\)"
    r"(?:\s*\{\s*(\w+)(?:\s+as\s+\w+)?\s*\})?(?:\s*(\|))?",
    re.DOTALL,
)
_OFFSET = re.compile(r"(.*)\+\s*(-?\w+)\s*", re.DOTALL)
_INTEGER = re.compile(r"\s*([+-]?)(0[xX][0-9A-Fa-f]{1,16}|\d{1,20})\s*")
_NUMBER = re.compile(r"-?\d[\w.]{0,20}")
_MODIFIERS: dict[tuple[str, str | None], Modifier] = {
    ("", None): Modifier.NONE,
    ("-", None): Modifier.NEG,
    ("", "|"): Modifier.ABS,
    ("-", "|"): Modifier.NEG_ABS,
    (EMPTY_TOKEN, None): Modifier.NONE,
}
# The letters to assume if a source has none, as in 3Dmigoto's assembler
_BARE = {
    RegisterFile.CONSTANT_BUFFER: "xyzw",
    RegisterFile.IMMEDIATE_CONSTANT_BUFFER: "xyzw",
    RegisterFile.INDEXABLE_TEMP: "xyzw",
    RegisterFile.THREAD_ID: "xyzw",
    RegisterFile.THREAD_GROUP_ID: "xyzw",
    RegisterFile.THREAD_ID_IN_GROUP: "xyzw",
    RegisterFile.THREAD_ID_IN_GROUP_FLATTENED: "x",
}
_MASKS = {"".join(COMPONENTS[c] for c in range(4) if mask >> c & 1): mask for mask in range(1, 16)}


@lru_cache(_CACHED)
def read_operand(text: str, start: int, masked: bool, ranges: bool) -> Operand:
    """Parse the operand `text`, which begins at column `start` of its line. Raises Fault.

    `masked`: letters after a point are a write mask. `ranges`: cs_5_1, where resources have one
    more index.
    """
    operand = _read_immediate(text, start) or _read_register(text, start, masked, ranges, 0)
    _check_index_count(operand, ranges, text, start)
    return operand


def names_register(text: str) -> bool:
    """Whether the operand begins with the name of a register or an immediate."""
    head = _HEAD.match(text)
    return head is not None and head[3] in _NAMES


def _read_immediate(text: str, start: int) -> Operand | None:
    match = _IMMEDIATE.fullmatch(text)
    if match is None:
        return None
    negated, opened, kind, values, precision, closed = match.groups()
    modifier = _modifier(negated, opened, closed, text, start)
    wide = kind == "d"
    words = _read_values(values, start + match.start(4), wide)
    components = 1 if len(words) == (2 if wide else 1) else 4
    return Operand(
        RegisterFile.IMMEDIATE64 if wide else RegisterFile.IMMEDIATE32,
        components,
        modifier=modifier,
        min_precision=_precision(precision, start + match.start(5)),
        values=words,
        text_span=(start + 1, len(text)),
    )


def _read_values(text: str, start: int, wide: bool) -> tuple[int, ...]:
    """The dwords of an immediate of one or four numbers.

    An immediate of doubles has one or two numbers, or their dwords: four, or two in hexadecimal.
    """
    parts = text.split(",", 4)
    if len(parts) not in ((1, 2, 4) if wide else (1, 4)):
        count = "one or two doubles" if wide else "one or four components"
        raise Fault(f"an immediate has {count}, found {len(parts)}", start, len(text))
    by_words = len(parts) == 4 or (
        len(parts) == 2 and all(part.strip()[:2].lower() == "0x" for part in parts)
    )
    words: list[int] = []
    for part in parts:
        number = part.strip()
        try:
            if wide and not by_words:
                words += parse_double(number)
            else:
                words.append(parse_dword(number))
        except LiteralError as error:
            lead = len(part) - len(part.lstrip())
            raise Fault(str(error), start + lead, max(1, len(number))) from None
        start += len(part) + 1
    return tuple(words)


def _read_register(text: str, start: int, masked: bool, ranges: bool, depth: int) -> Operand:
    head = _HEAD.match(text)
    if head is None:
        hint = f"; a number is written l({text})" if _NUMBER.fullmatch(text) else ""
        raise Fault(f"expected an operand, found {shown(text)}{hint}", start, max(1, len(text)))
    negated, opened, prefix, number = head.groups()
    file = _FILES.get(prefix)
    if file is None and prefix in _IMMEDIATES:
        message = "an immediate is l(1.0) or l(1.0, 2.0, 3.0, 4.0), without letters"
        raise Fault(message, start, len(text))
    if file is None:
        message = f"unknown register {shown(prefix)}{did_you_mean(prefix, _NAMES)}"
        raise Fault(message, start + head.start(3), len(prefix))
    indices: list[Index] = []
    if number is not None and (depth == 0 or number != "0" or file.index_count):
        indices.append(Index(_index_value(number, start + head.start(4))))
    end = _read_indices(indices, text, head.end(), start, ranges, depth)
    tail = _TAIL.fullmatch(text, end)
    if tail is None:
        message = f"expected a swizzle or the operand's end, found {shown(text[end:])}"
        raise Fault(message, start + end, max(1, len(text) - end))
    letters, precision, non_uniform, closed = tail.groups()
    if letters is None and not masked and depth == 0:
        letters = _BARE.get(file)
    components, selection, mask, swizzle = _selection(
        letters, masked, depth > 0, start + tail.start(1)
    )
    return Operand(
        file,
        components,
        selection,
        mask,
        swizzle,
        tuple(indices),
        _modifier(negated, opened, closed, text, start),
        _precision(precision, start + tail.start(2)),
        non_uniform is not None,
        (),
        (start + 1, len(text)),
        negated == EMPTY_TOKEN,
    )


def _read_indices(
    indices: list[Index], text: str, position: int, start: int, ranges: bool, depth: int
) -> int:
    """Append all `[...]` from `position` on; returns the position after them."""
    while position < len(text) and text[position] == "[":
        end = _closing(text, position, start)
        inner = text[position + 1 : end]
        indices.append(_read_index(inner, start + position + 1, ranges, depth))
        position = end + 1
    return position


def _closing(text: str, position: int, start: int) -> int:
    """The position of the bracket that closes the one at `position`."""
    depth = 0
    for i in range(position, len(text)):
        if text[i] == "[":
            depth += 1
        elif text[i] == "]":
            depth -= 1
            if depth == 0:
                return i
    raise Fault("the index is not closed by ']'", start + position, len(text) - position)


def _read_index(text: str, start: int, ranges: bool, depth: int) -> Index:
    """Parse a number, a register, or `register + number`; `+ 0` is the same as no number."""
    if _INTEGER.fullmatch(text):
        return Index(_index_value(text, start))
    if depth == MAX_INDEX_DEPTH:
        raise Fault(f"indices nest deeper than {depth}", start, len(text))
    register, immediate = text, None
    match = _OFFSET.fullmatch(text)
    if match is not None and "]" not in match[2]:
        register = match[1]
        immediate = _index_value(match[2], start + match.start(2)) or None
    lead = len(register) - len(register.lstrip())
    relative = _read_register(register.strip(), start + lead, False, ranges, depth + 1)
    _check_index_count(relative, ranges, register, start)
    if relative.components == 0:
        message = f"the index {register.strip()} needs a component such as .x"
        raise Fault(message, start, max(1, len(text)))
    return Index(immediate, relative)


def _index_value(text: str, start: int) -> int:
    """Parse the number in an index: 32 bits, or more for the 64-bit form of an index."""
    match = _INTEGER.fullmatch(text)
    if match is None:
        raise Fault(f"expected a number, found {shown(text)}", start, max(1, len(text)))
    value = int(match[2], 16) if match[2][:2] in ("0x", "0X") else int(match[2])
    value = -value if match[1] == "-" else value
    if not -(1 << 31) <= value < 1 << 64:
        raise Fault(f"{text.strip()} is out of an index's range", start, len(text))
    return value & 0xFFFFFFFF if value < 0 else value


def _selection(
    letters: str | None, masked: bool, indexing: bool, start: int
) -> tuple[int, Selection, int, tuple[int, int, int, int]]:
    """Component count, selection, write mask and swizzle of a register's letters.

    In an index (`indexing`), a register has one or four letters.
    """
    if letters is None:
        return 0, Selection.MASK, 0, _NO_SWIZZLE
    if masked:
        mask = _MASKS.get(letters)
        if mask is None:
            message = f"a write mask has letters of xyzw in this order, got {shown(letters)}"
            raise Fault(message, start, max(1, len(letters)))
        return 4, Selection.MASK, mask, _NO_SWIZZLE
    components = [COMPONENTS.find(letter) for letter in letters[:5]]
    count = len(components)
    if not 1 <= count <= 4 or min(components) < 0 or (indexing and count not in (1, 4)):
        message = f"a swizzle has one or four letters of xyzw, got {shown(letters)}"
        raise Fault(message, start, max(1, len(letters)))
    if count in (2, 3):
        return 4, Selection.MASK, _mask_of(components), _NO_SWIZZLE
    if count == 1:
        one = components[0]
        return 4, Selection.SELECT, 0, (one, one, one, one)
    x, y, z, w = components
    return 4, Selection.SWIZZLE, 0, (x, y, z, w)


def _mask_of(components: list[int]) -> int:
    """The write mask that 3Dmigoto's assembler reads from two or three letters after a source.

    It looks for x, y, z and w in this order, and ignores all letters after the first out of order.
    """
    mask = last = 0
    for component in components:
        if component < last:
            break
        mask |= 1 << component
        last = component + 1
    return mask


def _modifier(
    negated: str, opened: str | None, closed: str | None, text: str, start: int
) -> Modifier:
    if opened != closed:
        raise Fault("the second '|' of the absolute value is missing", start, len(text))
    return _MODIFIERS[negated, opened]


def _precision(name: str | None, start: int) -> MinPrecision:
    if name is None:
        return MinPrecision.DEFAULT
    precision = _PRECISIONS.get(name)
    if precision is None:
        known = ", ".join(_PRECISIONS)
        raise Fault(f"unknown precision {shown(name)}; there are {known}", start, len(name))
    return precision


def _check_index_count(operand: Operand, ranges: bool, text: str, start: int) -> None:
    file, found = operand.file, len(operand.indices)
    expected = file.indices_in(ranges)
    if file is RegisterFile.INTERFACE:
        expected += 1  # the call site comes after the indices
    if found != expected:
        plural = "index" if expected == 1 else "indices"
        message = f"{file.prefix} takes {expected} {plural}, found {found}"
        older = _REGISTER.fullmatch(text)
        if older is not None and ranges and found == file.index_count:
            form = shown(f"{file.prefix.upper()}#[{older[1]}]{older[2]}")
            message += f"; cs_5_1 has {form}, with the number # of its declaration"
        raise Fault(message, start, max(1, len(text)))
