"""Disturbance: handlers of signals, finalizers, Ctrl-C and closing threads during a soak."""

from __future__ import annotations

import gc
import random
import signal
import sys
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from threading import current_thread, main_thread
from types import FrameType
from typing import Any

import vkrunner
from checks.running.shaders import ADD

from . import garbage, visitor
from .garbage import DRIVER, is_within, leave
from .paths import Paths, zeros
from .shared import Shared
from .visitor import Visitor

_SHORTEST_S, _LONGEST_S = 2e-5, 2e-2  # until the next signal
_INTERRUPTS = 0.3  # of the signals during a turn
_THRESHOLDS = range(5, 300)  # of the garbage collector
# Python ignores KeyboardInterrupt in finalizers; in asyncio and threading it does damage
_UNHEARD = frozenset({visitor.__file__, garbage.__file__, weakref.__file__, "__del__", "awaited"})


class Disturbance:
    """Visits at any moment of the `with` of `running`, and turns for objects that threads share."""

    def __init__(self, device: vkrunner.Device):
        self._open = partial(vkrunner.open_device, device.info.index)
        self._device = device
        self._chance = random.Random(1)
        self._may_interrupt = False
        self.visits = self.refused = self.interrupts = 0

    def __str__(self) -> str:
        return f"{self.visits} visits, {self.refused} refused, {self.interrupts} times Ctrl-C"

    @contextmanager
    def running(self) -> Iterator[None]:
        """Signals come to the main thread, and the garbage collector runs often in every one."""
        self._shared = Shared(self._open)
        self._visitor = Visitor(self._device, self._shared)
        self._own_turns = (self._use_shared, self._close_shared, self._open_spare)
        handlers = {kind: signal.getsignal(kind) for kind in (signal.SIGALRM, signal.SIGINT)}
        thresholds = gc.get_threshold()
        hook, sys.unraisablehook = sys.unraisablehook, self._note
        gc.collect()
        gc.freeze()  # else the collector looks at all existing objects each time
        signal.signal(signal.SIGALRM, self._handle)
        signal.signal(
            signal.SIGINT, signal.default_int_handler
        )  # a shell's background job has none
        self._set_timer()
        try:
            yield
        finally:
            signal.signal(signal.SIGALRM, signal.SIG_IGN)  # else the handler sets the timer again
            signal.setitimer(signal.ITIMER_REAL, 0)
            for kind, handler in handlers.items():
                signal.signal(kind, handler)
            gc.set_threshold(*thresholds)
            gc.unfreeze()
            gc.collect()
            sys.unraisablehook = hook
            self._shared.close()
            self.visits += self._visitor.visits
            self.refused += self._visitor.refused
            self._visitor.close()

    def turn(self, worker: Paths, number: int) -> int:
        """One turn of a worker, or of objects that are shared; returns its dispatches."""
        self._leave_garbage()
        turns = (*worker.turns, *self._own_turns)
        is_main = current_thread() is main_thread()
        try:
            try:
                self._may_interrupt |= is_main
                return turns[number % len(turns)](number)
            finally:
                self._may_interrupt &= not is_main
        except KeyboardInterrupt:
            self.interrupts += 1
            worker.resume()
            return 0

    def _use_shared(self, number: int) -> int:
        self._shared.use()
        return 1

    def _close_shared(self, number: int) -> int:
        self._shared.close_one()
        return 0

    def _open_spare(self, number: int) -> int:
        if not self._visitor.spare:
            device = self._open()
            device.kernel(ADD).dispatch_async(4, u0=zeros(4), cb0=1)
            self._visitor.spare.append(device)
        return 1

    def _leave_garbage(self) -> None:
        gc.set_threshold(self._chance.choice(_THRESHOLDS), 3, 5)
        leave(self._visitor.visit)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        try:
            if is_within(frame, DRIVER):
                return
            if not self._may_interrupt or self._chance.random() > _INTERRUPTS:
                self._visitor.visit()
            elif not is_within(frame, _UNHEARD):
                self._may_interrupt = False
                signal.raise_signal(signal.SIGINT)
        finally:
            self._set_timer()

    def _set_timer(self) -> None:
        longer = (_LONGEST_S / _SHORTEST_S) ** self._chance.random()
        signal.setitimer(signal.ITIMER_REAL, _SHORTEST_S * longer)

    def _note(self, about: Any) -> None:
        """An error that Python ignores, such as Ctrl-C in a callback."""
        self._visitor.failures.append(about.exc_value)
