"""Emit structured control flow: merge instructions for constructs, phis for merged values.

Source: SPIR-V specification §2.11 "Structured Control Flow", §3.23 "Loop Control".
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import groupby, islice

from translate.dataclass import dataclass, field
from translate.errors import row_of
from translate.ir import ops, row
from translate.ir.memory import Resource
from translate.ir.tables import Start
from translate.ir.types import U32
from translate.ir.values import Block, Value
from translate.spirv.arithmetic import EMITTERS
from translate.spirv.code import Code, Emitters
from translate.spirv.grammar import LoopControl, Op
from translate.spirv.memory import Memory

Exit = tuple[int, list[int]]  # the exiting block, and the ids that it passes on
# The end of a message about an operation without an emitter
_EMITTERS = "EMITTERS of translate/spirv/arithmetic.py, nor in any `emitters` of translate/spirv"


@dataclass(eq=False, slots=True)
class _Frame:
    """A construct that is being emitted: its labels, and the blocks that leave it."""

    construct: Value
    merge: int
    following: int = 0  # loop: the continue target; switch: the next case
    exits: list[Exit] = field(default_factory=list[Exit])
    continues: list[Exit] = field(default_factory=list[Exit])
    falls: list[Exit] = field(default_factory=list[Exit])


class Control:
    """Emits constructs, terminators and pure operations; `emitters` emit all other values."""

    def __init__(self, code: Code, emitters: Emitters):
        self.code = code
        self.frames: list[_Frame] = []
        self._emitters = emitters

    def block(self, block: Block) -> None:
        """Emit a block's values, up to the first one that never continues."""
        code, ids, where = self.code, self.code.ids, None
        for value in block.values:
            if value.where is not where:
                where = value.where
                code.at(where)
            arithmetic = EMITTERS.get(value.op)
            if arithmetic is not None:
                ids[value] = arithmetic(code, value)
                continue
            handler = _HANDLERS.get(value.op)
            if handler is not None:
                if not handler(self, value):
                    return
                continue
            number = row_of(self._emitters, value.op, _EMITTERS)(value)
            if number is not None:
                ids[value] = number

    # --- terminators return False: the following code cannot be reached --------------------------

    def _leave(self, exits: list[Exit], target: int, value: Value) -> bool:
        exits.append((self.code.label, [*map(self.code.use, value.args)]))
        self.code.effect(Op.Branch, target)
        return False

    def _yield(self, value: Value) -> bool:
        frame = self.frames[-1]
        return self._leave(frame.exits, frame.merge, value)

    def _break(self, value: Value) -> bool:
        frame = next(f for f in reversed(self.frames) if f.construct.op is not ops.IF)
        return self._leave(frame.exits, frame.merge, value)

    def _continue(self, value: Value) -> bool:
        frame = next(f for f in reversed(self.frames) if f.construct.op is ops.LOOP)
        return self._leave(frame.continues, frame.following, value)

    def _fall_through(self, value: Value) -> bool:
        frame = self.frames[-1]
        return self._leave(frame.falls, frame.following, value)

    def _return(self, value: Value) -> bool:
        self.code.effect(Op.Return)
        return False

    # --- constructs return whether the following code can be reached -----------------------------

    def _merge(self, frame: _Frame) -> bool:
        """Begin the block after a construct, with a phi for each result."""
        self.frames.pop()
        self.code.at(frame.construct.where)
        self.code.begin(frame.merge)
        if not frame.exits:
            self.code.effect(Op.Unreachable)
            return False
        for position, result in enumerate(frame.construct.results):
            self.code.ids[result] = self._phi(result, frame.exits, position)
        return True

    def _phi(self, merged: Value, exits: list[Exit], position: int) -> int:
        """Merge the value at `position` of each exit; no phi is needed if it is the same in all."""
        sources = {ids[position] for _, ids in exits}
        if len(sources) == 1:
            return sources.pop()
        pairs = [word for label, ids in exits for word in (ids[position], label)]
        return self.code.instruct(Op.Phi, self.code.type(merged.type), *pairs)

    def _open(self, construct: Value) -> _Frame:
        frame = _Frame(construct, self.code.sections.id())
        self.frames.append(frame)
        return frame

    def _if(self, value: Value) -> bool:
        code, frame = self.code, self._open(value)
        condition = code.use(value.args[0])
        then, other = value.blocks
        then_label = code.sections.id()
        empty = other.values[0].op is ops.YIELD
        other_label = frame.merge if empty else code.sections.id()
        if empty:
            frame.exits.append((code.label, [*map(code.use, other.values[0].args)]))
        code.effect(Op.SelectionMerge, frame.merge, 0)
        code.effect(Op.BranchConditional, condition, then_label, other_label)
        code.begin(then_label)
        self.block(then)
        if not empty:
            code.begin(other_label)
            self.block(other)
        return self._merge(frame)

    def _loop(self, value: Value) -> bool:
        code, frame, body = self.code, self._open(value), value.blocks[0]
        entry, initial = code.label, [*map(code.use, value.args)]
        header, first = code.sections.id(), code.sections.id()
        frame.following = code.sections.id()
        code.effect(Op.Branch, header)
        code.begin(header)
        places = self._loop_phis(body.params, entry, initial, frame.following)
        code.effect(Op.LoopMerge, frame.merge, frame.following, 0)
        code.effect(Op.Branch, first)
        code.begin(first)
        self.block(body)
        code.at(value.where)
        code.begin(frame.following)
        for position, param in enumerate(body.params):
            # Without a `continue`, the values of a loop do not change.
            exits = frame.continues
            again = self._phi(param, exits, position) if exits else code.ids[param]
            code.body[places[position]] = again
        code.effect(Op.Branch, header)
        return self._merge(frame)

    def _loop_phis(
        self, params: list[Value], entry: int, initial: list[int], following: int
    ) -> list[int]:
        """Emit the header's phis; return the positions in `code.body` for the next values' ids."""
        code, places = self.code, list[int]()
        for param, first in zip(params, initial, strict=True):
            phi = code.instruct(Op.Phi, code.type(param.type), first, entry, 0, following)
            code.ids[param] = phi
            places.append(len(code.body) - 2)
        return places

    def _switch(self, value: Value) -> bool:
        code, frame = self.code, self._open(value)
        selector, *operands = map(code.use, value.args)
        given = iter(operands)
        entry = code.label
        labels = [code.sections.id() for _ in value.blocks]
        code.effect(Op.SelectionMerge, frame.merge, 0)
        code.effect(Op.Switch, selector, *_targets(value, labels))
        for block, label, following in zip(
            value.blocks, labels, [*labels[1:], frame.merge], strict=True
        ):
            code.begin(label)
            initial = [*islice(given, len(block.params))]
            entries, frame.falls = [(entry, initial), *frame.falls], []
            frame.following = following
            for position, param in enumerate(block.params):
                code.ids[param] = self._phi(param, entries, position)
            self.block(block)
        return self._merge(frame)


