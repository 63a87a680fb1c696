"""Ranges of registers of cs_5_1: their elements, and the operands that index them.

The elements differ in size and format, and some are null. An index is a constant, uniform in a
group, or different in each thread; it may be outside of the range.
"""

from __future__ import annotations

import re
from dataclasses import replace

from vkrunner.values.formats import format_of_name

from .buffers import kind_of, returns
from .case import Argument
from .choices import Choices
from .operands import FAR, Place, alone, scalar, uniform_scalar, words
from .samplers import sampler
from .scope import INDEX, LANES, Abilities, Range, Scope
from .textures import DIMENSIONS, MIPS

STRIDE, LISTED_STRIDE = 12, 8  # of structures, of appended elements
WHOLE_LIST = 5 * LANES  # more than is ever appended or consumed
# name -> space: no two of a class have the same
RANGES = {
    **{"T10": 1, "T11": 2, "T12": 3, "T13": 4, "CB10": 5, "S10": 6},
    **{"U10": 1, "U11": 2, "U12": 3, "U13": 4, "U14": 5, "U15": 6},
}
_COUNTS = (1, 2, 3, 4, 0)
_LIST = ("structured", (WHOLE_LIST, WHOLE_LIST + 9, 1, 33), LISTED_STRIDE)
_BUFFERS = {  # kind, lengths, stride
    "T10": ("raw", (1, 3, 40, 66), 4),
    "U10": ("raw", (1, 17, 40, 2 * LANES), 4),
    "T11": ("structured", (1, 3, 9, 33), STRIDE),
    "U11": ("structured", (1, 9, 20, LANES), STRIDE),
    **{"U14": _LIST, "U15": _LIST},
    "CB10": ("constants", (1, 2, 3), 4),
}
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
            made = [Argument("", "typed", (c.pick((1, 5, 20, LANES)),), format=f)
                    for f in self._formats(name, count)]  # fmt: skip
            return [*map(self._placed, made)]
        kind, lengths, stride = _BUFFERS[name]
        counter = {"U14": 0, "U15": WHOLE_LIST}.get(name)
        if counter is not None and self.guards == "report":
            # Reports alone depend on which thread gets a slot past the end of a list.
            lengths = (WHOLE_LIST,)
        made = [Argument("", kind, (c.pick(lengths),), stride, counter=counter)
                for _ in range(count)]  # fmt: skip
        return [*map(self._placed, made)]

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
    """The format of the range that restricts stored values and atomics most."""
    formats = [e.format for e in range.elements]
    return min(formats, key=lambda f: (f != "r16g16b16a16_float", f in ("r32_uint", "r32_sint")))


def chosen(s: Scope, range: Range, letter: str = "x") -> Place:
    """A range's register, selected by the index register."""
    way = s.choices.pick(("constant", *["uniform"] * 3, *["any"] * 3))
    if way == "constant":
        last = (range.count or 6) - 1
        return alone(f"{range.name}[{range.first + s.choices.number(0, last)}]")
    at = f"{INDEX}.{letter}"
    start = uniform_scalar(s) if way == "uniform" else scalar(s)
    lines = [f"and {at}, {start}, {words(s.choices.pick((3, 3, 1, 7)))}"]
    if s.choices.chance(15):
        lines.append(f"or {at}, {at}, {words(s.choices.pick(FAR))}")
    elif s.choices.chance(10):
        lines.append(f"iadd {at}, {at}, l(-1)")
    end = " { nonuniform }" if way == "any" else ""
    return Place(lines, f"{range.name}[{at} + {range.first}]", end)


def declaration(argument: Argument, name: str, space: int | None = None) -> str:
    """The line that declares a register or, in a space, a range of registers.

    Constants are declared with three vectors, and one that is zero with one.
    """
    kind, end = argument.kind, "" if space is None else f", space={space}"
    if kind == "constants":
        return f"dcl_constantbuffer {name}[{1 if argument.zero else 3}], dynamicIndexed{end}"
    if kind == "sampler":
        return f"dcl_sampler {name}, mode_{'comparison' if argument.comparison else 'default'}{end}"
    access = "uav" if name[0] in "uU" else "resource"
    if kind in ("raw", "structured"):
        stride = f", {argument.stride}" if kind == "structured" else ""
        return f"dcl_{access}_{kind} {name}{stride}{end}"
    component = format_of_name(argument.format).component if space else kind_of(argument.format)
    typed = "uav_typed" if access == "uav" else access
    return f"dcl_{typed}_{argument.dimension or 'buffer'} {returns(component)} {name}{end}"


def of_one(register: str) -> str:
    """A register as a range, as it is declared in cs_5_1."""
    number = register.lstrip("cbtsu")
    return f"{register.upper()}[{number}:{number}]"


def ranged(line: str) -> str:
    """An instruction of cs_5_0 in the form of cs_5_1: each register is a range of one."""
    line = _SUFFIX.sub("", line.replace("_indexable", ""))
    line = _SINGLE.sub(lambda m: f"{m[1].upper()}{m[2]}[{m[2]}]", line)
    return _CONSTANTS.sub(lambda m: f"CB{m[1]}[{m[1]}][", line)
