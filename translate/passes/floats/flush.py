"""Denormals: D3D's 32-bit arithmetic reads them as zeros of their sign, and gives none (FS §3.1.3).

Moves, loads and stores keep every bit, so only operands and results of arithmetic are flushed, and
only if they may be denormals and this makes a difference. Most values are results of arithmetic
already, or integers by origin (`exponent_bounds`), and beside an ordinary number a denormal has no
effect (`denormal_operands`). A result is not flushed if its users take denormals for zeros. A
square is flushed by a test of its operand. On a GPU a flush is a comparison and a choice; the
zero's sign takes more (`spirv.bodies`), which is left out if no user can see it.

A device that flushes results by itself (`Flush.MODE`) may still get denormal operands, and does not
flush those of comparisons.

Numbers that only arithmetic reads from group-shared memory are flushed when they are stored: only
the shader sees these bits. So a tile that is filled once and read many times is flushed once.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

from translate.ir import ops, row
from translate.ir.builder import LEAST, SIGN, Builder, is_normal
from translate.ir.memory import SHARED, Resource
from translate.ir.ops import Op
from translate.ir.types import F32, U32
from translate.ir.values import Block, Module, Value
from translate.passes.floats.denormal_operands import (
    SUMS,
    FloatUse,
    beside_zero,
    compare_normal,
    float_uses,
    is_positive,
    seen_signs,
    stays_normal,
    takes_for_zero,
)
from translate.passes.floats.float_ranges import NORMAL, Bounds, exponent_bounds
from translate.passes.rewrite import Incoming, merges_of, through_casts
from translate.target_device import Flush

# Arithmetic whose result may be a denormal although no operand is
_UNDERFLOWING = frozenset(
    (ops.FADD, ops.FSUB, ops.FMUL, ops.FDIV, ops.EXP2, ops.F64_TO_F32),
)
# Arithmetic whose result is a denormal only if an operand is
_CLEAN = frozenset(
    (
        *(ops.FMIN, ops.FMAX, ops.FLOOR, ops.CEIL, ops.TRUNC, ops.ROUND_EVEN),
        *(ops.SQRT, ops.RSQRT, ops.LOG2, ops.SIN, ops.COS),
        ops.F32_TO_F64,
    )
)
_ARITHMETIC = _UNDERFLOWING | _CLEAN | ops.COMPARISONS
_NORMAL = (
    _UNDERFLOWING
    | _CLEAN
    | {ops.S32_TO_F, ops.U32_TO_F, ops.HALF_TO_F32, ops.FLUSH, ops.FLUSHED_SQUARE}
)


def float_memory(module: Module, arithmetic: Container[Op]) -> frozenset[Resource]:
    """The group-shared memories whose loaded dwords are operands of arithmetic only."""
    shared = [(r, module.tables.usage[r]) for r in module.resources if r.kind in SHARED]
    candidates = {r for r, usage in shared if usage.read and not usage.atomic}
    if not candidates:
        return frozenset()
    bits: set[Value] = set()  # loads from candidates
    numbers: dict[Value, Resource] = {}  # the same loads as floats
    for value in module.walk():
        if value.op is ops.LOAD:
            if row.ACCESS.of(value).resource in candidates:
                bits.add(value)
            continue
        for arg in value.args:
            if arg in bits and (value.op is not ops.BITCAST or value.type is not F32):
                candidates.discard(row.ACCESS.of(arg).resource)
            elif arg in bits:
                numbers[value] = row.ACCESS.of(arg).resource
            elif arg in numbers and value.op in ops.SIGN_CHANGES:
                numbers[value] = numbers[arg]
            elif arg in numbers and value.op not in arithmetic:
                candidates.discard(numbers[arg])
    return frozenset(candidates)


def loaded_from(value: Value, memories: Container[Resource]) -> bool:
    """Whether a float is a dword from one of these memories."""
    source = value.args[0] if value.op is ops.BITCAST else None
    if source is None or source.op is not ops.LOAD:
        return False
    access = row.ACCESS.of(source)
    return access.resource in memories


def flush_denormals(module: Module, flush: Flush, *, specialized: bool = False) -> None:
    """Insert a `flush` for each operand and result of arithmetic that may be a denormal.

    `specialized`: a specialization constant makes flushes needless.
    """
    values = module.walk()
    if not any(value.op in _ARITHMETIC for value in values):
        return
    flusher = _Flusher(module, values, flush, specialized)
    for body in module.bodies():
        flusher.block(body)


def _dirty(values: Iterable[Value], incoming: Incoming, shared: Container[Resource]) -> set[Value]:
    """The F32 values that may be denormals after all arithmetic and `shared` memory are flushed.

    A merged value counts as clean until one of its sources is found to be dirty.
    """
    floats = [value for value in values if value.type is F32]
    dirty = {v for v in floats if not (_is_clean(v) or loaded_from(v, shared))}
    users = _forwarders(floats, incoming)
    work = [*dirty, *(s for s in users if s.op is ops.CONST and not is_normal(row.BITS.of(s)))]
    while work:
        for user in users.get(work.pop(), ()):
            if user not in dirty:
                dirty.add(user)
                work.append(user)
    return dirty


def _is_clean(value: Value) -> bool:
    """Whether a value is no denormal itself, or only forwards other values."""
    if value.op is ops.CONST:
        return is_normal(row.BITS.of(value))
    if value.op in (ops.PARAM, ops.RESULT, ops.SELECT) or value.op in ops.SIGN_CHANGES:
        return True
    if value.op is ops.BITCAST:
        return through_casts(value).type is F32
    return value.op in _NORMAL


def _forwarders(floats: Iterable[Value], incoming: Incoming) -> dict[Value, list[Value]]:
    """For each F32 value, the values that forward it: merges, selects, sign changes, casts."""
    users: dict[Value, list[Value]] = {}
    for merged, sources in incoming.items():
        if merged.type is F32:
            for holder, position in sources:
                users.setdefault(holder.args[position], []).append(merged)
    for value in floats:
        if value.op is ops.SELECT or value.op in ops.SIGN_CHANGES:
            for arg in value.args:
                users.setdefault(arg, []).append(value)
        elif value.op is ops.BITCAST:
            users.setdefault(through_casts(value), []).append(value)
    return users


def _intermediates(float_uses: Iterable[FloatUse]) -> set[Value]:
    """Products and sums that only a sum of the same instruction uses, as in `mad` and `dp`.

    FS §3.1.3 lets a fused operation keep more range between its steps, so these need no flush.
    """
    uses: dict[Value, int] = {}
    for value, _, arg in float_uses:
        if arg.op is ops.FMUL or arg.op in SUMS:
            fused = value.op in SUMS and value.where is arg.where
            uses[arg] = uses.get(arg, 0) + (1 if fused else 2)
    return {value for value, count in uses.items() if count == 1}


def _seen_denormal(uses: Iterable[FloatUse], intermediates: Container[Value]) -> set[Value]:
    """The F32 values with a user that distinguishes a denormal from a zero."""
    return {
        arg
        for value, _, arg in uses
        if arg.type is F32 and not _is_indifferent(value, arg, value in intermediates)
    }


def _is_indifferent(value: Value, arg: Value, unflushed: bool) -> bool:
    """Whether an operation takes the operand `arg` for a zero if it is a denormal.

    Comparisons with zero and conversions to halves do so in the form that they get later.
    """
    if value.op is ops.F32_TO_HALF_RTZ:
        return True
    if value.op in ops.COMPARISONS and beside_zero(value) is not None:
        return True
    return value.op in _ARITHMETIC and takes_for_zero(value, arg, unflushed)


class _Flusher:
    """Flushes the values of a module.

    `early_uses`: an operation that takes a denormal for a zero uses the value without the flush
    that other users need. On a CPU it then waits less; on a GPU this costs registers.
    `signs`: the values whose flush has to keep the sign of the zero, since a user sees it; None if
    that costs nothing, so that every flush keeps the sign.
    """

    def __init__(self, module: Module, values: Sequence[Value], flush: Flush, specialized: bool):
        results_flushed = flush is Flush.MODE
        incoming = merges_of(module)
        self.shared = float_memory(module, _ARITHMETIC)
        self.dirty = _dirty(values, incoming, self.shared)
        uses = float_uses(values)
        self.intermediates = _intermediates(uses)
        self.exponents: Bounds = {} if results_flushed else exponent_bounds(values, incoming)
        self.results_flushed = results_flushed
        self.early_uses = flush is Flush.BITS
        self.specialized = specialized
        self.seen = set[Value]() if results_flushed else _seen_denormal(uses, self.intermediates)
        compares = flush is Flush.COMPARISON or flush is Flush.PRODUCT
        self.signs = seen_signs(uses, incoming) if compares else None
        self.flushed: dict[Value, Value] = {}  # results with their flush, for users that need it
        self.replaced: dict[Value, Value] = {}  # replacements of values for all users

    def block(self, block: Block) -> None:
        """Flush in place; the flush of a result comes right after it."""
        b = Builder(block)
        values, block.values = block.values, []
        replaced, flushed = self.replaced, self.flushed
        for value in values:
            b.where = value.where
            if replaced and not replaced.keys().isdisjoint(value.args):
                value.args = [replaced.get(arg, arg) for arg in value.args]
            if value.op in _ARITHMETIC:
                other = self._replacement(b, value)
                if other is not None:
                    replaced[value] = other
                    continue
                value.args = [self._argument(b, value, arg) for arg in value.args]
            elif flushed and not flushed.keys().isdisjoint(value.args):
                value.args = [flushed.get(arg, arg) for arg in value.args]
            if value.op is ops.STORE and row.ACCESS.of(value).resource in self.shared:
                first = row.ACCESS.of(value).address_count
                stored = [self._stored(b, arg) for arg in value.args[first:]]
                value.args = [*value.args[:first], *stored]
            for inner in value.blocks:
                self.block(inner)
            block.values.append(value)
            if value.op in _UNDERFLOWING and self._underflows(value):
                if value in self.seen:
                    flushed[value] = self._flush(b, value)
                else:
                    self.dirty.add(value)

    def _replacement(self, b: Builder, value: Value) -> Value | None:
        """The replacement of a dirty value's comparison with zero, or of a square that is flushed;
        else None."""
        if value.op in ops.COMPARISONS:
            beside = beside_zero(value)
            if beside is None or beside[1] not in self.dirty or self.results_flushed:
                return None
            return compare_normal(b, value, beside[0])
        if value.op is not ops.FMUL or value.args[0] is not value.args[1]:
            return None
        if value not in self.seen or not self._underflows(value):
            return None
        return b.flushed_square(self._argument(b, value, value.args[0]))

    def _underflows(self, value: Value) -> bool:
        """Whether the result of arithmetic may underflow and has to be flushed."""
        if value.type is not F32 or self.results_flushed:
            return False
        if value in self.intermediates or self.exponents[value] <= NORMAL:
            return False
        return not stays_normal(value)

    def _argument(self, b: Builder, value: Value, arg: Value) -> Value:
        if arg.type is not F32:
            return arg
        if takes_for_zero(value, arg, value in self.intermediates):
            return arg if self.early_uses else self.flushed.get(arg, arg)
        if arg.op is ops.CONST:
            return arg if _is_clean(arg) else b.constant(F32, row.BITS.of(arg) & SIGN)
        return self._flush(b, arg) if arg in self.dirty else self.flushed.get(arg, arg)

    def _stored(self, b: Builder, bits: Value) -> Value:
        """A dword to store into group-shared memory that is only read as floats, flushed."""
        if bits.op is ops.CONST:
            dword = row.BITS.of(bits)
            return b.u32(dword if is_normal(dword) else dword & SIGN)
        number = bits.args[0] if bits.op is ops.BITCAST else b.bitcast(F32, bits)
        if bits.op is ops.BITCAST and number not in self.dirty:
            return bits
        return b.bitcast(U32, b.flush(number))

    def _flush(self, b: Builder, value: Value) -> Value:
        """A flushed value. Its changes of sign come after the flush, which others can share then.

        In a loop, lavapipe repeats computations from before a barrier for uses after it, except
        changes of sign.
        """
        if value.op in ops.SIGN_CHANGES:
            return b.emit(value.op, F32, [self._flush(b, value.args[0])])
        if self.signs is None or (value in self.signs and not is_positive(value)):
            return b.flush(value)
        tiny = b.flt(b.fabs(value), b.f32(LEAST))
        if self.specialized:
            tiny = b.land(tiny, b.lnot(b.specialized("denormals")))
        return b.select(tiny, b.f32(0.0), value)
