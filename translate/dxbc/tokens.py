"""The fields of tokens; decoding and encoding of operands.

The dwords of an operand are its token, extended tokens, then immediate values or indices in order.
An index is an immediate, a nested operand, or both. Source: d3d12TokenizedProgramFormat.hpp (TPF);
reference "SM4/SM5 token format", §5.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from translate.dataclass import dataclass
from translate.isa.registers import (
    REGISTER_FILES,
    Index,
    MinPrecision,
    Modifier,
    Operand,
    RegisterFile,
    Selection,
)

COMPUTE = 5
PROGRAM_TYPES = {0: "pixel", 1: "vertex", 2: "geometry", 3: "hull", 4: "domain", COMPUTE: "compute"}
VERSIONS = ((4, 0), (4, 1), (5, 0), (5, 1))
MAX_SHORT_LENGTH = 127  # the maximum of the opcode token's length field
MAX_INDEX_DEPTH = 4  # FS §7.3 allows r# or a statically indexed x# as an index, so 2 occur


class TokenError(ValueError):
    """An invalid token; the caller knows the place and raises a TranslateError."""


class Bits(NamedTuple):
    """A field of a 32-bit token."""

    shift: int
    width: int

    def read(self, token: int) -> int:
        return token >> self.shift & (1 << self.width) - 1

    def place(self, value: int) -> int:
        """`value` moved to the field's bits. Raises TokenError if it needs more bits."""
        if not 0 <= value < 1 << self.width:
            raise TokenError(f"{value} does not fit into {self.width} bits")
        return value << self.shift

    def read_signed(self, token: int) -> int:
        value, sign = self.read(token), 1 << self.width - 1
        return value - 2 * (value & sign)

    def place_signed(self, value: int) -> int:
        limit = 1 << self.width - 1
        if not -limit <= value < limit:
            raise TokenError(f"{value} is outside [{-limit}, {limit - 1}]")
        return self.place(value & 2 * limit - 1)


# Version token
MINOR = Bits(0, 4)
MAJOR = Bits(4, 4)
PROGRAM_TYPE = Bits(16, 16)

# Opcode token; bits [23:11] are the row's controls
OPCODE = Bits(0, 11)
LENGTH = Bits(24, 7)
EXTENDED = Bits(31, 1)  # in every token: an extended token follows
CUSTOM_DATA_CLASS = Bits(11, 21)

# Extended tokens of opcodes and operands
EXTENSION_KIND = Bits(0, 6)

# Extended opcode tokens
EMPTY, SAMPLE_CONTROLS, RESOURCE_DIMENSION, RESOURCE_RETURN_TYPE = range(4)
OFFSETS = (Bits(9, 4), Bits(13, 4), Bits(17, 4))
DIMENSION = Bits(6, 5)
STRIDE = Bits(11, 12)
RETURNS = (Bits(6, 4), Bits(10, 4), Bits(14, 4), Bits(18, 4))

# Operand token
COMPONENTS = Bits(0, 2)
COMPONENT_COUNTS = (0, 1, 4)  # by the field's value; 3 means N and is unused
SELECTION = Bits(2, 2)
MASK = Bits(4, 4)
SWIZZLE = (Bits(4, 2), Bits(6, 2), Bits(8, 2), Bits(10, 2))
REGISTER_FILE = Bits(12, 8)
INDEX_COUNT = Bits(20, 2)
REPRESENTATIONS = (Bits(22, 3), Bits(25, 3), Bits(28, 3))

# Extended operand token, kind 1
MODIFIER_KIND = 1
MODIFIER = Bits(6, 8)
MIN_PRECISION = Bits(14, 3)
NON_UNIFORM = Bits(17, 1)


@dataclass(frozen=True, slots=True)
class ListCount:
    """The dword before a declaration's list: the count, sometimes packed with other fields."""

    count: Bits
    others: tuple[Bits, ...] = ()

    def split(self, word: int) -> tuple[int, tuple[int, ...]]:
        """Decode the count and the other fields."""
        return self.count.read(word), tuple(field.read(word) for field in self.others)

    def join(self, count: int, others: tuple[int, ...]) -> int:
        """Encode the count and the other fields."""
        word = self.count.place(count)
        for field, value in zip(self.others, others, strict=True):
            word |= field.place(value)
        return word


# By the name of a row's last extra, which is a list
LISTS = {
    "bodies": ListCount(Bits(0, 32)),
    "tables": ListCount(Bits(0, 16), (Bits(16, 16),)),
}


