"""Integer arithmetic: every row of the table that is component-wise and evaluates integers."""

from __future__ import annotations

from checks.lanes import sources
from translate.isa.instruction import Instruction, Kind, Scalar

from .operands import destinations, modified
from .scope import Lines, Scope

_INTEGERS = (Scalar.U32, Scalar.I32, Scalar.BITS)


def is_integer(row: Instruction) -> bool:
    """Arithmetic and moves of 32 bits of any type."""
    alu = row.kind in (Kind.ALU, Kind.MOVE) and row.evaluate is not None
    return alu and all(spec.scalar in _INTEGERS for spec in row.operands)


def integer(s: Scope) -> Lines:
    """Any such instruction, on any operands."""
    row = s.choices.pick(s.abilities.rows(is_integer))
    operands = [modified(s, scalar) for scalar in sources(row)]
    return [f"{row.name} {', '.join([*destinations(s, row.destinations), *operands])}"]
