"""Recent: the last entries that this process looked up, in memory."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


class Recent(Generic[T]):
    """Values by key, at most `limit_bytes` of them; the one used longest ago is dropped first."""

    def __init__(self, limit_bytes: int):
        self._limit_bytes = limit_bytes
        self._rows: OrderedDict[str, tuple[T, int]] = OrderedDict()
        self._size_bytes = 0
        self._lock = Lock()

    def get(self, key: str) -> T | None:
        """The value under a key, None without one."""
        with self._lock:
            row = self._rows.get(key)
            if row is None:
                return None
            self._rows.move_to_end(key)
            return row[0]

    def put(self, key: str, value: T, size_bytes: int) -> None:
        """Keep a value, and forget as many as it needs room."""
        with self._lock:
            self._size_bytes += size_bytes - self._rows.pop(key, (None, 0))[1]
            self._rows[key] = (value, size_bytes)
            while self._size_bytes > self._limit_bytes:
                _, (_, freed) = self._rows.popitem(last=False)
                self._size_bytes -= freed

    def clear(self) -> None:
        """Forget all."""
        with self._lock:
            self._rows.clear()
            self._size_bytes = 0
