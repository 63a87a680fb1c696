"""Topics: the parts of a program that faults of drivers may concern; only their probes run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from vkrunner.info.faults import Topic

if TYPE_CHECKING:
    from translate import Program, Statement

_EVERY: tuple[Topic, ...] = ("buffers", "floats")
_MINIMA = ("min", "max", "dmin", "dmax")
_BUFFER = 1  # D3D10_SB_RESOURCE_DIMENSION_BUFFER, in bits 11 to 15 of a declaration
_RESOURCES = ("t", "u", "s", "cb")
_INTERFACES = ("fp", "this")  # interfaces of HLSL select constant buffers and resources


def topics_of(program: Program) -> frozenset[Topic]:
    """The topics of a program."""
    ranged = program.version >= (5, 1)
    found: set[Topic] = {*_EVERY}
    for statement in program.statements:
        found.update(_topics(statement, ranged=ranged))
    return frozenset(found)


def _topics(statement: Statement, *, ranged: bool) -> Iterator[Topic]:
    name = statement.row.name
    if name == "loop":
        yield "loops"
    elif name == "sync":
        yield "barriers"
    elif name in _MINIMA:
        yield "minima"
    elif name in ("dcl_resource", "dcl_uav_typed"):
        if statement.controls >> 11 & 31 != _BUFFER:
            yield "textures"
    elif not statement.row.is_declaration and _selects(statement, ranged=ranged):
        yield "ranges"


def _selects(statement: Statement, *, ranged: bool) -> bool:
    """Whether an operand's register is chosen when the shader runs."""
    for operand in statement.operands:
        if operand.file.prefix in _INTERFACES:
            return True
        if ranged and operand.file.prefix in _RESOURCES and operand.indices[1].relative:
            return True
    return False
