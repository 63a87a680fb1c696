"""Removal of dead values: those that neither change memory nor are operands of live values.

A merged value is alive only if it is used, and only then are its sources alive. So loops do not
carry unused registers: a cycle of merged values does not keep itself alive.
"""

from __future__ import annotations

from translate.ir import ops, row
from translate.ir.ops import Effect
from translate.ir.values import Block, Module, Value
from translate.passes.rewrite import Incoming, merges_of

_WRITES = Effect.WRITES


def remove_dead(module: Module) -> None:
    """Remove unused values, parameters and results, and constructs without effect."""
    incoming = merges_of(module)
    live = _mark(module, incoming)
    removed = _drop_merged(incoming, live)
    for body in module.bodies():
        _sweep(body, live, removed)


def _mark(module: Module, incoming: Incoming) -> set[Value]:
    work: list[Value] = []
    for body in module.bodies():
        _collect_roots(body, work)
    live = set(work)
    while work:
        value = work.pop()
        sources = value.args
        if value in incoming:
            sources = [holder.args[position] for holder, position in incoming[value]]
            construct = row.CONSTRUCT.of(value)
            if isinstance(construct, Value) and construct.op is ops.IF:
                sources.append(construct.args[0])
        for source in sources:
            if source not in live:
                live.add(source)
                work.append(source)
    return live


def _collect_roots(block: Block, roots: list[Value]) -> bool:
    """Collect operations that write, and the conditions of constructs that stay.

    Returns whether the block does more than compute values and reach its end. If neither block of
    an `if` does more, the `if` stays only for its results.
    """
    acts = False
    for value in block.values:
        if value.op in ops.COMPUTING:
            continue
        inner = [_collect_roots(one, roots) for one in value.blocks]
        if value.op is ops.IF and not any(inner):
            continue
        if value.op.effect is _WRITES:
            roots.append(value)
        elif value.op in (ops.IF, ops.SWITCH):
            roots.append(value.args[0])
        acts |= value.op is not ops.YIELD
    return acts


def _drop_merged(incoming: Incoming, live: set[Value]) -> dict[Value, set[int]]:
    """For each terminator or construct, the positions of arguments for dead merged values."""
    removed: dict[Value, set[int]] = {}
    for merged, sources in incoming.items():
        if merged not in live:
            for holder, position in sources:
                removed.setdefault(holder, set()).add(position)
    return removed


def _sweep(block: Block, live: set[Value], removed: dict[Value, set[int]]) -> None:
    block.params = [param for param in block.params if param in live]
    kept: list[Value] = []
    for value in block.values:
        if value in live:
            kept.append(value)
            continue
        if value.op in ops.COMPUTING:
            continue
        gone = removed.get(value)
        if gone:
            value.args = [arg for i, arg in enumerate(value.args) if i not in gone]
        if value.blocks:
            value.results = tuple(result for result in value.results if result in live)
            for inner in value.blocks:
                _sweep(inner, live, removed)
        if value.op is not ops.IF or value.results or not all(map(_is_empty, value.blocks)):
            kept.append(value)
    block.values = kept


def _is_empty(block: Block) -> bool:
    return len(block.values) == 1 and block.values[0].op is ops.YIELD
