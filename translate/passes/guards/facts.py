"""Facts that hold at a place of the program: known conditions, and upper bounds of values.

Values are unsigned 32-bit integers: a sum or product that might wrap has no bound. Conditions are
known inside the blocks of an `if`, and after an `if` with only one block that reaches its end.
`mark` and `undo` delimit the code in which facts hold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from translate.ir import ops, row
from translate.ir.builder import Builder
from translate.ir.types import U32
from translate.ir.values import Block, Module, Value
from translate.passes.rewrite import Incoming

MAX = 0xFFFFFFFF
_SIGNED_MAX = 0x7FFFFFFF
_MOST_GROUPS = 65535  # D3D11_CS_DISPATCH_MAX_THREAD_GROUPS_PER_DIMENSION
_DEPTH = 8  # operations back that are searched for a bound
_STEPS = 4  # operations back that are searched to prove that one value is at most another
_ORDERS = frozenset((ops.ULT, ops.UGE, ops.SLT, ops.SGE))
_LESS, _SIGNED = frozenset((ops.ULT, ops.SLT)), frozenset((ops.SLT, ops.SGE))

T = TypeVar("T")


class Facts:
    """Facts at the current place: `truths` (condition -> true or false as a constant) and `uppers`
    (value -> the largest number that it may be)."""

    def __init__(self, module: Module):
        self.module = module
        self.truths: dict[Value, Value] = {}
        self.uppers: dict[Value, int] = {}
        # thread groups in each dimension: a host may dispatch more than D3D allows
        self.groups = MAX + 1
        # tables and keys whose entries were set, with the entries before
        self._log: list[tuple[dict[Value, Any], Value, Any]] = []
        self._constants = Builder(Block())

    # --- scopes ----------------------------------------------------------------------------

    def mark(self) -> int:
        return len(self._log)

    def undo(self, mark: int) -> None:
        """Forget the facts that were learnt after `mark` returned this number."""
        while len(self._log) > mark:
            table, key, old = self._log.pop()
            if old is None:
                del table[key]
            else:
                table[key] = old

    def _set(self, table: dict[Value, T], key: Value, new: T) -> None:
        self._log.append((table, key, table.get(key)))
        table[key] = new

    # --- conditions ------------------------------------------------------------------------

    def learn(self, condition: Value, truth: bool) -> None:
        """Learn that a condition has this truth value, and all facts that follow from that."""
        work = [(condition, truth)]
        while work:
            value, holds = work.pop()
            if value.op is ops.CONST:
                continue
            self._set(self.truths, value, self._constants.bool(holds))
            if value.op is ops.LNOT:
                work.append((value.args[0], not holds))
            elif value.op is (ops.LAND if holds else ops.LOR):
                work += [(arg, holds) for arg in value.args]
            else:
                self._learn_bound(value, holds)

    def _learn_bound(self, value: Value, holds: bool) -> None:
        """Learn upper bounds from a comparison: a < b bounds a by b's bound, a == b bounds both.

        A signed comparison counts as an unsigned one if neither number can be negative.
        """
        op = value.op
        if op is (ops.IEQ if holds else ops.INE):
            for one, other in (value.args, value.args[::-1]):
                self.bound(one, self.upper(other))
                if one.op is ops.IAND and one.args[1].op is ops.CONST:
                    self._learn_bits(one.args[0], one.args[1], self.upper(other))
        if op not in _ORDERS:
            return
        less = holds == (op in _LESS)
        smaller, larger = value.args if less else value.args[::-1]
        most = self.upper(larger)
        if op in _SIGNED and (most > _SIGNED_MAX or self.upper(smaller) > _SIGNED_MAX):
            return
        self.bound(smaller, max(most - less, 0))

    def _learn_bits(self, x: Value, mask: Value, masked: int) -> None:
        """Learn a bound of x from `x & mask <= masked`: its other bits are those of its bound."""
        width = self.upper(x).bit_length()
        self.bound(x, ((1 << width) - 1 & MAX - row.BITS.of(mask)) + masked)

    def bound(self, value: Value, largest: int) -> None:
        """Learn that a value is at most `largest`."""
        if value.op is not ops.CONST and largest < self.uppers.get(value, MAX):
            self._set(self.uppers, value, largest)
            if value.op is ops.ISUB:  # x is (x - y) + y
                self.bound(value.args[0], largest + self.upper(value.args[1]))

    # --- bounds ----------------------------------------------------------------------------

    def upper(self, value: Value, depth: int = _DEPTH) -> int:
        """The largest number that a U32 value may be, MAX if unknown.

        `depth` is the number of operations to search back.
        """
        if value.op is ops.CONST:
            return row.BITS.of(value)
        known = self.uppers.get(value, MAX)
        rule = _UPPERS.get(value.op) if depth and value.type is U32 else None
        if rule is None:
            return known
        found = rule(self, value, depth - 1)
        return found if found < known else known

    def upper_in_d3d(self, value: Value) -> int:
        """`upper` if no more groups are dispatched than D3D allows.

        Vulkan may dispatch more, so the safety of memory must not depend on this bound.
        """
        self.groups = _MOST_GROUPS
        largest = self.upper(value)
        self.groups = MAX + 1
        return largest

    def bound_params(self, loop: Value, incoming: Incoming) -> None:
        """Learn bounds of a loop's parameters that only shrink, or count up to the loop's exit."""
        for position, param in enumerate(loop.blocks[0].params):
            if param.type is not U32:
                continue
            first = self.upper(loop.args[position])
            sources = [h.args[i] for h, i in incoming.get(param, ()) if h is not loop]
            largest = _shrinking(param, first, sources)
            if largest is None:
                largest = _counting(loop.blocks[0], param, first, sources)
            if largest is not None:
                self.bound(param, largest)


def limit_of(condition: Value, holds: bool, bounded: Value) -> tuple[bool, int] | None:
    """The limit of `bounded` if `condition` is `holds`, as (signed, largest); None without one.

    Only a comparison of `bounded` with a constant has one. If it is signed, `bounded` may also be
    negative, which is large as an unsigned number.
    """
    op, args = condition.op, condition.args
    if op is ops.IEQ and holds and args[0] is bounded and args[1].op is ops.CONST:
        return False, row.BITS.of(args[1])
    if op not in _ORDERS:
        return None
    less = holds == (op in _LESS)  # args[0] < args[1], else args[0] >= args[1]
    signed = op in _SIGNED
    smaller, other = (args[0], args[1]) if less else (args[1], args[0])
    if smaller is not bounded or other.op is not ops.CONST:
        return None
    largest = row.BITS.of(other) - less
    if largest < 0 or (signed and row.BITS.of(other) > _SIGNED_MAX):
        return None
    return signed, largest


def _shrinking(param: Value, first: int, sources: list[Value]) -> int | None:
    """The bound `first` of a loop's parameter if no round makes it larger, else None.

    Each round may shift it right, mask it or divide it (`_NEVER_LARGER`). An arithmetic shift may
    make it larger as an unsigned number if it is 2^31 or more.
    """
    for source in sources:
        if source is param:
            continue
        if source.op not in _NEVER_LARGER or source.args[0] is not param:
            return None
        if source.op is ops.SSHR and first > _SIGNED_MAX:
            return None
    return first if sources else None


_NEVER_LARGER = (ops.USHR, ops.SSHR, ops.UDIV, ops.UMOD, ops.IAND, ops.UMIN)


def _counting(body: Block, param: Value, first: int, sources: list[Value]) -> int | None:
    """The bound of a counter that grows by constants, in a loop that is left at a limit; else None.

    By induction: the counter is at most `first` in the first round. Each step comes after the exit
    test, so the counter is at most the limit there, and at most one step above it in the next
    round. That sum must not wrap, nor become negative for a signed limit.
    """
    steps = [_step(param, source) for source in sources]
    if not steps or None in steps:
        return None
    limit = _exit_limit(body, param)
    if limit is None:
        return None
    signed, largest = limit
    top = largest + max(step for step in steps if step is not None)
    if top > (_SIGNED_MAX if signed else MAX) or (signed and first > _SIGNED_MAX):
        return None
    return max(first, top)


def _step(param: Value, source: Value) -> int | None:
    """The constant below 2^31 that a source adds to the parameter; None for any other source."""
    if source.op is not ops.IADD or param not in source.args:
        return None
    other = source.args[1] if source.args[0] is param else source.args[0]
    if other.op is not ops.CONST:
        return None
    bits = row.BITS.of(other)
    return bits if bits <= _SIGNED_MAX else None


def _exit_limit(body: Block, param: Value) -> tuple[bool, int] | None:
    """The limit of a parameter in the code after the loop's exit test, as in `limit_of`.

    None unless the loop's first construct is that test: an `if` whose first block breaks. No code
    before it continues the loop, since a `continue` would be in a construct.
    """
    for value in body.values:
        if not value.blocks:
            continue
        leaving = value.blocks[0].values
        straight = value.op is ops.IF and not any(inner.blocks for inner in leaving)
        if not straight or leaving[-1].op is not ops.BREAK:
            return None
        return _limit_in(value.args[0], False, param)
    return None


def _limit_in(condition: Value, holds: bool, param: Value) -> tuple[bool, int] | None:
    """`limit_of`, also for a negated condition, a conjunction, and a test of D3D's masks.

    Loops are examined before `simplify` has replaced the masks (0 or 0xFFFFFFFF) by conditions.
    """
    if condition.op in (ops.INE, ops.IEQ) and condition.args[1].constant_bits == 0:
        return _limit_in_mask(condition.args[0], holds == (condition.op is ops.INE), param)
    if condition.op is ops.LNOT:
        return _limit_in(condition.args[0], not holds, param)
    if condition.op is (ops.LAND if holds else ops.LOR):
        found = (_limit_in(arg, holds, param) for arg in condition.args)
        return next((limit for limit in found if limit is not None), None)
    return limit_of(condition, holds, param)


def _limit_in_mask(mask: Value, holds: bool, param: Value) -> tuple[bool, int] | None:
    if mask.op is ops.MASK:
        return _limit_in(mask.args[0], holds, param)
    if mask.op is (ops.IAND if holds else ops.IOR):
        found = (_limit_in_mask(arg, holds, param) for arg in mask.args)
        return next((limit for limit in found if limit is not None), None)
    return None


# --- largest results, by operation -------------------------------------------------------------

_Rule = Callable[[Facts, Value, int], int]


def _of_input(facts: Facts, value: Value, depth: int) -> int:
    """The bound of a thread's or group's number, by the group's size and the number of groups."""
    name, component = row.INPUT.of(value)
    group = facts.module.thread_group
    if name == "vThreadGroupID":
        return min(facts.groups - 1, MAX)
    if name == "vThreadID":
        return min(facts.groups * group[component] - 1, MAX)
    if name == "vThreadIDInGroup":
        return group[component] - 1
    if name == "vThreadIDInGroupFlattened":
        return group[0] * group[1] * group[2] - 1
    return MAX


