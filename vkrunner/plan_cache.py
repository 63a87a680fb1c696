"""PlanCache: what was recorded on one device and is idle, so that it can be submitted again."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from contextlib import ExitStack
from threading import RLock
from typing import Any, Generic, Protocol, TypeVar

from vkrunner.draining import drained

MOST_PLANS = 256
MOST_BYTES = 512 << 20  # of the arrays that they have room for

Key = tuple[Any, ...]


class Repeatable(Protocol):
    """Something recorded that takes `nbytes` of memory and is freed by `stack`."""

    stack: ExitStack
    nbytes: int


R = TypeVar("R", bound=Repeatable)


class Plan(Generic[R]):
    """What was recorded for one key and is not in use."""

    def __init__(self) -> None:
        self.is_kept = False  # by a cache
        self.idle: list[R] = []
        self.nbytes = 0
        self.used = 0

    def take(self) -> R | None:
        """A recording that is the caller's until it is given back."""
        try:
            return self.idle.pop()
        except IndexError:
            return None


P = TypeVar("P", bound=Plan[Any])


class PlanCache(Generic[P]):
    """The plans of one device, the least recently used of which give way."""

    def __init__(
        self,
        lock: RLock,
        release: Callable[[ExitStack], None],
        *,
        is_on: bool = True,
    ):
        self._is_on = is_on
        self._lock = lock
        self._release = release
        self._plans: dict[Key, P] = {}
        self._nbytes = 0
        self._clock = itertools.count(1)

    def find(self, key: Key) -> P | None:
        """The plan of a key."""
        plan = self._plans.get(key)
        if plan is not None:
            plan.used = next(self._clock)
        return plan

    def keep(self, key: Key, plan: P, made: Repeatable) -> P:
        """Make room for a new recording; the plan that it is given back to, which may be known."""
        with self._lock:
            while self._plans and self._is_full(made.nbytes):
                self._drop(min(self._plans, key=lambda k: self._plans[k].used))
            if self._is_full(made.nbytes):
                return plan
            plan = self._plans.setdefault(key, plan)
            plan.is_kept = True
            plan.used = next(self._clock)
            plan.nbytes += made.nbytes
            self._nbytes += made.nbytes
            made.stack.callback(self._count_freed, plan, made.nbytes)
            return plan

    def give(self, plan: P, ready: Repeatable) -> None:
        """Take a recording back; it is released unless its plan is kept."""
        with self._lock:  # under which the plans of a kernel that is closed are dropped
            if plan.is_kept:
                plan.idle.append(ready)
                return
        self._release(ready.stack)

    def drop(self, first: Any) -> None:
        """Forget the plans whose keys begin with this."""
        with self._lock:
            for key in [key for key in self._plans if key[0] == first]:
                self._drop(key)

    def clear(self) -> None:
        """Forget all."""
        with self._lock:
            for key in list(self._plans):
                self._drop(key)

    def _count_freed(self, plan: P, nbytes: int) -> None:
        """Of a recording that was freed; the caller has the lock."""
        if plan.is_kept:  # else all of the plan were dropped
            plan.nbytes -= nbytes
            self._nbytes -= nbytes

    def _is_full(self, nbytes: int) -> bool:
        is_off = not self._is_on
        return is_off or len(self._plans) >= MOST_PLANS or self._nbytes + nbytes > MOST_BYTES

    def _drop(self, key: Key) -> None:
        plan = self._plans.pop(key, None)
        if plan is None:  # to release another swept what has closed a kernel
            return
        plan.is_kept = False
        self._nbytes -= plan.nbytes
        for ready in drained(plan.idle):
            self._release(ready.stack)
