"""Workaround for `loop_values`: a loop carries its values that are used after the loop.

lavapipe of Mesa 22.3 and SwiftShader compute the values of a loop again in each round, for every
thread; loads of threads that have left the loop give 0. They keep the values that a loop carries
(parameters of its block) for such threads.
So exits are moved to the loop's head: a thread that leaves notes this in a carried value, begins
another round, and leaves at its start. Values that are used after the loop are carried as well.

The same pass finds loops that a driver ends too early, since that moves exits too (`CutLoops`).

Probe: vkrunner/probes/control_flow.py.
Documented in docs/drivers.md, "values that are loaded in a loop and used after it".
"""

from __future__ import annotations

from collections.abc import Mapping, Set

from translate.dataclass import replace
from translate.ir import ops
from translate.ir.builder import Builder
from translate.ir.memory import Access, MemoryKind, Message, Resource, indexable_temp_of
from translate.ir.ops import Effect
from translate.ir.tables import Layout
from translate.ir.types import BOOL, F32, U32, VOID
from translate.ir.values import Block, Module, Value, has_loop
from translate.passes.drivers.loop_exits import Codes, Exit, MovedExits, end_block, exits_of
from translate.passes.guards.messages import CUT_LOOP_WORD, message_buffer
from translate.passes.rewrite import Findings

LOOP_LIMIT = "loop_limit"  # also the name of a message on a loop that the driver ended
_REGISTER = "cut"
_MOST_OPERATIONS = 16  # of a condition that is computed again
_CAN_BE_OPAQUE = (U32, F32, BOOL)
_PURE = Effect.PURE


class CutLoops:
    """Workaround for `loop_limit`: threads report loops that the driver ended without an exit.

    lavapipe of Mesa 22.3 ends every loop once a thread has begun 65,535 rounds of all its loops. A
    thread keeps the first such loop in its own memory, and stores it to the buffer of messages
    before it returns.

    A compiler must not conclude that a loop can only end by an exit. So conditions after loops
    contain an operand that is always the same number, but not known to compilers.

    Probe: vkrunner/probes/control_flow.py.
    Documented in docs/drivers.md, "loops end after 65,535 iterations".
    """

    def __init__(self, module: Module):
        self.module = module
        self.messages = [*module.messages]
        self.buffer = message_buffer(module)
        memory = Resource(_REGISTER, MemoryKind.INDEXABLE_TEMP, 0, length=1, components=1)
        self.memory = Access(memory, 1)

    def note(self, b: Builder, is_cut: Value) -> None:
        """If the driver ended the loop before the builder's place, keep its number in the thread.

        The thread keeps only the first such loop.
        """
        number = len(self.messages)
        self.messages.append(Message(LOOP_LIMIT, where=b.where))
        known = b.emit(ops.LOAD_ELEMENT, U32, [b.u32(0)], self.memory)
        is_first = b.land(is_cut, b.ieq(known, b.u32(0)))
        first = b.select(is_first, b.u32(number + 1), known)
        b.emit(ops.STORE_ELEMENT, VOID, [b.u32(0), first], self.memory)

    def note_moved(self, b: Builder, moved: MovedExits, *, returns: bool) -> None:
        """`note` for a loop with moved exits; threads that returned in the loop return after it."""
        code, codes = moved.code, moved.codes
        is_cut = b.ine(code, codes.left)
        if returns:
            is_cut = b.land(is_cut, b.ine(code, codes.returned))
        self.note(b, is_cut)
        if not moved.breaks:
            b.emit(ops.RETURN, VOID, [])
        elif returns:
            with b.selection(b.ieq(code, codes.returned)):
                end_block(b, ops.RETURN, [])

    def tell(self) -> Findings:
        """Have threads report the loop that they keep to the host before they return."""
        if len(self.messages) == len(self.module.messages):
            return Findings()
        self._tell(self.module.body)
        tables = self.module.tables.with_layouts({self.memory.resource: Layout(bounded=True)})
        return Findings(tables, messages=self.messages, message_buffer=self.buffer)

    def _tell(self, block: Block) -> None:
        """Before each return, store -(1 + the kept loop's message number), if any, as a maximum.

        So of several threads' loops the host gets the one with the lowest number.
        """
        for value in block.values:
            for inner in value.blocks:
                self._tell(inner)
        if block.values[-1].op is ops.RETURN:
            end, b = block.values.pop(), Builder(block)
            b.where = end.where
            first = b.emit(ops.LOAD_ELEMENT, U32, [b.u32(0)], self.memory)
            with b.selection(b.nonzero(first)):
                telling = Access(self.buffer, 1, 0, "umax")
                word, number = b.u32(CUT_LOOP_WORD), b.isub(b.u32(0), first)
                b.emit(ops.ATOMIC_ELEMENT, U32, [word, number], telling)
            block.values.append(end)


