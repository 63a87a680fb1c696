"""Moves. Source: FS §22.9. Bits stay unchanged unless a modifier or `_sat` makes them floats."""

from __future__ import annotations

from translate.ir.builder import Builder
from translate.ir.lanes import choose
from translate.ir.values import Value
from translate.isa.instruction import SATURATE, SM5, Instruction, Kind, Scalar, dst, src

B, U = Scalar.BITS, Scalar.U32


def lower_mov(b: Builder, x: Value) -> Value:
    return x


def lower_movc(b: Builder, condition: Value, x: Value, y: Value) -> Value:
    """`x` if any bit of the condition is set, as for -0.0 and denormals (FS §22.9.2); else `y`."""
    return b.select(b.nonzero(condition), x, y)


def lower_swapc(b: Builder, condition: Value, x: Value, y: Value) -> tuple[Value, Value]:
    swap = b.nonzero(condition)
    return b.select(swap, y, x), b.select(swap, x, y)


ROWS = (
    Instruction(
        name="mov",
        opcode=0x36,
        kind=Kind.MOVE,
        operands=(dst(B), src(B, "a")),
        controls=(SATURATE,),
        lower=lower_mov,
        evaluate=lambda x: x,
        source="FS §22.9.1",
    ),
    Instruction(
        name="movc",
        opcode=0x37,
        kind=Kind.MOVE,
        operands=(dst(B), src(U, "condition"), src(B, "a"), src(B, "b")),
        controls=(SATURATE,),
        lower=lower_movc,
        evaluate=lambda c, x, y: choose(c != 0, x, y),
        source="FS §22.9.2",
    ),
    Instruction(
        name="swapc",
        opcode=0x8E,
        kind=Kind.MOVE,
        operands=(dst(B, "dst0"), dst(B, "dst1"), src(U, "condition"), src(B, "a"), src(B, "b")),
        since=SM5,
        controls=(SATURATE,),
        lower=lower_swapc,
        evaluate=lambda c, x, y: (choose(c != 0, y, x), choose(c != 0, x, y)),
        source="FS §22.9.3",
        converted=0,
    ),
)
