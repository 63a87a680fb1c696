"""PlanCache: what is kept of the dispatches on one device, so that they can be repeated."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from threading import RLock
from typing import Any, Generic, TypeVar

from vkrunner.vulkan.draining import drained

MOST_PLANS = 256
MOST_BYTES = 512 << 20  # of the arrays that they have room for

Key = tuple[Any, ...]


class Repeated:
    """Something recorded that takes `nbytes` of memory and is freed by `stack`."""

    def __init__(self, stack: ExitStack, nbytes: int):
        self.stack = stack
        self.nbytes = nbytes


P = TypeVar("P")
R = TypeVar("R", bound=Repeated)


@dataclass(slots=True)
class _Entry(Generic[P, R]):
    """A plan with the recordings of it that nobody has taken."""

    plan: P
    idle: list[R] = field(default_factory=list[R])
    nbytes: int = 0
    used: int = 0


class PlanCache(Generic[P, R]):
    """The plans of one device, the least recently used of which give way."""

    def __init__(self, lock: RLock, release: Callable[[ExitStack], None]):
        self._lock = lock
        self._release = release
        self._plans: dict[Key, _Entry[P, R]] = {}
        self._nbytes = 0
        self._clock = itertools.count(1)

    def take(self, key: Key) -> tuple[P, R] | None:
        """A recording that is the caller's until `give`."""
        entry = self._plans.get(key)
        if entry is None:
            return None
        entry.used = next(self._clock)
        try:
            return entry.plan, entry.idle.pop()
        except IndexError:
            return None

    def give(self, key: Key, plan: P, ready: R) -> None:
        """Take a recording back."""
        with self._lock:
            entry = self._plans.get(key)
            if entry is not None and entry.plan is plan:
                entry.idle.append(ready)
                return
        self._release(ready.stack)

    def add(self, key: Key, plan: P, ready: R) -> None:
        """Keep a new recording, of a plan that may be known."""
        nbytes = ready.nbytes
        with self._lock:
            while self._plans and self._is_full(nbytes):
                self._drop(min(self._plans, key=lambda k: self._plans[k].used))
            if self._is_full(nbytes):
                self._release(ready.stack)
                return
            entry = self._plans.setdefault(key, _Entry(plan))
            entry.used = next(self._clock)
            entry.nbytes += nbytes
            self._nbytes += nbytes
            ready.stack.callback(self._count_freed, entry, nbytes)
            entry.idle.append(ready)

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

    def _count_freed(self, entry: _Entry[P, R], nbytes: int) -> None:
        """Of a recording that was freed; the caller has the lock."""
        if entry.nbytes:  # else all of the plan were dropped
            entry.nbytes -= nbytes
            self._nbytes -= nbytes

    def _is_full(self, nbytes: int) -> bool:
        return len(self._plans) >= MOST_PLANS or self._nbytes + nbytes > MOST_BYTES

    def _drop(self, key: Key) -> None:
        entry = self._plans.pop(key, None)
        if entry is None:  # to release another swept what has closed a kernel
            return
        self._nbytes -= entry.nbytes
        entry.nbytes = 0
        for ready in drained(entry.idle):
            self._release(ready.stack)
