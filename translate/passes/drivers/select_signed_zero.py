"""Workaround for `select_signed_zero`: choices between a one and a zero of unlike signs.

NIR of Mesa 22.3.6 and 25.0.7 takes -0.0 and 0.0 for equal when it replaces `select c, 1.0, -0.0`
and `select c, -1.0, 0.0` by a conversion or a negation, whatever the constants' type. The result is
a zero of the wrong sign; the same happens with doubles.

A choice between two constants is made in their bits, as b ^ (mask & (a ^ b)), on every device. An
`if` that yields such constants becomes a choice when NIR flattens it; so both blocks yield these
bits. Other merged values become such choices too: after a switch, after a loop that the driver
unrolls, after a call, and where an `if` yields a merged value; so do choices between a constant and
a value that the driver may find to be a zero. There the constant 1.0 or -1.0 is hidden from a
driver with the fault. NIR also computes sums and products of a choice and a constant for both
outcomes: `(c ? 1 : 0) * 0xbf800000` becomes `c ? -1.0 : 0.0`. There the constant is hidden.

Probe: vkrunner/probes/trials.py.
Documented in docs/drivers.md, "a choice of -1.0 or 0.0 gives -0.0".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from translate.ir import ops, row
from translate.ir.builder import Builder
from translate.ir.lanes import ONES
from translate.ir.memory import MemoryKind, indexable_temp_of
from translate.ir.types import BOOL, F32, F64, U32, Type
from translate.ir.values import Module, Value
from translate.passes.drivers.hidden import HiddenOperands
from translate.passes.drivers.known_constants import (
    FORWARDED,
    KnownConstants,
    Level,
    Use,
    stores_of,
)
from translate.passes.rewrite import merges_of, rewrite

# Kinds of constants, by their upper dwords; an integer is a set of kinds, with one bit for each
_ONE, _MINUS_ONE, _ZERO, _MINUS_ZERO = 1, 2, 4, 8
_ZEROS: Mapping[int, int] = {0x00000000: _ZERO, 0x80000000: _MINUS_ZERO}
_KINDS: Mapping[int, int] = {0x3F800000: _ONE, 0xBF800000: _MINUS_ONE, **_ZEROS}
_WIDE_KINDS: Mapping[int, int] = {0x3FF00000: _ONE, 0xBFF00000: _MINUS_ONE, **_ZEROS}
_KINDS_OF: Mapping[Type, Mapping[int, int]] = {
    **dict.fromkeys((U32, F32), _KINDS),
    F64: {bits << 32: kind for bits, kind in _WIDE_KINDS.items()},
}
_PASSING = (ops.BITCAST, ops.EXTRACT, ops.COMPOSE)
_CONSTANTS = (ops.CONST, ops.PACK_F64)
_CHOOSING = (ops.SELECT, ops.BITCAST)
_MISTAKEN = (_ONE | _MINUS_ZERO, _MINUS_ONE | _ZERO)


def choose_in_bits(module: Module) -> None:
    """Rewrite choices between a one and a zero of unlike signs; no later pass may fold them."""
    rewrite(module, {ops.SELECT: _rewrite_select, ops.IF: _rewrite_results})


def _rewrite_select(b: Builder, value: Value) -> Value | None:
    _, first, second = value.args
    if first.op not in _CONSTANTS or second.op not in _CONSTANTS:
        return None
    return _in_bits(b, *value.args) if _has_mistaken(_kind(first) | _kind(second)) else None


def _rewrite_results(b: Builder, construct: Value) -> None:
    """Make the choice before the `if`; both blocks then yield the same value."""
    ends = [block.values[-1] for block in construct.blocks]
    if any(end.op is not ops.YIELD for end in ends):
        return
    for position in range(len(construct.results)):
        first, second = (end.args[position] for end in ends)
        if first.op not in _CONSTANTS or second.op not in _CONSTANTS:
            continue
        if _has_mistaken(_kind(first) | _kind(second)):
            chosen = _in_bits(b, construct.args[0], first, second)
            for end in ends:
                args = [*end.args]
                args[position] = chosen
                end.args = args


def _kind(value: Value) -> int:
    """The kind of a constant; 0 for other numbers and other values."""
    dwords = _dwords(value)
    if dwords is None or dwords[0] or value.type is BOOL:
        return 0
    return (_WIDE_KINDS if value.type is F64 else _KINDS).get(dwords[1], 0)


def _has_mistaken(kinds: int) -> bool:
    return any(kinds & pair == pair for pair in _MISTAKEN)


def _dwords(value: Value) -> tuple[int, int] | None:
    """The lower dword of a constant, 0 for 32-bit types, and the upper one, with the sign."""
    if value.op is ops.PACK_F64 and all(arg.op is ops.CONST for arg in value.args):
        return row.BITS.of(value.args[0]), row.BITS.of(value.args[1])
    if value.op is not ops.CONST:
        return None
    bits = row.BITS.of(value)
    return (bits & ONES, bits >> 32) if value.type is F64 else (0, bits)


def _in_bits(b: Builder, condition: Value, a: Value, c: Value) -> Value:
    first, second = _dwords(a), _dwords(c)
    assert first is not None
    assert second is not None
    differing = b.iand(b.mask(condition), b.u32(first[1] ^ second[1]))
    bits = b.ixor(differing, b.u32(second[1]))
    return b.pack_f64(b.u32(0), bits) if a.type is F64 else b.bitcast(a.type, bits)


# --- merged values --------------------------------------------------------------------------------


def hide_signed_zeros(module: Module) -> None:
    """Hide each constant 1.0 or -1.0 if a value may be it, or else a zero of the other sign."""
    sources, hidden = _Sources(module), HiddenOperands()
    for use in _computed(module, sources):
        hidden.add(*use)
    work, seen = _mistaken(sources, _kinds(sources)), set[Use]()
    if work:  # otherwise what the driver knows makes no difference
        known = KnownConstants(module, sources.incoming, sources.choices)
        work = _mistaken(sources, _kinds(sources, known))
    while work:
        user, position = use = work.pop()
        operand = user.args[position]
        if use in seen:
            continue
        seen.add(use)
        if operand.op is not ops.CONST:
            work += sources[operand]
        elif _kind(operand) & (_ONE | _MINUS_ONE):
            hidden.add(user, position)
    hidden.apply(module)


def _mistaken(sources: _Sources, kinds: Mapping[Value, int]) -> list[Use]:
    """The operands of choices with mistaken outcomes."""
    return [u for value in sources.choices if _has_mistaken(kinds[value]) for u in sources[value]]


def _computed(module: Module, sources: _Sources) -> Iterator[Use]:
    """An operand, if possible a constant, of each operation on a choice with mistaken outcomes."""
    from translate.passes.drivers.sampled import chosen_constants  # imports NumPy

    for value, numbers in chosen_constants(module, sources.origins_of):
        if value.op not in _CHOOSING and value.type in _KINDS_OF and value.args:
            kinds = [_KINDS_OF[value.type].get(number, 0) for number in numbers]
            if _has_mistaken(sum(kinds)):
                constants = [n for n, arg in enumerate(value.args) if arg.op is ops.CONST]
                yield value, constants[0] if constants else 0


class _Sources:
    """The operands that a value may be equal to; `choices` are values with several.

    Choices between two constants are left to `choose_in_bits`.
    """

    def __init__(self, module: Module):
        self.incoming = merges_of(module)
        values = module.walk()
        loads = [v for v in values if v.op in ops.LOADS and _is_held(v)]
        self._stores = stores_of(values)
        selects = [v for v in values if v.op is ops.SELECT]
        computed = [v for v in selects if any(arg.op is not ops.CONST for arg in v.args[1:])]
        self.merged = [*self.incoming, *loads]
        self.choices = [*self.merged, *computed]
        self.passing = [*selects, *(v for v in values if v.op in _PASSING)]

    def __getitem__(self, value: Value) -> Sequence[Use]:
        if value.op is ops.SELECT:
            return [(value, 1), (value, 2)]
        if value.op in ops.LOADS and _is_held(value):
            return self._stores.get(row.ACCESS.of(value).resource, ())
        if value.op in _PASSING:
            return [(value, n) for n in range(len(value.args))]
        return self.incoming.get(value, ())

    def origins_of(self, value: Value) -> list[Value]:
        """The values that a merged value, or a load of bound memory or g#, may be equal to."""
        is_own = value.op in ops.LOADS and indexable_temp_of(value.data) is not None
        is_merged = value in self.incoming or (value.op in ops.LOADS and not is_own)
        return [user.args[position] for user, position in self[value]] if is_merged else []


