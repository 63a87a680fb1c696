"""Cells: the memory that an instruction accesses, with names and values, for traces."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from translate.isa.instruction import Kind, Lanes
from translate.isa.registers import COMPONENTS
from translate.program import Statement
from translate.reference.access import Accesses, Named
from translate.reference.alu import written
from translate.reference.layout import TYPED
from translate.reference.texels import TexelSpace
from translate.reference.words import peek

OUTSIDE = " (outside)"
_TYPES = {"float": "float", "uint": "uint", "sint": "int"}


@dataclass(frozen=True, slots=True)
class Cell:
    """A dword, a component of a texel, or a hidden counter.

    `element` is its name: `t0[12] byte 8`, `u1 byte 16`, `t2.mips[1][3, 5].x`, `u0.counter`, with `
    (outside)` if it is out of bounds. `letter` is its component in the access. `type` is None for
    untyped memory. `read` returns the current bits.
    """

    register: str
    element: str
    letter: str
    type: str | None
    read: Callable[[], int]


def cells(statement: Statement, lane: Lanes, accesses: Accesses) -> list[Cell]:
    """The cells that one lane (`lane` is an array of one) accesses.

    Empty unless the instruction is a load, store, atomic or counter.
    """
    found: list[Cell] = []

    def look(statement: Statement, named: Named, lane: Lanes) -> None:
        if statement.row.kind is Kind.COUNTER:
            found.append(_counter(named, accesses))
        elif accesses.kind_of(named) == TYPED:
            found.extend(_texel(statement, named, lane, accesses))
        else:
            found.extend(_dwords(statement, named, lane, accesses))

    if statement.row.kind in (Kind.LOAD, Kind.STORE, Kind.ATOMIC, Kind.COUNTER):
        accesses.for_each(statement, lane, look)
    return found


def address_slots(statement: Statement, lane: Lanes, accesses: Accesses) -> tuple[int, ...]:
    """The components of the address operand that the accessed resource uses."""
    found: list[tuple[int, ...]] = []

    def look(statement: Statement, named: Named, lane: Lanes) -> None:
        if accesses.kind_of(named) != TYPED:
            found.append(tuple(range(2 if accesses.word_space(named).stride else 1)))
            return
        space = accesses.texel_space(named)
        if statement.row.kind is Kind.TEXTURE:
            found.append(tuple(range(space.shape.sampling_coordinates)))
        else:
            found.append((*range(space.coordinates), *((3,) if space.has_mips else ())))

    accesses.for_each(statement, lane, look)
    return found[0]


def _components(statement: Statement, named: Named) -> list[int]:
    """The components that are loaded or stored, in order."""
    if statement.row.kind is Kind.LOAD:
        return [named.operand.component(c) for c in written(statement.operands[0])]
    return [0] if statement.row.kind is Kind.ATOMIC else [*named.operand.written()]


def _counter(named: Named, accesses: Accesses) -> Cell:
    element = f"{named.register}.counter"
    if accesses.counter_of(named) is None:
        return Cell(named.register, element + OUTSIDE, "x", "uint", lambda: 0)
    return Cell(named.register, element, "x", "uint", lambda: accesses.counter_of(named) or 0)


def _dwords(statement: Statement, named: Named, lane: Lanes, accesses: Accesses) -> Iterator[Cell]:
    space = accesses.word_space(named)
    address = accesses.word_address(statement, space, lane)
    index = f"[{int(address[0][0])}]" if space.stride else ""
    for component in _components(statement, named):
        place = (int(address[-1][0]) & ~3) + 4 * component
        at = peek(space, address, component, lane)
        element = f"{space.register}{index} byte {place}"

        def read(at: int | None = at) -> int:
            return 0 if at is None else int(space.words[at])

        suffix = OUTSIDE if at is None else ""
        yield Cell(space.register, element + suffix, COMPONENTS[component], None, read)


def _texel(statement: Statement, named: Named, lane: Lanes, accesses: Accesses) -> Iterator[Cell]:
    space = accesses.texel_space(named)
    address = accesses.texel_address(statement, space, lane)
    element = _texel_name(space, [int(axis[0]) for axis in address])
    suffix = "" if space.contains(address)[0] else OUTSIDE
    assert named.slots is not None
    for component in _components(statement, named):
        letter = COMPONENTS[component]

        def read(component: int = component) -> int:
            return int(space.load(address, lane, accesses.reporter)[component][0])

        type_ = _TYPES[named.slots.component]
        yield Cell(space.register, f"{element}.{letter}{suffix}", letter, type_, read)


def _texel_name(space: TexelSpace, address: list[int]) -> str:
    """A texel's name as in HLSL: `t0[7]`, `t0[3, 5]`, `t0.mips[1][3, 5]`, `t0.sample[2][3, 5]`."""
    texel = str(address[: space.coordinates])
    if space.shape.multisampled:
        return f"{space.register}.sample[{address[-1]}]{texel}"
    if space.has_mips and address[-1]:
        return f"{space.register}.mips[{address[-1]}]{texel}"
    return f"{space.register}{texel}"
