"""Loop-invariant code motion: what a loop computes alike in each iteration is computed before it.

That is pure values and loads from memory that the shader cannot write, of operands from outside of
the loop. What stands in an `if` or a `switch` within the loop stays there: it may never run.
Lavapipe leaves such code where it stands, and gathers a constant in 28 instructions.
"""

from __future__ import annotations

from translate.ir import ops
from translate.ir.ops import Effect
from translate.ir.values import Block, Module, Value
from translate.passes.simplify import reads_constants

_MOST_DWORDS = 64  # that wait in registers: with 100, AMD's compiler spills scalars
_FREE = (ops.BITCAST, ops.EXTRACT)  # other names of registers


def hoist_invariants(module: Module) -> None:
    """Move invariant values in front of the outermost loop that they do not depend on."""
    if not any(value.op is ops.LOOP for value in module.walk()):
        return
    hoister = _Hoister()
    for body in module.bodies():
        hoister.block(body, depth=0, least=0)


class _Hoister:
    """`depths` has how many loops are around a value, if any; `fronts` what comes before them."""

    def __init__(self) -> None:
        self.depths: dict[Value, int] = {}
        self.fronts: list[list[Value]] = []
        self.left = _MOST_DWORDS  # for the loops around

    def block(self, block: Block, depth: int, least: int) -> None:
        """Rewrite a block in `depth` loops; nothing is moved out of the first `least` of them."""
        values, block.values = block.values, []
        for value in values:
            home = self._home(value, depth, least) if depth > least else depth
            if home < depth:
                self.fronts[home].append(value)
                self.left -= _dwords(value)
            elif value.op is ops.LOOP:
                block.values += self._loop(value, depth, least)
                block.values.append(value)
            else:
                for inner in value.blocks:
                    self.block(inner, depth, least=depth)
                block.values.append(value)
            self._note(value, home)
            for result in value.results:
                self._note(result, home)

    def _home(self, value: Value, depth: int, least: int) -> int:
        """How many of the loops around a value it has to stay in."""
        if not (value.op.effect is Effect.PURE or reads_constants(value)):
            return depth
        if _dwords(value) > self.left:
            return depth
        return max(least, max((self.depths.get(arg, 0) for arg in value.args), default=0))

    def _loop(self, loop: Value, depth: int, least: int) -> list[Value]:
        """Rewrite a loop's block; what comes before the loop."""
        front: list[Value] = []
        (body,) = loop.blocks
        for param in body.params:
            self._note(param, depth + 1)
        self.fronts.append(front)
        self.block(body, depth + 1, least)
        self.fronts.pop()
        if not self.fronts:
            self.left = _MOST_DWORDS
        return front

    def _note(self, value: Value, depth: int) -> None:
        if depth:
            self.depths[value] = depth


def _dwords(value: Value) -> int:
    """The registers that a value takes, as if its operands were needed as well."""
    if value.op in _FREE:
        return 0
    return max(1, value.type.bits // 32)
