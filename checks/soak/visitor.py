"""Visitor: a caller's code that uses the device in a signal's handler or a finalizer."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from itertools import count

import numpy as np

from checks.running.shaders import ADD
from vkrunner import Buffer, Device, Future, ReentryError

from .paths import Array, check
from .shared import Shared

_KEPT = 3
_LONGEST_S = 60  # until a callback counts as lost
_VISITS_PER_DEVICE = 40


class Visitor:
    """Each `visit` does one act and checks its result; any thread may enter, also within another.

    `spare` are devices that visits close. A visit within a device's lock is refused. Other failures
    are kept, because Python ignores errors of finalizers.
    """

    def __init__(self, device: Device, shared: Shared):
        self.spare: deque[Device] = deque()
        self.failures: list[BaseException] = []
        self.visits = self.refused = 0
        self._device = device
        self._add = device.kernel(ADD)
        self._total = device.buffer(np.zeros(1, np.uint32))
        self._added: deque[int] = deque()
        self._futures: deque[Future] = deque()
        self._buffers: deque[Buffer] = deque()
        self._asked: deque[Future] = deque()
        self._called: deque[Future] = deque()
        with device.record() as self._recording:
            self._step = self._recording.dispatch(self._add, 4, u0=_four(0), cb0=1)
        self._numbers = count(1)
        self._acts: tuple[Callable[[int], object], ...] = (
            *(self._dispatch, self._count, self._keep_future, self._keep_buffer),
            *(self._record, self._submit, self._make, self._call_back),
            *(lambda _: shared.use(), lambda _: shared.close_one()),
        )

    def visit(self) -> None:
        self.visits = number = next(self._numbers)
        try:
            self._acts[number % len(self._acts)](number)
            if number % _VISITS_PER_DEVICE == 0:
                self._close_spare()
        except ReentryError:
            self.refused += 1
        except BaseException as error:
            self.failures.append(error)

    def close(self) -> None:
        """Let go of kept objects, and raise the error of a visit."""
        for future in self._futures:
            future.wait()
        self._futures.clear()
        end = time.monotonic() + _LONGEST_S
        while len(self._called) < len(self._asked) and time.monotonic() < end:
            time.sleep(0.001)
        assert len(self._called) == len(self._asked), "callbacks were lost"
        self._buffers.clear()
        while self.spare:
            self._close_spare()
        if self.failures:
            raise self.failures[0]
        check(self._total.read(), sum(self._added))

    def _dispatch(self, number: int) -> None:
        check(self._add.dispatch(4, u0=_four(number), cb0=1).u0, number + 1)

    def _count(self, number: int) -> None:
        self._add.dispatch(1, u0=self._total, cb0=number % 5)
        self._added.append(number % 5)

    def _keep_future(self, number: int) -> None:
        self._futures.append(self._add.dispatch_async(4, u0=_four(number), cb0=1))
        if len(self._futures) > _KEPT:
            with suppress(IndexError):  # when another visit was faster
                self._futures.popleft().result()

    def _keep_buffer(self, number: int) -> None:
        made = self._device.buffer(np.full(16 + number % 64, number, np.uint32))
        check(made.read(), number)
        self._buffers.append(made)
        if len(self._buffers) > _KEPT:
            with suppress(IndexError):
                self._buffers.popleft().close()

    def _record(self, number: int) -> None:
        with self._device.record() as recording:
            step = recording.dispatch(self._add, 4, u0=_four(number), cb0=2)
        check(recording.submit().result(step).u0, number + 2)
        recording.close()

    def _make(self, number: int) -> None:
        self._device.kernel(ADD).close()

    def _call_back(self, number: int) -> None:
        """Its callback may have to wait for the thread that this visit interrupts."""
        future = self._recording.submit()
        self._asked.append(future)
        future.add_done_callback(self._called.append)

    def _submit(self, number: int) -> None:
        future = self._recording.submit({self._step: {"u0": _four(number)}})
        check(future.result().u0, number + 1)

    def _close_spare(self) -> None:
        with suppress(IndexError):
            self.spare.pop().close()


def _four(number: int) -> Array:
    return np.full(4, number, np.uint32)
