"""Atomics and hidden counters. Source: FS §22.17.

Each operation has a form without a result (`atomic_*`) and one that returns the old value
(`imm_atomic_*`). Both lower to the same IR; an unused result costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import add

from translate.ir.builder import Builder
from translate.ir.lanes import choose, numpy
from translate.ir.memory import Access, Check, Resource
from translate.ir.values import Value
from translate.isa.instruction import (
    SM5,
    Evaluate,
    Instruction,
    Kind,
    Lower,
    Scalar,
    address,
    dst,
    src,
    target,
)

Values = list[Value]


def _lower(operation: str, returns: bool) -> Callable[[Builder, Resource, Values, Values], Value]:
    def lower(b: Builder, memory: Resource, at: Values, operands: Values) -> Value:
        access = Access(memory, len(at), 0, operation)
        b.check(Check(access, writes=True, returns=returns), at)
        return b.atomic(access, at, operands)

    return lower


def _forms(
    operation: str,
    evaluate: Evaluate,
    scalar: Scalar,
    plain: tuple[str, int] | None,
    returning: tuple[str, int],
    values: tuple[str, ...] = ("value",),
) -> tuple[Instruction, ...]:
    """The rows of an operation's forms; `evaluate(old, *values)` gives memory's new contents."""
    operands = (target(), address(), *(src(scalar, name, 1) for name in values))

    def row(name: str, opcode: int, returns: bool) -> Instruction:
        return Instruction(
            name=name,
            opcode=opcode,
            kind=Kind.ATOMIC,
            operands=(dst(scalar), *operands) if returns else operands,
            since=SM5,
            lower=_lower(operation, returns),
            evaluate=evaluate,
            source="FS §22.17",
        )

    rows = (row(*returning, returns=True),)
    return (row(*plain, returns=False), *rows) if plain else rows


def lower_alloc(b: Builder, memory: Resource) -> Value:
    """Increment the counter, and return its old value (FS §22.17.17); 0 if none is bound."""
    _check_counter(b, memory)
    return b.counter_add(memory, b.u32(1))


def lower_consume(b: Builder, memory: Resource) -> Value:
    """Decrement the counter, and return its new value (FS §22.17.18); 0 if none is bound."""
    _check_counter(b, memory)
    left = b.isub(b.counter_add(memory, b.u32(-1)), b.u32(1))
    return b.select(b.nonzero(b.counter_size(memory)), left, b.u32(0))


def _check_counter(b: Builder, memory: Resource) -> None:
    """Report an access to an unbound counter; even a view without structures may have one."""
    b.check(Check(Access(memory, 0), writes=True, returns=True, counter=True), [])


def _counter(name: str, opcode: int, lower: Lower, evaluate: Evaluate, source: str) -> Instruction:
    """A counter's row; `evaluate(old)` gives the result and the new value of the counter."""
    return Instruction(
        name=name,
        opcode=opcode,
        kind=Kind.COUNTER,
        operands=(dst(Scalar.U32), target()),
        since=SM5,
        lower=lower,
        evaluate=evaluate,
        source=source,
    )


U, I = Scalar.U32, Scalar.I32  # noqa: E741

ROWS = (
    *_forms("iand", lambda x, y: x & y, U, ("atomic_and", 0xA9), ("imm_atomic_and", 0xB5)),
    *_forms("ior", lambda x, y: x | y, U, ("atomic_or", 0xAA), ("imm_atomic_or", 0xB6)),
    *_forms("ixor", lambda x, y: x ^ y, U, ("atomic_xor", 0xAB), ("imm_atomic_xor", 0xB7)),
    *_forms("cmp_exch", lambda old, compare, value: choose(old == compare, value, old), U,
            ("atomic_cmp_store", 0xAC), ("imm_atomic_cmp_exch", 0xB9), ("compare", "value")),
    *_forms("iadd", add, I, ("atomic_iadd", 0xAD), ("imm_atomic_iadd", 0xB4)),
    *_forms("smax", numpy("maximum"), I, ("atomic_imax", 0xAE), ("imm_atomic_imax", 0xBA)),
    *_forms("smin", numpy("minimum"), I, ("atomic_imin", 0xAF), ("imm_atomic_imin", 0xBB)),
    *_forms("umax", numpy("maximum"), U, ("atomic_umax", 0xB0), ("imm_atomic_umax", 0xBC)),
    *_forms("umin", numpy("minimum"), U, ("atomic_umin", 0xB1), ("imm_atomic_umin", 0xBD)),
    *_forms("exch", lambda old, value: value, U, None, ("imm_atomic_exch", 0xB8)),
    _counter("imm_atomic_alloc", 0xB2, lower_alloc,
             lambda old: (old, old + old.dtype.type(1)), "FS §22.17.17"),
    _counter("imm_atomic_consume", 0xB3, lower_consume,
             lambda old: (old - old.dtype.type(1),) * 2, "FS §22.17.18"),
)  # fmt: skip
