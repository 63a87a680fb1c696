"""Loop-invariant code motion: what a loop computes alike in each iteration is computed before it.

That is pure values and loads from memory that the shader cannot write, of operands from outside of
the loop. What stands in an `if` or a `switch` within the loop stays there: it may never run.
So does a load whose address no guard has put in bounds, if it stands after a way out of the loop,
which may be what keeps its index inside.
Lavapipe leaves such code where it stands, and gathers a constant in 28 instructions.
"""

from __future__ import annotations

from translate.ir import ops, row
from translate.ir.memory import Addressing
from translate.ir.ops import Effect, Op
from translate.ir.values import Block, Module, Value
from translate.passes.simplify import reads_constants

_MOST_DWORDS = 64  # that wait in registers: with 100, AMD's compiler spills scalars
_FREE = (ops.BITCAST, ops.EXTRACT)  # other names of registers
# Terminators in a construct after which comes what follows it
_ENDS = {
    ops.IF: {ops.YIELD},
    ops.SWITCH: {ops.BREAK, ops.FALL_THROUGH},
    ops.LOOP: {ops.BREAK, ops.CONTINUE},
}


def hoist_invariants(module: Module, guarded: bool = True) -> None:
    """Move invariant values in front of the outermost loop that they do not depend on.

    `guarded`: loads are in bounds wherever they stand, or the device makes them harmless.
    """
    if not any(value.op is ops.LOOP for value in module.walk()):
        return
    hoister = _Hoister(guarded)
    for body in module.bodies():
        hoister.block(body, depth=0, least=0, least_of_loads=0)


class _Hoister:
    """`depths` has how many loops are around a value, if any; `fronts` what comes before them."""

    def __init__(self, guarded: bool) -> None:
        self.guarded = guarded
        self.depths: dict[Value, int] = {}
        self.fronts: list[list[Value]] = []
        self.left = _MOST_DWORDS  # for the loops around

    def block(self, block: Block, depth: int, least: int, least_of_loads: int) -> set[Op]:
        """Rewrite a block in `depth` loops; nothing is moved out of the first `least` of them.

        A load that may be out of bounds leaves none of the first `least_of_loads`: it may be passed
        by there. Gives the terminators by which the block is left.
        """
        values, block.values = block.values, []
        left_by = {values[-1].op}
        for value in values:
            floor = least if self._is_harmless(value) else max(least, least_of_loads)
            home = self._home(value, depth, floor) if depth > floor else depth
            if home < depth:
                self.fronts[home].append(value)
                self.left -= _dwords(value)
            elif value.blocks:
                passing = self._construct(block, value, depth, least, least_of_loads)
                least_of_loads = depth if passing else least_of_loads
                left_by |= passing
            else:
                block.values.append(value)
            self._note(value, home)
            for result in value.results:
                self._note(result, home)
        return left_by

    def _construct(
        self, block: Block, value: Value, depth: int, least: int, least_of_loads: int
    ) -> set[Op]:
        """Append a construct; the terminators in it that pass by what follows it."""
        if value.op is ops.LOOP:
            front, left_by = self._loop(value, depth, least, least_of_loads)
            block.values += front
        else:
            left_by = set[Op]()
            for inner in value.blocks:
                left_by |= self.block(inner, depth, least=depth, least_of_loads=depth)
        block.values.append(value)
        return left_by - _ENDS[value.op]

    def _is_harmless(self, value: Value) -> bool:
        """Whether a value may be computed where the shader does not, as far as memory goes."""
        if self.guarded or value.op.effect is Effect.PURE or not reads_constants(value):
            return True
        resource = row.ACCESS.of(value).resource
        if resource.is_array or resource.kind.addressing is not Addressing.ELEMENTS:
            return False
        element = value.args[0]
        return element.op is ops.CONST and row.BITS.of(element) < resource.length

    def _home(self, value: Value, depth: int, least: int) -> int:
        """How many of the loops around a value it has to stay in."""
        if not (value.op.effect is Effect.PURE or reads_constants(value)):
            return depth
        if _dwords(value) > self.left:
            return depth
        return max(least, max((self.depths.get(arg, 0) for arg in value.args), default=0))

    def _loop(
        self, loop: Value, depth: int, least: int, least_of_loads: int
    ) -> tuple[list[Value], set[Op]]:
        """Rewrite a loop's block; what comes before the loop, and how the block is left."""
        front: list[Value] = []
        (body,) = loop.blocks
        for param in body.params:
            self._note(param, depth + 1)
        self.fronts.append(front)
        left_by = self.block(body, depth + 1, least, least_of_loads)
        self.fronts.pop()
        if not self.fronts:
            self.left = _MOST_DWORDS
        return front, left_by

    def _note(self, value: Value, depth: int) -> None:
        if depth:
            self.depths[value] = depth


def _dwords(value: Value) -> int:
    """The registers that a value takes, as if its operands were needed as well."""
    if value.op in _FREE:
        return 0
    return max(1, value.type.bits // 32)