class Representation(NamedTuple):
    """The encoding of an index: the number of immediate dwords, and whether a register follows."""

    immediate_dwords: int
    relative: bool


INDEX_REPRESENTATIONS = (
    Representation(1, False),
    Representation(2, False),  # the high dword comes first
    Representation(0, True),
    Representation(1, True),
    Representation(2, True),
)


_NO_SWIZZLE = (0, 1, 2, 3)
_MODIFIERS = {int(m): m for m in Modifier}
_MIN_PRECISIONS = {int(p): p for p in MinPrecision}
_CACHED = 1 << 12  # operands and tokens often repeat
_DWORD = 0xFFFFFFFF


class _Shape(NamedTuple):
    """The fields of an operand token without its extensions.

    `size` is the operand's length with at most one extended token; None if it depends on an index.
    """

    file: RegisterFile
    components: int
    selection: Selection
    mask: int
    swizzle: tuple[int, int, int, int]
    extended: bool
    immediates: int
    indices: tuple[Representation, ...]
    size: int | None


class _Extension(NamedTuple):
    """The fields of extended operand tokens."""

    modifier: Modifier = Modifier.NONE
    min_precision: MinPrecision = MinPrecision.DEFAULT
    non_uniform: bool = False


_PLAIN = _Extension()


def read_operand(words: Sequence[int], position: int, end: int) -> tuple[Operand, int]:
    """The operand at `position`, and the position after it. Raises TokenError.

    Operands are immutable: equal tokens may return the same object.
    """
    if position >= end:
        raise TokenError("the instruction ends before an operand")
    shape = _shape(words[position])
    size = shape.size
    if size is None or (shape.extended and EXTENDED.read(_word(words, position + 1, end))):
        return _read(words, position, end, 0)
    if position + size > end:
        raise TokenError("the instruction ends within an operand")
    return _read_whole(tuple(words[position : position + size])), position + size


def write_operand(operand: Operand) -> list[int]:
    """Encode an operand. Raises TokenError for a value that does not fit its token."""
    token, extension = _operand_token(operand), _extension_token(operand)
    words = [token]
    if extension:
        words = [token | EXTENDED.place(1), extension]
    words += operand.values
    for index in operand.indices:
        words += _index_words(index)
    return words


@lru_cache(_CACHED)
def _read_whole(words: tuple[int, ...]) -> Operand:
    return _read(words, 0, len(words), 0)[0]


def _read(words: Sequence[int], position: int, end: int, depth: int) -> tuple[Operand, int]:
    shape = _shape(_word(words, position, end))
    position += 1
    extension = _PLAIN
    if shape.extended:
        extension, position = _read_extensions(words, position, end)
    values = tuple(words[position : min(end, position + shape.immediates)])
    if len(values) < shape.immediates:
        raise TokenError("the instruction ends within an immediate")
    position += len(values)
    indices: list[Index] = []
    for representation in shape.indices:
        index, position = _read_index(words, position, end, representation, depth)
        indices.append(index)
    operand = Operand(
        shape.file,
        shape.components,
        shape.selection,
        shape.mask,
        shape.swizzle,
        tuple(indices),
        extension.modifier,
        extension.min_precision,
        extension.non_uniform,
        values,
        empty_token=shape.extended and extension == _PLAIN,
    )
    return operand, position


def _word(words: Sequence[int], position: int, end: int) -> int:
    if position >= end:
        raise TokenError("the instruction ends within an operand")
    return words[position]


def _read_extensions(words: Sequence[int], position: int, end: int) -> tuple[_Extension, int]:
    """Decode the chain of extended tokens; the last one counts."""
    extension = _PLAIN
    while True:
        token = _word(words, position, end)
        position += 1
        if EXTENSION_KIND.read(token) != EMPTY:
            extension = _extension(token)
        if not EXTENDED.read(token):
            return extension, position


@lru_cache(_CACHED)
def _extension(token: int) -> _Extension:
    kind = EXTENSION_KIND.read(token)
    if kind != MODIFIER_KIND:
        raise TokenError(f"unknown kind {kind} of extended operand token")
    modifier = MODIFIER.read(token)
    precision = MIN_PRECISION.read(token)
    if modifier not in _MODIFIERS:
        raise TokenError(f"unknown operand modifier {modifier}")
    if precision not in _MIN_PRECISIONS:
        raise TokenError(f"unknown minimum precision {precision}")
    non_uniform = bool(NON_UNIFORM.read(token))
    return _Extension(_MODIFIERS[modifier], _MIN_PRECISIONS[precision], non_uniform)


