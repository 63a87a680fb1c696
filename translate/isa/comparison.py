"""Build the rows of comparisons, which return all ones or 0 (FS §22.12)."""

from __future__ import annotations

from collections.abc import Callable

from translate.ir.builder import Builder
from translate.ir.values import Value
from translate.isa.instruction import SM4, Instruction, Kind, Lanes, Scalar, dst, src

Binary = Callable[[Builder, Value, Value], Value]


def comparison(
    name: str,
    opcode: int,
    scalar: Scalar,
    lower: Binary,
    test: Callable[[Lanes, Lanes], Lanes],
    source: str = "FS §22.12",
    since: tuple[int, int] = SM4,
) -> Instruction:
    """The row of a comparison; `lower` returns a BOOL value, `test` compares NumPy lanes."""

    def lower_masked(b: Builder, x: Value, y: Value) -> Value:
        return b.mask(lower(b, x, y))

    def evaluate(x: Lanes, y: Lanes) -> Lanes:
        import numpy as np

        return np.where(test(x, y), np.uint32(0xFFFFFFFF), np.uint32(0))

    return Instruction(
        name=name,
        opcode=opcode,
        kind=Kind.ALU,
        operands=(dst(Scalar.U32), src(scalar, "a"), src(scalar, "b")),
        since=since,
        lower=lower_masked,
        evaluate=evaluate,
        source=source,
        converted=0,
    )
