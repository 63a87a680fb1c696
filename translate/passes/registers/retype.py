"""Merged values get the type of most of their sources and uses, which saves bitcasts.

`promote` makes a merged value U32 if its sources disagree or are constants. Merged values that are
sources of each other form webs. A web becomes F32 if more floats than integers enter and leave it.
Only types change, never bits: constants are read as the other type, all other values get bitcasts,
of which `simplify` removes the unnecessary ones.
"""

from __future__ import annotations

from collections.abc import Iterable

from translate.ir import ops
from translate.ir.builder import Builder
from translate.ir.ops import Effect
from translate.ir.types import F32, U32, Type
from translate.ir.values import Block, Module, Value
from translate.passes.rewrite import Incoming, merges_of, through_casts


def retype_merges(module: Module) -> None:
    """Choose F32 or U32 for every web of 32-bit parameters and results."""
    incoming = merges_of(module)
    if not incoming:
        return
    webs = _Webs(incoming)
    votes = _count_votes(module, incoming, webs)
    changed = [
        value
        for value in incoming
        if value.type in (U32, F32) and value.type is not _winner(votes[webs.find(value)])
    ]
    if changed:
        _apply(module, incoming, changed)


class _Webs:
    """Sets of merged values (phis) that are connected as sources; `find` returns a set's first."""

    def __init__(self, incoming: Incoming):
        self.parent = {value: value for value in incoming}
        for value, sources in incoming.items():
            for terminator, position in sources:
                source = through_casts(terminator.args[position])
                if source in self.parent:
                    self._join(value, source)

    def _join(self, value: Value, other: Value) -> None:
        self.parent[self.find(value)] = self.find(other)

    def find(self, value: Value) -> Value:
        root = value
        while self.parent[root] is not root:
            root = self.parent[root]
        while self.parent[value] is not root:
            self.parent[value], value = root, self.parent[value]
        return root


_MERGING = (Effect.TERMINATES, Effect.CONTROL)


def _winner(votes: list[int]) -> Type:
    return F32 if votes[0] > votes[1] else U32


def _count_votes(module: Module, incoming: Incoming, webs: _Webs) -> dict[Value, list[int]]:
    """For each web, the number of floats and of integers that enter and leave it."""
    votes = {webs.find(value): [0, 0] for value in incoming}
    for value, sources in incoming.items():
        ballot = votes[webs.find(value)]
        for terminator, position in sources:
            source = through_casts(terminator.args[position])
            if source not in incoming and source.op is not ops.CONST:
                ballot[0 if source.type is F32 else 1] += 1
    for value in module.walk():
        if value.op.effect in _MERGING:
            continue
        for arg in value.args:
            if arg in incoming and arg.type in (U32, F32):
                wanted = value.type if value.op is ops.BITCAST else arg.type
                votes[webs.find(arg)][0 if wanted is F32 else 1] += 1
    return votes


def _apply(module: Module, incoming: Incoming, changed: list[Value]) -> None:
    """Change the types; users get the old type by a bitcast right after the value."""
    casts: dict[Value, Value] = {}
    expected: dict[Value, list[tuple[int, Type]]] = {}
    for value in changed:
        type_ = F32 if value.type is U32 else U32
        flipped = Value(value.op, type_, [], value.data, value.where)
        casts[value] = Value(ops.BITCAST, value.type, [flipped], None, value.where)
        for holder, position in incoming[value]:
            expected.setdefault(holder, []).append((position, type_))
    for body in module.bodies():
        _rewrite(body, casts, expected)


def _rewrite(
    block: Block, casts: dict[Value, Value], expected: dict[Value, list[tuple[int, Type]]]
) -> None:
    """Put the `casts`, and values with new types, into a block.

    `expected` has, for each value, the operands that change their type, and the new types.
    """
    b = Builder(block)
    values, block.values = block.values, []
    block.params = _flip(block, block.params, casts)
    for value in values:
        args = [casts.get(arg, arg) for arg in value.args]
        for position, type_ in expected.get(value, ()):
            args[position] = b.as_type(type_, args[position])
        value.args = args
        for inner in value.blocks:
            _rewrite(inner, casts, expected)
        block.values.append(value)
        if value.results:
            value.results = tuple(_flip(block, value.results, casts))


def _flip(block: Block, merged: Iterable[Value], casts: dict[Value, Value]) -> list[Value]:
    """Parameters or results with their new types; their casts are appended to the block."""
    flipped = [casts[value].args[0] if value in casts else value for value in merged]
    block.values.extend(casts[value] for value in merged if value in casts)
    return flipped
