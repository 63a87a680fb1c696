"""Loop-invariant code motion: values that are equal in each round are computed before the loop.

These are pure values, and loads from memory that the shader cannot write, with operands from
outside of the loop. Code in an `if` or a `switch` within the loop stays, because it may never run.
So does a load without a guard after an exit of the loop, because the exit may be the check of its
index. lavapipe does not move such code itself, and gathers a constant in 28 instructions.
"""

from __future__ import annotations

from translate.ir import ops, row
from translate.ir.memory import Addressing
from translate.ir.ops import Effect, Op
from translate.ir.values import Block, Module, Value, has_loop
from translate.passes.simplify import reads_constants

_PURE = Effect.PURE
_MOST_DWORDS = 64  # kept in registers during loops; with 100, AMD's compiler spills scalars
_FREE = (ops.BITCAST, ops.EXTRACT)  # need no register of their own
# Terminators that continue after the construct
_ENDS = {
    ops.IF: {ops.YIELD},
    ops.SWITCH: {ops.BREAK, ops.FALL_THROUGH},
    ops.LOOP: {ops.BREAK, ops.CONTINUE},
}


def hoist_invariants(module: Module, guarded: bool = True) -> None:
    """Move invariant values in front of the outermost loop that they do not depend on.

    `guarded`: loads are in bounds at any place, or the device makes them harmless.
    """
    if not any(map(has_loop, module.bodies())):
        return
    hoister = _Hoister(guarded)
    for body in module.bodies():
        hoister.block(body, depth=0, least=0, least_of_loads=0)


class _Hoister:
    """`depths` has the number of loops around each value in a loop. `fronts` has, for each open
    loop, the values to put before it."""

    def __init__(self, guarded: bool) -> None:
        self.guarded = guarded
        self.depths: dict[Value, int] = {}
        self.fronts: list[list[Value]] = []
        self.left = _MOST_DWORDS  # dwords that the loops around may still keep

    def block(self, block: Block, depth: int, least: int, least_of_loads: int) -> set[Op]:
        """Rewrite a block that is in `depth` loops; values stay in the outer `least` of them.

        A load that may be out of bounds stays in the outer `least_of_loads`, because the shader may
        skip it there. Returns the terminators by which threads leave the block.
        """
        values, block.values = block.values, []
        left_by = {values[-1].op}
        for value in values:
            home = self._home(value, depth, least, least_of_loads) if depth else 0
            if home < depth:
                self.fronts[home].append(value)
                self.left -= _dwords(value)
            elif value.blocks:
                passing = self._construct(block, value, depth, least, least_of_loads)
                least_of_loads = depth if passing else least_of_loads
                left_by |= passing
            else:
                block.values.append(value)
            if home:
                for one in (value, *value.results):
                    self.depths[one] = home
        return left_by

    def _construct(
        self, block: Block, value: Value, depth: int, least: int, least_of_loads: int
    ) -> set[Op]:
        """Append a construct; returns the terminators in it that skip the code after it."""
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
        """Whether a value may be computed where the shader would not compute it.

        A load may if it is guarded, or has a constant index in bounds; pure values always may.
        """
        if self.guarded or value.op.effect is _PURE:
            return True
        resource = row.ACCESS.of(value).resource
        if resource.is_array or resource.kind.addressing is not Addressing.ELEMENTS:
            return False
        element = value.args[0]
        return element.op is ops.CONST and row.BITS.of(element) < resource.length

    def _home(self, value: Value, depth: int, least: int, least_of_loads: int) -> int:
        """The number of loops around the place that a value moves to; `depth` if it stays."""
        is_constant = value.op in ops.LOADS and reads_constants(value)
        if least == depth or not (is_constant or value.op.effect is _PURE):
            return depth
        home, depths = least, self.depths
        for arg in value.args:
            if arg in depths and depths[arg] > home:
                home = depths[arg]
        if home == depth:
            return depth
        if _dwords(value) > self.left:
            return depth
        return home if self._is_harmless(value) else max(home, least_of_loads)

    def _loop(
        self, loop: Value, depth: int, least: int, least_of_loads: int
    ) -> tuple[list[Value], set[Op]]:
        """Rewrite a loop's block; returns the values to put before the loop, and the terminators
        by which threads leave the block."""
        front: list[Value] = []
        (body,) = loop.blocks
        self.depths.update(dict.fromkeys(body.params, depth + 1))
        self.fronts.append(front)
        left_by = self.block(body, depth + 1, least, least_of_loads)
        self.fronts.pop()
        if not self.fronts:
            self.left = _MOST_DWORDS
        return front, left_by


def _dwords(value: Value) -> int:
    """The registers that a value takes; its operands are assumed to stay in registers too."""
    if value.op in _FREE:
        return 0
    return max(1, value.type.bits // 32)