def _read_index(
    words: Sequence[int], position: int, end: int, representation: Representation, depth: int
) -> tuple[Index, int]:
    immediate: int | None = None
    for _ in range(representation.immediate_dwords):
        immediate = (immediate or 0) << 32 | _word(words, position, end)
        position += 1
    if not representation.relative:
        return Index(immediate), position
    if depth == MAX_INDEX_DEPTH:
        raise TokenError(f"relative indices nest deeper than {depth}")
    relative, position = _read(words, position, end, depth + 1)
    return Index(immediate, relative), position


@lru_cache(_CACHED)
def _shape(token: int) -> _Shape:
    number = REGISTER_FILE.read(token)
    file = REGISTER_FILES.get(number)
    if file is None:
        raise TokenError(f"unknown register file {number}")
    components = _component_count(token)
    selection, mask, swizzle = _selection(token, components)
    immediates = components * (2 if file is RegisterFile.IMMEDIATE64 and components == 1 else 1)
    immediates = immediates if file.is_immediate else 0
    indices = _representations(token)
    if file.is_immediate and indices:
        raise TokenError("an immediate has an index")
    extended = bool(EXTENDED.read(token))
    size = 1 + extended + immediates + sum(r.immediate_dwords for r in indices)
    fixed = None if any(r.relative for r in indices) else size
    return _Shape(file, components, selection, mask, swizzle, extended, immediates, indices, fixed)


def _component_count(token: int) -> int:
    field = COMPONENTS.read(token)
    if field >= len(COMPONENT_COUNTS):
        raise TokenError("an operand has N components, which no shader model defines")
    return COMPONENT_COUNTS[field]


def _selection(token: int, components: int) -> tuple[Selection, int, tuple[int, int, int, int]]:
    """Selection, write mask and swizzle; SELECT repeats its component."""
    if components != 4:
        return Selection.MASK, 0, _NO_SWIZZLE
    field = SELECTION.read(token)
    x, y, z, w = (letter.read(token) for letter in SWIZZLE)
    if field == Selection.MASK:
        return Selection.MASK, MASK.read(token), _NO_SWIZZLE
    if field == Selection.SWIZZLE:
        return Selection.SWIZZLE, 0, (x, y, z, w)
    if field == Selection.SELECT:
        return Selection.SELECT, 0, (x, x, x, x)
    raise TokenError(f"unknown component selection {field}")


def _representations(token: int) -> tuple[Representation, ...]:
    numbers = [r.read(token) for r in REPRESENTATIONS[: INDEX_COUNT.read(token)]]
    for number in numbers:
        if number >= len(INDEX_REPRESENTATIONS):
            raise TokenError(f"unknown index representation {number}")
    return tuple(INDEX_REPRESENTATIONS[number] for number in numbers)


def _operand_token(operand: Operand) -> int:
    if operand.components not in COMPONENT_COUNTS:
        raise TokenError(f"an operand of {operand.components} components")
    token = COMPONENTS.place(COMPONENT_COUNTS.index(operand.components))
    token |= REGISTER_FILE.place(operand.file.number)
    if operand.components == 4:
        token |= _selection_bits(operand)
    token |= INDEX_COUNT.place(len(operand.indices))
    for field, index in zip(REPRESENTATIONS, operand.indices, strict=False):
        token |= field.place(INDEX_REPRESENTATIONS.index(_representation(index)))
    return token


def _selection_bits(operand: Operand) -> int:
    bits = SELECTION.place(operand.selection)
    if operand.selection is Selection.MASK:
        return bits | MASK.place(operand.mask)
    if operand.selection is Selection.SELECT:
        return bits | SWIZZLE[0].place(operand.swizzle[0])
    for field, letter in zip(SWIZZLE, operand.swizzle, strict=True):
        bits |= field.place(letter)
    return bits


def _extension_token(operand: Operand) -> int:
    """The extended token; 0 if the operand needs none."""
    bits = MODIFIER.place(operand.modifier)
    bits |= MIN_PRECISION.place(operand.min_precision)
    bits |= NON_UNIFORM.place(int(operand.non_uniform))
    has_token = bits or operand.empty_token
    return bits | EXTENSION_KIND.place(MODIFIER_KIND) if has_token else 0


def _representation(index: Index) -> Representation:
    if index.immediate is None:
        return Representation(0, True)
    return Representation(1 + (index.immediate > _DWORD), index.relative is not None)


def _index_words(index: Index) -> list[int]:
    representation = _representation(index)
    words = [index.base >> 32, index.base & _DWORD][2 - representation.immediate_dwords :]
    if index.relative is not None:
        words += write_operand(index.relative)
    return words
