"""Operands of random instructions, as text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from translate.isa import BY_NAME
from translate.isa.instruction import SM5, Scalar

from .scope import GENERAL, TEMP, Lines, Scope

EDGES = (
    0, 1, 2, 3, 4, 7, 31, 32, 33, 0xFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0x80000001,
    0xFFFFFFFE, 0xFFFFFFFF, 0x7FC00001, 0x40000001, 0x3F800000, 0x3F800001, 0xFF800000, 0x7F7FFFFF,
)  # fmt: skip
FAR = (0x80000000, 0xC0000000, 0xFFFFFFF0, 0x00010000)  # far outside, whatever is added or masked
_LETTERS = "xyzw"
VECTORS = (("cb0", 3, "xyzw"), ("icb", 4, "xyzw"), ("x0", 5, "xyzw"), ("x1", 3, "xy"))


class Place(NamedTuple):
    """An operand: the lines that select its register, the register, and the text after swizzles."""

    before: Lines
    register: str
    end: str = ""


def alone(register: str) -> Place:
    return Place([], register)


def words(*numbers: int) -> str:
    """An immediate, given by its bits."""
    return f"l({', '.join(f'{n & 0xFFFFFFFF:#010x}' for n in numbers)})"


def mask(s: Scope) -> str:
    """One to four components, in order."""
    bits = s.choices.number(1, 15)
    return "".join(letter for i, letter in enumerate(_LETTERS) if bits >> i & 1)


def swizzle(s: Scope, letters: str = _LETTERS) -> str:
    if s.choices.chance(40):
        return "xyzw" if len(letters) == 4 else letters[0] * 4
    return "".join(s.choices.pick(letters) for _ in range(4))


def word(s: Scope) -> int:
    return s.choices.pick(EDGES) if s.choices.chance(80) else s.choices.number(0, 2**32 - 1)


def index(s: Scope, length: int) -> str:
    """A constant or dynamic index of a vector."""
    constant = s.choices.number(0, length - 1)
    if s.choices.chance(60):
        return f"{s.choices.pick(GENERAL)}.{s.choices.pick(_LETTERS)} + {constant}"
    return str(constant)


def scalar(s: Scope) -> str:
    """One component with any bits."""
    letter = s.choices.pick(_LETTERS)
    kind = s.choices.number(0, 7)
    if kind == 7:
        return f"cb0[{index(s, 3)}].{letter}"
    return s.me if kind == 6 else f"{s.choices.pick(GENERAL)}.{letter}"


def uniform_scalar(s: Scope) -> str:
    """One component that is the same for all threads of a group."""
    return s.choices.pick(("vThreadGroupID.x", "vThreadGroupID.y", "cb0[0].x", "cb0[2].y", "l(1)"))


def source(s: Scope) -> str:
    """Four components with any bits."""
    kind = s.choices.number(0, 99)
    if kind < 60:
        return f"{s.choices.pick(GENERAL)}.{swizzle(s)}"
    if kind < 75:
        return words(*(word(s) for _ in range(4)))
    if kind < 80:
        return f"{s.me.partition('.')[0]}.xxxx"
    name, length, letters = s.choices.pick(VECTORS)
    return f"{name}[{index(s, length)}].{swizzle(s, letters)}"


def modified(s: Scope, kind: Scalar) -> str:
    """A source, sometimes negated; the source of a move may also have an absolute value."""
    operand = source(s)
    if operand.startswith("l(") or not s.choices.chance(20):
        return operand
    signs = ("-{}", "|{}|", "-|{}|") if kind is Scalar.BITS else ("-{}",)
    return s.choices.pick(signs).format(operand)


def register(s: Scope) -> str:
    """A general register with a mask."""
    return f"{s.choices.pick(GENERAL)}.{mask(s)}"


def component(s: Scope) -> str:
    """One component of a general register."""
    return f"{s.choices.pick(GENERAL)}.{s.choices.pick(_LETTERS)}"


def destination(s: Scope) -> str:
    """A destination for any bits: a general register, or an element of an array."""
    if not s.choices.chance(15):
        return register(s)
    if s.choices.chance(50):
        return f"x0[{index(s, 5)}].{mask(s)}"
    return f"x1[{index(s, 3)}].{s.choices.pick(('x', 'y', 'xy'))}"


def destinations(s: Scope, count: int) -> list[str]:
    """Destinations; of two, one may be null, and they are never the same register."""
    if count == 1:
        return [destination(s)]
    first = s.choices.number(0, 3)
    second = (first + s.choices.number(1, 3)) % 4
    chosen = [f"r{n}.{mask(s)}" for n in (first, second)]
    if s.choices.chance(30):
        chosen[s.choices.number(0, 1)] = "null"
    return chosen


def near(s: Scope, end: int) -> Lines:
    """A number around `end`, in the temporary's x."""
    return [f"and {TEMP}.x, {scalar(s)}, {words((1 << end.bit_length()) - 1)}"]


def maybe_far(s: Scope, component: str = "x", percent: int = 25, far: Sequence[int] = FAR) -> Lines:
    """Move a component of the temporary far outside, sometimes."""
    if not s.choices.chance(percent):
        return []
    return [f"or {TEMP}.{component}, {TEMP}.{component}, {words(s.choices.pick(far))}"]


_MNEMONIC = re.compile(r"(\w+?)((?:_aoffimmi|_indexable)\S*|) (r\d+\.\w+), (.*)")


def maybe_tiled(s: Scope, line: str) -> Lines:
    """A read, sometimes in the tiled-resource form, whose status is that all is mapped."""
    found = _MNEMONIC.fullmatch(line)
    assert found is not None, line
    name, suffix, target, operands = found.groups()
    tiled = f"{name}_s" in BY_NAME and s.abilities.version >= SM5 and " g" not in line
    if not tiled or not s.choices.chance(12):
        return [line]
    asked = f"check_access_fully_mapped {component(s)}, {TEMP}.w"
    return [f"{name}_s{suffix} {target}, {TEMP}.w, {operands}", asked]