def _of_and(facts: Facts, value: Value, depth: int) -> int:
    x, y = value.args
    return min(facts.upper(x, depth), facts.upper(y, depth))


def _of_or(facts: Facts, value: Value, depth: int) -> int:
    x, y = value.args
    return (1 << max(facts.upper(x, depth), facts.upper(y, depth)).bit_length()) - 1


def _of_add(facts: Facts, value: Value, depth: int) -> int:
    return min(facts.upper(value.args[0], depth) + facts.upper(value.args[1], depth), MAX)


def _of_difference(facts: Facts, value: Value, depth: int) -> int:
    """x - y is at most x if y is known to be at most x; otherwise it may wrap."""
    x, taken = value.args
    known = _is_at_most(facts, taken, x, min(depth, _STEPS))
    return facts.upper(x, depth) if known else MAX


def _is_at_most(facts: Facts, part: Value, whole: Value, depth: int) -> bool:
    """Whether `part <= whole` is proved, by a constant or as one is the other masked or shifted."""
    if part is whole:
        return True
    if whole.op is ops.CONST:
        return facts.upper(part, depth) <= row.BITS.of(whole)
    if depth == 0:
        return False
    if part.op in (ops.IAND, ops.USHR):
        kept = part.args if part.op is ops.IAND else part.args[:1]
        return any(_is_at_most(facts, one, whole, depth - 1) for one in kept)
    # A shift that drops bits would make a number smaller
    if whole.op is ops.ISHL and _keeps_bits(facts, whole, depth):
        return _is_at_most(facts, part, whole.args[0], depth - 1)
    return False


