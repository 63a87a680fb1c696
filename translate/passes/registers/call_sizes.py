"""The size of subroutines in drivers that replace each call by a copy of the subroutine."""

from __future__ import annotations

from translate.ir import ops, row
from translate.ir.values import Block, Module, Value, walk


def meets(value: Value) -> bool:
    """Whether a value is a barrier at which the threads of a group meet."""
    return value.op is ops.BARRIER and row.BARRIER.of(value).threads


class CallSizes:
    """The number of operations of each subroutine: its `own`, and `whole` with all calls inlined.

    `depths` has the depth of nested calls, with the call of the subroutine. `meeting` are the
    subroutines in which, or in whose callees, threads meet at a barrier. `calls` is the number of
    calls in the module, `inlined` the number of operations that replace the main body's calls.
    """

    def __init__(self, module: Module):
        self.module = module
        self.own: dict[str, int] = {}
        self.whole: dict[str, int] = {}
        self.depths: dict[str, int] = {}
        self.meeting: set[str] = set()
        self.calls = 0
        self.inlined, self.depth = self._add("", module.body)

    @property
    def copied(self) -> int:
        """The number of operations that inlining adds: those of all but one copy of each body."""
        return self.inlined - sum(self.own.values())

    def within(self, limit: int) -> set[str]:
        """Subroutines that may be inlined: threads do not meet in them, and they are small.

        Even if every call of the module calls one of them, the copies have at most `limit`
        operations together.
        """
        most = limit // self.calls
        return {name for name, size in self.whole.items() if size <= most} - self.meeting

    def _add(self, name: str, body: Block) -> tuple[int, int]:
        """Count a body; returns the operations that replace its calls, and the calls' depth."""
        count = total = deepest = 0
        for value in walk(body):
            count += value.op.size
            if meets(value):
                self.meeting.add(name)
            if value.op is ops.CALL:
                callee = row.SUBROUTINE.of(value)
                self._know(callee)
                self.calls += 1
                total += self.whole[callee]
                deepest = max(deepest, self.depths[callee])
                if callee in self.meeting:
                    self.meeting.add(name)
        if name:
            self.own[name] = count
        return total, deepest

    def _know(self, name: str) -> None:
        if name in self.whole:
            return
        self.own[name] = self.whole[name] = self.depths[name] = 0  # ends a recursion
        total, deepest = self._add(name, self.module.functions[name])
        self.whole[name], self.depths[name] = self.own[name] + total, deepest + 1
