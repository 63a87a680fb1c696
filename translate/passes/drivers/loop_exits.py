"""The exits of a loop, which can be moved to its head; the depth of conditions without jumps.

A thread that leaves notes this in a value that the loop carries, begins another round, and leaves
at its start. The values that are used after the loop are carried as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from translate.ir import ops, row
from translate.ir.builder import Builder
from translate.ir.ops import Op
from translate.ir.types import U32, VOID, Type
from translate.ir.values import Block, Value
from translate.passes.guards.messages import THREAD_GROUP, Inputs

Exit = tuple[Block, Value]  # a terminator, and the block that it ends
_NO_GROUP = 0xFFFFFFFF  # fewer groups are dispatched, which no compiler knows
Exits = frozenset[Op]
RETURNS: Exits = frozenset({ops.RETURN})
_EXITS: Exits = frozenset({ops.RETURN, ops.BREAK})
# Exits that nest the code after them in the body of a loop or switch
_INSIDE: Mapping[Op, Exits] = {ops.LOOP: frozenset(), ops.SWITCH: _EXITS}


def exits_of(block: Block, in_switch: bool = False) -> Iterator[Exit]:
    """The terminators in a loop's block that leave or continue the loop.

    Those in inner loops are left out: a return in an inner loop has been moved after that loop.
    """
    for value in block.values:
        if value.op is not ops.LOOP:
            for inner in value.blocks:
                yield from exits_of(inner, in_switch or value.op is ops.SWITCH)
    end = block.values[-1]
    if end.op in (ops.CONTINUE, ops.RETURN) or (end.op is ops.BREAK and not in_switch):
        yield block, end


class Codes:
    """Numbers for threads that stay in a loop (0), leave it, or return in it.

    `opaque` numbers are computed from the thread group's, so that compilers do not know them.
    """

    def __init__(self, b: Builder, *, opaque: bool):
        self._inputs = Inputs()
        self._front = b.block
        self.staying, self.left, self.returned = b.u32(0), b.u32(1), b.u32(2)
        if opaque:
            group = self._inputs.read(THREAD_GROUP, 0)
            self.left = b.iadd(b.iand(group, b.u32(1)), b.u32(1))
            self.returned = b.iadd(self.left, b.u32(2))
            self.staying = b.select(b.ieq(group, b.u32(_NO_GROUP)), self.left, b.u32(0))

    def put_into(self, body: Block) -> None:
        """Compute the numbers at the start of a body."""
        first = next(i for i, value in enumerate(body.values) if value.op is not ops.INPUT)
        body.values[first:first] = self._front.values
        self._inputs.put_into(body)


class MovedExits:
    """Moves the exits of a loop to its head, with `returns` also those by `return`.

    `code` is a result of the loop: how the thread left it, as one of the `codes`.
    """

    def __init__(self, b: Builder, codes: Codes, loop: Value, exits: list[Exit], *, returns: bool):
        self.b = b
        self.codes = codes
        self.loop = loop
        self.block = loop.blocks[0]
        self.breaks = [end for _, end in exits if end.op is ops.BREAK]
        carried = [self._carried(position) for position in range(len(loop.results))]
        code = self._param(U32)
        for block, end in exits:
            if end.op is not ops.RETURN or returns:
                following = self._following(end, carried)
                block.values[-1] = Value(ops.CONTINUE, VOID, following, None, end.where)
        self.code = Value(ops.RESULT, U32, [], loop, loop.where)
        loop.results += (self.code,)
        self._leave_at_head(code, [*carried, code])

    def _param(self, type_: Type) -> Value:
        """Another value that the loop carries, initially 0."""
        param = Value(ops.PARAM, type_, [], self.loop, self.loop.where)
        self.block.params.append(param)
        self.loop.args = [*self.loop.args, self.b.constant(type_, 0)]
        return param

    def _carried(self, position: int) -> Value:
        """The parameter for a result: a new one, unless all exits pass the same parameter."""
        given = {end.args[position] for end in self.breaks}
        if len(given) == 1 and not given.isdisjoint(self.block.params):
            return given.pop()
        return self._param(self.loop.results[position].type)

    def _following(self, end: Value, carried: list[Value]) -> list[Value]:
        """The parameters for the next round in place of the exit `end`; the last is the code."""
        params = self.block.params[:-1]
        if end.op is ops.CONTINUE:
            return [*end.args, *params[len(end.args) :], self.codes.staying]
        if end.op is ops.RETURN:
            return [*params, self.codes.returned]
        given = dict(zip(carried, end.args, strict=True))
        return [*(given.get(param, param) for param in params), self.codes.left]

    def _leave_at_head(self, code: Value, results: list[Value]) -> None:
        b, outer = self.b, self.b.block
        head = b.block = Block()
        with b.selection(b.nonzero(code)):
            end_block(b, ops.BREAK, results)
        self.block.values[:0] = head.values
        b.block = outer


def end_only_round(b: Builder, group: Value, end: Value) -> None:
    """End a loop's block by `end`, which every thread takes, but no compiler knows that.

    Its condition compares `group`, the number of the thread's group, with one that never occurs.
    """
    with b.selection(b.ine(group, b.u32(_NO_GROUP))):
        b.block.values.append(end)
        b.block = Block()
    b.emit(ops.CONTINUE, VOID, [])


def end_block(b: Builder, op: Op, arguments: list[Value]) -> None:
    """Build a terminator; code after it is never reached."""
    b.emit(op, VOID, arguments)
    b.block = Block()


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
