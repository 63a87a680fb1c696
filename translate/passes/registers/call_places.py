"""Numbers for the calls and barriers at which `resume_calls` leaves a body, to resume it later."""

from __future__ import annotations

from collections.abc import Mapping

from translate.errors import UnsupportedError
from translate.ir import ops, row
from translate.ir.values import Block, Value
from translate.passes.registers.call_sizes import meets

_LARGEST = 0xFFFFFFFF


class CallPlaces:
    """Numbers the places in `bodies`: their starts, calls of each other, and barriers for threads.

    A place's low bits are the body's number; the bits above are 1 for the body's start, then 2, 3
    and so on for its calls and barriers. `starts` has the starts by the bodies' names, `of` the
    places of calls and barriers. `spans` has the first place in each block, and the one after the
    last.
    """

    def __init__(self, bodies: Mapping[str, Block]):
        self.starts: dict[str, int] = {}
        self.of: dict[Value, int] = {}
        self.spans: dict[Block, tuple[int, int]] = {}
        self._bodies = bodies
        self._bits = (len(bodies) - 1).bit_length()
        for number, (name, body) in enumerate(bodies.items()):
            self.starts[name] = 1 << self._bits | number
            self._number(body, (2 << self._bits) | number)

    @property
    def body_mask(self) -> int:
        """The bits of a place that are the body's number."""
        return (1 << self._bits) - 1

    def are_in(self, block: Block) -> bool:
        """Whether a block or a block in it contains a place."""
        first, end = self.spans[block]
        return first != end

    def are_at(self, value: Value) -> bool:
        """Whether an operation is a place, or has places in its blocks."""
        return value in self.of or any(self.are_in(inner) for inner in value.blocks)

    def _number(self, block: Block, place: int) -> int:
        """Number the calls and barriers of a block from `place` on; returns the next place."""
        first = place
        for value in block.values:
            if place > _LARGEST:
                raise UnsupportedError("the subroutines have too many calls", value.where)
            if self._returns(value):
                self.of[value] = place
                place += 1 << self._bits
            for inner in value.blocks:
                place = self._number(inner, place)
        self.spans[block] = first, place
        return place

    def _returns(self, value: Value) -> bool:
        """Whether a value is a place: a call of one of the bodies, or a barrier for threads."""
        if value.op is ops.CALL:
            return row.SUBROUTINE.of(value) in self._bodies
        return meets(value)
