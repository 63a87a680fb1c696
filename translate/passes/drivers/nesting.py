"""Code that drivers would nest too deeply runs in a loop of one round.

Returns and exits from a case of a switch nest the code after them; in a loop they are breaks, which
nest no code.
"""

from __future__ import annotations

from collections.abc import Set

from translate.errors import TranslateError
from translate.ir import ops, row
from translate.ir.builder import Builder
from translate.ir.ops import Op
from translate.ir.types import U32, VOID
from translate.ir.values import Block, Module, Value
from translate.passes.drivers.loop_exits import (
    depth_of_exits,
    depth_of_returns,
    end_block,
    end_only_round,
    exits_of,
)
from translate.passes.guards.messages import THREAD_GROUP, Inputs
from translate.passes.rewrite import Findings

_MOST_NESTED = 64  # D3D's limit; the guards and the loop itself add a few
_MOST_LOOPS = 24
_GROUP = ("vThreadGroupID", 0)


LONG_BODIES = "long_bodies"
"""Workaround for `long_bodies`: a body with many loops in a row runs in a loop of one round.

lavapipe of Mesa 22.3 counts the rounds of all loops in one variable. LLVM follows it from loop to
loop, which takes 1.5 s for 20 loops in a row, 14 s for 40, and 0.3 s for 40 that are in a loop
themselves. GPUs' compilers estimate the cycles of code in a loop as if it ran many times.

Probe: none, since it would take seconds.
Documented in docs/drivers.md, "many loops in a row are compiled slowly".
"""


def enclose_bodies(module: Module, faults: Set[str]) -> None:
    """Put bodies that drivers would nest too deeply, or compile too slowly, into a loop.

    The loop's condition always holds, but no compiler knows that: fewer than 2^32 groups are
    dispatched, so that the number 2^32 - 1 never occurs.
    """
    loops = _Loops(module)
    for body in module.bodies():
        many = LONG_BODIES in faults and body is module.body and loops.of(body) > _MOST_LOOPS
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


DEEP_CONDITIONS = "deep_conditions"

_DEEPEST = 76  # of 80; a few are the driver's
_FEW = 4  # a case that is left in at most this many places needs no loop


def enclose_cases(module: Module, faults: Set[str]) -> Findings:
    """Workaround for `deep_conditions`: a case of a switch left in many places runs in a loop.

    Drivers that run threads in the lanes of a vector have no jumps. After an `if` that leaves the
    case of a switch, they nest the rest of the case in the other branch. lavapipe of Mesa 22.3
    ignores conditions within more than 80 others, and that of Mesa 25.0 crashes. D3D allows 64
    levels; only exits and calls go beyond.

    For a device without the fault the code stays, and the findings say that the fault would harm
    it (`exposed`). Raises TranslateError if loops are not enough.

    Probe: none, since the fault may end the process.
    Documented in docs/drivers.md, "conditions that are nested more than 80 deep".
    """
    if depth_of_exits(module.body, module.functions) <= _DEEPEST:
        return Findings()
    if DEEP_CONDITIONS not in faults:
        return Findings(exposed={*module.exposed, DEEP_CONDITIONS})
    for body in module.bodies():
        _enclose_in(body)
    depth = depth_of_exits(module.body, module.functions)
    if depth > _DEEPEST:
        raise TranslateError(
            f"conditions nest {depth} levels deep, with those around calls and after exits; the"
            f" device's driver may lose those below {_DEEPEST} ({DEEP_CONDITIONS})"
        )
    return Findings()


def _enclose_in(body: Block) -> None:
    inputs = Inputs()
    group = inputs.read(THREAD_GROUP, 0)
    if _enclose_cases(body, group, None):
        inputs.put_into(body)


def _enclose_cases(block: Block, group: Value, loop: Value | None) -> bool:
    """Enclose the cases of a block that are left in many places, the inner ones first.

    `group` is the thread group's number, `loop` the innermost loop around the block. Returns
    whether it has enclosed a case.
    """
    enclosed = False
    for value in block.values:
        around = value if value.op is ops.LOOP else loop
        for inner in value.blocks:
            enclosed |= _enclose_cases(inner, group, around)
        if value.op is ops.SWITCH:
            for number, case in enumerate(value.blocks):
                breaks = sum(end.op is ops.BREAK for _, end in exits_of(case))
                if breaks > _FEW and not _continues_in_switch(case):
                    _Case(value, number, loop).enclose(group)
                    enclosed = True
    return enclosed


def _continues_in_switch(block: Block, in_switch: bool = False) -> bool:
    """Whether a switch within a case continues a loop around both."""
    if in_switch and block.values[-1].op is ops.CONTINUE:
        return True
    return any(
        _continues_in_switch(inner, in_switch or value.op is ops.SWITCH)
        for value in block.values
        if value.op is not ops.LOOP
        for inner in value.blocks
    )


class _Case:
    """A case of a switch, to enclose in a loop.

    The loop's results are the operands of each kind of exit from the case, and the kind's number.
    """

    def __init__(self, switch: Value, number: int, loop: Value | None):
        self.block = switch.blocks[number]
        following = switch.blocks[number + 1 : number + 2]
        taken = {
            ops.BREAK: switch.results,
            ops.CONTINUE: loop.blocks[0].params if loop else (),
            ops.FALL_THROUGH: following[0].params if following else (),
        }
        self.types = {op: [value.type for value in values] for op, values in taken.items()}
        self.where = switch.where

    def enclose(self, group: Value) -> None:
        inner = Block()
        inner.values, self.block.values = self.block.values, []
        b = Builder(self.block)
        b.where = self.where
        loop = Value(ops.LOOP, VOID, [], None, self.where)
        loop.blocks = (inner,)
        ways = self._hand_on(b, inner)
        b.block, end = inner, inner.values.pop()
        end_only_round(b, group, end)
        self._go_on(b, loop, ways)

    def _hand_on(self, b: Builder, inner: Block) -> list[Op]:
        """Turn each exit into a break that passes its kind's number; returns the kinds in order."""
        exits = [(block, end) for block, end in exits_of(inner) if end.op is not ops.RETURN]
        if inner.values[-1].op is ops.FALL_THROUGH:
            exits.insert(0, (inner, inner.values[-1]))
        ways = list(dict.fromkeys(end.op for _, end in exits))
        zeros = {op: [b.constant(type_, 0) for type_ in self.types[op]] for op in ways}
        for block, end in exits:
            handed = [a for op in ways for a in (end.args if op is end.op else zeros[op])]
            number = b.u32(ways.index(end.op))
            block.values[-1] = Value(ops.BREAK, VOID, [*handed, number], None, end.where)
        return ways

    def _go_on(self, b: Builder, loop: Value, ways: list[Op]) -> None:
        """After the loop, leave the case by the kind of exit that the thread took in the loop."""
        types = [type_ for op in ways for type_ in self.types[op]]
        results = [Value(ops.RESULT, type_, [], loop, self.where) for type_ in (*types, U32)]
        loop.results = tuple(results)
        b.block = self.block
        b.block.values.append(loop)
        *handed, code = results
        given = iter(handed)
        by_op = {op: [next(given) for _ in self.types[op]] for op in ways}
        for number, op in enumerate(ways[1:], 1):
            with b.selection(b.ieq(code, b.u32(number))):
                end_block(b, op, by_op[op])
        b.emit(ways[0], VOID, by_op[ways[0]])
