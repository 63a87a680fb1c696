"""Mutations of a program chunk by whole instructions, so that their lengths stay valid."""

from __future__ import annotations

import random
import struct

from translate.dxbc import tokens
from translate.dxbc.tokens import TokenError, read_operand
from translate.isa import BY_OPCODE
from translate.isa.declarations import CUSTOM_DATA

from .mutate import EDGES, edge, mutate_bytes

Words = list[int]
_HEADER = 2


def mutate_program(data: bytes, rng: random.Random, other: bytes = b"") -> bytes:
    """A SHEX payload changed in whole instructions, or in dwords with the lengths corrected.

    Instructions of `other`, a program, may be taken.
    """
    if len(data) < 4 * _HEADER or rng.random() < 0.05:
        return mutate_bytes(data, rng)
    head, instructions = split(data)
    more = split(other)[1] if len(other) >= 4 * _HEADER else []
    for _ in range(rng.choice((1, 1, 2, 3, 6))):
        _change(instructions, more or instructions, rng)
    if rng.random() < 0.05:
        head[0] ^= rng.choice((1, 0x10, 0x11, 1 << rng.randrange(32)))
    words = [word for instruction in instructions for word in instruction]
    head[1] = _HEADER + len(words) if rng.random() < 0.95 else edge(rng, head, len(data))
    return struct.pack(f"<{_HEADER + len(words)}I", *head, *words)


def split(data: bytes) -> tuple[Words, list[Words]]:
    """The two dwords of the header, and the instructions as far as their lengths are valid."""
    words = list(struct.unpack(f"<{len(data) // 4}I", data[: len(data) // 4 * 4]))
    instructions: list[Words] = []
    position = _HEADER
    while position < len(words):
        length = max(1, _length(words, position))
        instructions.append(words[position : position + length])
        position += length
    return words[:_HEADER], instructions


def _is_long(token: int) -> bool:
    row = BY_OPCODE.get(tokens.OPCODE.read(token))
    extended = bool(tokens.EXTENDED.read(token))
    return row is CUSTOM_DATA or (row is not None and row.long_form and extended)


def _length(words: Words, position: int) -> int:
    if _is_long(words[position]):
        return words[position + 1] if position + 1 < len(words) else 1
    return tokens.LENGTH.read(words[position])


def _with_length(words: Words) -> Words:
    if _is_long(words[0]):
        return [words[0], len(words), *words[2:]]
    rest = words[0] & ~tokens.LENGTH.place(tokens.MAX_SHORT_LENGTH)
    return [rest | tokens.LENGTH.place(min(len(words), tokens.MAX_SHORT_LENGTH)), *words[1:]]


def _change(instructions: list[Words], more: list[Words], rng: random.Random) -> None:
    if not instructions:
        instructions.append(list(rng.choice(more)) if more else [0])
    at = rng.randrange(len(instructions))
    choice = rng.randrange(9)
    if choice == 0:
        del instructions[at]
    elif choice == 1:
        instructions.insert(at, list(rng.choice(instructions)))
    elif choice == 2:
        instructions.insert(at, list(rng.choice(more)))
    elif choice == 3:
        instructions[at:at] = [list(instructions[at])] * rng.choice((1, 2, 5, 70))
    elif choice == 4:
        to = rng.randrange(len(instructions))
        instructions[at], instructions[to] = instructions[to], instructions[at]
    else:
        changed = _change_words(list(instructions[at]), instructions, rng)
        instructions[at] = _with_length(changed) if rng.random() < 0.95 else changed


def _change_words(words: Words, instructions: list[Words], rng: random.Random) -> Words:
    """Change one instruction's dwords: its opcode, a bit, a number, or how many there are."""
    choice = rng.randrange(7)
    at = rng.randrange(len(words))
    if choice == 0:
        opcode = tokens.OPCODE.place(rng.choice(tuple(BY_OPCODE)))
        words[0] = words[0] & ~tokens.OPCODE.place(0x7FF) | opcode
    elif choice == 1:
        words[at] ^= 1 << rng.randrange(32)
    elif choice == 2:
        words[at] = rng.choice(EDGES)
    elif choice == 3:
        words[at] = rng.choice(rng.choice(instructions) or [0])
    elif choice == 4:
        words[at:at] = rng.choice(instructions)[1:] or [0]
    elif choice == 5:
        _exchange_operand(words, rng.choice(instructions), rng)
    elif len(words) > 1:
        del words[max(1, at)]
    return words


def _exchange_operand(words: Words, others: Words, rng: random.Random) -> None:
    """Replace an operand by one of another instruction."""
    places, sources = _operands(words), _operands(others)
    if places and sources:
        (start, end), (first, last) = rng.choice(places), rng.choice(sources)
        words[start:end] = others[first:last]


def _operands(words: Words) -> list[tuple[int, int]]:
    """Where the operands of one instruction begin and end, as far as they can be read."""
    row = BY_OPCODE.get(tokens.OPCODE.read(words[0])) if words else None
    if row is None or row is CUSTOM_DATA or _is_long(words[0]):
        return []
    at = 0
    while at < len(words) and tokens.EXTENDED.read(words[at]):
        at += 1
    at += 1 if row.is_declaration else 1 + len(row.extras)
    places: list[tuple[int, int]] = []
    for _ in row.operands:
        try:
            _, end = read_operand(words, at, len(words))
        except TokenError:
            break
        places.append((at, end))
        at = end
    return places
