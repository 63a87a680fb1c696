"""Workaround for `loop_values`: a loop carries its values that are used after the loop.

lavapipe of Mesa 22.3 and SwiftShader compute the values of a loop again in each round, for every
thread; loads of threads that have left the loop give 0. They keep the values that a loop carries
(parameters of its block) for such threads.
So exits are moved to the loop's head: a thread that leaves notes this in a carried value, begins
another round, and leaves at its start. Values that are used after the loop are carried as well.

The same pass finds loops that a driver ends too early, since that moves exits too (`loop_limit`).

Probe: vkrunner/probes/control_flow.py.
Documented in docs/drivers.md, "values that are loaded in a loop and used after it".
"""

from __future__ import annotations

from collections.abc import Set

from translate.dataclass import replace
from translate.ir import ops
from translate.ir.builder import Builder
from translate.ir.memory import indexable_temp_of
from translate.ir.ops import Effect
from translate.ir.values import Block, Module, Value
from translate.passes.drivers.loop_exits import Codes, Exit, MovedExits, exits_of
from translate.passes.drivers.loop_limit import LOOP_LIMIT, CutLoops, head_test
from translate.passes.rewrite import Findings

LOOP_VALUES = "loop_values"


def carry_exits(module: Module, faults: Set[str]) -> Findings:
    """Rewrite loops for a device with `loop_values` or `loop_limit`."""
    cut, exposed = CutLoops(module), {*module.exposed}
    for body in filter(_has_loop, module.bodies()):
        _Loops(cut if LOOP_LIMIT in faults else None, faults, exposed).run(body)
    return replace(cut.tell(), exposed=exposed)


def _has_loop(block: Block) -> bool:
    constructs = [value for value in block.values if value.blocks]
    return any(v.op is ops.LOOP or any(map(_has_loop, v.blocks)) for v in constructs)


class _Loops:
    """Rewrites the loops of one body.

    `depths` has the number of loops around a value in a loop. `unstable` are values that may change
    for a thread after it has left the innermost loop around them. `exposed` gets the faults that
    remain.
    """

    def __init__(self, cut: CutLoops | None, faults: Set[str], exposed: set[str]):
        self.cut = cut
        self.exposed = exposed
        self.moves_spoiled = LOOP_VALUES in faults
        self.b = Builder(Block())
        self.codes = Codes(self.b, opaque=cut is not None)
        self.depths: dict[Value, int] = {}
        self.unstable: set[Value] = set()
        self.stores = 0  # to the thread's own memory, so far

    def run(self, body: Block) -> None:
        if self._block(body, 0):
            self.codes.put_into(body)

    def _block(self, block: Block, depth: int) -> bool:
        """Rewrite a block that is in `depth` loops; returns whether it contains a loop."""
        values, block.values, has_loops = block.values, [], False
        if depth:
            self.depths.update(dict.fromkeys(block.params, depth))
        for value in values:
            stores, is_loop = self.stores, value.op is ops.LOOP
            for inner in value.blocks:
                has_loops |= self._block(inner, depth + is_loop)
            block.values.append(value)
            if depth:
                self._learn(value, depth)
            if is_loop:
                self.b.block, self.b.where = block, value.where
                self._loop(value, depth + 1, has_stores=self.stores > stores)
                has_loops = True
        return has_loops

    def _learn(self, value: Value, depth: int) -> None:
        self.stores += value.op is ops.CALL or _stores_own(value)
        self.depths[value] = depth
        if value.results:
            self.depths.update(dict.fromkeys(value.results, depth))
            self.unstable.update(value.results)
        computed = value.op.effect is Effect.PURE
        if not computed or any(self._is_unstable(arg, depth) for arg in value.args):
            self.unstable.add(value)

    def _is_unstable(self, value: Value, depth: int) -> bool:
        return value in self.unstable and self.depths[value] == depth

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
        return bool(leaving) and (
            has_stores or any(self._is_unstable(arg, depth) for end in leaving for arg in end.args)
        )


def _stores_own(value: Value) -> bool:
    return value.op is ops.STORE_ELEMENT and indexable_temp_of(value.data) is not None
