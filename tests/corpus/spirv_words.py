"""SPIR-V modules as instructions."""

from typing import Any

NAMES = {5, 6, 7}  # OpName, OpMemberName, OpString: text for people


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
