"""Workaround for `float_zeros`: arithmetic with constant zeros has IEEE 754's results.

`x + 0` differs from x for -0, `x * 0` from 0 for an infinity, a NaN or a negative number, and
`0 / x` and `x / 0` have such cases too (FS §3.1.3). lavapipe replaces `x + 0.0` by x, `x * 0.0` and
`0.0 / x` by 0.0, and `x / 0.0` by any number, in spite of NoContraction and
SignedZeroInfNanPreserve.

Operations with zeros that the translator finds are written in another form, on every device since
that costs no more than the arithmetic. A driver finds more zeros, for instance by unrolling loops.
These are hidden from a driver with the fault: the constants that a choice or a loop begins with,
which costs no instruction in the loop, and otherwise the operand itself.

Probe: vkrunner/probes/trials.py.
Documented in docs/drivers.md, "sums and products with zeros that only the driver knows".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from translate.ir import ops, row
from translate.ir.builder import EXPONENT, SIGN, WIDE_EXPONENT, Builder
from translate.ir.types import F32, F64, U32, Type
from translate.ir.values import Module, Value
from translate.passes.drivers.hidden import HiddenOperands
from translate.passes.drivers.known_constants import FORWARDING, KnownConstants, Level, Use
from translate.passes.rewrite import Incoming, Rule, merges_of, rewrite

NEGATIVE_ZERO_LIMITS = "negative_zero_limits"
"""Workaround for `negative_zero_limits`: a constant -0.0 is hidden from minima and maxima.

NIR of Mesa 26 takes it for 0.0 there, which counts if the constant is the result. `hide_zeros`
hides it, and other operands that the driver may find to be a zero.

Probe: vkrunner/probes/trials.py.
Documented in docs/drivers.md, "a minimum or maximum of a constant -0.0 is 0.0".
"""
_LIMITS = (ops.FMIN, ops.FMAX)
_EXPONENT = {F32: EXPONENT, F64: WIDE_EXPONENT}
_CONSTANT_FORMS = (ops.PACK_F64, ops.BITCAST, ops.FNEG, ops.FABS)
_NAN = {F32: 0x7FC00000, F64: 0x7FF80000}


def resolve_zeros(module: Module) -> None:
    """Rewrite each sum, product and quotient with one constant zero, each `fma` with at least one.

    `simplify` does the same for zeros that it finds. Denormal operands that count as zeros are
    flushed before this pass.
    """
    rewrite(module, ZEROS)


def _add(b: Builder, value: Value) -> Value | None:
    return _sum(b, *value.args)


def _sum(b: Builder, x: Value, y: Value) -> Value | None:
    """x + 0 is x, except +0 for -0; x + -0 is x, which drivers know."""
    if _is_variable(x) and _is_variable(y):
        return None
    for zero, other in ((x, y), (y, x)):
        if _bits(zero) == 0 and _bits(other) is None:
            return b.select(b.feq(other, zero), zero, other)
    return None


def _multiply(b: Builder, value: Value) -> Value | None:
    return _product(b, *value.args)


def _product(b: Builder, x: Value, y: Value) -> Value | None:
    """0 * x is a zero of the product's sign, or a NaN if x is not finite."""
    if _is_variable(x) and _is_variable(y):
        return None
    for zero, other in ((x, y), (y, x)):
        if _is_zero(zero) and _bits(other) is None:
            exponent = b.u32(_EXPONENT[x.type])
            finite = b.ine(b.iand(_high(b, other), exponent), exponent)
            high = b.select(finite, _sign(b, other, zero), b.u32(_NAN[x.type]))
            return _number(b, x.type, high)
    return None


def _divide(b: Builder, value: Value) -> Value | None:
    """0 / y is a zero and x / 0 an infinity of the quotient's sign; NaN for a NaN and for 0 / 0."""
    x, y = value.args
    if _is_zero(x) and _bits(y) is None:
        high, other = _sign(b, y, x), y
    elif _is_zero(y) and _bits(x) is None:
        high, other = b.ior(_sign(b, x, y), b.u32(_EXPONENT[x.type])), x
    else:
        return None
    no_number = b.lor(b.fne(other, other), b.feq(other, b.constant(x.type, 0)))
    return _number(b, x.type, b.select(no_number, b.u32(_NAN[x.type]), high))


def _fuse(b: Builder, value: Value) -> Value | None:
    outer, b.precise = b.precise, True
    replacement = _fused(b, value)
    b.precise = outer
    return replacement


def _fused(b: Builder, value: Value) -> Value | None:
    """x * y + z with a constant zero, by separate operations that round at most once.

    A product by a zero is exact, so only the sum rounds. If z is a zero, only the product rounds.
    """
    x, y, z = value.args
    if _is_zero(x) or _is_zero(y):
        product = _product(b, x, y) or b.fmul(x, y)
        return _sum(b, product, z) or b.fadd(product, z)
    if not _is_zero(z):
        return None
    product, zero = b.fmul(x, y), b.constant(F64, 0)
    if _bits(z):
        return product
    # A zero product loses its sign if a factor is a zero, but keeps it after an underflow.
    exact = b.lor(b.feq(x, zero), b.feq(y, zero))
    return b.select(b.land(exact, b.feq(product, zero)), zero, product)


