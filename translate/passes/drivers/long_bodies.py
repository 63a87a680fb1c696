"""Bodies with many early returns, or a main body with many loops, run in a loop of one round.

Returns nest the code after them like other exits (`deep_conditions`); in a loop a return is a
break, which nests no code. This costs little, and so it is done for every device.

lavapipe of Mesa 22.3 counts the rounds of all loops in one variable. LLVM follows it from loop to
loop, which takes 1.5 s for 20 loops in a row, 14 s for 40, and 0.3 s for 40 that are in a loop
themselves.

The loop's condition always holds, but no compiler knows that: fewer than 2^32 groups are
dispatched, so that the number 2^32 - 1 never occurs.
"""

from __future__ import annotations

from translate.ir import ops, row
from translate.ir.builder import Builder
from translate.ir.types import VOID
from translate.ir.values import Block, Module, Value
from translate.passes.drivers.loop_exits import depth_of_returns, end_only_round

_MOST_NESTED = 64  # D3D's limit; the guards and the loop itself add a few
_MOST_LOOPS = 24
_GROUP = ("vThreadGroupID", 0)


def enclose_bodies(module: Module) -> None:
    """Put bodies that drivers would nest too deeply, or compile too slowly, into a loop."""
    loops = _Loops(module)
    for body in module.bodies():
        many = body is module.body and loops.of(body) > _MOST_LOOPS
        if many or depth_of_returns(body) > _MOST_NESTED:
            _enclose(body)


class _Loops:
    """Counts loops, except those inside of other loops."""

    def __init__(self, module: Module):
        self._functions = module.functions
        self._known: dict[str, int] = {}

    def of(self, block: Block) -> int:
        """The number of loops in a block and in the subroutines that it calls."""
        count = 0
        for value in block.values:
            if value.op is ops.LOOP:
                count += 1
            elif value.blocks:
                count += sum(map(self.of, value.blocks))
            elif value.op is ops.CALL:
                count += self._of_function(row.SUBROUTINE.of(value))
        return count

    def _of_function(self, name: str) -> int:
        if name not in self._known:
            self._known[name] = self.of(self._functions[name])
        return self._known[name]


def _enclose(body: Block) -> None:
    """Put a body into a loop of one round; its thread inputs stay before, its `return` after it."""
    first = next(i for i, value in enumerate(body.values) if value.op is not ops.INPUT)
    inputs, (*rest, end) = body.values[:first], body.values[first:]
    body.values, inner = inputs, Block()
    b = Builder(body)
    b.where = end.where
    known = [value for value in inputs if row.INPUT.of(value) == _GROUP]
    group = known[0] if known else b.input(*_GROUP)
    b.emit(ops.LOOP, VOID, []).blocks = (inner,)
    body.values.append(end)
    inner.values = rest
    b.block = inner
    end_only_round(b, group, Value(ops.BREAK, VOID, [], None, b.where))