def _is_held(access: Value) -> bool:
    """Whether a driver may put stored values in the place of loads from this memory."""
    kind = row.ACCESS.of(access).resource.kind
    return kind is MemoryKind.INDEXABLE_TEMP or kind in FORWARDED


def _kinds(sources: _Sources, known: KnownConstants | None = None) -> dict[Value, int]:
    """The set of kinds of constants that each value may be, by its sources.

    A load from an array may also be 0, with which arrays begin, and a value that a driver may find
    to be a zero any zero: every value if what the driver knows is left open.
    """
    every = [*sources.passing, *sources.merged]
    kinds = {value: _ZERO if indexable_temp_of(value.data) else 0 for value in every}
    users: dict[Value, list[Value]] = {}
    for value in every:
        for user, position in sources[value]:
            users.setdefault(user.args[position], []).append(value)
    for value in dict.fromkeys((*every, *users)):
        is_merged = value in kinds  # its sources are followed
        if value.op is ops.CONST:
            kinds[value] = _kind(value)
        elif known is None or (
            known.is_compared(value) if is_merged else known.level(value) is Level.ZERO
        ):
            kinds[value] = _ZERO | _MINUS_ZERO
        else:
            kinds.setdefault(value, 0)
    work = [*kinds]
    while work:
        source = work.pop()
        for user in users.get(source, ()):
            found = kinds[user] | kinds[source]
            if found != kinds[user]:
                kinds[user] = found
                work.append(user)
    return kinds
