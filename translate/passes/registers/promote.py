"""Registers to SSA values; control flow stays structured.

One walk over the module keeps the current value of each r# component. Where paths meet, registers
that one of them writes, and that are read again (`liveness`), become results of the construct or
parameters of a loop's body. A register that is read before any write is 0: D3D leaves it undefined
(FS §3.4), here it is the same on every device.

Soundness: threads leave constructs only by terminators, each of which records the registers'
values. Code after a terminator is removed, so that values dominate all their uses.

All bodies of a program share r# and x# (FS §7.19), so a call may change any register that a
subroutine names. Such registers are rare and stay in memory; all others become values.
"""

from __future__ import annotations

import sys

from translate.dataclass import dataclass, field
from translate.errors import UnsupportedError
from translate.ir import ops, row
from translate.ir.builder import Builder
from translate.ir.memory import Access, MemoryKind, Resource
from translate.ir.ops import Effect, Op
from translate.ir.size import limit_text
from translate.ir.types import U32, VOID, Type
from translate.ir.values import Block, Module, Value, walk
from translate.passes.registers.liveness import Liveness
from translate.passes.rewrite import rewrite

_TERMINATES = Effect.TERMINATES
_REGISTERS = (ops.READ_REGISTER, ops.WRITE_REGISTER)
# Operations after which control continues
_STRAIGHT = ops.COMPUTING | {op for op in ops.OPS.values() if op.effect is Effect.WRITES}
Registers = dict[int, Value]
_Exit = tuple[Value, Block]  # a terminator and the block that it ends


def spill_shared_registers(module: Module) -> None:
    """Rewrite reads and writes of registers that any subroutine names."""
    touched: set[int] = {
        row.REGISTER.of(value)
        for body in module.functions.values()
        for value in walk(body)
        if value.op in _REGISTERS
    }
    if not touched:
        return
    accesses = {number: _place(number) for number in sorted(touched)}
    rewrite(module, dict.fromkeys(_REGISTERS, lambda b, value: _rewrite(b, value, accesses)))


def _place(number: int) -> Access:
    register, component = divmod(number, 4)
    name = f"r{register}.{'xyzw'[component]}"
    return Access(Resource(name, MemoryKind.INDEXABLE_TEMP, number, length=1, components=1), 1)


def _rewrite(b: Builder, value: Value, accesses: dict[int, Access]) -> Value | None:
    access = accesses.get(row.REGISTER.of(value))
    if access is None:
        return None
    if value.op is ops.READ_REGISTER:
        return b.bitcast(value.type, b.emit(ops.LOAD_ELEMENT, U32, [b.u32(0)], access))
    new = b.bitcast(U32, value.args[0])
    return b.emit(ops.STORE_ELEMENT, VOID, [b.u32(0), new], access)


def promote_registers(module: Module, most_merged: int | None = None) -> None:
    """Remove every `read_register` and `write_register`.

    Raises UnsupportedError if all terminators together pass more than `most_merged` registers.
    """
    _Promoter(module, most_merged).run()


@dataclass(eq=False, slots=True)
class _Frame:
    """An open loop or switch: the registers that it merges, and its terminators.

    `after` are the registers of its results, `head` those of a loop's parameters. `fallen` are the
    registers that the latest case passes to the next one, `following`, if it falls through.
    """

    construct: Value
    after: list[int]
    head: list[int] = field(default_factory=list[int])
    following: Block | None = None
    fallen: list[int] = field(default_factory=list[int])
    breaks: list[_Exit] = field(default_factory=list["_Exit"])
    continues: list[_Exit] = field(default_factory=list["_Exit"])


