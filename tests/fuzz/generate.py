"""Random structured programs whose results do not depend on the order of threads.

Integer instructions come from the table: whatever is component-wise and evaluates on integers.
Floats live in a register of their own and are whole numbers of at most 2^16, so that every step is
either exact or rounded once, and no NaN, denormal or negative zero appears. A thread writes only
what is its own: eight dwords of u0, two structures of u1, one of u2, or what lies outside.

The bits of 1.0 are no edge value here: Mesa takes a choice between them and 0x80000000 for one
between 1.0 and 0.0, which says nothing about us.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from translate.isa import ROWS
from translate.isa.instruction import Instruction, Kind, Role, Scalar

from .tree import Arm, Construct, Lines, Node, Tree

THREADS, GROUPS = 16, 2
STRIDE = 12  # of t1 and u1
DUMPED = 6  # registers that every thread leaves in u2
_INTEGERS = (Scalar.U32, Scalar.I32, Scalar.BITS)
_GENERAL = 4  # r0 to r3
_TEMP, _FLOAT, _COUNTERS = "r4", "r5", 6  # r6 on: one register of loop counters for each body
_MAX_LOOPS = 3  # nested
_EDGES = (
    0, 1, 2, 3, 4, 7, 31, 32, 33, 0xFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0x80000001,
    0xFFFFFFFE, 0xFFFFFFFF, 0x7FC00001, 0x40000001,
)  # fmt: skip
_ROUNDED_ONCE = (
    "add", "mul", "mad", "min", "max", "dp2", "dp3", "dp4", "round_ne", "round_ni", "round_pi",
    "round_z", "mov", "frc",
)  # fmt: skip
_HEADER = f"""cs_5_0
dcl_immediateConstantBuffer {{ {{ 1, 2, 3, 4}},
                              {{ -1, 0x80000000, 7, 0x7fc00001}},
                              {{ 5, 6, 0, 9}},
                              {{ 65535, 31, 32, 33}} }}
