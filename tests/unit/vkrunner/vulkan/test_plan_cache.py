"""PlanCache: a recording belongs to one thread at a time, also while plans are dropped."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from threading import RLock

import pytest

from vkrunner.plan_cache import MOST_BYTES, MOST_PLANS, Plan, PlanCache

KEY = ("kernel", 1)


@dataclass(eq=False)
class Recorded:
    """Something that can be repeated."""

    nbytes: int = 16
    stack: ExitStack = field(default_factory=ExitStack)


Cache = PlanCache[Plan[Recorded]]


class Meanwhile(list[Recorded]):
    """Idle recordings with something that happens right before one is taken."""

    act: Callable[[], None] = staticmethod(lambda: None)

    def pop(self, *which: int) -> Recorded:  # type: ignore[override]
        act, self.act = self.act, lambda: None
        act()
        return super().pop(*which)


@pytest.fixture
def released() -> list[ExitStack]:
    return []


@pytest.fixture
def cache(released: list[ExitStack]) -> Cache:
    return PlanCache(RLock(), released.append)


def kept(cache: Cache, *recordings: Recorded, key: tuple[object, ...] = KEY) -> Plan[Recorded]:
    """The plan of a key, to which these were given back."""
    plan: Plan[Recorded] = Plan()
    for one in recordings:
        plan = cache.keep(key, Plan(), one)
        cache.give(plan, one)
    return plan


def test_it_gives_what_it_was_given(cache: Cache) -> None:
    one, two = Recorded(), Recorded()
    plan = kept(cache, one)
    assert cache.find(KEY) is plan
    assert plan.take() is one
    assert plan.take() is None
    assert kept(cache, two) is plan, "there is one plan for a key"
    cache.give(plan, one)
    assert {plan.take(), plan.take()} == {one, two}


def test_what_is_dropped_while_it_is_looked_for(cache: Cache, released: list[ExitStack]) -> None:
    """Another thread evicts it: then it is released, and not given away."""
    only = Recorded()
    plan = kept(cache, only)
    plan.idle = idle = Meanwhile(plan.idle)
    idle.act = cache.clear
    assert plan.take() is None
    assert released == [only.stack]
    assert cache.find(KEY) is None


def test_what_was_taken_before_it_was_dropped(cache: Cache, released: list[ExitStack]) -> None:
    idle, taken = Recorded(), Recorded()
    plan = kept(cache, idle, taken)
    assert plan.take() is taken
    cache.drop("kernel")
    assert released == [idle.stack]
    cache.give(plan, taken)
    assert released == [idle.stack, taken.stack]


def test_what_was_taken_before_its_key_was_dropped_and_came_anew(
    cache: Cache, released: list[ExitStack]
) -> None:
    """What is dropped stays so: its plan is not that which has its key now."""
    old, new = Recorded(), Recorded()
    before = kept(cache, old)
    assert before.take() is old
    cache.drop("kernel")
    after = kept(cache, new)
    cache.give(before, old)
    assert released == [old.stack]
    assert (after.take(), after.take()) == (new, None)


def test_the_least_recently_used_give_way(cache: Cache, released: list[ExitStack]) -> None:
    recordings = [Recorded() for _ in range(MOST_PLANS)]
    for number, one in enumerate(recordings):
        kept(cache, one, key=("kernel", number))
    assert cache.find(("kernel", 0)) is not None
    kept(cache, Recorded(), key=("kernel", MOST_PLANS))
    assert released == [recordings[1].stack]
    assert cache.find(("kernel", 1)) is None


def test_what_is_too_large_is_not_kept(cache: Cache, released: list[ExitStack]) -> None:
    large = Recorded(MOST_BYTES + 1)
    kept(cache, large)
    assert cache.find(KEY) is None
    assert released == [large.stack]


def test_what_is_freed_elsewhere_does_not_count() -> None:
    """A submission whose future nobody keeps frees what it had taken."""
    cache: Cache = PlanCache(RLock(), ExitStack.close)
    for _ in range(3):
        taken = kept(cache, Recorded(MOST_BYTES // 2)).take()
        assert taken is not None
        taken.stack.close()
    both = [Recorded(MOST_BYTES // 2) for _ in range(2)]
    plan = kept(cache, *both)
    assert {plan.take(), plan.take()} == set(both)
    cache.clear()
    for one in both:
        one.stack.close()
    large = Recorded(MOST_BYTES)
    assert kept(cache, large).take() is large, "nothing else is counted"


def test_releasing_one_drops_another() -> None:
    """What was closed before may be destroyed by it: a kernel, whose plans end with it."""
    released: list[ExitStack] = []

    def release(stack: ExitStack) -> None:
        released.append(stack)
        cache.drop("other")

    cache: Cache = PlanCache(RLock(), release)
    both = [Recorded(), Recorded()]
    kept(cache, both[0])
    kept(cache, both[1], key=("other", 1))
    cache.clear()
    assert released == [r.stack for r in both]
