"""PlanCache: what was recorded on one device and is idle, so that it can be submitted again."""

from __future__ import annotations

from collections import OrderedDict, deque
from contextlib import suppress
from threading import RLock
from typing import Any, Generic, Protocol, TypeVar

from vkrunner.resources.collected import Alive, Collected

MOST_PLANS = 256
MOST_BYTES = 512 << 20  # of the arrays that those have room for which are idle

PlanKey = tuple[Any, ...]


class Repeatable(Protocol):
    """Something recorded: `nbytes` of memory are its own, `tokens` name what else it refers to."""

    nbytes: int
    tokens: frozenset[int]


R = TypeVar("R", bound=Repeatable)


class Plan(Generic[R]):
    """What was recorded for one purpose and is not in use; changed under the device's lock."""

    def __init__(self) -> None:
        self.is_kept = False  # else what is given back is dropped
        self.idle: list[R] = []
        self.tokens: frozenset[int] = frozenset()

    def take(self) -> R | None:
        """One that is idle, which the caller then has alone; None without one."""
        try:
            return self.idle.pop()
        except IndexError:
            return None

    def drop(self) -> None:
        """Keep nothing any more."""
        self.is_kept = False
        self.idle.clear()


class PlanCache:
    """The plans of one device, of which the least recently used give way.

    `lock` is the device's; a signal's handler may enter while its thread has it. So entries are
    taken by `pop`, without looking first. One that is not `is_on` keeps none.
    """

    def __init__(self, lock: RLock, *, is_on: bool = True):
        self._lock = lock
        self._is_on = is_on
        self._plans: OrderedDict[PlanKey, Plan[Any]] = (
            OrderedDict()
        )  # the least recently used first
        self._watched = Alive[Plan[Any]]()
        self._nbytes = 0  # of what is idle in `_plans`
        self._owned = Collected[int]()
        self._forgotten: deque[tuple[None, int]] = deque()

    def take(self, key: PlanKey) -> tuple[Any, Any] | None:
        """The plan of a key with a recording that is the caller's until it is given back."""
        with self._lock:
            plan = self._plans.get(key)
            taken = None if plan is None else plan.take()
            if taken is None:
                return None
            self._nbytes -= taken.nbytes
            with suppress(KeyError):  # when a handler dropped it
                self._plans.move_to_end(key)
            return plan, taken

    def keep(self, key: PlanKey, plan: Plan[Any], made: Repeatable) -> Any:
        """The plan that a new recording is given back to, which may be known already."""
        if not self._is_on:
            return plan
        with self._lock:
            if key not in self._plans:
                while len(self._plans) >= MOST_PLANS:
                    self._drop_oldest()
                plan.is_kept, plan.tokens = True, made.tokens
            return self._plans.setdefault(key, plan)

    def give(self, plan: Plan[Any], recorded: Repeatable) -> None:
        """Take a recording back, to be kept if its plan is."""
        with self._lock:
            if not plan.is_kept:
                return
            plan.idle.append(recorded)
            self._nbytes += recorded.nbytes
            while self._nbytes > MOST_BYTES and self._plans:
                self._drop_oldest()

    def watch(self, plan: Plan[Any]) -> None:
        """Drop a plan that is not ours, too, when something of its tokens is forgotten."""
        with self._lock:
            plan.is_kept = True
            self._watched.add(plan)

    def forget_with(self, owner: object, token: int) -> None:
        """Forget a token when the owner is collected."""
        self._owned.watch(owner, token)

    def forget(self, token: int) -> None:
        """Have the plans that use this dropped by the next `drop_forgotten`."""
        self._forgotten.append((None, token))

    def drop_forgotten(self) -> None:
        """Drop the plans that use what was closed or collected; the caller has the lock."""
        self._owned.move(self._forgotten, None)
        if not self._forgotten:
            return
        entries = list(self._forgotten)
        forgotten = {token for _, token in entries}
        for key, plan in list(self._plans.items()):
            if not forgotten.isdisjoint(plan.tokens):
                self._drop(self._plans.pop(key, None))
        for plan in self._watched.items():
            if not forgotten.isdisjoint(plan.tokens):
                plan.drop()
        for entry in entries:
            with suppress(ValueError):  # a signal's handler was faster
                self._forgotten.remove(entry)

    def clear(self) -> None:
        """Drop all plans of dispatches; the caller has the lock."""
        while self._plans:
            self._drop_oldest()
        self._nbytes = 0

    def _drop_oldest(self) -> None:
        with suppress(KeyError):  # when a handler dropped the last
            self._drop(self._plans.popitem(last=False)[1])

    def _drop(self, plan: Plan[Any] | None) -> None:
        """Drop a plan that is no entry any more."""
        while plan is not None and (taken := plan.take()) is not None:
            self._nbytes -= taken.nbytes
        if plan is not None:
            plan.drop()
