"""The builder that lowering uses; it limits the number of operations."""

from __future__ import annotations

import sys

from translate.errors import NOWHERE, Where
from translate.ir.builder import Builder
from translate.ir.ops import Op
from translate.ir.size import PLAIN, cost, too_large
from translate.ir.types import Type
from translate.ir.values import Block, Value


class LimitedBuilder(Builder):
    """Emits at most `most` operations (None: any number), as `ir.size.cost` counts them.

    The error for more names the instruction that became the most operations.
    """

    def __init__(self, block: Block, most: int | None):
        super().__init__(block)
        self._most = sys.maxsize if most is None else most
        self._made = 0
        self._begun = 0  # the number of operations before the current instruction
        self._largest = (0, NOWHERE)

    def begin(self, where: Where) -> None:
        """Begin the next instruction of the shader, at `where`."""
        if self._made - self._begun > self._largest[0]:
            self._largest = self._largest_yet()
        self.where, self._begun = where, self._made

    def emit(self, op: Op, type_: Type, args: list[Value], data: object = None) -> Value:
        """Append one operation. Raises UnsupportedError if that is one too many."""
        value = Value(op, type_, args, data, self.where)
        plain = PLAIN.get(op)
        self._made += cost(value) if plain is None else plain
        if self._made > self._most:
            became = f"{self._made} operations or more"
            raise too_large(became, "max_instructions", self._most, *self._largest_yet())
        self.block.values.append(value)
        return value

    def _largest_yet(self) -> tuple[int, Where]:
        current = self._made - self._begun
        return (current, self.where) if current > self._largest[0] else self._largest
