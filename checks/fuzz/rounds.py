"""Loops that threads leave in different rounds, with values that all threads load in the same way.

The address of a load is the loop's counter, so that it is the same for all threads in the loop;
what a thread loaded last, or computed from it, is used after the loop. Long loops have more than
65,535 rounds.
"""

from __future__ import annotations

from typing import NamedTuple

from .buffers import indexable, landing
from .operands import component, register, scalar, swizzle, uniform_scalar, words
from .scope import GENERAL, GROUP, MAX_LOOPS, TEMP, Lines, Scope, Statement

READ_ONLY = "u9"  # a raw UAV that no thread writes
READ_ONLY_DWORDS = 12
_ROUNDS = (1, 2, 3, 5, 7, 8)
_LONG = (65_534, 65_535, 65_536, 70_001, 100_000)
_SHARED_PART = 16  # bytes


class _Loop(NamedTuple):
    """A loop's counter, and how many rounds it has at most."""

    counter: str
    most: int


def rounds(s: Scope) -> Lines:
    """A loop with one exit or several, and perhaps another one in it."""
    if s.loops >= MAX_LOOPS:
        return []
    loop = _Loop(s.counter, s.choices.pick(_ROUNDS))
    lines = [f"mov {loop.counter}, l(0)", "loop"]
    step = [f"iadd {loop.counter}, {loop.counter}, l(1)"]
    first = s.choices.chance(50)
    s.loops += 1
    lines += step if first else []
    parts: list[Statement] = [lambda s: _part(s, loop)] * s.choices.number(1, 3)
    parts += [lambda s: _exit(s, loop, s.me)] * s.choices.pick((1, 1, 2))
    parts += [lambda s: _exit(s, loop, words(loop.most))]
    while parts:
        part = parts.pop(s.choices.number(0, len(parts) - 1))
        lines += s.choices.whole(lambda part=part: part(s))
    s.loops -= 1
    return [*lines, *([] if first else step), "endloop", *_used(s)]


def _exit(s: Scope, loop: _Loop, limit: str) -> Lines:
    """Leave in the round of a number; that of a thread is different for each thread."""
    lines = [f"and {TEMP}.x, {limit}, l(7)"] if limit == s.me else [f"mov {TEMP}.x, {limit}"]
    lines.append(f"uge {TEMP}.x, {loop.counter}, {TEMP}.x")
    ways: tuple[Lines, ...] = (
        [f"breakc_nz {TEMP}.x"],
        [f"if_nz {TEMP}.x", "break", "endif"],
        [f"if_nz {TEMP}.x", *_used(s), "break", "endif"],
        [f"if_z {TEMP}.x", *_derived(s, loop), "else", "break", "endif"],
    )
    return [*lines, *s.choices.pick(ways)]


def _part(s: Scope, loop: _Loop) -> Lines:
    kind = s.choices.number(0, 9)
    if kind == 9:
        return rounds(s)
    if kind > 6:
        return _derived(s, loop)
    return [*_load(s, loop), *(_derived(s, loop) if s.choices.chance(30) else [])]


def _derived(s: Scope, loop: _Loop) -> Lines:
    """A value from registers and the counter."""
    name = s.choices.pick(("iadd", "xor", "umax", "imad"))
    operands = [component(s), s.choices.pick((loop.counter, component(s)))]
    operands += [component(s)] * (name == "imad")
    return [f"{name} {component(s)}, {', '.join(operands)}"]


def _used(s: Scope) -> Lines:
    """A use of loaded values."""
    return [f"iadd {component(s)}, {component(s)}, {component(s)}"] if s.choices.chance(60) else []


# --- loads at an address that all threads share --------------------------------------------------


def _load(s: Scope, loop: _Loop) -> Lines:
    makers = [_raw, _raw, _structured, _typed, _indexed, _indexed]
    makers += [_texel] if s.abilities.version >= (5, 0) else []
    if s.phase is not None:
        makers += [_others] if s.phase.uav == "all" and not s.in_subroutine else []
        makers += [_shared] if "all" in (s.phase.raw, s.phase.structured) else []
    lines, at = [], loop.counter
    if s.choices.chance(20):
        at = f"{TEMP}.w"
        lines = [f"iadd {at}, {loop.counter}, {uniform_scalar(s)}"]
    return [*lines, *s.choices.pick(makers)(s, at)]


def _bytes_of(at: str) -> str:
    return f"ishl {TEMP}.x, {at}, l(2)"


def _raw(s: Scope, at: str) -> Lines:
    names = ("t0", READ_ONLY) if s.abilities.version >= (5, 0) else ("t0",)
    return [_bytes_of(at), f"ld_raw {register(s)}, {TEMP}.x, {s.choices.pick(names)}.{swizzle(s)}"]


def _structured(s: Scope, at: str) -> Lines:
    return [f"ld_structured {register(s)}, {at}, {words(s.choices.pick((0, 4)))}, t1.{swizzle(s)}"]


def _typed(s: Scope, at: str) -> Lines:
    target, after = landing(s, s.formats["t2"])
    operands = f"{at.partition('.')[0]}.{at[-1] * 4}, t2.{swizzle(s)}"
    return [f"ld{indexable(s, 't2')} {target}, {operands}", *after]


def _texel(s: Scope, at: str) -> Lines:
    target, after = landing(s, s.formats["t3"])
    lines = [f"mov {TEMP}.x, {at}", f"mov {TEMP}.yzw, l(0,0,0,0)"]
    line = f"ld{indexable(s, 't3')} {target}, {TEMP}.xyzw, t3.{swizzle(s)}"
    return [*lines, line, *after]


def _indexed(s: Scope, at: str) -> Lines:
    name, letters = s.choices.pick((("cb0", "xyzw"), ("icb", "xyzw"), ("x0", "xyzw"), ("x1", "xy")))
    return [f"mov {register(s)}, {name}[{at} + 0].{swizzle(s, letters)}"]


def _others(s: Scope, at: str) -> Lines:
    """A load of dwords that the group wrote to u0 before the barrier."""
    return [
        _bytes_of(at),
        f"ushr {TEMP}.y, {s.me}, l({GROUP.bit_length() - 1})",
        f"imad {TEMP}.x, {TEMP}.y, l({32 * GROUP}), {TEMP}.x",
        f"ld_raw {register(s)}, {TEMP}.x, u0.{swizzle(s)}",
    ]


def _shared(s: Scope, at: str) -> Lines:
    assert s.phase is not None
    if s.phase.structured == "all" and (s.phase.raw != "all" or s.choices.chance(50)):
        return [f"ld_structured {register(s)}, {at}, l(4), g1.{swizzle(s)}"]
    lines = [f"imul null, {TEMP}.x, {at}, l({_SHARED_PART})"]
    return [*lines, f"ld_raw {register(s)}, {TEMP}.x, g0.{swizzle(s)}"]


# --- more rounds than some drivers make ----------------------------------------------------------


def many(s: Scope) -> Lines:
    """A loop of 65,534 rounds or more, once in a program; rare, for it takes seconds."""
    if s.loops or s.depth or s.in_subroutine or s.many_rounds:
        return []
    if not s.choices.chance(15 if s.abilities.only else 1):
        return []
    s.many_rounds = True
    counter, sum = s.counter, s.choices.pick(GENERAL)
    last = words(s.choices.pick(_LONG))
    lines = [f"mov {counter}, l(0)", "loop", f"uge {TEMP}.x, {counter}, {last}"]
    lines += [f"breakc_nz {TEMP}.x", f"iadd {counter}, {counter}, l(1)"]
    return [*lines, f"xor {sum}.x, {counter}, {scalar(s)}", "endloop"]
