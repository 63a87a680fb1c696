"""Control flow: bodies of statements, selections, loops, switches, jumps, calls, and barriers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .kinds import has_flow, makers_of
from .operands import scalar, uniform_scalar, words
from .scope import MAX_DEPTH, MAX_LOOPS, TEMP, Lines, Scope, Statement
from .shared import barrier


def statements(s: Scope) -> list[Statement]:
    """The statements that are allowed here, each as often as its weight."""
    makers: list[Statement] = [nothing, *makers_of(s)]
    if not has_flow(s):
        return makers
    if s.depth < MAX_DEPTH:
        makers += [selection, selection, loop, loop, switch, switch]
    makers += [jump] * 2 if _jumps(s) else []
    return makers + ([call] if s.callable else [])


def nothing(s: Scope) -> Lines:
    """No lines: an irrelevant statement is reduced to this."""
    return ["nop"] * s.choices.chance(50)


def body(s: Scope, mean: int) -> Lines:
    """A body of `mean` statements on average."""
    lines: Lines = []
    for _ in s.choices.repeat(mean, 4 * mean):
        s.statements_left -= 1
        if s.statements_left < 0:
            break
        lines += s.choices.whole(lambda: s.choices.pick(statements(s))(s))
    return lines


@contextmanager
def _inside(s: Scope, *, loops: int = 0, breakable: int = 0) -> Iterator[None]:
    """The bodies of a construct, which not all threads of a group may enter."""
    before = s.depth, s.loops, s.continuable, s.breakable
    s.depth, s.loops = s.depth + 1, s.loops + loops
    s.continuable, s.breakable = s.continuable + loops, s.breakable + breakable
    yield
    s.depth, s.loops, s.continuable, s.breakable = before


def _test(s: Scope) -> str:
    return s.choices.pick(("nz", "z"))


def selection(s: Scope) -> Lines:
    lines = [f"if_{_test(s)} {scalar(s)}"]
    with _inside(s):
        lines += body(s, 3)
        if s.choices.chance(50):
            lines += ["else", *body(s, 3)]
    return [*lines, "endif"]


def loop(s: Scope) -> Lines:
    """Bounded by a counter that nothing else writes; `breakc`, `retc` or `if` ends it."""
    if s.loops >= MAX_LOOPS:
        return selection(s)
    counter, rounds = s.counter, words(s.choices.number(0, 3))
    leaves: list[Lines] = [[f"breakc_nz {TEMP}.x"], ["if_nz r4.x", "break", "endif"]]
    leaves += [[f"retc_nz {TEMP}.x"]] if s.may_return else []
    lines = [f"mov {counter}, l(0)", "loop", f"uge {TEMP}.x, {counter}, {rounds}"]
    lines += [*s.choices.pick(leaves), f"iadd {counter}, {counter}, l(1)"]
    with _inside(s, loops=1, breakable=1):
        lines += body(s, 4)
    return [*lines, "endloop"]


def switch(s: Scope) -> Lines:
    """Labels in any order; some share a body, some fall through."""
    numbers, labels = [0, 1, 2, 3, 7], list[str]()
    for _ in range(4):
        labels.append(f"case {words(numbers.pop(s.choices.number(0, len(numbers) - 1)))}")
    if s.choices.chance(80):
        labels.insert(s.choices.number(0, 4), "default")
    lines, selector = [], scalar(s)
    if s.choices.chance(80):
        lines, selector = [f"and {TEMP}.x, {selector}, l(3)"], f"{TEMP}.x"
    lines.append(f"switch {selector}")
    with _inside(s, breakable=1):
        while labels:
            heads = labels[: s.choices.pick((1, 1, 1, 2))]
            labels = labels[len(heads) :]
            lines += [*heads, *body(s, 2)]
            lines += ["break"] if s.choices.chance(66) or not labels else []
    return [*lines, "endswitch"]


def _jumps(s: Scope) -> list[str]:
    names = ["break"] * 3 if s.breakable else []
    names += ["continue"] * 3 if s.continuable else []
    return names + (["ret"] if s.may_return and s.depth else [])


def jump(s: Scope) -> Lines:
    name = s.choices.pick(_jumps(s))
    if s.choices.chance(80):
        return [f"{name}c_{_test(s)} {scalar(s)}"]
    return [name]


def call(s: Scope) -> Lines:
    label = f"label{s.choices.pick(s.callable)}"
    if s.choices.chance(50):
        return [f"call {label}"]
    return [f"callc_{_test(s)} {scalar(s)}, {label}"]


# --- where all threads of a group are -----------------------------------------------------------


def phases(s: Scope, depth: int = 0) -> Lines:
    """Bodies with barriers between them, also in loops and selections that are uniform."""
    lines = body(s, 6)
    for _ in s.choices.repeat(2, 5):
        maker = s.choices.pick(
            (_phase, _phase, _uniform_if, _uniform_loop) if depth < 2 else (_phase,)
        )
        lines += s.choices.whole(lambda maker=maker: maker(s, depth))
    return lines


def _phase(s: Scope, depth: int) -> Lines:
    return [*barrier(s), *body(s, 6)]


def _uniform_if(s: Scope, depth: int) -> Lines:
    lines = [f"if_{_test(s)} {uniform_scalar(s)}"]
    before = s.phase
    lines += phases(s, depth + 1)
    if s.choices.chance(50):
        s.phase = before
        lines += ["else", *phases(s, depth + 1)]
    return [*lines, "endif", *_everywhere(s)]


def _uniform_loop(s: Scope, depth: int) -> Lines:
    """A barrier at each end separates the rounds."""
    if s.loops >= MAX_LOOPS:
        return _phase(s, depth)
    counter, rounds = s.counter, words(s.choices.number(0, 3))
    lines = [f"mov {counter}, l(0)", "loop", f"uge {TEMP}.x, {counter}, {rounds}"]
    lines += [f"breakc_nz {TEMP}.x", f"iadd {counter}, {counter}, l(1)"]
    s.loops += 1
    lines += [*_everywhere(s), *phases(s, depth + 1)]
    s.loops -= 1
    return [*lines, *_everywhere(s), "endloop", *_everywhere(s)]


def _everywhere(s: Scope) -> Lines:
    """A barrier for all memory, which ends the current phase."""
    before = barrier(s)
    s.vary(uav=s.choices.pick(("own", "all")))
    return before if before != ["sync_g_t"] else ["sync_uglobal_g_t"]
