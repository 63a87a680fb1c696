"""The cache of encoded dispatches is bounded by their number and by the memory of their arrays."""

from __future__ import annotations

from collections.abc import Mapping
from threading import RLock
from types import MappingProxyType
from typing import Any

from vkrunner.binding.arguments import Place
from vkrunner.work.plan_cache import MOST_BYTES, MOST_PLANS, Plan, PlanCache
from vkrunner.work.result import Outcome


class Idle:
    """A queue without work, and an executable that was never submitted."""

    inputs: Mapping[Any, Mapping[Place, Any]] = MappingProxyType({})
    tokens: frozenset[int] = frozenset()
    has_outputs = is_timed = is_compiling = False
    latest = serial = 0

    def __init__(self, nbytes: int = 0):
        self.nbytes = nbytes
        self.lock = RLock()

    def has_ended(self, serial: int) -> bool:
        return True

    def ends_within(self, serial: int, timeout_ns: int, *, polls: bool = True) -> bool:
        return True

    def check_usable(self) -> None: ...

    def close(self) -> None: ...

    def start(self, values: Mapping[Any, Any], timeout_ns: int) -> None: ...

    def outcomes(self) -> Mapping[Any, Outcome]:
        return {}


def add(cache: PlanCache, name: str, nbytes: int = 0) -> Plan:
    """A new plan that has been used once; its executable is idle."""
    made = Idle(nbytes)
    plan = cache.keep(Plan(cache, (name,)), made, cache.closings)
    cache.take(plan)
    cache.give_back(plan, made, None)
    return plan


def test_the_oldest_plan_is_dropped() -> None:
    cache = PlanCache(Idle(), is_on=True)
    plans = [add(cache, str(number)) for number in range(MOST_PLANS)]
    cache.take(plans[0])
    add(cache, "new")
    assert len(cache.by_key) == MOST_PLANS
    assert plans[0].is_kept
    assert not plans[1].is_kept


def test_the_oldest_arrays_are_dropped() -> None:
    """Their memory does not count any longer: two of the three always have room."""
    cache, half = PlanCache(Idle(), is_on=True), MOST_BYTES // 2
    plans = [add(cache, str(number), half) for number in range(5)]
    assert [plan.is_kept for plan in plans] == [False, False, False, True, True]
