"""Folding and sharing: rules of `fold` simplify values, and equal pure values are computed once.

This is one walk in program order. A value is shared with an equal one that dominates it: earlier in
the same block or in a block around it. Loads are shared only from memory that the shader cannot
write, because a store or a barrier may be between other loads. Inside the blocks of an `if` its
condition is known, so that a check within an equal check is removed. `facts` bounds the size of
values, so that a check that cannot fail is removed as well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from translate.dataclass import replace
from translate.ir import ops, row
from translate.ir.builder import Builder
from translate.ir.ops import Effect
from translate.ir.types import U32, Type
from translate.ir.values import Block, Fate, Guard, Module, Reason, Value
from translate.passes.drivers.float_zeros import ZEROS
from translate.passes.fold import FLOAT_RULES, RULES
from translate.passes.guards.facts import MAX, Facts
from translate.passes.rewrite import Findings, Rule, merges_of

_PURE = frozenset(op for op in ops.OPS.values() if op.effect is Effect.PURE)
_BOUNDED = frozenset((ops.ULT, ops.UGE, ops.LIMIT_INDEX, ops.INPUT))
_LITTLE = 21  # a limited index may exceed its limit by limit >> 21
_Key = tuple[object, ...]


def _in_turn(first: Rule | None, second: Rule) -> Rule:
    """A rule that applies the second one if the first one has no replacement."""

    def fold(b: Builder, value: Value) -> Value | None:
        folded = first(b, value) if first is not None else None
        return second(b, value) if folded is None else folded

    return fold


_FOLDING: Mapping[ops.Op, Rule] = {**RULES, **FLOAT_RULES}
_RULES = {**_FOLDING, **{op: _in_turn(_FOLDING.get(op), zeros) for op, zeros in ZEROS.items()}}


def simplify(module: Module) -> None:
    """Fold and share values, and remove branches with a known condition."""
    _Simplifier(module).run()


def simplify_noted(module: Module) -> Findings:
    """Rewrite a module as `simplify` does; the findings say why each guard stays or goes."""
    return _NotingSimplifier(module).noted()


class _Simplifier:
    def __init__(self, module: Module):
        self.module = module
        self.facts = Facts(module)
        self.truths, self.decided = self.facts.truths, self.facts.truths.keys()
        self.b = _FoldingBuilder(module.body, self.facts)
        self.current = _Current(self.b)
        self.current_of: Callable[[Value], Value] = self.current.__getitem__
        self.incoming = merges_of(module)
        self.left: list[bool] = []  # for each loop and switch around: whether a `break` leaves it

    def run(self) -> None:
        for body in self.module.bodies():
            self._block(body)

    def _block(self, block: Block) -> None:
        values, block.values = block.values, []
        outer, self.b.block = self.b.block, block
        known, mark = self.b.mark(), self.facts.mark()
        for value in values:
            if self._value(value):
                break
        self.facts.undo(mark)
        self.b.undo(known)
        self.b.block = outer

    def _value(self, value: Value) -> bool:
        """Rewrite one value; returns whether the rest of its block has become unreachable."""
        op, args = value.op, [*map(self.current_of, value.args)]
        if not self.decided.isdisjoint(args):
            args = [self.truths.get(arg, arg) for arg in args]
        value.args = args
        if op in _PURE or (op in ops.LOADS and reads_constants(value)):
            self.current[value] = self.b.admit(value)
            return False
        if op is ops.IF and args[0].op is ops.CONST:
            return self._take(value)
        self.current[value] = value
        self.b.block.values.append(value)
        if op is ops.BREAK:
            self.left[-1] = True
        if op is ops.IF:
            return not self._branches(value)
        return bool(value.blocks) and not self._cases(value)

    def _cases(self, value: Value) -> bool:
        """Rewrite the blocks of a loop or switch; returns whether any `break` still leaves it."""
        self.left.append(False)
        mark = self.facts.mark()
        if value.op is ops.LOOP:
            self.facts.bound_params(value, self.incoming)
        for inner in value.blocks:
            self._block(inner)
        self.facts.undo(mark)
        return self.left.pop()

    def _branches(self, value: Value) -> bool:
        """Rewrite the blocks of an `if`, in which its condition is known.

        If only one block reaches its end, the condition is known after the construct as well.
        Returns whether any block does.
        """
        condition = value.args[0]
        ends: list[bool] = []
        for inner, truth in zip(value.blocks, (True, False), strict=True):
            mark = self.facts.mark()
            self.facts.learn(condition, truth)
            self._block(inner)
            self.facts.undo(mark)
            ends.append(inner.values[-1].op is ops.YIELD)
        if ends[0] != ends[1]:
            self.facts.learn(condition, ends[0])
        return any(ends)

    def _take(self, value: Value) -> bool:
        """Replace an `if` with a known condition by the contents of the block that is taken.

        Returns whether the code after it has become unreachable.
        """
        taken = value.blocks[0 if row.BITS.of(value.args[0]) else 1]
        for inner in taken.values:
            if inner.op is ops.YIELD:
                given = [self.current[arg] for arg in inner.args]
                self.current.update(zip(value.results, given, strict=True))
                return False
            if self._value(inner) or inner.op.effect is Effect.TERMINATES:
                return True
        return True  # it ends with a construct that nothing leaves


class _NotingSimplifier(_Simplifier):
    """Notes the fate of each comparison of a guard, for `translate.explain`."""

    def __init__(self, module: Module):
        super().__init__(module)
        self.watched = {one for guard in module.guards for one in guard.comparisons}
        self.reasons: dict[Value, Reason] = {}

    def noted(self) -> Findings:
        self.run()
        return Findings(guards=[self._explained(guard) for guard in self.module.guards])

    def _explained(self, guard: Guard) -> Guard:
        """The guard with its reasons; comparisons in unreachable code have none."""
        found = (self.reasons.get(one) for one in guard.comparisons)
        return replace(guard, reasons=tuple(filter(None, found)), examined=True)

    def _value(self, value: Value) -> bool:
        ended = super()._value(value)
        if value in self.watched:
            self.reasons[value] = self._reason(value)
        return ended

    def _reason(self, value: Value) -> Reason:
        index, limit = value.args
        largest = self.facts.upper(index)
        bounds = (
            None if largest == MAX else largest,
            row.BITS.of(limit) if limit.op is ops.CONST else None,
        )
        found = self.current[value]
        if found.op is ops.CONST:
            fate = Fate.HOLDS if row.BITS.of(found) else Fate.FAILS
            return Reason(fate, index, *bounds)
        truth = self.facts.truths.get(found)
        if truth is not None:
            fate = Fate.KNOWN if row.BITS.of(truth) else Fate.FAILS
            return Reason(fate, index, *bounds, found.where)
        if found is not value:
            return Reason(Fate.SHARED, index, *bounds, found.where)
        return Reason(Fate.STAYS, index, *bounds)


class _Current(dict[Value, Value]):
    """The current replacement of each value. Equal constants of several builders become one."""

    def __init__(self, b: Builder):
        super().__init__()
        self.b = b

    def __missing__(self, value: Value) -> Value:
        """The entry of a constant or merged value, which no block contains, at its first use."""
        is_constant = value.op is ops.CONST
        current = self.b.constant(value.type, row.BITS.of(value)) if is_constant else value
        self[value] = current
        return current


def reads_constants(load: Value) -> bool:
    """Whether a load is from memory that the shader cannot write: t#, cb# or icb."""
    return not row.ACCESS.of(load).resource.is_writable