def _of_inserted(facts: Facts, value: Value, depth: int) -> int:
    base, new, first, count = value.args
    if first.op is not ops.CONST or count.op is not ops.CONST:
        return MAX
    most, field = facts.upper(base, depth), (1 << row.BITS.of(count)) - 1
    kept = (1 << most.bit_length()) - 1 & MAX - (field << row.BITS.of(first))
    inserted = min(facts.upper(new, depth), field) << row.BITS.of(first)
    return min(min(most, kept) + inserted, MAX)


def _of_product(facts: Facts, value: Value, depth: int) -> int:
    return min(facts.upper(value.args[0], depth) * facts.upper(value.args[1], depth), MAX)


def _of_left_shift(facts: Facts, value: Value, depth: int) -> int:
    x, count = value.args
    if count.op is not ops.CONST:
        return MAX
    shift = row.BITS.of(count)
    return min(facts.upper(x, depth) << shift, MAX >> shift << shift)


def _keeps_bits(facts: Facts, shift: Value, depth: int) -> bool:
    """Whether a left shift drops no bit that is set."""
    x, count = shift.args
    return count.op is ops.CONST and facts.upper(x, depth) << row.BITS.of(count) <= MAX


def _of_right_shift(facts: Facts, value: Value, depth: int) -> int:
    x, count = value.args
    largest = facts.upper(x, depth)
    return largest >> row.BITS.of(count) if count.op is ops.CONST else largest


