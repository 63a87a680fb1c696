"""Vulkan objects are destroyed when the submissions that may use them have ended, not earlier."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from vkrunner.vulkan.loader.deletion import DeletionQueue


class Owner:
    """It ends with its last reference."""


def after_use(queue: DeletionQueue, destroy: Callable[[], None]) -> None:
    stack = queue.own(None)
    stack.callback(destroy)
    queue.destroy_after(stack)


def with_owner(queue: DeletionQueue, destroy: Callable[[], None]) -> None:
    owner = Owner()
    queue.own(owner).callback(destroy)
    del owner


@pytest.mark.parametrize("end", [after_use, with_owner])
def test_objects_live_until_the_latest_submission_has_ended(
    end: Callable[[DeletionQueue, Callable[[], None]], None],
) -> None:
    """Later submissions do not count."""
    queue, destroyed = DeletionQueue(), list[str]()
    in_flight: dict[int, object] = {1: None, 2: None}
    queue.in_flight, queue.latest = in_flight, 2
    end(queue, lambda: destroyed.append("object"))
    queue.collect()
    del in_flight[1]
    in_flight[3], queue.latest = None, 3
    queue.collect()
    assert not destroyed
    del in_flight[2]
    queue.collect()
    assert destroyed == ["object"]


@pytest.mark.parametrize("end", [after_use, with_owner])
def test_without_work_in_flight_objects_are_destroyed_immediately(
    end: Callable[[DeletionQueue, Callable[[], None]], None],
) -> None:
    queue, destroyed = DeletionQueue(), list[str]()
    queue.latest = 2
    end(queue, lambda: destroyed.append("object"))
    queue.collect()
    assert destroyed == ["object"]
