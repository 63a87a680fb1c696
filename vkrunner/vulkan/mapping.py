"""Mapped views of buffers: NumPy arrays over the device's memory, which no memory ends before.

A view of NumPy cannot be taken back, so each has a lease as its base: what is closed meanwhile is
freed when the last lease has ended.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable
from typing import Any
from weakref import finalize

import numpy as np

from vkrunner.values.arrays import Bytes

_numbers = itertools.count()


class Lease:
    """The base of a view: `owner`, whose memory it is, stays as long as this lives."""

    def __init__(self, owner: object, mapped: Bytes, *, writable: bool):
        self._owner = owner
        interface: dict[str, Any] = dict(mapped.__array_interface__)
        interface["data"] = (interface["data"][0], not writable)
        self.__array_interface__ = interface


class Leases:
    """The leases on some memory, which may be a part of `whole`'s."""

    def __init__(self, whole: Leases | None = None):
        self._whole = whole
        self._leased: set[int] = set()  # changed by finalizers too, in one step each
        self._at_end: deque[Callable[[], None]] = deque()

    def view(self, owner: object, mapped: Bytes, *, writable: bool) -> Bytes:
        """u8 over the same bytes, which holds a lease."""
        lease = Lease(owner, mapped, writable=writable)
        number = next(_numbers)
        self._begin(number)
        finalize(lease, self._end, number).atexit = False
        view: Bytes = np.asarray(lease)
        return view

    def when_ended(self, call: Callable[[], None]) -> None:
        """Call at once where there is no lease, else when the last one ends."""
        self._at_end.append(call)
        self._call_unleased()

    def _begin(self, number: int) -> None:
        self._leased.add(number)
        if self._whole is not None:
            self._whole._begin(number)

    def _end(self, number: int) -> None:
        self._leased.remove(number)
        self._call_unleased()
        if self._whole is not None:
            self._whole._end(number)

    def _call_unleased(self) -> None:
        while self._at_end and not self._leased:
            try:
                call = self._at_end.popleft()
            except IndexError:  # another thread was faster
                return
            call()
