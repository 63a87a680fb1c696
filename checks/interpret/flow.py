"""Structured control flow: masks of active threads, and the values that constructs pass on.

All active threads execute an operation before the next one begins. A construct ends when every
thread has left it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

import numpy as np

from checks.interpret.errors import EndlessError
from checks.interpret.lanes import Active, Lanes, constant
from checks.interpret.operation import Context, Operation
from translate.ir import ops, row
from translate.ir.ops import Effect
from translate.ir.values import Block, Value

Execute: TypeAlias = "Callable[[Operation], Lanes | None]"


@dataclass(slots=True)
class _Frame:
    """An open construct: the threads that have left it, and those that continue in its next block.

    In a loop, the next block is the body again; otherwise it is the one after `block`.
    """

    construct: Value
    left: Lanes
    next: Lanes
    block: int = 0


class Flow:
    """Runs a module's bodies for some threads; `execute` runs operations other than control flow.

    `rounds` limits the iterations of a loop.
    """

    def __init__(self, context: Context, execute: Execute, rounds: int):
        self._context = context
        self._execute = execute
        self._rounds = rounds
        self._count = context.threads.count
        self._values: dict[Value, Lanes] = {}
        self._frames: list[_Frame] = []
        self._ends: dict[ops.Op, Callable[[Value, Active], None]] = {
            ops.YIELD: self._leave,
            ops.BREAK: self._leave,
            ops.CONTINUE: self._continue,
            ops.FALL_THROUGH: self._fall_through,
            ops.RETURN: self._return,
        }
        self._constructs: dict[ops.Op, Callable[[Value, Active], Active]] = {
            ops.IF: self._if,
            ops.LOOP: self._loop,
            ops.SWITCH: self._switch,
        }

    def run(self) -> None:
        """Run the entry point."""
        self._body(self._context.module.body, Active(np.ones(self._count, np.bool_)))

    # --- blocks ----------------------------------------------------------------------------

    def _body(self, body: Block, active: Active) -> None:
        """Run a body, which has its own values and constructs."""
        outer = self._values, self._frames
        self._values, self._frames = {}, []
        self._block(body, active)
        self._values, self._frames = outer

    def _block(self, block: Block, active: Active) -> None:
        for value in block.values:
            if active.is_none:
                return
            effect = value.op.effect
            if effect is Effect.CONTROL:
                active = self._constructs[value.op](value, active)
            elif effect is Effect.TERMINATES:
                self._ends[value.op](value, active)
            elif value.op is ops.CALL:
                self._body(self._context.module.functions[row.SUBROUTINE.of(value)], active)
            else:
                self._operation(value, active)

    def _operation(self, value: Value, active: Active) -> None:
        operands = [self._lanes(arg) for arg in value.args]
        found = self._execute(Operation(self._context, value, operands, active))
        if found is not None:
            self._set(value, found, active)

    def _lanes(self, value: Value) -> Lanes:
        """The numbers of a value in all lanes; constants are computed at their first use."""
        lanes = self._values.get(value)
        if lanes is None:
            assert value.op is ops.CONST, f"{value} is used before it is computed"
            lanes = self._values[value] = constant(value.type, row.BITS.of(value), self._count)
        return lanes

    def _set(self, value: Value, lanes: Lanes, active: Active) -> None:
        """Set a value in the active threads; others keep theirs, such as those that left a loop."""
        self._values[value] = active.merged(lanes, self._values.get(value))

    # --- constructs ------------------------------------------------------------------------

    def _open(self, construct: Value) -> _Frame:
        frame = _Frame(construct, np.zeros(self._count, np.bool_), np.zeros(self._count, np.bool_))
        self._frames.append(frame)
        return frame

    def _close(self) -> Active:
        return Active(self._frames.pop().left)

    def _if(self, construct: Value, active: Active) -> Active:
        condition = self._lanes(construct.args[0])
        self._open(construct)
        for block, chosen in zip(construct.blocks, (condition, ~condition), strict=True):
            self._block(block, active.where(chosen))
        return self._close()

    def _loop(self, construct: Value, active: Active) -> Active:
        frame, (body,) = self._open(construct), construct.blocks
        self._hand_on(body.params, construct.args, active)
        rounds = 0
        while not active.is_none:
            if rounds > self._rounds:
                message = f"a loop takes more than {self._rounds} iterations"
                raise EndlessError(message, construct.where)
            rounds += 1
            frame.next = np.zeros(self._count, np.bool_)
            self._block(body, active)
            active = Active(frame.next)
        return self._close()

    def _switch(self, construct: Value, active: Active) -> Active:
        """Run a switch. The operands after the selector initialise the parameters of its blocks."""
        given = iter(construct.args[1:])
        frame, chosen = self._open(construct), self._cases(construct)
        for number, block in enumerate(construct.blocks):
            fallen, frame.next, frame.block = frame.next, np.zeros(self._count, np.bool_), number
            entering = active.where(chosen == number)
            self._hand_on(block.params, [*islice(given, len(block.params))], entering)
            self._block(block, Active(entering.mask | fallen))
        return self._close()

    def _cases(self, construct: Value) -> Lanes:
        """The number of the block that each thread enters."""
        selector = self._lanes(construct.args[0])
        cases = row.CASES.of(construct)
        default = next(number for number, labels in enumerate(cases) if None in labels)
        chosen = np.full(self._count, default)
        for number, labels in enumerate(cases):
            for label in labels:
                if label is not None:
                    chosen[selector == label] = number
        return chosen

    # --- terminators -----------------------------------------------------------------------

    def _leave(self, end: Value, active: Active) -> None:
        frame = self._frame(end.op)
        frame.left |= active.mask
        self._hand_on(frame.construct.results, end.args, active)

    def _continue(self, end: Value, active: Active) -> None:
        frame = self._frame(end.op)
        frame.next |= active.mask
        self._hand_on(frame.construct.blocks[0].params, end.args, active)

    def _fall_through(self, end: Value, active: Active) -> None:
        frame = self._frame(end.op)
        frame.next |= active.mask
        self._hand_on(frame.construct.blocks[frame.block + 1].params, end.args, active)

    def _return(self, end: Value, active: Active) -> None:
        """Do nothing: these threads become inactive, and the caller continues with all threads."""

    def _frame(self, end: ops.Op) -> _Frame:
        """The innermost construct that a terminator leaves or continues."""
        return next(frame for frame in reversed(self._frames) if frame.construct.op in end.leaves)

    def _hand_on(self, places: Sequence[Value], args: Sequence[Value], active: Active) -> None:
        """Set the parameters or results `places` to `args`, all at once.

        An arg may itself be one of the places: the old value of one is the new value of another.
        """
        given = [self._lanes(arg) for arg in args]
        for place, lanes in zip(places, given, strict=True):
            self._set(place, lanes, active)
