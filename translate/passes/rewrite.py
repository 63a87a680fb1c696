"""The walk of passes that rewrite one value at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from translate.ir.builder import Builder
from translate.ir.ops import Op
from translate.ir.values import Block, Module, Value

# Returns the replacement of a value, or None to keep the value. Values that a rule builds are in
# front of the value.
Rule = Callable[[Builder, Value], Value | None]
Rules = Mapping[Op, Rule]


def rewrite(module: Module, rules: Rules) -> None:
    """Apply to each value the rule for its operation, in order; a construct after its contents."""
    forward: dict[Value, Value] = {}
    for body in module.bodies():
        _block(body, rules, forward)


def _block(block: Block, rules: Rules, forward: dict[Value, Value]) -> None:
    values, kept = block.values, list[Value]()
    block.values = kept
    b = Builder(block)
    for value in values:
        if forward and not forward.keys().isdisjoint(value.args):
            value.replace_operands([forward.get(arg, arg) for arg in value.args])
        if value.blocks:
            for inner in value.blocks:
                _block(inner, rules, forward)
        if value.op not in rules:
            kept.append(value)
            continue
        b.where = value.where
        replacement = rules[value.op](b, value)
        if replacement is None:
            kept.append(value)
        else:
            forward[value] = replacement
