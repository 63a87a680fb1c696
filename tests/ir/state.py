"""The state of a module, to see whether a pass changed it or another module equals it."""

from dataclasses import fields, is_dataclass
from typing import Any

from translate.ir import ops
from translate.ir.tables import Table, Tables
from translate.ir.values import Block, Module, Value

_ELSEWHERE = ("body", "functions", "after")
_CODE = (*_ELSEWHERE, "temp_count")


def state_of(module: Module) -> tuple[Any, ...]:
    """The module's state; it is equal to an earlier one if only the name of the last pass changed.

    Values are immutable and compared by identity: a pass that replaces a value by an equal one
    changed the module.
    """
    head = [_held(getattr(module, f.name)) for f in fields(Module) if f.name not in _ELSEWHERE]
    return (*head, *_code_of(module))


def declarations_of(module: Module) -> tuple[Any, ...]:
    """The module's state, except its code."""
    return tuple(_held(getattr(module, f.name)) for f in fields(Module) if f.name not in _CODE)


def contents_of(module: Module) -> list[Any]:
    """A module's state, with numbers in place of values and blocks: the same for equal modules."""
    numbers: dict[int, int] = {}

    def plain(x: Any) -> Any:
        if isinstance(x, Value) and x.op is ops.CONST:
            return (x.type, x.data)
        if isinstance(x, (Value, Block)):
            is_new, number = id(x) not in numbers, numbers.setdefault(id(x), len(numbers))
            more = (x.op, x.type, x.where, plain(x.data)) if is_new and isinstance(x, Value) else ()
            return (number, *more)
        if isinstance(x, Table):
            return {resource.register: plain(record) for resource, record in x.items()}
        if isinstance(x, (dict, set, frozenset)):
            x = [*x.items()] if isinstance(x, dict) else sorted(x, key=repr)
        if isinstance(x, (list, tuple)):
            return [*map(plain, x)]
        if is_dataclass(x):
            return (type(x), *(plain(getattr(x, f.name)) for f in fields(x)))
        return (type(x), x)

    names = [f.name for f in fields(Module) if f.name not in ("body", "functions")]
    return [plain(x) for x in (*(getattr(module, name) for name in names), *_code_of(module))]


def _code_of(module: Module) -> list[tuple[object, ...]]:
    bodies = {"main": module.body, **module.functions}
    return [*((name, *_block(body)) for name, body in bodies.items()), *map(_value, module.walk())]


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
