"""Collected: notes of objects that the garbage collector took, made without Python code."""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from itertools import repeat
from typing import Any, Generic, TypeVar
from weakref import ref

T = TypeVar("T")
M = TypeVar("M")


class _Reference(ref[Any]):
    """A weak reference that is equal to itself only."""

    __slots__ = ()
    __eq__ = object.__eq__
    __hash__ = object.__hash__


class Collected(Generic[T]):
    """Items of objects, to be moved on when these are collected.

    `weakref.finalize` would run Python code, in which Ctrl-C may come; then the item is lost.
    """

    def __init__(self) -> None:
        self._items: dict[_Reference, T] = {}
        self.gone: deque[_Reference] = deque()  # of owners that were collected

    def watch(self, owner: object, item: T) -> None:
        """Keep the item until the owner is collected."""
        self._items[_Reference(owner, self.gone.append)] = item

    def move(self, queue: deque[tuple[M, T]], mark: M) -> None:
        """Append (mark, item) to the queue for each owner that was collected."""
        items = map(self._items.pop, iter(self.gone.popleft, None))
        with suppress(IndexError):  # when none is left
            queue.extend(zip(repeat(mark), items, strict=False))