class HeadTest:
    """The only exit of a loop, if it depends on carried values and comes first in the loop.

    It can stay in its place: a thread has left if its condition holds after the loop.
    """

    def __init__(self, loop: Value, condition: Value, *, leaves: bool, end: Value):
        self.loop = loop
        self.condition = condition
        self.leaves = leaves  # the condition's value in a thread that leaves
        self.end = end
        self.copies: dict[Value, Value | None] = {}  # of values computed in the loop

    def can_move(self, depths: Mapping[Value, int], depth: int) -> bool:
        """Whether the condition and the exit's operands can be computed after the loop."""
        params, work, known = self.loop.blocks[0].params, [self.condition], self.copies
        while work and len(known) <= _MOST_OPERATIONS:
            value = work.pop()
            if depths.get(value, 0) < depth or value in known:
                continue
            if value not in params and (value.op.effect is not Effect.PURE or value.results):
                return False
            known[value] = None
            work += value.args
        carried = [value for value in known if value in params]
        inner = [arg for arg in self.end.args if depths.get(arg, 0) >= depth]
        return (
            0 < len(carried) <= len(known) <= _MOST_OPERATIONS
            and all(value.type in _CAN_BE_OPAQUE for value in carried)
            and all(arg in params for arg in inner)
        )

    def is_cut(self, b: Builder, codes: Codes) -> Value:
        """Whether the driver ended the loop: after it, the exit's condition does not hold."""
        again = self._copy(b, codes, self.condition)
        return b.lnot(again) if self.leaves else again

    def _copy(self, b: Builder, codes: Codes, value: Value) -> Value:
        if value not in self.copies:
            return value
        copy = self.copies[value]
        if copy is None:
            if value in self.loop.blocks[0].params:
                copy = _opaque(b, self._result(value), codes.staying)
            else:
                operands = [self._copy(b, codes, arg) for arg in value.args]
                copy = b.emit(value.op, value.type, operands, value.data)
            self.copies[value] = copy
        return copy

    def _result(self, param: Value) -> Value:
        """The loop's result for a carried value, which is added if it is missing."""
        loop, given = self.loop, self.end.args
        if param not in given:
            self.end.args = [*given, param]
            loop.results += (Value(ops.RESULT, param.type, [], loop, loop.where),)
        return loop.results[self.end.args.index(param)]


def head_test(
    loop: Value, exits: list[Exit], depths: Mapping[Value, int], depth: int
) -> HeadTest | None:
    """The test of a loop whose block is in `depth` loops; None if its exits have to move."""
    leaving = [end for _, end in exits if end.op is not ops.CONTINUE]
    values = iter(loop.blocks[0].values)
    first = next(value for value in values if value.op not in ops.COMPUTING)
    if len(leaving) != 1 or first.op is not ops.IF:
        return None
    for inner, truth in zip(first.blocks, (True, False), strict=True):
        if inner.values == leaving and leaving[0].op is ops.BREAK:
            test = HeadTest(loop, first.args[0], leaves=truth, end=leaving[0])
            return test if test.can_move(depths, depth) else None
    return None


def _opaque(b: Builder, value: Value, zero: Value) -> Value:
    """The same value, hidden from compilers by `zero`, whose value they do not know."""
    if value.type is BOOL:
        return b.lor(value, b.nonzero(zero))
    return b.bitcast(value.type, b.ior(b.bitcast(U32, value), zero))


LOOP_VALUES = "loop_values"


def carry_exits(module: Module, faults: Set[str]) -> Findings:
    """Rewrite loops for a device with `loop_values` or `loop_limit`."""
    cut, exposed = CutLoops(module), {*module.exposed}
    for body in filter(has_loop, module.bodies()):
        kept = cut if LOOP_LIMIT in faults else None
        _Loops(kept, faults, exposed, may_store=module.may_have_arrays).run(body)
    return replace(cut.tell(), exposed=exposed)


