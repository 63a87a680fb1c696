"""`guard_bounds` that also records the comparisons of each check; sentences about these guards.

Both are for `translate.explain`: why a check stays, why it is left out, and D3D's rule. The module
gets the same code as by `guard_bounds`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from translate.ir import ops, row
from translate.ir.builder import Builder
from translate.ir.memory import Access, MemoryKind
from translate.ir.ops import Op
from translate.ir.types import Type
from translate.ir.values import Block, Fate, Guard, Module, Reason, Value
from translate.passes.guards.bounds import Guards, Rule, Rules
from translate.passes.guards.rules import D3D, RULES, OutOfBounds, Policy
from translate.passes.rewrite import Findings
from translate.target_device import NONE as NO_ROBUSTNESS
from translate.target_device import Robustness

_WRITES = (ops.STORE, ops.STORE_TYPED, ops.ATOMIC)
_ACCESSES = (ops.LOAD, ops.LOAD_TYPED, *_WRITES)


def guard_bounds_noted(
    module: Module, policy: Policy = D3D, robustness: Robustness = NO_ROBUSTNESS
) -> Findings:
    """Rewrite every access as `guard_bounds` does; the findings have a `Guard` for each access."""
    return _NotedGuards(module, policy, robustness).run()


class _NotingBuilder(Builder):
    """A builder that records every `ult` that it emits."""

    def __init__(self, block: Block):
        super().__init__(block)
        self.comparisons: list[Value] = []

    def emit(self, op: Op, type_: Type, args: list[Value], data: object = None) -> Value:
        value = super().emit(op, type_, args, data)
        if op is ops.ULT:
            self.comparisons.append(value)
        return value


class _NotedGuards(Guards):
    def __init__(self, module: Module, policy: Policy, robustness: Robustness):
        self.noting = _NotingBuilder(module.body)
        super().__init__(module, policy, robustness, self.noting)
        self.current: Value | None = None
        self.guards: list[Guard] = []

    def run(self) -> Findings:
        found = super().run()
        self._end()
        return found.with_guards(self.guards)

    def _rule(self, value: Value, rules: Rules) -> Rule | None:
        """Begin an access: comparisons that are emitted until the next call belong to its check."""
        self._end()
        self.current = value if value.op in _ACCESSES else None
        return super()._rule(value, rules)

    def _end(self) -> None:
        value, comparisons = self.current, tuple(self.noting.comparisons)
        self.noting.comparisons.clear()
        if value is None:
            return
        access: Access = row.ATOMIC.of(value) if value.op is ops.ATOMIC else row.ACCESS.of(value)
        checks = self._checks_write(access) if value.op in _WRITES else self._checks_read(access)
        left = checks and self.left.get(value) is True
        name = value.op.name.removesuffix("_typed")
        self.guards.append(Guard(value.where, access.resource, name, checks, left, comparisons))


# The largest byte offset in dwords: a bound of this size says nothing
_LARGE = (1 << 30) - 1
_INPUTS = {
    "vThreadID": "the thread's number in the dispatch",
    "vThreadGroupID": "the group's number",
    "vThreadIDInGroup": "the thread's number in its group",
    "vThreadIDInGroupFlattened": "the thread's flat number in its group",
}
_BOUNDING = {
    ops.IAND: "masked",
    ops.UMIN: "the smaller of two numbers",
    ops.UMOD: "a remainder",
    ops.BITFIELD_UEXTRACT: "a bit field",
}

_UNITS = {
    MemoryKind.CONSTANTS: "vector",
    MemoryKind.IMMEDIATE_CONSTANTS: "vector",
    MemoryKind.RAW: "dword",
    MemoryKind.STRUCTURED: "dword",
    MemoryKind.SHARED_RAW: "dword",
    MemoryKind.INDEXABLE_TEMP: "element",
}


def verdict_of(guards: Sequence[Guard]) -> str:
    """The guard of an access as a word of `ExplainedAccess.guard`."""
    if not any(guard.checked for guard in guards):
        return "unchecked"
    fates = {reason.fate for guard in guards for reason in guard.reasons}
    compared = any(guard.comparisons for guard in guards)
    if compared and not fates:
        return "stays" if not any(guard.examined for guard in guards) else "removed"
    if fates & {Fate.STAYS, Fate.FAILS}:
        return "stays"
    if any(guard.left for guard in guards):
        return "device"
    return "shared" if Fate.SHARED in fates or _shares_vector(guards) else "proved"


def _shares_vector(guards: Sequence[Guard]) -> bool:
    """Whether the access only takes dwords of vectors that accesses before it loaded."""
    return all(guard.checked and not guard.left and not guard.comparisons for guard in guards)


def reasons_of(guards: Sequence[Guard]) -> Iterator[str]:
    """A sentence for each comparison, and for a check that has none."""
    for guard in guards:
        if not guard.checked:
            yield "The option `guards` leaves this access without a check."
        if guard.left:
            yield "The device's robust access replaces the check of the view's end."
        for reason in _notable(guard.reasons):
            yield _sentence(guard, reason)
        if guard.comparisons and not guard.reasons:
            yield _unexamined(guard)
    if _shares_vector(guards):
        yield "No second load: the vector that an access before it loads and checks is used."


def _notable(reasons: Sequence[Reason]) -> Sequence[Reason]:
    """The reasons without those of constant indices in bounds, if any others are left."""
    plain = [one for one in reasons if one.fate is Fate.HOLDS and one.index.op is ops.CONST]
    return [one for one in reasons if one not in plain] or reasons


def _unexamined(guard: Guard) -> str:
    if guard.examined:
        return "The code is never reached."
    return "Without the option `optimize` no check is examined: all stay."


def _sentence(guard: Guard, reason: Reason) -> str:
    size = _size_text(guard, reason)
    if reason.fate is Fate.HOLDS:
        return f"No check: {_bound_text(guard, reason)}, and {size}."
    if reason.fate is Fate.FAILS:
        return f"Always out of bounds: {_bound_text(guard, reason)}, and {size}."
    if reason.fate is Fate.KNOWN:
        return f"No check: {_place(reason)} has already compared the same numbers in this branch."
    if reason.fate is Fate.SHARED:
        return f"No second comparison: the result of the one at {_place(reason)} is used again."
    if reason.limit is None and reason.index.op is not ops.CONST:
        subject = _subject(guard, reason)
        return f"The check stays: {size}, and nothing shows that {subject} is below it."
    return f"The check stays: {_bound_text(guard, reason)}, and {size}."


def _place(reason: Reason) -> str:
    number = reason.where.instruction if reason.where else None
    return "another access" if number is None else f"instruction {number}"


def _size_text(guard: Guard, reason: Reason) -> str:
    if reason.limit is not None:
        unit = _UNITS.get(guard.resource.kind)
        plural = "s" if reason.limit != 1 else ""
        return f"the limit is {reason.limit:,}{f' {unit}{plural}' if unit else ''}"
    return f"the size of {guard.resource.register} is known only when the shader runs"


def _bound_text(guard: Guard, reason: Reason) -> str:
    """The index in words, and its largest number."""
    index = reason.index
    if index.op is ops.CONST:
        return f"{_noun(guard, reason)} is the constant {row.BITS.of(index):,}"
    subject = _subject(guard, reason)
    if reason.largest is None or reason.largest >= _LARGE:
        return f"no bound of {subject} is known"
    return f"{subject} is at most {reason.largest:,}"


def _subject(guard: Guard, reason: Reason) -> str:
    """The index in words, without its number."""
    index = reason.index
    subject = _INPUTS.get(row.INPUT.of(index)[0]) if index.op is ops.INPUT else None
    how = _BOUNDING.get(index.op)
    noun = _noun(guard, reason)
    return subject or (noun if how is None else f"{noun} ({how})")


def _noun(guard: Guard, reason: Reason) -> str:
    """The compared number: of a structured buffer, only the offset has a limit that is known."""
    is_offset = guard.resource.kind is MemoryKind.STRUCTURED and reason.limit is not None
    return "the offset in the structure" if is_offset else "the index"


def rule_of(kind: MemoryKind, action: str) -> str:
    """D3D's result of an access out of bounds, with its source."""
    rule = RULES[kind]
    if rule.outside is OutOfBounds.UNDEFINED:
        result = "undefined"
    else:
        result = "a load gives 0" if action == "load" else "nothing is written"
    if action == "atomic" and rule.outside is not OutOfBounds.UNDEFINED:
        result += ", the result is undefined"
    more = ""
    if rule.past_stride is not rule.outside:
        more = "; past the stride: undefined"
    return f"{result}{more} ({rule.source})"
