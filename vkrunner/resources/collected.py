"""Collected, Alive: notes of objects that the garbage collector took, made without Python code.

The callbacks of `weakref.finalize`, WeakSet and WeakKeyDictionary run Python code, in which Ctrl-C
may come: it is then printed as ignored, and nothing stops.
"""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from itertools import repeat
from typing import Any, Generic, TypeVar
from weakref import ref

T = TypeVar("T")
M = TypeVar("M")


class Reference(ref[Any]):
    """A weak reference that is equal to itself only."""

    __slots__ = ()
    __eq__ = object.__eq__
    __hash__ = object.__hash__


class Collected(Generic[T]):
    """Items of objects, to be moved on when these are collected."""

    def __init__(self) -> None:
        self._items: dict[Reference, T] = {}
        self.gone: deque[Reference] = deque()  # of owners that were collected

    def watch(self, owner: object, item: T) -> None:
        """Keep the item until the owner is collected."""
        self._items[Reference(owner, self.gone.append)] = item

    def move(self, queue: deque[tuple[M, T]], mark: M) -> None:
        """Append (mark, item) to the queue for each owner that was collected."""
        items = map(self._items.pop, iter(self.gone.popleft, None))
        with suppress(IndexError):  # when none is left
            queue.extend(zip(repeat(mark), items, strict=False))

    def drop(self) -> None:
        """Drop the items of owners that were collected."""
        if self.gone:
            self.move(deque(maxlen=0), None)


class Alive(Generic[T]):
    """Objects that are known as long as something else refers to them."""

    def __init__(self) -> None:
        self._references: dict[Reference, None] = {}
        self._gone: deque[Reference] = deque()

    def add(self, item: T) -> None:
        """Know an object."""
        with suppress(IndexError):  # when none is left
            deque(map(self._references.pop, iter(self._gone.popleft, None)), maxlen=0)
        self._references[Reference(item, self._gone.append)] = None

    def items(self) -> list[T]:
        """The objects that are alive, oldest first."""
        found = [reference() for reference in list(self._references)]
        return [item for item in found if item is not None]
