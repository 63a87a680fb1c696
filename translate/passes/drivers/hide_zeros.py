"""Zeros that only a driver knows to be constants are hidden from it (`float_zeros`).

Lavapipe makes x of `x + 0.0`, 0.0 of `x * 0.0` and `0.0 / x`, and anything of `x / 0.0`, whatever
NoContraction and SignedZeroInfNanPreserve say. The translator writes such operations in another
form where it knows of the zero (`zeros`). The driver finds more, for instance by unrolling loops.
These are hidden here: constants that a choice or a loop begins with, which costs nothing in
the loop, and otherwise the operand itself.
"""

from __future__ import annotations

from translate.ir import ops
from translate.ir.values import Module, Value
from translate.passes.drivers.hidden import HiddenOperands
from translate.passes.drivers.known_constants import FORWARDING, KnownConstants, Level, Use
from translate.passes.merges import merges_of

_ARITHMETIC = frozenset((ops.FADD, ops.FSUB, ops.FMUL, ops.FDIV, ops.FMA))


def hide_zeros(module: Module) -> None:
    """Hide the operands of sums, products and quotients that may be a zero for the driver."""
    arithmetic = [value for value in module.walk() if value.op in _ARITHMETIC]
    if not arithmetic:
        return
    incoming = merges_of(module)
    constants, hidden = KnownConstants(module, incoming), HiddenOperands()
    for use in constants.choices():
        hidden.add(*use)
    work = [(value, n) for value in arithmetic for n in _alone(value)]
    seen = set[Use]()
    while work:
        user, position = use = work.pop()
        operand = user.args[position]
        if use in seen or constants.level(operand) is not Level.ZERO:
            continue
        seen.add(use)
        if constants.is_compared(operand):
            hidden.add(user, position)
        elif operand in incoming:
            work += incoming[operand]
        elif operand.op in FORWARDING:
            work.append((operand, 0))
        elif operand.op is ops.SELECT:
            work += [(operand, 1), (operand, 2)]
        else:
            hidden.add(user, position)
    hidden.apply(module)


def _alone(value: Value) -> list[int]:
    """The positions of operands that the driver may know while the others vary.

    If it knows all, it computes the result by IEEE 754.
    """
    if value.op is ops.FMA:
        return [n for n, arg in enumerate(value.args) if arg.op is not ops.CONST]
    if value.args[0] is value.args[1] or any(arg.op is ops.CONST for arg in value.args):
        return []
    return [0, 1]
