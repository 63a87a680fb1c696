"""`guard_bounds` that also records the comparisons of each check, for `translate.explain`.

The module gets the same code as by `guard_bounds`.
"""

from __future__ import annotations

from collections.abc import Callable

from translate.ir import ops, row
from translate.ir.builder import Builder
from translate.ir.memory import Access
from translate.ir.ops import Op
from translate.ir.robustness import NONE as NO_ROBUSTNESS
from translate.ir.robustness import Robustness
from translate.ir.types import Type
from translate.ir.values import Block, Guard, Module, Value
from translate.passes.guards.bounds import Guards
from translate.passes.guards.rules import D3D, Policy
from translate.passes.rewrite import Findings

_WRITES = (ops.STORE, ops.STORE_TYPED, ops.ATOMIC)
_ACCESSES = (ops.LOAD, ops.LOAD_TYPED, *_WRITES)


def guard_bounds_noted(
    module: Module, policy: Policy = D3D, robustness: Robustness = NO_ROBUSTNESS
) -> Findings:
    """Rewrite every access as `guard_bounds` does; the findings have a `Guard` for each access."""
    return _NotedGuards(module, policy, robustness).run()


class _NotingBuilder(Builder):
    """A builder that records every `ult` that it emits."""

    def __init__(self, block: Block):
        super().__init__(block)
        self.comparisons: list[Value] = []

    def emit(self, op: Op, type_: Type, args: list[Value], data: object = None) -> Value:
        value = super().emit(op, type_, args, data)
        if op is ops.ULT:
            self.comparisons.append(value)
        return value


class _NotedGuards(Guards):
    def __init__(self, module: Module, policy: Policy, robustness: Robustness):
        self.noting = _NotingBuilder(module.body)
        super().__init__(module, policy, robustness, self.noting)
        self.current: Value | None = None
        self.guards: list[Guard] = []

    def run(self) -> Findings:
        found = super().run()
        self._end()
        return found.with_guards(self.guards)

    def _rule(self, value: Value) -> Callable[[Value], Value | None] | None:
        """Begin an access: comparisons that are emitted until the next call belong to its check."""
        self._end()
        self.current = value if value.op in _ACCESSES else None
        return super()._rule(value)

    def _end(self) -> None:
        value, comparisons = self.current, tuple(self.noting.comparisons)
        self.noting.comparisons.clear()
        if value is None:
            return
        access: Access = row.ATOMIC.of(value) if value.op is ops.ATOMIC else row.ACCESS.of(value)
        checks = self._checks_write(access) if value.op in _WRITES else self._checks_read(access)
        left = checks and value in self.left
        name = value.op.name.removesuffix("_typed")
        self.guards.append(Guard(value.where, access.resource, name, checks, left, comparisons))