# Functions, not bound methods: those in a `Control` would keep it alive until the next search for
# garbage
_HANDLERS: Mapping[ops.Op, Callable[[Control, Value], bool]] = {
    ops.IF: Control._if,
    ops.LOOP: Control._loop,
    ops.SWITCH: Control._switch,
    ops.YIELD: Control._yield,
    ops.BREAK: Control._break,
    ops.CONTINUE: Control._continue,
    ops.FALL_THROUGH: Control._fall_through,
    ops.RETURN: Control._return,
}


def _targets(value: Value, labels: list[int]) -> list[int]:
    """The operands of OpSwitch: the default's label, then each case's literal and label."""
    default = 0
    pairs: list[int] = []
    for cases, label in zip(row.CASES.of(value), labels, strict=True):
        for case in cases:
            if case is None:
                default = label
            else:
                pairs += (case, label)
    return [default, *pairs]


def store_zeros(code: Code, memory: Memory) -> None:
    """Zero large x# arrays at the start of the entry point, one loop for all arrays of a length.

    The loop must not be unrolled, or it would be as large as the initialiser that it replaces.
    """
    layouts = code.tables.layouts
    arrays = [array for array, layout in layouts.items() if layout.start is Start.STORES]
    arrays.sort(key=lambda array: (array.length, array.number))
    for length, same in groupby(arrays, key=lambda array: array.length):
        _zero_loop(code, memory, length, [*same])


def _zero_loop(code: Code, memory: Memory, length: int, arrays: list[Resource]) -> None:
    """`for (uint i = 0; i < length; i++) x0[i] = x1[i] = 0;`"""
    sections, uint, before = code.sections, code.type(U32), code.label
    header, body, following, after = (sections.id() for _ in range(4))
    code.effect(Op.Branch, header)
    code.begin(header)
    index = code.instruct(Op.Phi, uint, sections.u32(0), before, 0, following)
    next_index = len(code.body) - 2
    inside = code.instruct(Op.ULessThan, sections.bool, index, sections.u32(length))
    code.effect(Op.LoopMerge, after, following, LoopControl.DontUnroll)
    code.effect(Op.BranchConditional, inside, body, after)
    code.begin(body)
    for array in arrays:
        memory.store_zero(array, index)
    code.effect(Op.Branch, following)
    code.begin(following)
    code.body[next_index] = code.instruct(Op.IAdd, uint, index, sections.u32(1))
    code.effect(Op.Branch, header)
    code.begin(after)
