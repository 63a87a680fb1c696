"""Short spellings for expected operands and token words."""

from __future__ import annotations

from typing import Any

from translate.isa.registers import COMPONENTS, Index, Operand, RegisterFile, Selection


def register(file: RegisterFile, *numbers: int, **keywords: Any) -> Operand:
    """A register with constant indices."""
    return Operand(file, indices=tuple(map(Index, numbers)), **keywords)


def written(number: int, mask: str) -> Operand:
    """r# as a destination."""
    bits = sum(1 << COMPONENTS.index(letter) for letter in mask)
    return register(RegisterFile.TEMP, number, mask=bits)


def selected(number: int, letter: str, file: RegisterFile = RegisterFile.TEMP) -> Operand:
    """One component of a register."""
    component = COMPONENTS.index(letter)
    return register(file, number, selection=Selection.SELECT, swizzle=(component,) * 4)


def swizzled(file: RegisterFile, *numbers: int, swizzle: str = "xyzw", **keywords: Any) -> Operand:
    letters = tuple(COMPONENTS.index(letter) for letter in swizzle)
    return register(file, *numbers, selection=Selection.SWIZZLE, swizzle=letters, **keywords)


def literal(*values: int) -> Operand:
    """`l(...)`, as bits."""
    return Operand(RegisterFile.IMMEDIATE32, len(values), values=values)
