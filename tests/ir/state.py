"""The state of a module, to see whether a pass changed it."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from translate.ir.tables import Tables
from translate.ir.values import Block, Module, Value

_ELSEWHERE = ("body", "functions", "after")
_CODE = (*_ELSEWHERE, "temp_count")


def state_of(module: Module) -> tuple[Any, ...]:
    """The module's state; it is equal to an earlier one if only the name of the last pass changed.

    Values are immutable and compared by identity: a pass that replaces a value by an equal one
    changed the module.
    """
    head = [_held(getattr(module, f.name)) for f in fields(Module) if f.name not in _ELSEWHERE]
    bodies = [("main", _block(module.body))]
    bodies += [(name, _block(body)) for name, body in module.functions.items()]
    return (*head, *bodies, *map(_value, module.walk()))


def declarations_of(module: Module) -> tuple[Any, ...]:
    """The module's state, except its code."""
    return tuple(_held(getattr(module, f.name)) for f in fields(Module) if f.name not in _CODE)


def _value(value: Value) -> tuple[object, ...]:
    blocks = [_block(block) for block in value.blocks]
    return (value, *value.args, None, *value.results, *blocks)


def _block(block: Block) -> tuple[object, ...]:
    """A block's fields without its values, which `walk` visits."""
    return (block, *block.params, len(block.values))


def _held(value: Any) -> Any:
    """A field's content, with tuples in place of lists and tables, which are mutable."""
    if isinstance(value, Tables):
        return tuple(_held(getattr(value, f.name)) for f in fields(Tables))
    if isinstance(value, dict):
        return tuple(value.items())
    return tuple(value) if isinstance(value, list) else value
