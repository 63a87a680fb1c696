"""The walk that passes share which rewrite one value at a time."""

from __future__ import annotations

from collections.abc import Callable

from translate.ir.builder import Builder
from translate.ir.values import Block, Module, Value

# Gives what stands for a value from here on, or None for the value itself; what it builds comes in
# front of it.
Rule = Callable[[Builder, Value], Value | None]


def rewrite(module: Module, rule: Rule) -> None:
    """Apply a rule to every value, in order, the contents of constructs before themselves."""
    forward: dict[Value, Value] = {}
    for body in module.bodies():
        _block(body, rule, forward)


def _block(block: Block, rule: Rule, forward: dict[Value, Value]) -> None:
    values, block.values = block.values, []
    b = Builder(block)
    for value in values:
        if forward:
            value.replace_operands([forward.get(arg, arg) for arg in value.args])
        for inner in value.blocks:
            _block(inner, rule, forward)
        b.where = value.where
        replacement = rule(b, value)
        if replacement is None:
            block.values.append(value)
        else:
            forward[value] = replacement
