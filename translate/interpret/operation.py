"""One operation that is executed: its operands, and the threads that execute it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from translate.interpret.errors import InterpretError, fault
from translate.interpret.lanes import Active, Lanes, of_words
from translate.interpret.threads import Threads
from translate.ir.memory import Resource
from translate.ir.robustness import Robustness
from translate.ir.row import Stage
from translate.ir.tables import Tables
from translate.ir.values import Module, Value


@dataclass(frozen=True, slots=True)
class Context:
    """What an operation is executed in: a module, how far it has come, and some threads."""

    module: Module
    stage: Stage
    threads: Threads
    robustness: Robustness

    @property
    def is_guarded(self) -> bool:
        """Whether accesses have to be in bounds."""
        return self.stage >= Stage.GUARDED


@dataclass(frozen=True, slots=True)
class Operation:
    """`value`, with its operands in all lanes, for the active ones to execute."""

    context: Context
    value: Value
    operands: Sequence[Lanes]
    active: Active

    def taken(self, first: int, count: int) -> list[Lanes]:
        """Operands of the active lanes."""
        return [self.operands[first + n][..., self.active.lanes] for n in range(count)]

    def rest(self, first: int, resource: Resource) -> int:
        """How many operands there are from one on, without a descriptor's index."""
        return len(self.operands) - first - self.tables.takes_index(resource)

    def is_moved(self, resource: Resource) -> bool:
        """Whether addresses count from the start of what the view is a window of."""
        return self.tables.views[resource].windowed and self.context.stage >= Stage.WINDOWED

    @property
    def tables(self) -> Tables:
        """The tables of the module."""
        return self.context.module.tables

    def one(self, position: int) -> Lanes:
        """An operand of the active lanes."""
        return self.operands[position][..., self.active.lanes]

    def given(self, words: Lanes) -> Lanes:
        """What the operation gives in all lanes, by the dwords of the active ones.

        Words are u32[active], of a texel u32[4, active].
        """
        count = self.context.threads.count
        spread = np.zeros((*words.shape[:-1], count), np.uint32)
        spread[..., self.active.lanes] = words
        return of_words(spread, self.value.type)

    def number(self, count: Lanes | int) -> Lanes:
        """What the operation gives in all lanes, by a number for all or for each active one."""
        words = np.broadcast_to(np.asarray(count, np.int64), (len(self.active.lanes),))
        return self.given(words.astype(np.uint32))

    def fault(self, problem: str, wrong: Lanes | None = None) -> InterpretError:
        """An error; `wrong` marks the active lanes that it is in."""
        if wrong is not None:
            lane = int(self.active.lanes[np.flatnonzero(wrong)[0]])
            problem = f"{problem}, in thread {self.context.threads.thread(lane)}"
        return fault(self.context.module, self.value, problem)


Handler = Callable[[Operation], Lanes | None]
