"""Decode and encode operands.

The dwords of an operand are its token, extended tokens, then immediate values or indices in order.
An index is an immediate, a nested operand, or both. Source: reference "SM4/SM5 token format", §5.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from translate.dxbc import tokens
from translate.dxbc.tokens import INDEX_REPRESENTATIONS, Representation, TokenError
from translate.isa.registers import (
    REGISTER_FILES,
    Index,
    MinPrecision,
    Modifier,
    Operand,
    RegisterFile,
    Selection,
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
    if size is None or (shape.extended and tokens.EXTENDED.read(_word(words, position + 1, end))):
        return _read(words, position, end, 0)
    if position + size > end:
        raise TokenError("the instruction ends within an operand")
    return _read_whole(tuple(words[position : position + size])), position + size


def write_operand(operand: Operand) -> list[int]:
    """Encode an operand. Raises TokenError for a value that does not fit its token."""
    token, extension = _operand_token(operand), _extension_token(operand)
    words = [token]
    if extension:
        words = [token | tokens.EXTENDED.place(1), extension]
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
        if tokens.EXTENSION_KIND.read(token) != tokens.EMPTY:
            extension = _extension(token)
        if not tokens.EXTENDED.read(token):
            return extension, position


@lru_cache(_CACHED)
def _extension(token: int) -> _Extension:
    kind = tokens.EXTENSION_KIND.read(token)
    if kind != tokens.MODIFIER_KIND:
        raise TokenError(f"unknown kind {kind} of extended operand token")
    modifier = tokens.MODIFIER.read(token)
    precision = tokens.MIN_PRECISION.read(token)
    if modifier not in _MODIFIERS:
        raise TokenError(f"unknown operand modifier {modifier}")
    if precision not in _MIN_PRECISIONS:
        raise TokenError(f"unknown minimum precision {precision}")
    non_uniform = bool(tokens.NON_UNIFORM.read(token))
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
    if depth == tokens.MAX_INDEX_DEPTH:
        raise TokenError(f"relative indices nest deeper than {depth}")
    relative, position = _read(words, position, end, depth + 1)
    return Index(immediate, relative), position


@lru_cache(_CACHED)
def _shape(token: int) -> _Shape:
    number = tokens.REGISTER_FILE.read(token)
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
    extended = bool(tokens.EXTENDED.read(token))
    size = 1 + extended + immediates + sum(r.immediate_dwords for r in indices)
    fixed = None if any(r.relative for r in indices) else size
    return _Shape(file, components, selection, mask, swizzle, extended, immediates, indices, fixed)


def _component_count(token: int) -> int:
    field = tokens.COMPONENTS.read(token)
    if field >= len(tokens.COMPONENT_COUNTS):
        raise TokenError("an operand has N components, which no shader model defines")
    return tokens.COMPONENT_COUNTS[field]


def _selection(token: int, components: int) -> tuple[Selection, int, tuple[int, int, int, int]]:
    """Selection, write mask and swizzle; SELECT repeats its component."""
    if components != 4:
        return Selection.MASK, 0, _NO_SWIZZLE
    field = tokens.SELECTION.read(token)
    x, y, z, w = (letter.read(token) for letter in tokens.SWIZZLE)
    if field == Selection.MASK:
        return Selection.MASK, tokens.MASK.read(token), _NO_SWIZZLE
    if field == Selection.SWIZZLE:
        return Selection.SWIZZLE, 0, (x, y, z, w)
    if field == Selection.SELECT:
        return Selection.SELECT, 0, (x, x, x, x)
    raise TokenError(f"unknown component selection {field}")


def _representations(token: int) -> tuple[Representation, ...]:
    numbers = [r.read(token) for r in tokens.REPRESENTATIONS[: tokens.INDEX_COUNT.read(token)]]
    for number in numbers:
        if number >= len(INDEX_REPRESENTATIONS):
            raise TokenError(f"unknown index representation {number}")
    return tuple(INDEX_REPRESENTATIONS[number] for number in numbers)


def _operand_token(operand: Operand) -> int:
    if operand.components not in tokens.COMPONENT_COUNTS:
        raise TokenError(f"an operand of {operand.components} components")
    token = tokens.COMPONENTS.place(tokens.COMPONENT_COUNTS.index(operand.components))
    token |= tokens.REGISTER_FILE.place(operand.file.number)
    if operand.components == 4:
        token |= _selection_bits(operand)
    token |= tokens.INDEX_COUNT.place(len(operand.indices))
    for field, index in zip(tokens.REPRESENTATIONS, operand.indices, strict=False):
        token |= field.place(INDEX_REPRESENTATIONS.index(_representation(index)))
    return token


def _selection_bits(operand: Operand) -> int:
    bits = tokens.SELECTION.place(operand.selection)
    if operand.selection is Selection.MASK:
        return bits | tokens.MASK.place(operand.mask)
    if operand.selection is Selection.SELECT:
        return bits | tokens.SWIZZLE[0].place(operand.swizzle[0])
    for field, letter in zip(tokens.SWIZZLE, operand.swizzle, strict=True):
        bits |= field.place(letter)
    return bits


def _extension_token(operand: Operand) -> int:
    """The extended token; 0 if the operand needs none."""
    bits = tokens.MODIFIER.place(operand.modifier)
    bits |= tokens.MIN_PRECISION.place(operand.min_precision)
    bits |= tokens.NON_UNIFORM.place(int(operand.non_uniform))
    has_token = bits or operand.empty_token
    return bits | tokens.EXTENSION_KIND.place(tokens.MODIFIER_KIND) if has_token else 0


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
