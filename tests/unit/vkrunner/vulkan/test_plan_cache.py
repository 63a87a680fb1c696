"""PlanCache: a recording belongs to one thread at a time, also while plans are dropped."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from threading import RLock
from typing import Any

import pytest

from vkrunner.vulkan.plan_cache import MOST_BYTES, Key, PlanCache, Repeated

PLAN, KEY = "plan", ("kernel", 1)


class Meanwhile(dict[Key, Any]):
    """Plans with something that happens right behind a look at one of them."""

    act: Callable[[], None] = staticmethod(lambda: None)

    def get(self, key: Key, default: Any = None) -> Any:
        found = super().get(key, default)
        self.act()
        return found


@pytest.fixture
def released() -> list[ExitStack]:
    return []


@pytest.fixture
def cache(released: list[ExitStack]) -> PlanCache[str, Repeated]:
    return PlanCache(RLock(), released.append)


def ready() -> Repeated:
    return Repeated(ExitStack(), 16)


def test_it_gives_what_it_was_given(cache: PlanCache[str, Repeated]) -> None:
    one, two = ready(), ready()
    cache.add(KEY, PLAN, one)
    assert cache.take(KEY) == (PLAN, one)
    assert cache.take(KEY) is None
    cache.add(KEY, PLAN, two)
    cache.give(KEY, PLAN, one)
    assert {cache.take(KEY), cache.take(KEY)} == {(PLAN, one), (PLAN, two)}


def test_what_is_dropped_while_it_is_looked_for(
    cache: PlanCache[str, Repeated], released: list[ExitStack]
) -> None:
    """Another thread evicts it: then it is released, and not given away."""
    only = ready()
    cache.add(KEY, PLAN, only)
    cache._plans = plans = Meanwhile(cache._plans)
    plans.act = cache.clear
    assert cache.take(KEY) is None
    assert released == [only.stack]


def test_what_was_taken_before_it_was_dropped(
    cache: PlanCache[str, Repeated], released: list[ExitStack]
) -> None:
    taken, idle = ready(), ready()
    cache.add(KEY, PLAN, idle)
    cache.add(KEY, PLAN, taken)
    assert cache.take(KEY) == (PLAN, taken)
    cache.drop("kernel")
    assert released == [idle.stack]
    cache.give(KEY, PLAN, taken)
    assert released == [idle.stack, taken.stack]


def test_what_is_freed_elsewhere_does_not_count() -> None:
    """A submission whose future nobody keeps frees what it had taken."""
    cache: PlanCache[str, Repeated] = PlanCache(RLock(), ExitStack.close)
    for _ in range(3):
        cache.add(KEY, PLAN, Repeated(ExitStack(), MOST_BYTES // 2))
        taken = cache.take(KEY)
        assert taken is not None
        taken[1].stack.close()
    kept = [Repeated(ExitStack(), MOST_BYTES // 2) for _ in range(2)]
    for one in kept:
        cache.add(KEY, PLAN, one)
    assert {cache.take(KEY), cache.take(KEY)} == {(PLAN, one) for one in kept}
    cache.clear()
    for one in kept:
        one.stack.close()
    assert cache._nbytes == 0


def test_releasing_one_drops_another() -> None:
    """What was closed before may be destroyed by it: a kernel, whose plans end with it."""
    released: list[ExitStack] = []

    def release(stack: ExitStack) -> None:
        released.append(stack)
        cache.drop("other")

    cache: PlanCache[str, Repeated] = PlanCache(RLock(), release)
    both = [ready(), ready()]
    cache.add(KEY, PLAN, both[0])
    cache.add(("other", 1), PLAN, both[1])
    cache.clear()
    assert released == [r.stack for r in both]
