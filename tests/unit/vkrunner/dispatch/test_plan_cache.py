"""The cache of encoded dispatches is bounded by their number and by the memory of their arrays."""

from threading import RLock
from typing import Any
from unittest.mock import Mock

from vkrunner.dispatch.executable import MOST_BYTES, MOST_PLANS, Plan, PlanCache


def idle(nbytes: int = 0) -> Any:
    """An executable that was never submitted, and a queue without work."""
    return Mock(nbytes=nbytes, lock=RLock(), latest=0, serial=0, tokens=frozenset())


def add(cache: PlanCache, name: str, nbytes: int = 0) -> Plan:
    """A new plan that has been used once; its executable is idle."""
    made = idle(nbytes)
    plan = cache.keep(Plan(cache, (name,)), made, cache.closings)
    cache.take(plan)
    cache.give_back(plan, made, None)
    return plan


def test_the_oldest_plan_is_dropped() -> None:
    cache = PlanCache(idle(), is_on=True)
    plans = [add(cache, str(number)) for number in range(MOST_PLANS)]
    cache.take(plans[0])
    add(cache, "new")
    assert len(cache.by_key) == MOST_PLANS
    assert plans[0].is_kept
    assert not plans[1].is_kept


def test_the_oldest_arrays_are_dropped() -> None:
    """Their memory does not count any longer: two of the three always have room."""
    cache, half = PlanCache(idle(), is_on=True), MOST_BYTES // 2
    plans = [add(cache, str(number), half) for number in range(5)]
    assert [plan.is_kept for plan in plans] == [False, False, False, True, True]