class _Loops:
    """Rewrites the loops of one body.

    `depths` has the number of loops around a value in a loop. `exposed` gets the faults that
    remain. Without `may_store` no code stores to the thread's own memory.
    """

    def __init__(
        self, cut: CutLoops | None, faults: Set[str], exposed: set[str], *, may_store: bool
    ):
        self.cut = cut
        self.may_store = may_store
        self.exposed = exposed
        self.moves_spoiled = LOOP_VALUES in faults
        self.b = Builder(Block())
        self.codes = Codes(self.b, opaque=cut is not None)
        self.depths: dict[Value, int] = {}
        self.stores = 0  # to the thread's own memory, so far

    def run(self, body: Block) -> None:
        if self._block(body, 0):
            self.codes.put_into(body)

    def _block(self, block: Block, depth: int) -> bool:
        """Rewrite a block that is in `depth` loops; returns whether it contains a loop."""
        values, block.values, has_loops = block.values, [], False
        if depth:
            self._learn(block, values, depth)
        for value in values:
            stores, is_loop = self.stores, value.op is ops.LOOP
            for inner in value.blocks:
                has_loops |= self._block(inner, depth + is_loop)
            block.values.append(value)
            if is_loop:
                self.b.block, self.b.where = block, value.where
                self._loop(value, depth + 1, has_stores=self.stores > stores)
                has_loops = True
        return has_loops

    def _learn(self, block: Block, values: list[Value], depth: int) -> None:
        results = [result for value in values for result in value.results]
        self.depths.update(dict.fromkeys((*block.params, *values, *results), depth))
        if self.may_store:
            self.stores += sum(map(_stores_own, values))

    def _loop(self, loop: Value, depth: int, *, has_stores: bool) -> None:
        """Rewrite a loop whose block is in `depth` loops."""
        exits = [*exits_of(loop.blocks[0])]
        spoiled = self._is_spoiled(exits, depth, has_stores)
        if spoiled and not self.moves_spoiled:
            self.exposed.add(LOOP_VALUES)
        if self.cut is None:
            self.exposed.add(LOOP_LIMIT)
        if self.cut is not None:
            self._find_cut(loop, exits, depth, moves=spoiled and self.moves_spoiled)
        elif spoiled and self.moves_spoiled:
            MovedExits(self.b, self.codes, loop, exits, returns=False)

    def _find_cut(self, loop: Value, exits: list[Exit], depth: int, *, moves: bool) -> None:
        assert self.cut is not None
        test = None if moves else head_test(loop, exits, self.depths, depth)
        if test is not None:
            self.cut.note(self.b, test.is_cut(self.b, self.codes))
            return
        returns = any(end.op is ops.RETURN for _, end in exits)
        moved = MovedExits(self.b, self.codes, loop, exits, returns=returns)
        self.cut.note_moved(self.b, moved, returns=returns)

    def _is_spoiled(self, exits: list[Exit], depth: int, has_stores: bool) -> bool:
        """Whether the code after a loop may use a value that the loop does not carry.

        Stores to the thread's own memory count, since drivers may keep that memory in values.
        """
        leaving = [end for _, end in exits if end.op is ops.BREAK]
        return bool(leaving) and (has_stores or self._may_change(leaving, depth))

    def _may_change(self, ends: list[Value], depth: int) -> bool:
        """Whether an operand of exits may change for a thread after it has left the loop.

        Results of constructs and of operations that read memory may, and what is computed of them
        in the same loop.
        """
        work = [arg for end in ends for arg in end.args]
        seen: set[Value] = set()
        while work:
            value = work.pop()
            if self.depths.get(value) != depth or value in seen:
                continue
            if value.op is ops.RESULT or value.op.effect is not _PURE:
                return True
            seen.add(value)
            work += value.args
        return False


def _stores_own(value: Value) -> bool:
    """Whether a value stores to the thread's own memory, or calls code that may."""
    if value.op is ops.CALL:
        return True
    return value.op is ops.STORE_ELEMENT and indexable_temp_of(value.data) is not None