class _Promoter:
    liveness: Liveness  # of the current body

    def __init__(self, module: Module, most_merged: int | None):
        self.module = module
        self.most_merged = sys.maxsize if most_merged is None else most_merged
        self.b = Builder(Block())
        self.registers: Registers = {}
        # for each register that the current block has written: its value before the block
        self.log: dict[int, Value | None] = {}
        self.forward: dict[Value, Value] = {}
        self.replaced = self.forward.keys()
        self.frames: list[_Frame] = []
        self.merged = 0

    def run(self) -> None:
        spill_shared_registers(self.module)
        for body in self.module.bodies():
            self.liveness = Liveness(body)
            self._block(body)
            self.registers.clear()
            self.log.clear()

    # --- registers -------------------------------------------------------------------------

    def _set(self, register: int, value: Value) -> None:
        if register not in self.log:
            self.log[register] = self.registers.get(register)
        self.registers[register] = value

    def _get(self, register: int) -> Value:
        value = self.registers.get(register)
        return self.b.u32(0) if value is None else value

    def _undo(self, log: dict[int, Value | None]) -> Registers:
        """Restore the registers that a block has written; returns their values at its end."""
        changes: Registers = {}
        for register, old in log.items():
            changes[register] = self.registers[register]
            if old is None:
                del self.registers[register]
            else:
                self.registers[register] = old
        return changes

    # --- blocks ----------------------------------------------------------------------------

    def _block(self, block: Block) -> Op:
        """Rewrite a block in place; returns its terminator."""
        values, block.values = block.values, []
        outer, self.b.block = self.b.block, block
        last: Op = ops.RETURN
        for value in values:
            self.b.where = value.where
            if self._value(value):
                last = block.values[-1].op if block.values else ops.RETURN
                break
        self.b.block = outer
        return last

    def _inner(self, block: Block) -> tuple[Op, Registers]:
        """Rewrite a block of a construct; returns its terminator, and the registers it wrote.

        Registers have their values from before the block again.
        """
        outer, self.log = self.log, {}
        last = self._block(block)
        changes = self._undo(self.log)
        self.log = outer
        return last, changes

    def _value(self, value: Value) -> bool:
        """Rewrite one value; returns whether the rest of its block is unreachable."""
        op = value.op
        if op is ops.READ_REGISTER:
            self.forward[value] = self.b.as_type(value.type, self._get(row.REGISTER.of(value)))
            return False
        forward = self.forward
        if op is ops.WRITE_REGISTER:
            new = value.args[0]
            self._set(row.REGISTER.of(value), forward.get(new, new))
            return False
        if not self.replaced.isdisjoint(value.args):
            value.args = [forward.get(arg, arg) for arg in value.args]
        if op in _STRAIGHT:
            self.b.block.values.append(value)
            return False
        if op.effect is _TERMINATES:
            self._terminator(value)
            return True
        if op is ops.IF:
            return self._if(value)
        return self._loop(value) if op is ops.LOOP else self._switch(value)

    def _terminator(self, value: Value) -> None:
        frame = self._target(value.op)
        if frame is not None:
            if value.op is ops.BREAK:
                order = frame.after
                frame.breaks.append((value, self.b.block))
            elif value.op is ops.CONTINUE:
                order = frame.head
                frame.continues.append((value, self.b.block))
            else:
                order = frame.fallen = self._changed(frame.following)
            value.args = [self._get(register) for register in order]
            self._count(len(order), value)
        self.b.block.values.append(value)

    def _changed(self, following: Block | None) -> list[int]:
        """The registers that a case passes to the next: changed here, and perhaps read there."""
        live = self.liveness.head[following] if following else 0
        return sorted(
            register
            for register, old in self.log.items()
            if self.liveness.is_in(register, live) and self.registers[register] is not old
        )

    def _count(self, merged: int, leaving: Value) -> None:
        """Add to the number of merged registers; raises UnsupportedError past the limit.

        The number may grow with the square of the program's size.
        """
        self.merged += merged
        if self.merged > self.most_merged:
            message = "loops and switches are left in too many places for the registers they change"
            limit = limit_text("max_instructions", self.most_merged)
            raise UnsupportedError(f"{message}: {limit} allows fewer", leaving.where)

    def _target(self, op: Op) -> _Frame | None:
        """The construct that a terminator belongs to; None for `yield` and `return`."""
        if op in (ops.BREAK, ops.FALL_THROUGH):
            return self.frames[-1]
        if op is ops.CONTINUE:
            return next(f for f in reversed(self.frames) if f.construct.op is ops.LOOP)
        return None

    # --- constructs ------------------------------------------------------------------------

    def _if(self, value: Value) -> bool:
        ways: list[tuple[Block, Registers]] = []
        for block in value.blocks:
            last, changes = self._inner(block)
            if last is ops.YIELD:
                ways.append((block, changes))
        self.b.block.values.append(value)
        if not ways:
            return True
        if len(ways) == 1:
            for register, new in ways[0][1].items():
                self._set(register, new)
            return False
        self._merge(value, ways)
        return False

    def _merge(self, value: Value, ways: list[tuple[Block, Registers]]) -> None:
        """Merge the registers of an `if` whose two blocks reach its end."""
        live = self.liveness.after[value]
        given: list[list[Value]] = [[] for _ in ways]
        results: list[Value] = []
        changed = sorted({register for _, changes in ways for register in changes})
        for register in changed:
            if not self.liveness.is_in(register, live):
                continue
            incoming = [changes.get(register) or self._get(register) for _, changes in ways]
            if incoming[0] is incoming[1]:
                self._set(register, incoming[0])
                continue
            type_ = _common_type(incoming)
            for side, new in zip(given, incoming, strict=True):
                side.append(new)
            results.append(self._result(value, register, type_))
        value.results = tuple(results)
        for (block, _), side in zip(ways, given, strict=True):
            end = block.values[-1]
            end.args = [*end.args, *side]
        types = [result.type for result in results]
        self._convert([(block.values[-1], block) for block, _ in ways], types)

    def _convert(self, exits: list[_Exit], types: list[Type]) -> None:
        """Cast the operands of each terminator to these types, one for each operand."""
        outer = self.b.block
        for terminator, block in exits:
            self.b.block = block
            block.values.pop()
            converted = [
                self.b.as_type(type_, value)
                for value, type_ in zip(terminator.args, types, strict=True)
            ]
            terminator.args = converted
            block.values.append(terminator)
        self.b.block = outer

    def _result(self, construct: Value, register: int, type_: Type) -> Value:
        result = Value(ops.RESULT, type_, [], construct, construct.where)
        self._set(register, result)
        return result

    def _loop(self, value: Value) -> bool:
        body = value.blocks[0]
        frame = self._frame(value)
        live = self.liveness
        frame.head = live.registers_of(live.written[value] & live.head[body])
        initial = [self._get(register) for register in frame.head]
        value.args = [*value.args, *initial]
        body.params += [Value(ops.PARAM, v.type, [], value, value.where) for v in initial]
        self.frames.append(frame)
        outer, self.log = self.log, {}
        for register, param in zip(frame.head, body.params, strict=True):
            self._set(register, param)
        self._block(body)
        self._undo(self.log)
        self.log = outer
        self.frames.pop()
        self._convert(frame.continues, [param.type for param in body.params])
        return self._finish(value, frame)

    def _switch(self, value: Value) -> bool:
        frame = self._frame(value)
        self.frames.append(frame)
        given = [*value.args]
        fallen_from: Block | None = None
        for block, frame.following in zip(value.blocks, (*value.blocks[1:], None), strict=True):
            outer, self.log = self.log, {}
            if fallen_from is not None:
                given += self._enter_fallen(frame, fallen_from, block)
            fell = self._block(block) is ops.FALL_THROUGH
            fallen_from = block if fell else None
            self._undo(self.log)
            self.log = outer
        self.frames.pop()
        value.args = given
        return self._finish(value, frame)

    def _frame(self, value: Value) -> _Frame:
        """The frame of a loop or switch."""
        live = self.liveness
        return _Frame(value, live.registers_of(live.written[value] & live.after[value]))

    def _enter_fallen(self, frame: _Frame, before: Block, block: Block) -> list[Value]:
        """Add a parameter to a case for each register that the case before it passes on.

        Returns the registers' values before the switch, for threads that enter the case by a label.
        """
        value = frame.construct
        entry = [self._get(register) for register in frame.fallen]
        self._convert([(before.values[-1], before)], [initial.type for initial in entry])
        for register, initial in zip(frame.fallen, entry, strict=True):
            param = Value(ops.PARAM, initial.type, [], value, value.where)
            block.params.append(param)
            self._set(register, param)
        return entry

    def _finish(self, value: Value, frame: _Frame) -> bool:
        """Append a loop or switch, with results from its breaks.

        Returns whether the code after it is unreachable, since it has no breaks.
        """
        self.b.block.values.append(value)
        if not frame.breaks:
            return True
        types = [
            _common_type([leave.args[i] for leave, _ in frame.breaks])
            for i in range(len(frame.after))
        ]
        self._convert(frame.breaks, types)
        merged = zip(frame.after, types, strict=True)
        value.results = tuple(self._result(value, register, type_) for register, type_ in merged)
        return False


def _common_type(values: list[Value]) -> Type:
    """The type of all values other than constants if it is the same, else U32."""
    types = {value.type for value in values if value.op is not ops.CONST}
    return types.pop() if len(types) == 1 else U32
