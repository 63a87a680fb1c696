"""Zeros that only folding finds, as operands of sums and products with infinities, NaNs and -0.

A zero comes from a constant: converted, flushed, selected, masked, of the immediate constant
buffer, or of an array that nothing writes.
"""

from __future__ import annotations

from .floats import number_source, settled
from .operands import mask, scalar, words
from .scope import FLOATS, TEMP, Lines, Scope, Statement

EMPTY = "x2"  # an array that nothing writes
ROWS = 4  # of the immediate constant buffer, which has unit vectors where `unit_rows`
_DENORMAL, _ONE = 0x00000001, 0x3F800000
_MINUS_ZERO = 0x80000000


def product(s: Scope) -> Lines:
    """A product or a sum with a zero."""
    target, letters = s.choices.pick(FLOATS), mask(s)
    other = number_source(s, negative=True)
    zero = f"{TEMP}.xyzw"
    forms = (
        f"mul {target}.{letters}, {other}, {zero}",
        f"mul {target}.{letters}, {zero}, {other}",
        f"mad {target}.{letters}, {other}, {zero}, {number_source(s)}",
        f"mad {target}.{letters}, {number_source(s)}, {other}, {zero}",
        f"add {target}.{letters}, {other}, {zero}",
        f"dp3 {target}.{letters}, {other}, {zero}",
        f"dp4 {target}.{letters}, {zero}, {other}",
    )
    line = s.choices.pick(forms)
    return [*_zero(s), line, *settled(s, target, letters, zeros=False)]


def _zero(s: Scope) -> Lines:
    makers: tuple[Statement, ...] = (_converted, _flushed, _selected, _masked, _row, _empty)
    return s.choices.pick(makers)(s)


def _converted(s: Scope) -> Lines:
    halves = ("f16tof32",) if s.abilities.version >= (5, 0) else ()
    name = s.choices.pick(("utof", "itof", *halves))
    return [f"{name} {TEMP}.xyzw, {words(*_few(s, 0, 0, 0, 1))}"]


def _flushed(s: Scope) -> Lines:
    small = words(*_few(s, _DENORMAL, _DENORMAL | _MINUS_ZERO, 0, _ONE))
    return [f"mul {TEMP}.xyzw, {small}, {words(*[_ONE] * 4)}"]


def _selected(s: Scope) -> Lines:
    chosen = words(*_few(s, 0, 0, _MINUS_ZERO, _ONE))
    return [f"movc {TEMP}.xyzw, {words(*_few(s, 0, 1))}, {chosen}, {words(0, 0, 0, 0)}"]


def _masked(s: Scope) -> Lines:
    return [f"and {TEMP}.xyzw, {scalar(s)}, {words(*_few(s, 0, 0, _MINUS_ZERO))}"]


def _row(s: Scope) -> Lines:
    s.unit_rows = True
    return [f"mov {TEMP}.xyzw, icb[{s.choices.number(0, ROWS - 1)}].xyzw"]


def _empty(s: Scope) -> Lines:
    at = s.choices.pick((str(s.choices.number(0, 2)), f"{TEMP}.x + 0"))
    return [f"and {TEMP}.x, {scalar(s)}, l(3)", f"mov {TEMP}.xyzw, {EMPTY}[{at}].xyzw"]


def _few(s: Scope, *numbers: int) -> list[int]:
    return [s.choices.pick(numbers) for _ in range(4)]


def rows(s: Scope) -> Lines:
    """A sum of products with all rows of the immediate constant buffer, in a short loop."""
    if s.loops >= 3:
        return product(s)
    s.unit_rows = True
    counter = f"r{s.counter_register}.{'xyzw'[s.loops]}"
    source, target = s.choices.pick(FLOATS), f"{TEMP}.z"
    lines = [f"mov {target}, l(0)", f"mov {counter}, l(0)", "loop"]
    lines += [f"uge {TEMP}.x, {counter}, l({ROWS})", f"breakc_nz {TEMP}.x"]
    name = s.choices.pick(("dp4", "dp3"))
    lines += [f"{name} {TEMP}.y, {source}.xyzw, icb[{counter} + 0].xyzw"]
    lines += [f"add {target}, {target}, {TEMP}.y", f"iadd {counter}, {counter}, l(1)", "endloop"]
    result = s.choices.pick(FLOATS)
    lines += [f"mov {result}.x, {target}"]
    return [*lines, *settled(s, result, "x", zeros=False)]
