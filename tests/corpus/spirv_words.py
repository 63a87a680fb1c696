"""SPIR-V modules as instructions, to compare the translations of a container and its listing."""

from __future__ import annotations

import struct
from typing import Any

OP_CONSTANT = 43
NAMES = {5, 6, 7}  # OpName, OpMemberName, OpString: text for people
ROUNDING = 0.5e-6 * 1.001  # a listing prints six places


def instructions(words: Any) -> list[tuple[int, ...]]:
    """(opcode, operand words...) of each instruction after the header, without names."""
    out: list[tuple[int, ...]] = []
    at = 5
    while at < len(words):
        length, opcode = int(words[at]) >> 16, int(words[at]) & 0xFFFF
        assert 0 < length <= len(words) - at
        if opcode not in NAMES:
            out.append((opcode, *(int(word) for word in words[at + 1 : at + length])))
        at += length
    return out


def same_but_for_rounding(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Equal, or constants of one type and id whose floats print alike in a listing."""
    if one == other:
        return True
    if one[0] != OP_CONSTANT or one[:3] != other[:3] or len(one) != len(other):
        return False
    a, b = literal(one[3:]), literal(other[3:])
    return abs(a - b) <= ROUNDING


def literal(words: tuple[int, ...]) -> float:
    """The bits of a constant read as a float or a double."""
    data = struct.pack(f"<{len(words)}I", *words)
    return struct.unpack("<f" if len(words) == 1 else "<d", data)[0]
