"""Whole random programs: the declarations that the body needs, the body, and a dump of registers.

The results do not depend on the order of threads. A thread writes only to its own memory, or
out of bounds; its final registers go to its structure of the dump.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from translate import options

from . import buffers, doubles, floats, flow, rounds, sampling, shared, slices
from .case import Argument, Case
from .choices import Choices, Draw
from .kinds import SM51, has_flow, has_phases, versions_of
from .operands import source, word, words
from .ranges import declaration, draw_ranges, of_one, ranged
from .samplers import borderless, comparing, sampler
from .scope import (
    COUNTERS,
    DOUBLES,
    FILTERED,
    FLOATS,
    GENERAL,
    GROUP,
    LANES,
    NEARLY,
    NUMBER,
    UNKNOWN_ZERO,
    UNKNOWN_ZERO_IS_MADE,
    Abilities,
    Lines,
    Range,
    Scope,
)
from .textures import DEPTH, DIMENSIONS, MIPS, MULTISAMPLED

DUMP_STRIDE = 128
NEARLY_AT = 112  # the offset of r8 in a structure of the dump
# Textures and samplers whose samples may have NaN, infinite and very large operands
EXTREME = re.compile(r"\b([tT][456]|T13|[sS][234]|S10)\b")  # cs_5_1 has capital letters
_FILTERED_UAV = "u8"
# A step of an eight-bit weight times the greatest difference of two texels: docs/numerics.md
FILTER_TOLERANCE = 16 / 256
_SHAPES = ((16, 1, 1), (16, 1, 1), (8, 2, 1), (4, 2, 2), (1, 16, 1))
_GROUPS = ((2, 1, 1), (2, 1, 1), (1, 2, 1), (1, 1, 2))
_BUFFER_FORMATS = (
    *("r32_uint", "r32_uint", "r32_float", "r32_sint", "r32g32b32a32_uint", "r16g16b16a16_float"),
    *("r8g8b8a8_uint", "r16g16b16a16_sint", "r8g8b8a8_unorm", "r32g32b32a32_float"),
)
_FLAT_FORMATS = (*[DEPTH] * 8, *_BUFFER_FORMATS)
_CAPACITY = 5 * LANES  # of u5 and u6: at most four statements consume from them
_PLACEMENTS = ("array", "array", "buffer", "view", "view", "empty", "null")


def uses(text: str, name: str) -> bool:
    return re.search(rf"\b{name}\b", text) is not None


@st.composite
def programs(draw: Draw, abilities: Abilities) -> Case:
    """A strategy of cases for devices with these abilities."""
    return draw_case(Choices(draw), abilities)


def draw_case(choices: Choices, abilities: Abilities) -> Case:
    """One case; some are of an older model, which needs fewer abilities."""
    version = choices.pick(versions_of(abilities.only, abilities.version))
    return _Program(choices, replace(abilities, version=version)).case()


class _Program:
    """One program. Only what the body uses is declared and bound."""

    def __init__(self, choices: Choices, abilities: Abilities):
        self.choices, self.abilities = choices, abilities
        self.shape, self.groups = choices.pick(_SHAPES), choices.pick(_GROUPS)
        plain = self.shape == (16, 1, 1) and self.groups == (2, 1, 1)
        usual, cubes = (*DIMENSIONS, *DIMENSIONS, "texture2d"), [*sampling.CUBES]
        dimensions = {
            **dict.fromkeys(("t2", "u3"), "buffer"),
            **{name: choices.pick(usual) for name in ("t3", "u7")},
            "t4": choices.pick([*DIMENSIONS]),
            "t5": choices.pick(cubes if abilities.cube_arrays else cubes[:1]),
            "t6": choices.pick(("texture2d", "texture2darray")),
            "t7": choices.pick([*MULTISAMPLED]),
            **{name: choices.pick([*slices.SHAPES]) for name in (slices.READ, slices.WRITTEN)},
        }
        flat = dimensions["t3"].startswith("texture2d")
        formats = {
            **{name: choices.pick(_BUFFER_FORMATS) for name in ("t2", "t7", "u3", "u7")},
            "t3": choices.pick(_FLAT_FORMATS if flat else _BUFFER_FORMATS),
            "u4": choices.pick(("raw", "structured", "typed")),
            **{name: choices.pick(sampling.FORMATS) for name in ("t4", "t5")},
            "t6": DEPTH,
            **{name: choices.pick(slices.FORMATS) for name in (slices.READ, slices.WRITTEN)},
        }
        special, guards = choices.chance(70), choices.pick(("d3d", "d3d", "report"))
        self.scope = Scope(
            choices,
            abilities,
            special=special,
            guards=guards,
            # An access to a range costs as much as several others.
            statements_left=35 if abilities.version >= SM51 else 70,
            me="vThreadID.x" if plain else f"{NUMBER}.x",
            formats=formats,
            dimensions=dimensions,
            samplers={
                "s0": borderless(choices, "s0", linear=formats["t3"] != DEPTH),
                "s1": comparing(choices, "s1"),
                "s2": sampler(choices, abilities, "s2"),
                "s3": sampler(choices, abilities, "s3", point=True),
                "s4": comparing(choices, "s4"),
            },
            ranges=draw_ranges(choices, abilities, whole=not special, guards=guards)
            if abilities.version >= SM51
            else {},
        )
        self.dump = "u2" if abilities.version >= (5, 0) else "u0"

    def case(self) -> Case:
        main, subroutines = self._bodies()
        text = "\n".join([*main, *subroutines])
        main = [*self._unknown(text), *main]
        lines = [*main, *self._dumped(text), "ret", *subroutines]
        text = "\n".join(lines)
        bound = self._bindable(text)
        header = self._header(text, bound)
        if self.abilities.version >= SM51:
            lines = [ranged(line) for line in lines]
        listing = "\n".join([*header, *lines]) + "\n"
        elements = [element for range in self._used(text) for element in range.elements]
        seed = self.choices.number(0, 7)
        case = Case(listing, (*bound, *elements), self.groups, self.scope.guards, seed)
        return replace(case, many_rounds=self.scope.many_rounds, **self._settings(text))

    def _needless(self) -> list[str]:
        """Controls and accesses without which results are the same.

        Without signed_zero_inf_nan_preserve a driver may take 0 for a product of NaN and 0.
        """
        controls = [
            n for n in options.FLOAT_CONTROLS if not (self.scope.special and n.startswith("signed"))
        ]
        return [*options.ROBUST_ACCESS, *controls]

    def _settings(self, text: str) -> dict[str, Any]:
        """Options of the translation that do not change this program's results."""
        c = self.choices
        return {
            "without": tuple(n for n in self._needless() if c.chance(25)),
            "worked_around": tuple(n for n in sorted(options.WORKAROUNDS) if c.chance(20)),
            "denormals": "d3d" if self.scope.special else c.pick(options.DENORMALS),
            "denormal_test": c.pick(options.DENORMAL_TESTS),
            "push_bytes": c.pick((0, 0, 48)),  # beside the view ranges
            "sampling": "d3d" if EXTREME.search(text) else c.pick(options.SAMPLING),
            "max_inlined": c.pick((options.MAX_INLINED, 0, 40)),
        }

    # --- bodies ------------------------------------------------------------------------------

    def _bodies(self) -> tuple[Lines, Lines]:
        s, c = self.scope, self.choices
        count = c.pick((0, 0, 0, 1, 2)) if has_flow(s) else 0
        s.callable = tuple(range(count))
        main: Lines = []
        if s.me != "vThreadID.x":
            main += [
                f"iadd {NUMBER}.x, vThreadGroupID.x, vThreadGroupID.y",
                f"iadd {NUMBER}.x, {NUMBER}.x, vThreadGroupID.z",
                f"imad {NUMBER}.x, {NUMBER}.x, l({GROUP}), {s.lane}",
            ]
        for register in GENERAL:
            main += c.whole(lambda register=register: self._start(register))
        if has_phases(s) and c.chance(40):
            s.may_return = False
            main += [*shared.prologue(s), *flow.phases(s)]
            s.may_return = True
        main += flow.body(s, 12 if s.ranges else 24)
        subroutines: Lines = []
        for number in range(count):
            inner = replace(
                s,
                callable=tuple(range(number + 1, count)),
                counter_register=COUNTERS + 1 + number,
                in_subroutine=True,
                phase=None,
                depth=2,
                statements_left=10,
            )
            subroutines += [f"label label{number}", *flow.body(inner, 3), "ret"]
        return main, subroutines

    def _start(self, register: str) -> Lines:
        """Initialise a register with zeros, or with random contents."""
        if not self.choices.chance(60):
            return []
        return [f"mov {register}.xyzw, {source(self.scope)}"]

    def _unknown(self, text: str) -> Lines:
        """Zeros that a driver cannot fold, as the first values of floats."""
        used = [r for r in (*FLOATS, DOUBLES) if uses(text, r)]
        moves = [f"mov {register}.xyzw, {UNKNOWN_ZERO}" for register in used]
        return [UNKNOWN_ZERO_IS_MADE, *moves] if used or UNKNOWN_ZERO in text else []

    def _dumped(self, text: str) -> Lines:
        """The lines that dump the registers, floats with one NaN."""
        lines: Lines = []
        registers = (*GENERAL, *FLOATS, DOUBLES, NEARLY)
        for number, register in enumerate(registers):
            if not uses(text, register):
                continue
            place = register
            if register in FLOATS:
                lines += floats.dumped(register)
            elif register == DOUBLES:
                place = "r0"
                lines += doubles.one_nan(place)
            at = f"{self.scope.me}, {words(16 * number)}"
            lines.append(f"store_structured {self.dump}.xyzw, {at}, {place}.xyzw")
        for number, register in enumerate(FILTERED):
            if uses(text, register):
                at = f"{self.scope.me}, {words(16 * number)}"
                lines.append(f"store_structured {_FILTERED_UAV}.xyzw, {at}, {register}.xyzw")
        return lines

    # --- what is bound -----------------------------------------------------------------------

    def _bindable(self, text: str) -> list[Argument]:
        """All arguments that a program could use; placements are drawn for used ones alone."""
        formats, whole = self.scope.formats, not self.scope.special
        u4 = formats["u4"]
        made = [
            Argument("cb0", "constants", (self.choices.pick((3, 3, 2, 9, 40)),)),
            Argument("cb1", "constants", (1,), zero=True),
            Argument("t0", "raw", (buffers.T0_BYTES // 4,)),
            Argument("t1", "structured", (buffers.T1_COUNT,), buffers.STRIDE),
            Argument("t2", "typed", (buffers.T2_COUNT,), format=formats["t2"]),
            *self._textures(),
            Argument("u0", "raw", (LANES * buffers.RAW_BYTES // 4 - 5,)),
            Argument("u1", "structured", (LANES * 2 - 1,), buffers.STRIDE),
            Argument("u2", "structured", (LANES,), DUMP_STRIDE),
            Argument("u3", "typed", (LANES * buffers.TEXELS - 3,), format=formats["u3"]),
            Argument("u4", u4, (16,), format="r32_uint" if u4 == "typed" else ""),
            Argument("u5", "structured", (_CAPACITY,), buffers.APPENDED_STRIDE, counter=0),
            Argument("u6", "structured", (_CAPACITY,), buffers.APPENDED_STRIDE, counter=_CAPACITY),
            Argument(rounds.READ_ONLY, "raw", (rounds.READ_ONLY_DWORDS,)),
            Argument(_FILTERED_UAV, "structured", (LANES,), 16 * len(FILTERED),
                     tolerance=FILTER_TOLERANCE),
        ]  # fmt: skip
        if self.dump == "u0":
            made = [a for a in made if a.register not in ("u0", "u2")]
            made.append(Argument("u0", "structured", (LANES,), DUMP_STRIDE))
        found = [a for a in made if uses(text, a.register)]
        return [self._placed(replace(a, whole=whole)) for a in found]

    def _placed(self, argument: Argument) -> Argument:
        c = self.choices
        if argument.register == self.dump or argument.kind == "sampler" or argument.zero:
            return argument
        if argument.tolerance:
            return argument
        if argument.kind == "texture":
            null = self.scope.abilities.null_textures and c.chance(10)
            return replace(argument, placement="null") if null else argument
        if argument.counter is not None:
            nothing = ("null",) if self.abilities.null_counters else ()
            # A report on an empty view may name any thread.
            nothing += ("empty",) if self.scope.guards != "report" else ()
            placement = c.pick(nothing) if nothing and c.chance(15) else "buffer"
            return replace(argument, placement=placement)
        placement = c.pick(_PLACEMENTS)
        if argument.kind == "constants" and argument.shape < (3,):
            placement = "array"  # the runner pads arrays only
        if placement not in ("view", "empty"):
            return replace(argument, placement=placement)
        first = c.pick((0, 1, 3, 64))
        if argument.kind == "constants":
            placement, first = "view", 16 * first  # D3D 11.1's granularity; never empty
        return replace(argument, placement=placement, first=first)

    def _textures(self) -> list[Argument]:
        c, formats, dimensions = self.choices, self.scope.formats, self.scope.dimensions
        read, written = (DIMENSIONS[dimensions[r]] for r in ("t3", "u7"))
        return [
            Argument("t3", "texture", tuple(1 << bits for bits in reversed(read.read)),
                     format=formats["t3"], dimension=read.name, mips=MIPS),
            Argument("u7", "texture", tuple(1 << bits for bits in reversed(written.written)),
                     format=formats["u7"], dimension=written.name),
            *(self._texture(name) for name in sampling.EXTREMES),
            Argument("t7", "texture", MULTISAMPLED[dimensions["t7"]],
                     format=formats["t7"], dimension=dimensions["t7"]),
            *self.scope.samplers.values(),
            *slices.arguments(c, formats, dimensions),
        ]  # fmt: skip

    def _texture(self, name: str) -> Argument:
        """A texture that is sampled anywhere."""
        format, dimension = self.scope.formats[name], self.scope.dimensions[name]
        shape = (sampling.CUBES.get(dimension, 0), *[1 << sampling.CUBE_BITS] * 2)
        if dimension in DIMENSIONS:
            shape = tuple(1 << bits for bits in reversed(DIMENSIONS[dimension].read))
        return Argument(name, "texture", shape, format=format, dimension=dimension, mips=MIPS)

    def _rows(self) -> list[list[int]]:
        """The rows of the immediate constant buffer: unit vectors, or anything."""
        if self.scope.unit_rows and self.choices.chance(80):
            return [[0x3F800000 * (row == column) for column in range(4)] for row in range(4)]
        return [[word(self.scope) for _ in range(4)] for _ in range(4)]

    def _used(self, text: str) -> list[Range]:
        return [range for range in self.scope.ranges.values() if f"{range.name}[" in text]

    # --- declarations ------------------------------------------------------------------------

    def _header(self, text: str, bound: list[Argument]) -> Lines:
        version = ".".join(map(str, self.scope.abilities.version)).replace(".", "_")
        lines = [f"cs_{version}"]
        flags = [] if self.scope.special else ["refactoringAllowed"]
        if uses(text, DOUBLES):
            flags += ["enableDoublePrecisionFloatOps", "enable11_1DoubleExtensions"]
        lines += [f"dcl_globalFlags {' | '.join(flags)}"] if flags else []
        if "icb[" in text:
            rows = [", ".join(f"{n:#x}" for n in row) for row in self._rows()]
            lines.append(
                f"dcl_immediateConstantBuffer {{ {', '.join(f'{{ {r} }}' for r in rows)} }}"
            )
        lines += map(self._declaration, bound)
        lines += [
            declaration(r.elements[0], f"{r.name}[{r.span}]", r.space) for r in self._used(text)
        ]
        parts = {
            "g0": f"tgsm_raw g0, {16 * GROUP}",
            "g1": f"tgsm_structured g1, {buffers.STRIDE}, {GROUP}",
            "g2": f"tgsm_raw g2, {4 * GROUP}",
            "vThreadID": "input vThreadID.xyz",
            "vThreadGroupID": "input vThreadGroupID.xyz",
            "vThreadIDInGroupFlattened": "input vThreadIDInGroupFlattened",
            "x0": "indexableTemp x0[5], 4",
            "x1": "indexableTemp x1[3], 2",
            floats.EMPTY: f"indexableTemp {floats.EMPTY}[3], 4",
        }
        lines += [f"dcl_{part}" for name, part in parts.items() if uses(text, name)]
        lines += [f"dcl_temps {COUNTERS + 3}"]
        return [*lines, "dcl_thread_group {}, {}, {}".format(*self.shape)]

    def _declaration(self, argument: Argument) -> str:
        if self.abilities.version < SM51:
            return declaration(argument, argument.register.replace("cb", "CB"))
        return declaration(argument, of_one(argument.register), 0)
