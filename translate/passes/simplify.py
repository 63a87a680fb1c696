"""Folding and sharing: rules of `fold` applied to every value, equal pure values computed once.

One walk in program order. A value is shared with an equal one that dominates it: earlier in the
same block or in a block around. Of loads only those from memory that the shader cannot write are
shared, since a store or a barrier may stand between others. Inside the blocks of an `if` its
condition is known, so a check within an equal check goes away; `facts` knows how large values can
be, so a check that cannot fail goes away as well.
"""

from __future__ import annotations

from translate.ir import ops, row
from translate.ir.builder import Builder
from translate.ir.ops import Effect
from translate.ir.types import U32, Type
from translate.ir.values import Block, Module, Value
from translate.passes.facts import MAX, Facts
from translate.passes.fold import RULES as _INTEGER_RULES
from translate.passes.fold_floats import RULES as _FLOAT_RULES
from translate.passes.merges import merges_of

_PURE = frozenset(op for op in ops.OPS.values() if op.effect is Effect.PURE)
_LOADS = (ops.LOAD_ELEMENT, ops.LOAD_VECTOR)
_BOUNDED = (ops.ULT, ops.UGE, ops.LIMIT_INDEX)
_LITTLE = 21  # an index may be more than its limit by as little as the limit shifted by this
_RULES = {**_INTEGER_RULES, **_FLOAT_RULES}
_Key = tuple[object, ...]


def simplify(module: Module) -> None:
    """Fold, share and drop branches that are never or always taken."""
    _Simplifier(module).run()


class _Simplifier:
    def __init__(self, module: Module):
        self.module = module
        self.facts = Facts(module)
        self.b = _FoldingBuilder(module.body, self.facts)
        self.current = _Current(self.b)
        self.incoming = merges_of(module)
        self.left: list[bool] = []  # of each loop and switch around: whether a `break` was met

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
        """Rewrite one value; true if what follows in its block cannot be reached any more."""
        current, truths = self.current, self.facts.truths
        args = [current[arg] for arg in value.args]
        if truths and not truths.keys().isdisjoint(args):
            args = [truths.get(arg, arg) for arg in args]
        value.replace_operands(args)
        if value.op in _PURE or reads_constants(value):
            current[value] = self.b.admit(value)
            return False
        return self._acting(value)

    def _acting(self, value: Value) -> bool:
        """The same of what is more than a value."""
        if value.op is ops.IF and value.args[0].op is ops.CONST:
            return self._take(value)
        self.b.block.values.append(value)
        if value.op is ops.BREAK:
            self.left[-1] = True
        if value.op is ops.IF:
            return not self._branches(value)
        return bool(value.blocks) and not self._cases(value)

    def _cases(self, value: Value) -> bool:
        """The blocks of a loop or switch; whether any `break` still leaves it."""
        self.left.append(False)
        mark = self.facts.mark()
        if value.op is ops.LOOP:
            self.facts.bound_params(value, self.incoming)
        for inner in value.blocks:
            self._block(inner)
        self.facts.undo(mark)
        return self.left.pop()

    def _branches(self, value: Value) -> bool:
        """The blocks of an `if`, each with its condition known; whether one reaches its end.

        Where only one does, its condition is known after the construct as well.
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
        """An `if` with a known condition becomes the contents of one of its blocks."""
        taken = value.blocks[0 if row.BITS.of(value.args[0]) else 1]
        for inner in taken.values:
            if inner.op is ops.YIELD:
                given = [self.current[arg] for arg in inner.args]
                self.current.update(zip(value.results, given, strict=True))
                return False
            if self._value(inner) or inner.op.effect is Effect.TERMINATES:
                return True
        return True  # it ends with a construct that nothing leaves


class _Current(dict[Value, Value]):
    """What stands for each value by now. Equal constants of several makers become one."""

    def __init__(self, b: Builder):
        super().__init__()
        self.b = b

    def __missing__(self, value: Value) -> Value:
        """Of a constant or a merged value, where it is first used."""
        is_constant = value.op is ops.CONST
        current = self.b.constant(value.type, row.BITS.of(value)) if is_constant else value
        self[value] = current
        return current


def reads_constants(value: Value) -> bool:
    """Whether a load gives the same wherever it stands: t#, cb# and icb are never written."""
    return value.op in _LOADS and not row.ACCESS.of(value).resource.is_writable


class _FoldingBuilder(Builder):
    """A builder whose operations are folded and shared as they are made.

    `known` holds the pure values that dominate the current place, by what they compute. `mark` and
    `undo` scope them.
    """

    def __init__(self, block: Block, facts: Facts):
        super().__init__(block)
        self.facts = facts
        self.known: dict[_Key, Value] = {}
        self.limited: set[Value] = set()  # indices that are cut for sums, as far as that may go

    def mark(self) -> int:
        return len(self.known)

    def undo(self, mark: int) -> None:
        """Remove what was learnt since the mark, which dicts keep last."""
        while len(self.known) > mark:
            self.known.popitem()

    def emit(self, op: ops.Op, type_: Type, args: list[Value], data: object = None) -> Value:
        value = Value(op, type_, args, data, self.where)
        if op in _PURE:
            return self.admit(value)
        self.block.values.append(value)
        return value

    def admit(self, value: Value) -> Value:
        """The value itself appended to the block, or an equal or simpler one."""
        op, args = value.op, value.args
        if op.commutes and args[0].op is ops.CONST and args[1].op is not ops.CONST:
            args = args[::-1]
            value.replace_operands(args)
        if op in _BOUNDED:
            proved = self._prove(value)
            if proved is not None:
                return proved
        if op is ops.INPUT and not self.facts.upper(value):
            return self.u32(0)
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
        """`x < limit`, `x >= limit` and what is cut to a limit, where x is known to be smaller."""
        x, limit = value.args
        if limit.op is not ops.CONST:
            return None
        most = row.BITS.of(limit)
        if value.op is ops.LIMIT_INDEX:
            return x if self.facts.upper_in_d3d(x) <= most else self._limit_base(value)
        return self.bool(value.op is ops.ULT) if self.facts.upper(x) < most else None

    def _limit_base(self, value: Value) -> Value | None:
        """Of a sum that cannot wrap the larger part is cut, which several sums may share."""
        whole, limit = value.args
        if whole.op is not ops.IADD or value in self.limited:
            return None
        for base, little in (whole.args, whole.args[::-1]):
            more = self.facts.upper(little)
            if more <= row.BITS.of(limit) >> _LITTLE and self.facts.upper(base) + more <= MAX:
                return self.iadd(self._limit_multiple(base, limit, value), little)
        return None

    def _limit_multiple(self, base: Value, limit: Value, value: Value) -> Value:
        """Cut a multiple of a power of two to one, as drivers see whose loads are neighbours."""
        shift, most = self.u32(0), row.BITS.of(limit)
        if base.op is ops.ISHL and base.args[1].op is ops.CONST:
            multiple = 1 << row.BITS.of(base.args[1])
            shift = base.args[1] if most % multiple == 0 else shift
        places = self.u32(most >> row.BITS.of(shift))
        cut = Value(ops.LIMIT_INDEX, U32, [self.ushr(base, shift), places], None, value.where)
        self.limited.add(cut)
        return self.ishl(self.admit(cut), shift)