dcl_constantbuffer CB0[3], dynamicIndexed
dcl_resource_raw t0
dcl_resource_structured t1, {STRIDE}
dcl_resource_buffer (uint,uint,uint,uint) t2
dcl_uav_raw u0
dcl_uav_structured u1, {STRIDE}
dcl_uav_structured u2, {16 * DUMPED}
dcl_input vThreadID.x
dcl_temps {_COUNTERS + 3}
dcl_indexableTemp x0[5], 4
dcl_indexableTemp x1[3], 2
dcl_thread_group {THREADS}, 1, 1"""


def _is_integer(row: Instruction) -> bool:
    alu = row.kind in (Kind.ALU, Kind.MOVE) and row.evaluate is not None
    return alu and all(spec.scalar in _INTEGERS for spec in row.operands)


def _rows(test: Callable[[Instruction], bool]) -> tuple[Instruction, ...]:
    return tuple(row for row in ROWS if test(row))


INTEGER_ROWS = _rows(_is_integer)
FLOAT_ROWS = _rows(lambda row: row.name in _ROUNDED_ONCE)
COMPARISONS = _rows(
    lambda row: (
        row.kind is Kind.ALU
        and [s.scalar for s in row.operands] == [Scalar.U32, Scalar.F32, Scalar.F32]
    )
)
TO_INTEGER = _rows(lambda row: row.name in ("ftoi", "ftou"))
TO_FLOAT = _rows(lambda row: row.name in ("itof", "utof"))
ATOMICS = _rows(lambda row: row.kind is Kind.ATOMIC)


def generate(seed: int, size: int = 25) -> Tree:
    """The program of a seed; `size` is about how many statements its body has."""
    return _Generator(random.Random(seed)).tree(size)


class _Generator:
    def __init__(self, rng: random.Random):
        self.rng = rng
        self.counter_register = _COUNTERS
        self.loops = 0
        self.breakable = 0
        self.callable: list[int] = []

    def tree(self, size: int) -> Tree:
        subroutines = self.rng.choice((0, 0, 0, 1, 2))
        self.callable = list(range(subroutines))
        seeds = [f"mov r{n}.xyzw, {self.source()}" for n in range(self.rng.randrange(_GENERAL))]
        body = (Lines(tuple(seeds)), *self.body(size, 0))
        bodies: list[tuple[Node, ...]] = []
        for number in range(subroutines):
            self.callable = list(range(number + 1, subroutines))
            self.counter_register = _COUNTERS + 1 + number
            bodies.append(self.body(4, 2))
        dump = tuple(
            f"store_structured u2.xyzw, vThreadID.x, {_words(16 * n)}, r{n}.xyzw"
            for n in range(DUMPED)
        )
        return Tree(tuple(_HEADER.split("\n")), body, dump, tuple(bodies))

    # --- structure -------------------------------------------------------------------------

    def body(self, size: int, depth: int) -> tuple[Node, ...]:
        nodes: list[Node] = []
        for _ in range(self.rng.randint(0 if depth else size // 2, size)):
            nodes.append(self.node(depth))
        return tuple(nodes)

    def node(self, depth: int) -> Node:
        if depth < 5 and self.rng.random() < 0.3:
            return self.rng.choice((self.selection, self.loop, self.switch))(depth)
        makers = [self.integer] * 6 + [self.number] * 3 + [self.load] * 3 + [self.store] * 3
        makers += [self.atomic, self.conversion, self.comparison]
        makers += [self.jump] * (2 if depth else 0)
        makers += [self.call] if self.callable else []
        return Lines(tuple(self.rng.choice(makers)()))

    def selection(self, depth: int) -> Node:
        arms = [Arm((), self.body(4, depth + 1))]
        if self.rng.random() < 0.5:
            arms.append(Arm(("else",), self.body(4, depth + 1)))
        return Construct((f"if_{self.test()} {self.scalar()}",), tuple(arms), "endif")

    def loop(self, depth: int) -> Node:
        """Bounded by a counter that nothing else writes; `breakc`, `retc` or `if` ends it."""
        if self.loops >= _MAX_LOOPS:
            return self.selection(depth)
        counter = f"r{self.counter_register}.{'xyzw'[self.loops]}"
        self.loops += 1
        self.breakable += 1
        body = self.body(5, depth + 1)
        self.loops -= 1
        self.breakable -= 1
        rounds = _words(self.rng.randint(0, 3))
        leave = self.rng.choice(
            (
                (f"breakc_nz {_TEMP}.x",),
                (f"breakc_nz {_TEMP}.x",),
                (f"if_nz {_TEMP}.x", "break", "endif"),
                (f"retc_nz {_TEMP}.x",),
            )
        )
        head = (f"uge {_TEMP}.x, {counter}, {rounds}", *leave, f"iadd {counter}, {counter}, l(1)")
        return Construct((f"mov {counter}, l(0)", "loop"), (Arm(head, body),), "endloop")

    def switch(self, depth: int) -> Node:
        """Labels in any order, some of them sharing a body, some running into the next."""
        labels: list[str] = [f"case {_words(n)}" for n in self.rng.sample((0, 1, 2, 3, 7), 4)]
        if self.rng.random() < 0.8:
            labels.insert(self.rng.randrange(5), "default")
        self.breakable += 1
        arms: list[Arm] = []
        while labels:
            count = self.rng.choice((1, 1, 1, 2))
            heads, labels = labels[:count], labels[count:]
            body = self.body(3, depth + 1)
            ending = self.rng.choice((("break",), ("break",), ()))
            arms.append(Arm(tuple(heads), (*body, Lines(ending))))
        self.breakable -= 1
        selector = self.scalar()
        opener = [f"switch {selector}"]
        if self.rng.random() < 0.8:
            opener = [f"and {_TEMP}.x, {selector}, l(3)", f"switch {_TEMP}.x"]
        return Construct(tuple(opener), tuple(arms), "endswitch")

    def jump(self) -> list[str]:
        names = ["ret"]
        names += ["break"] * 3 if self.breakable else []
        names += ["continue"] * 3 if self.loops else []
        name = self.rng.choice(names)
        if self.rng.random() < 0.8:
            return [f"{name}c_{self.test()} {self.scalar()}"]
        return [name]

    def call(self) -> list[str]:
        label = f"label{self.rng.choice(self.callable)}"
        if self.rng.random() < 0.5:
            return [f"call {label}"]
        return [f"callc_{self.test()} {self.scalar()}, {label}"]

    def test(self) -> str:
        return self.rng.choice(("z", "nz"))

    # --- operands --------------------------------------------------------------------------

    def mask(self) -> str:
        return "".join(c for c in "xyzw" if self.rng.random() < 0.5) or self.rng.choice("xyzw")

    def swizzle(self, letters: str = "xyzw") -> str:
        return "".join(self.rng.choice(letters) for _ in range(4))

    def word(self) -> int:
        return self.rng.choice(_EDGES) if self.rng.random() < 0.8 else self.rng.getrandbits(32)

    def index(self, length: int) -> str:
        """A constant or dynamic index, mostly near the end."""
        constant = self.rng.randrange(length)
        if self.rng.random() < 0.4:
            return str(constant)
        return f"r{self.rng.randrange(_GENERAL)}.{self.rng.choice('xyzw')} + {constant}"

    def scalar(self) -> str:
        letter = self.rng.choice("xyzw")
        choices = [f"r{self.rng.randrange(_GENERAL)}.{letter}"] * 6
        choices += ["vThreadID.x", f"cb0[{self.index(3)}].{letter}"]
        return self.rng.choice(choices)

    def source(self) -> str:
        kind = self.rng.random()
        if kind < 0.55:
            return f"r{self.rng.randrange(_GENERAL)}.{self.swizzle()}"
        if kind < 0.7:
            return _words(*(self.word() for _ in range(4)))
        if kind < 0.75:
            return "vThreadID.xxxx"
        if kind < 0.8:
            return f"{_FLOAT}.{self.swizzle()}"
        name, length, letters = self.rng.choice(
            (("cb0", 3, "xyzw"), ("icb", 4, "xyzw"), ("x0", 5, "xyzw"), ("x1", 3, "xy"))
        )
        return f"{name}[{self.index(length)}].{self.swizzle(letters)}"

    def modified(self, scalar: Scalar) -> str:
        """A source, sometimes negated; the bits of a move may lose their sign as well."""
        source = self.source()
        if source.startswith("l(") or self.rng.random() < 0.8:
            return source
        return f"|{source}|" if scalar is Scalar.BITS and self.rng.random() < 0.5 else f"-{source}"

    def destination(self) -> str:
        if self.rng.random() < 0.85:
            return f"r{self.rng.randrange(_GENERAL)}.{self.mask()}"
        if self.rng.random() < 0.5:
            return f"x0[{self.index(5)}].{self.mask()}"
        return f"x1[{self.index(3)}].{self.rng.choice(('x', 'y', 'xy'))}"

    # --- arithmetic ------------------------------------------------------------------------

    def integer(self) -> list[str]:
        row = self.rng.choice(INTEGER_ROWS)
        operands = [self.modified(s.scalar) for s in row.operands if s.role is Role.SOURCE]
        return [f"{row.name} {', '.join([*self.destinations(row.destinations), *operands])}"]

    def destinations(self, count: int) -> list[str]:
        """Of two, one may be missing, but they are never the same register."""
        if count == 1:
            return [self.destination()]
        chosen = [f"r{n}.{self.mask()}" for n in self.rng.sample(range(_GENERAL), 2)]
        if self.rng.random() < 0.3:
            chosen[self.rng.randrange(2)] = "null"
        return chosen

    def number(self) -> list[str]:
        row = self.rng.choice(FLOAT_ROWS)
        saturate = "_sat" if row.saturable and self.rng.random() < 0.2 else ""
        mask = self.mask()
        sources = [self.number_source("") for s in row.operands if s.role is Role.SOURCE]
        return [f"{row.name}{saturate} {_FLOAT}.{mask}, {', '.join(sources)}", *_bounded(mask)]

    def number_source(self, sign: str) -> str:
        """With a `sign` a zero may become negative, which only comparisons do not tell apart."""
        if self.rng.random() < 0.2:
            return "l(1.0, -3.0, 65536.0, 0.0)"
        source = f"{_FLOAT}.{self.swizzle()}"
        return self.rng.choice((source, source, f"|{source}|", f"{sign}{source}"))

    def conversion(self) -> list[str]:
        if self.rng.random() < 0.5:
            return [f"{self.rng.choice(TO_INTEGER).name} {self.destination()}, {self.source()}"]
        mask = self.mask()
        row = self.rng.choice(TO_FLOAT)
        return [f"{row.name} {_FLOAT}.{mask}, {self.source()}", *_bounded(mask)]

    def comparison(self) -> list[str]:
        name = self.rng.choice(COMPARISONS).name
        sources = f"{self.number_source('-')}, {self.number_source('-')}"
        return [f"{name} {self.destination()}, {sources}"]

    # --- memory ----------------------------------------------------------------------------

    def own_offset(self, largest: int) -> list[str]:
        """A byte offset in the thread's part of u0, or one far outside, in the temporary's x."""
        lines = [
            f"and {_TEMP}.x, {self.scalar()}, {_words(largest)}",
            f"imad {_TEMP}.x, vThreadID.x, l(32), {_TEMP}.x",
        ]
        if self.rng.random() < 0.3:
            outside = self.rng.choice((0x80000000, 0xC0000000, 0xFFFFFFF0, 0x00010000))
            lines.append(f"or {_TEMP}.x, {_TEMP}.x, {_words(outside)}")
        return lines

    def own_structure(self) -> list[str]:
        """(index, byte offset) in the temporary's x and y; the offset may leave the structure."""
        lines = [
            f"and {_TEMP}.x, {self.scalar()}, l(1)",
            f"imad {_TEMP}.x, vThreadID.x, l(2), {_TEMP}.x",
        ]
        if self.rng.random() < 0.3:
            wraps = self.rng.choice((0x40000000, 0x80000000, 0xC0000000, 0x15555556, 64))
            lines.append(f"iadd {_TEMP}.x, {_TEMP}.x, {_words(wraps)}")
        if self.rng.random() < 0.5:
            return [*lines, f"and {_TEMP}.y, {self.scalar()}, l(15)"]
        return [*lines, f"mov {_TEMP}.y, {self.scalar()}"]

    def load(self) -> list[str]:
        target, swizzle = f"r{self.rng.randrange(_GENERAL)}.{self.mask()}", self.swizzle()
        makers: list[Callable[[], list[str]]] = [
            lambda: [f"ld_raw {target}, {self.scalar()}, t0.{swizzle}"],
            lambda: [*self.near(240), f"ld_raw {target}, {_TEMP}.x, t0.{swizzle}"],
            lambda: [f"ld_structured {target}, {self.scalar()}, {self.scalar()}, t1.{swizzle}"],
            lambda: [
                *self.near(8),
                f"ld_structured {target}, {_TEMP}.x, {_words(self.rng.choice((0, 4, 8, 12)))}, "
                f"t1.{swizzle}",
            ],
            lambda: [
                *self.near(9),
                f"ld_indexable(buffer)(uint,uint,uint,uint) {target}, {_TEMP}.xxxx, t2.{swizzle}",
            ],
            lambda: [*self.own_offset(0x13), f"ld_raw {target}, {_TEMP}.x, u0.{swizzle}"],
            lambda: [
                *self.own_structure(),
                f"ld_structured {target}, {_TEMP}.x, {_TEMP}.y, u1.{swizzle}",
            ],
            lambda: [f"bufinfo {target}, {self.rng.choice(('t0', 't1', 't2', 'u0'))}.xyzw"],
        ]
        return self.rng.choice(makers)()

    def near(self, end: int) -> list[str]:
        """A number around `end`, in the temporary's x."""
        mask = (1 << end.bit_length()) - 1
        return [f"and {_TEMP}.x, {self.scalar()}, {_words(mask)}"]

    def store(self) -> list[str]:
        count = self.rng.randint(1, 4)
        mask, value = "xyzw"[:count], self.source()
        if self.rng.random() < 0.5:
            largest = {1: 0x1F, 2: 0x17}.get(count, 0x13)
            return [*self.own_offset(largest), f"store_raw u0.{mask}, {_TEMP}.x, {value}"]
        line = f"store_structured u1.{mask}, {_TEMP}.x, {_TEMP}.y, {value}"
        return [*self.own_structure(), line]

    def atomic(self) -> list[str]:
        row = self.rng.choice(ATOMICS)
        old = [f"r{self.rng.randrange(_GENERAL)}.{self.rng.choice('xyzw')}"] * row.destinations
        values = [self.scalar() for s in row.operands if s.role is Role.SOURCE]
        if self.rng.random() < 0.5:
            line = [*old, "u0", f"{_TEMP}.x", *values]
            return [*self.own_offset(0x1F), f"{row.name} {', '.join(line)}"]
        line = [*old, "u1", f"{_TEMP}.xyxx", *values]
        return [*self.own_structure(), f"{row.name} {', '.join(line)}"]


def _bounded(mask: str) -> list[str]:
    """Back to whole numbers of at most 2^16, none of them a negative zero."""
    return [
        f"add {_FLOAT}.{mask}, {_FLOAT}.xyzw, l(0,0,0,0)",
        f"max {_FLOAT}.{mask}, {_FLOAT}.xyzw, l(-65536.0,-65536.0,-65536.0,-65536.0)",
        f"min {_FLOAT}.{mask}, {_FLOAT}.xyzw, l(65536.0,65536.0,65536.0,65536.0)",
    ]


def _words(*numbers: int) -> str:
    return f"l({', '.join(f'{n:#010x}' for n in numbers)})"
