"""Ranges of registers of cs_5_1: their elements, and the operands that index them.

The elements differ in size and format, and some are null. An index is a constant, uniform in a
group, or different in each thread; it may be outside of the range.
"""

from __future__ import annotations

import re
from dataclasses import replace

from vkrunner.values.formats import format_of_name

from .case import Argument
from .choices import Choices
from .operands import FAR, scalar, uniform_scalar, words
from .samplers import sampler
from .scope import INDEX, LANES, Abilities, Lines, Range, Scope
from .textures import DIMENSIONS, MIPS

STRIDE, LISTED_STRIDE = 12, 8  # of structures, of appended elements
WHOLE_LIST = 5 * LANES  # more than is ever appended or consumed
# name -> space: no two of a class have the same
RANGES = {
    **{"T10": 1, "T11": 2, "T12": 3, "T13": 4, "CB10": 5, "S10": 6},
    **{"U10": 1, "U11": 2, "U12": 3, "U13": 4, "U14": 5, "U15": 6},
}
_COUNTS = (1, 2, 3, 4, 0)
_FORMATS = {
    "float": ("r32_float", "r32g32b32a32_float", "r16g16b16a16_float", "r8g8b8a8_unorm"),
    "uint": ("r32_uint", "r32g32b32a32_uint", "r8g8b8a8_uint"),
    "sint": ("r32_sint", "r16g16b16a16_sint", "r32g32b32a32_sint"),
}
_VIEWED = 64  # elements before a view: for every size a multiple of 256 bytes, as descriptors need
_SINGLE = re.compile(r"\b([tus])(\d+)\b")
_CONSTANTS = re.compile(r"\bcb(\d+)\[")
_SUFFIX = re.compile(r"\((?:texture\w*|buffer)\)\([a-z,]+\)")
_SAMPLED = ("texture2d", "texture2d", "texture1d", "texture2darray", "texture3d")


def draw_ranges(c: Choices, abilities: Abilities, *, whole: bool, guards: str) -> dict[str, Range]:
    """All ranges that a program may use."""
    return {name: _Maker(c, abilities, guards).range(name, whole=whole) for name in RANGES}


class _Maker:
    def __init__(self, choices: Choices, abilities: Abilities, guards: str):
        self.c = choices
        self.abilities = abilities
        self.guards = guards

    def range(self, name: str, *, whole: bool) -> Range:
        c = self.c
        count = c.pick(_COUNTS)
        bare = Range(name, c.pick((0, 2)), RANGES[name], count, ())
        bound = c.number(1, count or 4)
        if not self.abilities.null_elements:
            bound = count or bound
        elements = self._elements(name, bound)
        made = [replace(e, register=bare.register, whole=whole) for e in elements]
        if count != 1:
            made = [replace(e, element=number) for number, e in enumerate(made)]
        return replace(bare, elements=tuple(made))

    def _elements(self, name: str, count: int) -> list[Argument]:
        c = self.c
        if name == "S10":
            point = c.chance(40)
            return [sampler(c, self.abilities, point=point) for _ in range(count)]
        if name in ("T13", "U13"):
            return self._textures(name, count)
        if name in ("T12", "U12"):
            formats = self._formats(name, count)
            return [self._placed(Argument("", "typed", (self._texels(),), format=f))
                    for f in formats]  # fmt: skip
        makers = {
            "T10": lambda: Argument("", "raw", (c.pick((1, 3, 40, 66)),)),
            "U10": lambda: Argument("", "raw", (c.pick((1, 17, 40, 2 * LANES)),)),
            "T11": lambda: Argument("", "structured", (c.pick((1, 3, 9, 33)),), STRIDE),
            "U11": lambda: Argument("", "structured", (c.pick((1, 9, 20, LANES)),), STRIDE),
            "U14": lambda: self._list(0),
            "U15": lambda: self._list(WHOLE_LIST),
            "CB10": lambda: Argument("", "constants", (c.pick((1, 2, 3)),)),
        }
        return [self._placed(makers[name]()) for _ in range(count)]

    def _texels(self) -> int:
        return self.c.pick((1, 5, 20, LANES))

    def _list(self, counter: int) -> Argument:
        """A list with a counter. Reports alone depend on which thread gets a slot past the end."""
        c = self.c
        lengths = (WHOLE_LIST,) if self.guards == "report" else (WHOLE_LIST, WHOLE_LIST + 9, 1, 33)
        length = c.pick(lengths)
        return Argument("", "structured", (length,), LISTED_STRIDE, counter=counter)

    def _formats(self, name: str, count: int) -> list[str]:
        """Formats of one component type; one for each element, where the device supports that."""
        c = self.c
        formats = _FORMATS[c.pick(tuple(_FORMATS))]
        if (name[0] == "U" and not self.abilities.mixed_images) or c.chance(20):
            return [c.pick(formats)] * count
        return [c.pick(formats) for _ in range(count)]

    def _textures(self, name: str, count: int) -> list[Argument]:
        """Textures of one dimension and of any size."""
        c, made = self.c, list[Argument]()
        dimension = DIMENSIONS[c.pick(_SAMPLED)]
        bits = dimension.read if name == "T13" else dimension.written
        for format in self._formats(name, count):
            less = c.pick((0, 0, 1))
            shape = tuple(1 << max(0, b - less) for b in reversed(bits))
            mips = MIPS if name == "T13" else 1
            one = Argument("", "texture", shape, format=format, dimension=dimension.name, mips=mips)
            null = self.abilities.null_textures and c.chance(15)
            made.append(replace(one, placement="null") if null else one)
        return made

    def _placed(self, argument: Argument) -> Argument:
        nothing = ("null", "null", "empty") if self.abilities.null_elements else ()
        if argument.counter is not None:
            empty = () if self.guards == "report" else nothing[2:]
            counted = ("buffer", "buffer", *empty, *nothing[:1])
            return replace(argument, placement=self.c.pick(counted))
        placement = self.c.pick(("array", "array", "buffer", "view", "view", *nothing))
        if argument.kind == "constants":
            placement = "array" if placement in ("buffer", "empty") else placement
        if placement not in ("view", "empty"):
            return replace(argument, placement=placement)
        return replace(argument, placement=placement, first=_VIEWED)


