"""Turn: lets one thread at a time run steps on a reference device or access its memory."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from threading import TIMEOUT_MAX, RLock

from vkrunner.errors import ArgumentError, DispatchTimeout

_TIMEOUT_NS = 60_000_000_000


class Turn:
    """A lock that orders the work on one device, like a Vulkan queue.

    A signal handler can interrupt a dispatch of its own thread; to wait for that dispatch would
    never end, so an attempt is an error.
    """

    def __init__(self) -> None:
        self._lock = RLock()
        self._is_dispatching = False

    @contextmanager
    def taken(self, timeout_ns: int = _TIMEOUT_NS) -> Generator[None]:
        """Have the turn during a `with`.

        Raises DispatchTimeout if another thread keeps it, ArgumentError within a dispatch.
        """
        if not self._lock.acquire(timeout=min(timeout_ns / 1e9, TIMEOUT_MAX)):
            raise DispatchTimeout(
                f"another thread kept the reference machine busy for {timeout_ns / 1e9:g} s"
            )
        try:
            if self._is_dispatching:
                raise ArgumentError(
                    "the reference machine is within a dispatch of this thread: a signal handler"
                    " cannot use its device meanwhile"
                )
            yield
        finally:
            self._lock.release()

    @contextmanager
    def dispatching(self) -> Generator[None]:
        """Mark a dispatch of the thread that has the turn, during a `with`."""
        self._is_dispatching = True
        try:
            yield
        finally:
            self._is_dispatching = False
