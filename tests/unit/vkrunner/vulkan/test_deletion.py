"""Vulkan objects are destroyed when the submissions that may use them have ended, not earlier."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

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
def test_objects_live_until_the_latest_submission_has_ended(end: Any) -> None:
    """Later submissions do not count; without work in flight they are destroyed immediately."""
    queue, destroyed = DeletionQueue(), list[str]()
    queue.latest = 2
    end(queue, lambda: destroyed.append("idle"))
    queue.collect()
    assert destroyed == ["idle"]
    in_flight: dict[int, object] = {1: None, 2: None}
    queue.in_flight = in_flight
    end(queue, lambda: destroyed.append("object"))
    queue.collect()
    del in_flight[1]
    in_flight[3], queue.latest = None, 3
    queue.collect()
    assert destroyed == ["idle"]
    del in_flight[2]
    queue.collect()
    assert destroyed == ["idle", "object"]
