"""Denormals: 32-bit arithmetic takes them for zeros of their sign, and makes none (FS §3.1.3).

Moves, loads and stores keep every bit, so only the arguments and results of arithmetic are flushed,
and only where a denormal can be and makes a difference: most values come out of arithmetic
already, or are integers by origin (`exponent_bounds`), and next to an ordinary number a denormal
is nothing. What all that takes a result sees in this way is not flushed at all.
A device that flushes results by itself (the DenormFlushToZero execution mode) still may see
denormal arguments, and compares them as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence

from translate.ir import ops, row
from translate.ir.builder import Builder
from translate.ir.memory import Resource
from translate.ir.types import F32, U32
from translate.ir.values import Block, Module, Value
from translate.passes.exponent_bounds import NORMAL, Bounds, exponent_bounds
from translate.passes.float_memory import float_memory, loaded_from
from translate.passes.merges import Incoming, merges_of, through_casts

# Arithmetic of which a result may be a denormal though no argument is
_UNDERFLOWING = frozenset(
    (ops.FADD, ops.FSUB, ops.FMUL, ops.FDIV, ops.EXP2, ops.F64_TO_F32),
)
# Arithmetic that gives none unless it gets one
_CLEAN = frozenset(
    (
        *(ops.FMIN, ops.FMAX, ops.FLOOR, ops.CEIL, ops.TRUNC, ops.ROUND_EVEN),
        *(ops.SQRT, ops.RSQRT, ops.LOG2, ops.SIN, ops.COS),
        ops.F32_TO_F64,
    )
)
_COMPARISONS = frozenset((ops.FEQ, ops.FNE, ops.FLT, ops.FGE))
_ARITHMETIC = _UNDERFLOWING | _CLEAN | _COMPARISONS
_SIGN_CHANGES = frozenset((ops.FNEG, ops.FABS))
_NORMAL = _UNDERFLOWING | _CLEAN | {ops.S32_TO_F, ops.U32_TO_F, ops.HALF_TO_F32, ops.FLUSH}
_SUMS = (ops.FADD, ops.FSUB)
_EXPONENT = 0x7F800000
_MAGNITUDE = 0x7FFFFFFF
_SIGN = 0x80000000
_FAR_SIDE = {ops.FMIN: _SIGN, ops.FMAX: 0}  # the sign of what they choose beside a zero
_ONE = 0x3F800000
_LEAST = 2.0**-126  # the least normal number
_SWALLOWING = (127 - 100) << 23  # 2^-100: its last place is 4 times the least normal number


def flush_denormals(module: Module, results_flushed: bool) -> None:
    """Put a `flush` wherever arithmetic could meet or make a denormal.

    `results_flushed`: the device flushes results by itself.
    """
    values = module.walk()
    if not any(value.op in _ARITHMETIC for value in values):
        return
    flusher = _Flusher(module, values, results_flushed)
    for body in module.bodies():
        flusher.block(body)


def _dirty(values: Iterable[Value], incoming: Incoming, shared: Container[Resource]) -> set[Value]:
    """The F32 values that may be denormals, once all arithmetic is flushed, and what is shared.

    Merged values are taken for clean until one of their sources is not.
    """
    floats = [value for value in values if value.type is F32]
    dirty = {v for v in floats if not (_is_clean(v) or loaded_from(v, shared))}
    users = _forwarders(floats, incoming)
    work = [*dirty, *(s for s in users if s.op is ops.CONST and not _is_normal(row.BITS.of(s)))]
    while work:
        for user in users.get(work.pop(), ()):
            if user not in dirty:
                dirty.add(user)
                work.append(user)
    return dirty


def _is_clean(value: Value) -> bool:
    """Whether a value is no denormal by itself, or forwards others of which none is."""
    if value.op is ops.CONST:
        return _is_normal(row.BITS.of(value))
    if value.op in (ops.PARAM, ops.RESULT, ops.SELECT) or value.op in _SIGN_CHANGES:
        return True
    if value.op is ops.BITCAST:
        return through_casts(value).type is F32
    return value.op in _NORMAL


def _is_normal(bits: int) -> bool:
    return bits & _EXPONENT != 0 or bits & _MAGNITUDE == 0


def _forwarders(floats: Iterable[Value], incoming: Incoming) -> dict[Value, list[Value]]:
    """For each F32 value, the values that may be it: merges, selects, sign changes, casts back."""
    users: dict[Value, list[Value]] = {}
    for merged, sources in incoming.items():
        if merged.type is F32:
            for holder, position in sources:
                users.setdefault(holder.args[position], []).append(merged)
    for value in floats:
        if value.op is ops.SELECT or value.op in _SIGN_CHANGES:
            for arg in value.args:
                users.setdefault(arg, []).append(value)
        elif value.op is ops.BITCAST:
            users.setdefault(through_casts(value), []).append(value)
    return users


def _intermediates(values: Iterable[Value]) -> set[Value]:
    """Products and sums that only a sum of the same instruction takes: those of `mad` and `dp`.

    FS §3.1.3 lets a fused operation keep more range between its steps, so they need no flush.
    """
    uses: dict[Value, int] = {}
    for value in values:
        for arg in value.args:
            if arg.op is ops.FMUL or arg.op in _SUMS:
                fused = value.op in _SUMS and value.where is arg.where
                uses[arg] = uses.get(arg, 0) + (1 if fused else 2)
    return {value for value, count in uses.items() if count == 1}


# Comparisons of x with 0 and of 0 with x, as those of the least normal numbers with x. Of `fne`
# there is none: it is true for a NaN.
_BESIDE_ZERO: dict[tuple[ops.Op, int], Callable[[Builder, Value], Value]] = {
    (ops.FLT, 0): lambda b, x: b.fge(b.f32(-_LEAST), x),
    (ops.FLT, 1): lambda b, x: b.fge(x, b.f32(_LEAST)),
    (ops.FGE, 0): lambda b, x: b.flt(b.f32(-_LEAST), x),
    (ops.FGE, 1): lambda b, x: b.flt(x, b.f32(_LEAST)),
    (ops.FEQ, 0): lambda b, x: b.flt(b.fabs(x), b.f32(_LEAST)),
    (ops.FEQ, 1): lambda b, x: b.flt(b.fabs(x), b.f32(_LEAST)),
}


def _beside_zero(comparison: Value) -> tuple[int, Value] | None:
    """The position of what is compared with a zero, and that."""
    for position, (arg, other) in enumerate((comparison.args, comparison.args[::-1])):
        is_zero = other.op is ops.CONST and not row.BITS.of(other) & _MAGNITUDE
        if is_zero and arg.type is F32 and (comparison.op, position) in _BESIDE_ZERO:
            return position, arg
    return None


def _seen_denormal(values: Iterable[Value], intermediates: Container[Value]) -> set[Value]:
    """The F32 values that something takes of which a denormal is no zero."""
    return {
        arg
        for value in values
        for arg in value.args
        if arg.type is F32 and not _is_indifferent(value, arg, value in intermediates)
    }


def _is_indifferent(value: Value, arg: Value, unflushed: bool) -> bool:
    """Whether an operation takes a denormal for a zero, or is made to."""
    if value.op is ops.F32_TO_HALF_RTZ:
        return True
    if value.op in _COMPARISONS and _beside_zero(value) is not None:
        return True
    return value.op in _ARITHMETIC and _takes_for_zero(value, arg, unflushed)


class _Flusher:
    def __init__(self, module: Module, values: Sequence[Value], results_flushed: bool):
        incoming = merges_of(module)
        self.shared = float_memory(module, _ARITHMETIC)
        self.dirty = _dirty(values, incoming, self.shared)
        self.intermediates = _intermediates(values)
        self.exponents: Bounds = {} if results_flushed else exponent_bounds(values, incoming)
        self.results_flushed = results_flushed
        self.seen = set[Value]() if results_flushed else _seen_denormal(values, self.intermediates)
        self.flushed: dict[Value, Value] = {}

    def block(self, block: Block) -> None:
        """Flush in place; a result's flush comes right after it, and all other uses take it."""
        b = Builder(block)
        values, block.values = block.values, []
        for value in values:
            b.where = value.where
            if not self.flushed.keys().isdisjoint(value.args):
                value.replace_operands([self.flushed.get(arg, arg) for arg in value.args])
            compared = self._compared(b, value)
            if compared is not None:
                self.flushed[value] = compared
                continue
            if value.op in _ARITHMETIC:
                value.replace_operands([self._argument(b, value, arg) for arg in value.args])
            elif value.op is ops.STORE and row.ACCESS.of(value).resource in self.shared:
                first = row.ACCESS.of(value).address_count
                stored = [self._stored(b, arg) for arg in value.args[first:]]
                value.replace_operands([*value.args[:first], *stored])
            for inner in value.blocks:
                self.block(inner)
            block.values.append(value)
            if self._underflows(value):
                if value in self.seen:
                    self.flushed[value] = b.emit(ops.FLUSH, F32, [value])
                else:
                    self.dirty.add(value)

    def _compared(self, b: Builder, value: Value) -> Value | None:
        """What stands for a comparison of something dirty with zero."""
        beside = _beside_zero(value) if value.op in _COMPARISONS else None
        if beside is None or beside[1] not in self.dirty or self.results_flushed:
            return None
        position, arg = beside
        return _BESIDE_ZERO[value.op, position](b, arg)

    def _underflows(self, value: Value) -> bool:
        if value.type is not F32 or value.op not in _UNDERFLOWING or self.results_flushed:
            return False
        if value in self.intermediates or self.exponents[value] <= NORMAL:
            return False
        return not _stays_normal(value)

    def _argument(self, b: Builder, value: Value, arg: Value) -> Value:
        if arg.type is not F32 or _takes_for_zero(value, arg, value in self.intermediates):
            return arg
        if arg.op is ops.CONST:
            return arg if _is_clean(arg) else b.constant(F32, row.BITS.of(arg) & 0x80000000)
        if arg not in self.dirty:
            return arg
        return b.emit(ops.FLUSH, F32, [arg])

    def _stored(self, b: Builder, bits: Value) -> Value:
        """A dword of shared memory that is read as a float: without a denormal."""
        if bits.op is ops.CONST:
            dword = row.BITS.of(bits)
            return b.u32(dword if _is_normal(dword) else dword & 0x80000000)
        number = bits.args[0] if bits.op is ops.BITCAST else b.bitcast(F32, bits)
        if bits.op is ops.BITCAST and number not in self.dirty:
            return bits
        return b.bitcast(U32, b.emit(ops.FLUSH, F32, [number]))


