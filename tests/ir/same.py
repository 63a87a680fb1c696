"""Whether two modules are equal, compared field by field and value by value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from itertools import zip_longest
from typing import Any

from translate.ir import ops
from translate.ir.memory import Resource
from translate.ir.tables import Table
from translate.ir.values import Block, Module, Value

_CODE = ("body", "functions")


def difference(a: Module, b: Module) -> str | None:
    """The first thing in which two modules differ."""
    return _Comparison().modules(a, b)


class _Comparison:
    """`values` and `resources` are the pairs met so far, one to one."""

    def __init__(self) -> None:
        self.values: dict[Value, Value] = {}
        self.resources: dict[Resource, Resource] = {}

    def modules(self, a: Module, b: Module) -> str | None:
        for field in fields(Module):
            if field.name in _CODE:
                continue
            if not self.same(getattr(a, field.name), getattr(b, field.name)):
                return f"{field.name}: {getattr(a, field.name)} and {getattr(b, field.name)}"
        if list(a.functions) != list(b.functions):
            return f"functions: {list(a.functions)} and {list(b.functions)}"
        pairs = zip(a.bodies(), b.bodies(), strict=True)
        return next((d for pair in pairs if (d := self.blocks(*pair))), None)

    def blocks(self, a: Block, b: Block) -> str | None:
        problem = self.merged(a.params, b.params)
        for one, other in zip_longest(a.values, b.values):
            if problem is None:
                problem = self.one(one, other)
        return problem

    def merged(self, a: Sequence[Value], b: Sequence[Value]) -> str | None:
        if len(a) != len(b):
            return f"{a} and {b}"
        for one, other in zip(a, b, strict=True):
            self.values[one] = other
            if (one.op, one.type, one.where) != (other.op, other.type, other.where):
                return f"{one} and {other}"
            if self.values.get(one.data) is not other.data:
                return f"constructs of {one} and {other}"
        return None

    def one(self, a: Value | None, b: Value | None) -> str | None:
        if a is None or b is None:
            return f"{a} and {b}"
        self.values[a] = b
        if (a.op, a.type, a.where) != (b.op, b.type, b.where) or not self.same(a.data, b.data):
            return f"{a} at {a.where} and {b} at {b.where}"
        if len(a.args) != len(b.args) or not all(map(self.operands, a.args, b.args)):
            return f"operands of {a}: {a.args} and {b.args}"
        if len(a.blocks) != len(b.blocks):
            return f"blocks of {a} and {b}"
        problem = self.merged(a.results, b.results)
        for inner, other in zip(a.blocks, b.blocks, strict=True):
            problem = problem or self.blocks(inner, other)
        return problem

    def operands(self, a: Value, b: Value) -> bool:
        if a.op is ops.CONST:
            return (b.op, b.type, b.data) == (a.op, a.type, a.data)
        return self.values.get(a) is b

    def same(self, a: Any, b: Any) -> bool:
        """Whether two fields are equal: numbers, texts, and records of them."""
        if type(a) is not type(b):
            return False
        if isinstance(a, Resource):
            if self.resources.get(a) is b:
                return True
            self.resources[a] = b
        if isinstance(a, Table):
            return _by_register(a) == _by_register(b)
        if isinstance(a, dict):
            return len(a) == len(b) and all(map(self.same, a.items(), b.items()))
        if isinstance(a, frozenset):
            a, b = sorted(a, key=repr), sorted(b, key=repr)
        if isinstance(a, (list, tuple)):
            return len(a) == len(b) and all(map(self.same, a, b))
        if is_dataclass(a):
            return all(self.same(getattr(a, f.name), getattr(b, f.name)) for f in fields(a))
        return bool(a == b)


def _by_register(table: Table[Any]) -> dict[str, Any]:
    return {resource.register: record for resource, record in table.items()}
