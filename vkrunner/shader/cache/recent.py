"""Recent: a cache in memory of the entries that this process used last."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from contextlib import suppress
from threading import RLock
from typing import Generic, TypeVar

T = TypeVar("T")


class Recent(Generic[T]):
    """Values by key, at most `limit_bytes`; the least recently used value is dropped first.

    A signal handler may call a method while its thread is in one.
    """

    def __init__(self, limit_bytes: int):
        self._limit_bytes = limit_bytes
        self._rows: OrderedDict[Hashable, tuple[T, int]] = OrderedDict()
        self._size_bytes = 0
        self._lock = RLock()

    def get(self, key: Hashable) -> T | None:
        """The value of a key; None if it is not here."""
        with self._lock:
            row = self._rows.get(key)
            if row is None:
                return None
            with suppress(KeyError):  # if a signal handler dropped it
                self._rows.move_to_end(key)
            return row[0]

    def put(self, key: Hashable, value: T, size_bytes: int) -> None:
        """Keep a value, and drop others if the limit is exceeded."""
        with self._lock:
            _, replaced = self._rows.pop(key, (None, 0))
            self._rows[key] = (value, size_bytes)
            self._size_bytes += size_bytes - replaced
            while self._size_bytes > self._limit_bytes and self._rows:
                with suppress(KeyError):  # if a signal handler dropped the last one
                    _, (_, freed) = self._rows.popitem(last=False)
                    self._size_bytes -= freed

    def clear(self) -> None:
        """Drop all values."""
        with self._lock:
            self._rows.clear()
            self._size_bytes = 0