def _is_variable(value: Value) -> bool:
    """Whether a value has no form of a constant, so that `_bits` is None."""
    return value.op is not ops.CONST and value.op not in _CONSTANT_FORMS


def _bits(value: Value) -> int | None:
    """A constant's bits, also if its dwords are not folded to one constant; else None."""
    if value.op is ops.CONST:
        return row.BITS.of(value)
    if value.op not in _CONSTANT_FORMS:
        return None
    parts = [_bits(arg) for arg in value.args]
    if value.op is ops.PACK_F64 and None not in parts:
        low, high = parts
        return (high or 0) << 32 | (low or 0)
    if value.op is ops.BITCAST:
        return parts[0]
    if value.op is ops.FNEG and parts[0] is not None:
        return parts[0] ^ _sign_bit(value)
    if value.op is ops.FABS and parts[0] is not None:
        return parts[0] & ~_sign_bit(value)
    return None


def _sign_bit(value: Value) -> int:
    return 1 << 63 if value.type is F64 else SIGN


def _is_zero(value: Value) -> bool:
    bits = _bits(value)
    return bits is not None and (not bits or bits == _sign_bit(value))


def _high(b: Builder, value: Value) -> Value:
    """The dword of a float that has its sign and exponent."""
    return b.f64_high(value) if value.type is F64 else b.bitcast(U32, value)


def _sign(b: Builder, value: Value, zero: Value) -> Value:
    """The sign of a product or quotient of a value and a constant zero, in bit 31 of a dword."""
    sign = b.iand(_high(b, value), b.u32(SIGN))
    return b.ixor(sign, b.u32(SIGN)) if _bits(zero) else sign


def _number(b: Builder, type_: Type, high: Value) -> Value:
    return b.pack_f64(b.u32(0), high) if type_ is F64 else b.bitcast(F32, high)


ZEROS: Mapping[ops.Op, Rule] = {
    ops.FADD: _add,
    ops.FMA: _fuse,
    ops.FMUL: _multiply,
    ops.FDIV: _divide,
}


# --- zeros that only the driver finds -------------------------------------------------------------


# Faults, and the operations in which the driver's zeros are hidden
ZERO_FAULTS: Mapping[str, Sequence[ops.Op]] = {
    "float_zeros": (ops.FADD, ops.FSUB, ops.FMUL, ops.FDIV, ops.FMA),
    NEGATIVE_ZERO_LIMITS: _LIMITS,
}


def hide_zeros(module: Module, faults: AbstractSet[str]) -> None:
    """Hide operands that the driver may find to be a zero, in operations that faults concern."""
    concerned = {op for fault in faults for op in ZERO_FAULTS.get(fault, ())}
    users = [value for value in module.walk() if value.op in concerned]
    if not users:
        return
    incoming = merges_of(module)
    constants = KnownConstants(module, incoming, users)
    hidden = HiddenOperands()
    for use in (*constants.choices(), *constants.queried()):
        hidden.add(*use)
    stored, alone = [*constants.stored()], [(v, n) for v in users for n in _alone(v)]
    for work, least in ((stored, Level.NUMBER), (alone, Level.ZERO)):
        for use in _origins(work, least, constants, incoming):
            hidden.add(*use)
    hidden.apply(module)


def _origins(
    work: list[Use], least: Level, constants: KnownConstants, incoming: Incoming
) -> Iterator[Use]:
    """The uses by which operands that the driver may know get their values."""
    seen = set[Use]()
    while work:
        user, position = use = work.pop()
        operand = user.args[position]
        if use in seen or constants.level(operand) < least:
            continue
        seen.add(use)
        if constants.is_compared(operand):
            yield use
        elif operand in incoming:
            work += incoming[operand]
        elif operand.op in FORWARDING:
            work.append((operand, 0))
        elif operand.op is ops.SELECT:
            work += [(operand, 1), (operand, 2)]
        elif operand.op is ops.COMPOSE:
            work += [(operand, n) for n in range(len(operand.args))]
        else:
            yield use


def _alone(value: Value) -> list[int]:
    """The positions of operands that the driver may know while the others vary.

    If it knows all operands, it computes the result by IEEE 754.
    """
    if value.op is ops.FMA:
        return [n for n, arg in enumerate(value.args) if arg.op is not ops.CONST]
    if value.op in _LIMITS:
        return [n for n, arg in enumerate(value.args) if _bits(arg) in (None, _sign_bit(arg))]
    if value.args[0] is value.args[1] or any(arg.op is ops.CONST for arg in value.args):
        return []
    return [0, 1]
