"""What several threads take things from, without a lock."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import TypeVar

T = TypeVar("T")


def drained(things: list[T] | deque[T]) -> Iterator[T]:
    """All of them, the last first, but for those that another thread takes at the same time."""
    while True:
        try:
            thing = things.pop()
        except IndexError:
            return
        yield thing
