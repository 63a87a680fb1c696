"""The depth of conditions for a driver without jumps, which nests the code after an exit."""

from __future__ import annotations

from collections.abc import Mapping

from translate.ir import ops, row
from translate.ir.ops import Op
from translate.ir.values import Block

Exits = frozenset[Op]
RETURNS: Exits = frozenset({ops.RETURN})
_EXITS: Exits = frozenset({ops.RETURN, ops.BREAK})
# Exits that nest the code after them in the body of a loop or switch
_INSIDE: Mapping[Op, Exits] = {ops.LOOP: frozenset(), ops.SWITCH: _EXITS}


def depth_of_returns(body: Block) -> int:
    """The depth of conditions in a body if only returns nest the code after them, also in loops."""
    return _Depths({}, {}).of(body)


def depth_of_exits(body: Block, functions: Mapping[str, Block]) -> int:
    """The depth of conditions in a body and the subroutines that it calls.

    Returns nest the code after them, but not directly in a loop. In a switch, breaks do too.
    """
    return _Depths(_INSIDE, functions).of(body)


class _Depths:
    """Depths of conditions in bodies.

    `inside` has the exits that nest the code after them in a loop or switch; without an entry they
    are the same as around it.
    """

    def __init__(self, inside: Mapping[Op, Exits], functions: Mapping[str, Block]):
        self._inside = inside
        self._functions = functions
        self._known: dict[str, int] = {}

    def of(self, body: Block) -> int:
        return self._of(body, RETURNS)[0]

    def _of(self, block: Block, nesting: Exits) -> tuple[int, Exits]:
        """The depth of a block, and the exits in it that leave it.

        Exits in `nesting` nest the code after them.
        """
        followed = deepest = 0
        left = {block.values[-1].op} & _EXITS
        for value in block.values:
            if value.op is ops.CALL and self._functions:
                deepest = max(deepest, followed + self._of_function(row.SUBROUTINE.of(value)))
            if value.blocks:
                inside = self._inside.get(value.op, nesting)
                inner = [self._of(one, inside) for one in value.blocks]
                deepest = max(deepest, followed + 1 + max(depth for depth, _ in inner))
                exits = Exits().union(*(ways for _, ways in inner))
                exits = exits if value.op is ops.IF else exits & RETURNS
                followed += bool(exits & nesting)
                left |= exits
        return max(deepest, followed), Exits(left)

    def _of_function(self, name: str) -> int:
        if name not in self._known:
            self._known[name] = self.of(self._functions[name])
        return self._known[name]
