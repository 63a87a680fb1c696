"""The end of objects: at the end of a `with`, or noted when Python's garbage collector has them.

The callbacks of `weakref.finalize`, WeakSet and WeakKeyDictionary are Python code. A Ctrl-C that
arrives in such a callback is printed as ignored, and does not stop the program.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from contextlib import suppress
from itertools import repeat
from types import TracebackType
from typing import Any, Generic, Self, TypeVar
from weakref import ref

T = TypeVar("T")
M = TypeVar("M")


class Closing(ABC):
    """A context manager that closes itself; `close` may be called again."""

    @abstractmethod
    def close(self) -> None: ...

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class Reference(ref[Any]):
    """A weak reference that is equal to itself only."""

    __slots__ = ()
    __eq__ = object.__eq__
    __hash__ = object.__hash__


class Collected(Generic[T]):
    """Items with an owner each; when owners were garbage-collected, `move` moves their items."""

    def __init__(self) -> None:
        self._items: dict[Reference, T] = {}
        self.gone: deque[Reference] = deque()  # of owners that were collected

    def watch(self, owner: object, item: T) -> None:
        """Keep an item until its owner is garbage-collected and `move` or `drop` is called."""
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
    """A list of objects that does not keep them alive: it forgets those that are collected."""

    def __init__(self) -> None:
        self._references: dict[Reference, None] = {}
        self._gone: deque[Reference] = deque()

    def add(self, item: T) -> None:
        """Add an object."""
        with suppress(IndexError):  # when none is left
            deque(map(self._references.pop, iter(self._gone.popleft, None)), maxlen=0)
        self._references[Reference(item, self._gone.append)] = None

    def items(self) -> list[T]:
        """The objects that are alive, oldest first."""
        found = [reference() for reference in list(self._references)]
        return [item for item in found if item is not None]