def _of_quotient(facts: Facts, value: Value, depth: int) -> int:
    x, divisor = value.args
    largest = facts.upper(x, depth)
    known = row.BITS.of(divisor) if divisor.op is ops.CONST else 0
    return largest // known if known else largest


def _of_remainder(facts: Facts, value: Value, depth: int) -> int:
    x, divisor = value.args
    largest = facts.upper(x, depth)
    known = row.BITS.of(divisor) if divisor.op is ops.CONST else 0
    return min(largest, known - 1) if known else largest


def _of_select(facts: Facts, value: Value, depth: int) -> int:
    _, yes, no = value.args
    return max(facts.upper(yes, depth), facts.upper(no, depth))


def _of_bit_field(facts: Facts, value: Value, depth: int) -> int:
    count = value.args[2]
    bits = row.BITS.of(count) if count.op is ops.CONST else 32
    return (1 << bits) - 1 if bits < 32 else MAX


_UPPERS: Mapping[ops.Op, _Rule] = {
    ops.INPUT: _of_input,
    ops.IAND: _of_and,
    ops.UMIN: _of_and,
    ops.UMAX: lambda facts, value, depth: max(facts.upper(x, depth) for x in value.args),
    ops.IOR: _of_or,
    ops.IXOR: _of_or,
    ops.IADD: _of_add,
    ops.ISUB: _of_difference,
    ops.IMUL: _of_product,
    ops.ISHL: _of_left_shift,
    ops.USHR: _of_right_shift,
    ops.UDIV: _of_quotient,
    ops.UMOD: _of_remainder,
    ops.SELECT: _of_select,
    ops.BITFIELD_UEXTRACT: _of_bit_field,
    ops.BITFIELD_INSERT: _of_inserted,
    ops.BIT_COUNT: lambda facts, value, depth: 32,
}
