"""What a module is at the moment, to see whether a pass changed it."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from translate.ir.tables import Tables
from translate.ir.values import Block, Module, Value

_ELSEWHERE = ("body", "functions", "after")


def state_of(module: Module) -> tuple[Any, ...]:
    """Equal to that of an earlier moment where nothing changed but the name of the last pass.

    What a value does stays as it was made, so it is told by its identity: a pass that puts an equal
    value in place of another changed the module.
    """
    head = [_held(getattr(module, f.name)) for f in fields(Module) if f.name not in _ELSEWHERE]
    bodies = [("main", _block(module.body))]
    bodies += [(name, _block(body)) for name, body in module.functions.items()]
    return (*head, *bodies, *map(_value, module.walk()))


def _value(value: Value) -> tuple[object, ...]:
    blocks = [_block(block) for block in value.blocks]
    return (value, *value.args, None, *value.results, *blocks)


def _block(block: Block) -> tuple[object, ...]:
    """What a block has but for its values, which `walk` gives one after the other."""
    return (block, *block.params, len(block.values))


def _held(value: Any) -> Any:
    """What a field holds: lists and tables as tuples, for they change."""
    if isinstance(value, Tables):
        return tuple(_held(getattr(value, f.name)) for f in fields(Tables))
    if isinstance(value, dict):
        return tuple(value.items())
    return tuple(value) if isinstance(value, list) else value