class _FoldingBuilder(Builder):
    """A builder that folds and shares operations when it emits them.

    `known` has the pure values that dominate the current place, by operation, type, attribute and
    operands; `undo` removes those that were added since a `mark`.
    """

    def __init__(self, block: Block, facts: Facts):
        super().__init__(block)
        self.facts = facts
        self.known: dict[_Key, Value] = {}
        self.limited: set[Value] = set()  # made by `_limit_base`, and not to be split again

    def mark(self) -> int:
        return len(self.known)

    def undo(self, mark: int) -> None:
        """Remove the values added since `mark`, which are the last in the dict."""
        for _ in range(len(self.known) - mark):
            self.known.popitem()

    def emit(self, op: ops.Op, type_: Type, args: list[Value], data: object = None) -> Value:
        value = Value(op, type_, args, data, self.where)
        if op in _PURE:
            return self.admit(value)
        self.block.values.append(value)
        return value

    def admit(self, value: Value) -> Value:
        """The value to use for this one: an equal or simpler one, else itself, appended."""
        op, args = value.op, value.args
        if op.commutes and args[0].op is ops.CONST and args[1].op is not ops.CONST:
            args = args[::-1]
            value.args = args
        if op in _BOUNDED:
            proved = self._prove(value)
            if proved is not None:
                return proved
        rule = _RULES.get(op)
        if rule is not None:
            self.where = value.where
            replacement = rule(self, value)
            if replacement is not None:
                return replacement
        key = (op, value.type, value.data, *args)
        found = self.known.get(key)
        if found is not None:
            return found
        self.known[key] = value
        self.block.values.append(value)
        return value

    def _prove(self, value: Value) -> Value | None:
        """The replacement of `x < limit`, `x >= limit`, `limit_index(x, limit)` or an input.

        None if it stays. The limit is a constant. Comparisons are replaced if x is known to be
        below it, an input if it is known to be 0.
        """
        if value.op is ops.INPUT:
            return None if self.facts.upper(value) else self.u32(0)
        x, limit = value.args
        if limit.op is not ops.CONST:
            return None
        most = row.BITS.of(limit)
        if value.op is ops.LIMIT_INDEX:
            return x if self.facts.upper_in_d3d(x) <= most else self._limit_base(value)
        return self.bool(value.op is ops.ULT) if self.facts.upper(x) < most else None

    def _limit_base(self, value: Value) -> Value | None:
        """limit_index(x + small) as limit_index(x) + small, so that sums of x share the limit.

        None if x + small may wrap, or if `small` may exceed limit >> _LITTLE.
        """
        whole, limit = value.args
        if whole.op is not ops.IADD or value in self.limited:
            return None
        for base, little in (whole.args, whole.args[::-1]):
            more = self.facts.upper(little)
            if more <= row.BITS.of(limit) >> _LITTLE and self.facts.upper(base) + more <= MAX:
                return self.iadd(self._limit_multiple(base, limit, value), little)
        return None

    def _limit_multiple(self, base: Value, limit: Value, value: Value) -> Value:
        """limit_index(x << n) as limit_index(x) << n, so that drivers see neighbouring loads."""
        shift, most = self.u32(0), row.BITS.of(limit)
        if base.op is ops.ISHL and base.args[1].op is ops.CONST:
            multiple = 1 << row.BITS.of(base.args[1])
            shift = base.args[1] if most % multiple == 0 else shift
        places = self.u32(most >> row.BITS.of(shift))
        cut = Value(ops.LIMIT_INDEX, U32, [self.ushr(base, shift), places], None, value.where)
        self.limited.add(cut)
        return self.ishl(self.admit(cut), shift)
