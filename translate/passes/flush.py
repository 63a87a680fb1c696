"""Denormals: 32-bit arithmetic takes them for zeros of their sign, and makes none (FS §3.1.3).

Moves, loads and stores keep every bit, so only the arguments and results of arithmetic are flushed,
and only where a denormal can be: most values come out of arithmetic already. A device that
flushes results by itself (the DenormFlushToZero execution mode) still may see denormal arguments,
and compares them as they are.
"""

from __future__ import annotations

from translate.ir import ops
from translate.ir.builder import Builder
from translate.ir.types import F32
from translate.ir.values import Block, Module, Value
from translate.passes.merges import Incoming, merges_of

# Arithmetic of which a result may be a denormal though no argument is
_UNDERFLOWING = frozenset((ops.FADD, ops.FSUB, ops.FMUL, ops.FDIV, ops.EXP2))
# Arithmetic that gives none unless it gets one
_CLEAN = frozenset(
    (
        *(ops.FMIN, ops.FMAX, ops.FLOOR, ops.CEIL, ops.TRUNC, ops.ROUND_EVEN),
        *(ops.SQRT, ops.RSQRT, ops.LOG2, ops.SIN, ops.COS),
    )
)
_COMPARISONS = frozenset((ops.FEQ, ops.FNE, ops.FLT, ops.FGE))
_ARITHMETIC = _UNDERFLOWING | _CLEAN | _COMPARISONS
_SIGN_CHANGES = frozenset((ops.FNEG, ops.FABS))
_NORMAL = _UNDERFLOWING | _CLEAN | {ops.S32_TO_F, ops.U32_TO_F, ops.FLUSH}
_EXPONENT = 0x7F800000


def flush_denormals(module: Module, results_flushed: bool) -> None:
    """Put a `flush` wherever arithmetic could meet or make a denormal.

    `results_flushed`: the device flushes results by itself.
    """
    if not any(value.op in _ARITHMETIC for value in module.walk()):
        return
    flusher = _Flusher(_dirty(module), _intermediates(module), results_flushed)
    for body in module.bodies():
        flusher.block(body)


def _dirty(module: Module) -> set[Value]:
    """The F32 values that may be denormals, once all arithmetic is flushed.

    Merged values are taken for clean until one of their sources is not.
    """
    incoming = merges_of(module)
    dirty = {v for v in module.walk() if v.type is F32 and not _is_clean(v)}
    users = _forwarders(module, incoming)
    work = [*dirty, *(s for s in users if s.op is ops.CONST and not _is_clean(s))]
    while work:
        for user in users.get(work.pop(), ()):
            if user not in dirty:
                dirty.add(user)
                work.append(user)
    return dirty


def _is_clean(value: Value) -> bool:
    """Whether a value is never a denormal as long as what it is taken from is none."""
    if value.op is ops.CONST:
        return value.data & _EXPONENT != 0 or value.data & 0x7FFFFFFF == 0
    if value.op in (ops.PARAM, ops.RESULT, ops.SELECT) or value.op in _SIGN_CHANGES:
        return True
    return value.op in _NORMAL


def _forwarders(module: Module, incoming: Incoming) -> dict[Value, list[Value]]:
    """For each F32 value, the values that may be it: merges, selects, sign changes."""
    users: dict[Value, list[Value]] = {}
    for merged, sources in incoming.items():
        if merged.type is F32:
            for holder, position in sources:
                users.setdefault(holder.args[position], []).append(merged)
    for value in module.walk():
        if value.type is F32 and (value.op is ops.SELECT or value.op in _SIGN_CHANGES):
            for arg in value.args:
                users.setdefault(arg, []).append(value)
    return users


def _intermediates(module: Module) -> set[Value]:
    """Products that only a sum of the same instruction takes: those of `mad` and `dp`.

    FS §3.1.3 lets a fused operation keep more range between its steps, so they need no flush.
    """
    products: dict[Value, int] = {}
    for value in module.walk():
        for arg in value.args:
            if arg.op is ops.FMUL:
                fused = value.op in (ops.FADD, ops.FSUB) and value.where is arg.where
                products[arg] = products.get(arg, 0) + (1 if fused else 2)
    return {product for product, uses in products.items() if uses == 1}


class _Flusher:
    def __init__(self, dirty: set[Value], intermediates: set[Value], results_flushed: bool):
        self.dirty = dirty
        self.intermediates = intermediates
        self.results_flushed = results_flushed
        self.flushed: dict[Value, Value] = {}

    def block(self, block: Block) -> None:
        """Flush in place; a result's flush stands right behind it and is what all others use."""
        b = Builder(block)
        values, block.values = block.values, []
        for value in values:
            b.where = value.where
            value.args = [self.flushed.get(arg, arg) for arg in value.args]
            if value.op in _ARITHMETIC:
                value.args = [self._argument(b, arg) for arg in value.args]
            for inner in value.blocks:
                self.block(inner)
            block.values.append(value)
            if self._underflows(value):
                self.flushed[value] = b.emit(ops.FLUSH, F32, [value])

    def _underflows(self, value: Value) -> bool:
        if value.type is not F32 or value.op not in _UNDERFLOWING or self.results_flushed:
            return False
        return value not in self.intermediates

    def _argument(self, b: Builder, arg: Value) -> Value:
        if arg.type is not F32:
            return arg
        if arg.op is ops.CONST:
            return arg if _is_clean(arg) else b.constant(F32, arg.data & 0x80000000)
        if arg not in self.dirty:
            return arg
        return b.emit(ops.FLUSH, F32, [arg])
