"""An operation to execute: its operands, and the threads that execute it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from checks.interpret.errors import InterpretError, fault
from checks.interpret.lanes import Active, Lanes, of_words
from checks.interpret.threads import Threads
from translate.ir.memory import Resource
from translate.ir.row import Stage
from translate.ir.tables import Tables
from translate.ir.values import Module, Value
from translate.target_device import Robustness


@dataclass(frozen=True, slots=True)
class Context:
    """The context of an operation: the module, its stage, and the threads."""

    module: Module
    stage: Stage
    threads: Threads
    robustness: Robustness

    @property
    def is_guarded(self) -> bool:
        """Whether the guards are in the module, so that accesses must be in bounds."""
        return self.stage >= Stage.GUARDED


@dataclass(frozen=True, slots=True)
class Operation:
    """`value` with its operands in all lanes, to be executed by the active ones."""

    context: Context
    value: Value
    operands: Sequence[Lanes]
    active: Active

    def taken(self, first: int, count: int) -> list[Lanes]:
        """`count` operands from `first` on, in the active lanes."""
        return [self.operands[first + n][..., self.active.lanes] for n in range(count)]

    def rest(self, first: int, resource: Resource) -> int:
        """The number of operands from `first` on, not counting a descriptor index at the end."""
        return len(self.operands) - first - self.tables.takes_index(resource)

    def is_moved(self, resource: Resource) -> bool:
        """Whether addresses count from the start of the descriptor, of which the view is a part."""
        return self.tables.views[resource].windowed and self.context.stage >= Stage.WINDOWED

    @property
    def tables(self) -> Tables:
        """The tables of the module."""
        return self.context.module.tables

    def one(self, position: int) -> Lanes:
        """An operand in the active lanes."""
        return self.operands[position][..., self.active.lanes]

    def given(self, words: Lanes) -> Lanes:
        """The operation's result in all lanes, from the dwords of the active ones.

        Words are u32[active], for texels u32[4, active].
        """
        count = self.context.threads.count
        spread = np.zeros((*words.shape[:-1], count), np.uint32)
        spread[..., self.active.lanes] = words
        return of_words(spread, self.value.type)

    def number(self, count: Lanes | int) -> Lanes:
        """The operation's result in all lanes, from one number or one for each active lane."""
        words = np.broadcast_to(np.asarray(count, np.int64), (len(self.active.lanes),))
        return self.given(words.astype(np.uint32))

    def fault(self, problem: str, wrong: Lanes | None = None) -> InterpretError:
        """An error; `wrong` marks the active lanes at fault."""
        if wrong is not None:
            lane = int(self.active.lanes[np.flatnonzero(wrong)[0]])
            problem = f"{problem}, in thread {self.context.threads.thread(lane)}"
        return fault(self.context.module, self.value, problem)


Handler: TypeAlias = "Callable[[Operation], Lanes | None]"