def _constant_beside(value: Value, arg: Value) -> int | None:
    """The magnitude's bits of the other argument of a binary operation, if it is a constant."""
    if len(value.args) != 2:
        return None
    other = value.args[1] if value.args[0] is arg else value.args[0]
    return row.BITS.of(other) & _MAGNITUDE if other.op is ops.CONST and other.type is F32 else None


def _takes_for_zero(value: Value, arg: Value, unflushed: bool) -> bool:
    """Whether an operation gives the same for a denormal as for a zero of its sign.

    What its own flush makes the same counts as the same; `unflushed`: it gets none.
    """
    op, beside = value.op, _constant_beside(value, arg)
    if op in _FAR_SIDE:
        return _is_beyond(value, arg)
    if op is ops.TRUNC or op is ops.ROUND_EVEN:
        return True
    if op is ops.FMUL and value.args[0] is value.args[1]:
        return True
    if beside is None or not beside & _EXPONENT:
        return False
    if op in _COMPARISONS:
        return True  # an ordinary number is as large beside either
    if op in _SUMS:
        return beside >= _SWALLOWING
    if unflushed:
        return False
    # The product or quotient is a denormal too.
    return beside < _ONE if op is ops.FMUL else _divides(value, arg) and beside > _ONE


def _is_beyond(value: Value, arg: Value) -> bool:
    """Whether a constant is beyond all denormals in the direction of a minimum or maximum."""
    other = value.args[1] if value.args[0] is arg else value.args[0]
    if other.op is not ops.CONST or other.type is not F32:
        return False
    bits = row.BITS.of(other)
    return bits & _EXPONENT != 0 and bits & _SIGN == _FAR_SIDE[value.op]


def _stays_normal(value: Value) -> bool:
    """Whether a constant keeps the result of arithmetic with flushed arguments from underflowing.

    A sum that cancels is no less than the last place of its larger term.
    """
    first, second = (_constant_beside(value, arg) for arg in (*value.args, *value.args)[:2])
    known = first if second is None else second
    if known is None or not known & _EXPONENT:
        return False
    if value.op in _SUMS:
        return known >= _SWALLOWING
    if value.op is ops.FMUL:
        return known >= _ONE
    return value.op is ops.FDIV and first is not None and first <= _ONE


def _divides(value: Value, arg: Value) -> bool:
    """Whether an argument is what a quotient divides."""
    return value.op is ops.FDIV and value.args[0] is arg
