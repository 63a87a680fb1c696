"""Recent: the last entries that this process looked up, in memory."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from contextlib import suppress
from threading import RLock
from typing import Generic, TypeVar

T = TypeVar("T")


class Recent(Generic[T]):
    """Values by key, at most `limit_bytes` of them; the one used longest ago is dropped first.

    A signal's handler may enter while its thread is here.
    """

    def __init__(self, limit_bytes: int):
        self._limit_bytes = limit_bytes
        self._rows: OrderedDict[Hashable, tuple[T, int]] = OrderedDict()
        self._size_bytes = 0
        self._lock = RLock()

    def get(self, key: Hashable) -> T | None:
        """The value under a key, None without one."""
        with self._lock:
            row = self._rows.get(key)
            if row is None:
                return None
            with suppress(KeyError):  # when a handler dropped it
                self._rows.move_to_end(key)
            return row[0]

    def put(self, key: Hashable, value: T, size_bytes: int) -> None:
        """Keep a value, and forget as many as it needs room."""
        with self._lock:
            _, replaced = self._rows.pop(key, (None, 0))
            self._rows[key] = (value, size_bytes)
            self._size_bytes += size_bytes - replaced
            while self._size_bytes > self._limit_bytes and self._rows:
                with suppress(KeyError):  # when a handler dropped the last
                    _, (_, freed) = self._rows.popitem(last=False)
                    self._size_bytes -= freed

    def clear(self) -> None:
        """Forget all."""
        with self._lock:
            self._rows.clear()
            self._size_bytes = 0
