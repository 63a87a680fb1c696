"""Liveness: the registers that are read again after each construct, and at the head of each loop.

Only these need to be merged. A set is an integer with one bit for each register that the body
names, however many are declared. A first walk, from the inside out, describes the set before a
piece of code as a function of the sets at its exits. A loop needs no iteration: registers that its
`continue` passes to the head are live there already. A second walk, from the outside in, computes
the sets.
"""

from __future__ import annotations

from typing import NamedTuple

from translate.ir import ops, row
from translate.ir.values import Block, Value


class _Flow(NamedTuple):
    """The set of live registers before a piece of code, as a function of the sets at its exits.

    `read` are the registers that it reads before it writes them. The other fields belong to its
    exits: the `end`, `leave` by a break, `again` by a continue, `fall` into the next case. Each has
    the registers that some way to this exit does not write, so that they are live before the code
    if they are live at the exit (`_Ways.before`).
    """

    read: int = 0
    end: int = 0
    leave: int = 0
    again: int = 0
    fall: int = 0

    def then(self, after: _Flow) -> _Flow:
        """The flow of this code followed by that of `after`."""
        return _Flow(
            self.read | self.end & after.read,
            self.end & after.end,
            self.leave | self.end & after.leave,
            self.again | self.end & after.again,
            self.fall | self.end & after.fall,
        )

    def either(self, other: _Flow) -> _Flow:
        return _Flow(
            self.read | other.read,
            self.end | other.end,
            self.leave | other.leave,
            self.again | other.again,
            self.fall | other.fall,
        )


class _Ways(NamedTuple):
    """The sets of live registers at the exits of a block, which are named as in `_Flow`."""

    end: int = 0
    leave: int = 0
    again: int = 0
    fall: int = 0

    def before(self, flow: _Flow) -> int:
        return (
            flow.read
            | flow.end & self.end
            | flow.leave & self.leave
            | flow.again & self.again
            | flow.fall & self.fall
        )


_ALL = -1
_TERMINATORS = {
    ops.YIELD: _Flow(end=_ALL),
    ops.BREAK: _Flow(leave=_ALL),
    ops.CONTINUE: _Flow(again=_ALL),
    ops.FALL_THROUGH: _Flow(fall=_ALL),
    ops.RETURN: _Flow(),
}
_Piece = tuple[Value, _Flow]  # a construct, and the flow from there to the next one


class Liveness:
    """The live registers `after` each construct, and at the `head` of each loop's body or case.

    `written` has the registers that each construct writes. No register is live after the body.
    """

    def __init__(self, body: Block):
        self.after: dict[Value, int] = {}
        self.head: dict[Block, int] = {}
        self.written: dict[Value, int] = {}
        self._writes: dict[Block, int] = {}
        self._flows: dict[Block, _Flow] = {}
        self._pieces: dict[Block, list[_Piece]] = {}
        self._registers: list[int] = []  # by the numbers of their bits
        self._bits: dict[int, int] = {}
        self._describe(body)
        work = [(body, _Ways())]
        while work:
            block, ways = work.pop()
            work += self._assign(block, ways)

    def registers_of(self, live: int) -> list[int]:
        """The registers of a set, sorted."""
        found: list[int] = []
        while live:
            lowest = live & -live
            found.append(self._registers[lowest.bit_length() - 1])
            live ^= lowest
        return sorted(found)

    def _bit(self, register: int) -> int:
        bit = self._bits.get(register)
        if bit is None:
            bit = self._bits[register] = 1 << len(self._registers)
            self._registers.append(register)
        return bit

    def is_in(self, register: int, live: int) -> bool:
        """Whether a set has a register."""
        return live & self._bits[register] != 0

    def _describe(self, block: Block) -> _Flow:
        """The flow of a block, computed from its last value back to the first."""
        flow, read, written, writes = _Flow(end=_ALL), 0, 0, 0
        pieces: list[_Piece] = []
        for value in reversed(block.values):
            op = value.op
            if op is ops.READ_REGISTER:
                read |= self._bit(row.REGISTER.of(value))
            elif op is ops.WRITE_REGISTER:
                bit = self._bit(row.REGISTER.of(value))
                written |= bit
                read &= ~bit
            elif value.blocks:
                flow = _Flow(read, ~written).then(flow)
                pieces.append((value, flow))
                writes |= written
                flow, read, written = self._construct(value, flow), 0, 0
                writes |= self.written[value]
            elif op in _TERMINATORS:  # code after it is unreachable
                flow, read, written, writes = _TERMINATORS[op], 0, 0, 0
                pieces.clear()
        self._pieces[block] = pieces
        self._writes[block] = writes | written
        found = self._flows[block] = _Flow(read, ~written).then(flow)
        return found

    def _construct(self, value: Value, after: _Flow) -> _Flow:
        flows = [self._describe(inner) for inner in value.blocks]
        self.written[value] = 0
        for inner in value.blocks:
            self.written[value] |= self._writes[inner]
        if value.op is ops.IF:
            return flows[0].either(flows[1]).then(after)
        if value.op is ops.LOOP:
            return _Flow(flows[0].read, flows[0].leave).then(after)
        all_cases = following = _Flow()
        for flow in reversed(flows):
            following = _through_case(flow, following, after)
            all_cases = all_cases.either(following)
        return all_cases

    def _assign(self, block: Block, ways: _Ways) -> list[tuple[Block, _Ways]]:
        """Compute the sets of a block's constructs; returns their blocks with the sets at exits."""
        inner: list[tuple[Block, _Ways]] = []
        for value, flow in self._pieces[block]:
            live = self.after[value] = ways.before(flow)
            if value.op is ops.IF:
                within = _Ways(live, ways.leave, ways.again, ways.fall)
                inner += [(child, within) for child in value.blocks]
            elif value.op is ops.LOOP:
                body = self._flows[value.blocks[0]]
                head = self.head[value.blocks[0]] = body.read | body.leave & live
                inner.append((value.blocks[0], _Ways(leave=live, again=head)))
            else:
                following = 0
                for child in reversed(value.blocks):
                    within = _Ways(leave=live, again=ways.again, fall=following)
                    inner.append((child, within))
                    following = self.head[child] = within.before(self._flows[child])
        return inner


def _through_case(flow: _Flow, following: _Flow, after: _Flow) -> _Flow:
    """The flow of a switch that enters this case.

    `flow` is the case's own. A break goes on with `after`, the code after the switch; a fall
    through with `following`, the flow of a switch that enters the next case.
    """
    left = _Flow(end=flow.leave).then(after)
    fell = _Flow(end=flow.fall).then(following)
    return _Flow(flow.read, 0, 0, flow.again, 0).either(left).either(fell)