def component_of(range: Range) -> str:
    """float, uint or sint, as the range is declared."""
    return format_of_name(range.elements[0].format).component


def widest(range: Range) -> str:
    """The format of the range that restricts a stored value most."""
    formats = [e.format for e in range.elements]
    return next((f for f in formats if f == "r16g16b16a16_float"), formats[0])


def chosen(s: Scope, range: Range, letter: str = "x") -> tuple[Lines, str, str]:
    """(lines, register, suffix) of a range's register, selected by the index register."""
    way = s.choices.pick(("constant", *["uniform"] * 3, *["any"] * 3))
    if way == "constant":
        last = (range.count or 6) - 1
        return [], f"{range.name}[{range.first + s.choices.number(0, last)}]", ""
    at = f"{INDEX}.{letter}"
    start = uniform_scalar(s) if way == "uniform" else scalar(s)
    lines = [f"and {at}, {start}, {words(s.choices.pick((3, 3, 1, 7)))}"]
    if s.choices.chance(15):
        lines.append(f"or {at}, {at}, {words(s.choices.pick(FAR))}")
    elif s.choices.chance(10):
        lines.append(f"iadd {at}, {at}, l(-1)")
    suffix = " { nonuniform }" if way == "any" else ""
    return lines, f"{range.name}[{at} + {range.first}]", suffix


def range_declaration(range: Range) -> str:
    """The line that declares it."""
    one = range.elements[0]
    end = f"{range.name}[{range.span}]"
    if one.kind == "constants":
        return f"dcl_constantbuffer {end}[3], dynamicIndexed, space={range.space}"
    if one.kind == "sampler":
        return f"dcl_sampler {end}, mode_default, space={range.space}"
    uav = range.name[0] == "U"
    kind = "uav" if uav else "resource"
    if one.kind in ("raw", "structured"):
        stride = f", {one.stride}" if one.kind == "structured" else ""
        return f"dcl_{kind}_{one.kind} {end}{stride}, space={range.space}"
    returned = ",".join([component_of(range)] * 4)
    typed = "uav_typed" if uav else kind
    return f"dcl_{typed}_{one.dimension or 'buffer'} ({returned}) {end}, space={range.space}"


def ranged(line: str) -> str:
    """An instruction of cs_5_0 in the form of cs_5_1: each register is a range of one."""
    line = _SUFFIX.sub("", line.replace("_indexable", ""))
    line = _SINGLE.sub(lambda m: f"{m[1].upper()}{m[2]}[{m[2]}]", line)
    return _CONSTANTS.sub(lambda m: f"CB{m[1]}[{m[1]}][", line)


def ranged_declaration(line: str) -> str:
    """A declaration of cs_5_0 in the form of cs_5_1."""
    line = re.sub(r"\b([tus])(\d+)\b", lambda m: f"{m[1].upper()}{m[2]}[{m[2]}:{m[2]}]", line)
    line = re.sub(r"\bCB(\d+)\[", lambda m: f"CB{m[1]}[{m[1]}:{m[1]}][", line)
    return f"{line}, space=0"
