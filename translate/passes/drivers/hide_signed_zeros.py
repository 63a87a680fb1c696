"""Merged ones and zeros of unlike signs: the one is hidden from the driver (`select_signed_zero`).

NIR replaces a choice of 1.0 or -0.0, or of -1.0 or 0.0, by a conversion or a negation that gives a
zero of the wrong sign, whatever the constants are meant as. `workaround_mesa_select` makes choices
and results of an `if` in bits. Other merged values become such choices too: after a switch, after a
loop that the driver unrolls, after a call, and where an `if` yields a merged value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from translate.ir import ops, row
from translate.ir.memory import Home, Resource
from translate.ir.types import BOOL, F64
from translate.ir.values import Module, Value
from translate.passes.drivers.hidden import HiddenOperands
from translate.passes.drivers.known_constants import Use
from translate.passes.merges import merges_of

# Bits of a set of constants, by their upper dwords
_KINDS: Mapping[int, int] = {0x3F800000: 1, 0xBF800000: 2, 0x00000000: 4, 0x80000000: 8}
_WIDE_KINDS: Mapping[int, int] = {0x3FF00000: 1, 0xBFF00000: 2, 0x00000000: 4, 0x80000000: 8}
_ONES, _ZERO = 1 | 2, 4
_MISTAKEN = (1 | 8, 2 | 4)


def hide_signed_zeros(module: Module) -> None:
    """Hide ones among the sources of a value that may also be a zero of the other sign."""
    sources = _Sources(module)
    kinds = _kinds(sources)
    hidden, seen = HiddenOperands(), set[Use]()
    work = [use for value in sources.merged if _is_mistaken(kinds[value]) for use in sources[value]]
    while work:
        user, position = use = work.pop()
        operand = user.args[position]
        if use in seen:
            continue
        seen.add(use)
        if operand.op is not ops.CONST:
            work += sources[operand]
        elif _kind(operand) & _ONES:
            hidden.add(user, position)
    hidden.apply(module)


class _Sources:
    """The operands that a value may be equal to; `merged` are values with several."""

    def __init__(self, module: Module):
        self._incoming = merges_of(module)
        self._stores: dict[Resource, list[Use]] = {}
        values = module.walk()
        loads = [v for v in values if v.op is ops.LOAD_ELEMENT and _is_private(v)]
        for store in values:
            if store.op is ops.STORE_ELEMENT and _is_private(store):
                access = row.ACCESS.of(store)
                uses = [(store, n) for n in range(access.address_count, len(store.args))]
                self._stores.setdefault(access.resource, []).extend(uses)
        self.merged = [*self._incoming, *loads]
        self.passing = [v for v in values if v.op is ops.SELECT or v.op is ops.BITCAST]

    def __getitem__(self, value: Value) -> Sequence[Use]:
        if value.op is ops.SELECT:
            return [(value, 1), (value, 2)]
        if value.op is ops.LOAD_ELEMENT and _is_private(value):
            return self._stores.get(row.ACCESS.of(value).resource, ())
        return [(value, 0)] if value.op is ops.BITCAST else self._incoming.get(value, ())


def _is_private(access: Value) -> bool:
    """Whether an access is to an array of the thread's own, which drivers make registers of."""
    return row.ACCESS.of(access).resource.kind.home is Home.THREAD


def _kinds(sources: _Sources) -> dict[Value, int]:
    """The constants that each value may be, by these sources; arrays begin with zeros."""
    every = [*sources.passing, *sources.merged]
    kinds = {value: _ZERO if value.op is ops.LOAD_ELEMENT else 0 for value in every}
    users: dict[Value, list[Value]] = {}
    for value in every:
        for user, position in sources[value]:
            users.setdefault(user.args[position], []).append(value)
    kinds.update((value, _kind(value)) for value in users if value.op is ops.CONST)
    work = [*kinds]
    while work:
        source = work.pop()
        for user in users.get(source, ()):
            found = kinds[user] | kinds[source]
            if found != kinds[user]:
                kinds[user] = found
                work.append(user)
    return kinds


def _kind(constant: Value) -> int:
    bits = row.BITS.of(constant)
    if constant.type is F64:
        return 0 if bits & 0xFFFFFFFF else _WIDE_KINDS.get(bits >> 32, 0)
    return 0 if constant.type is BOOL else _KINDS.get(bits, 0)


def _is_mistaken(kinds: int) -> bool:
    return any(kinds & pair == pair for pair in _MISTAKEN)
