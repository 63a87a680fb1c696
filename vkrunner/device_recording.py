"""DeviceRecording: a recording as command buffers of a Vulkan device.

One command buffer serves one submission at a time. While it is in flight, or its results have not
been fetched, a further submission gets another one with memory of its own, up to MOST_IN_FLIGHT.
"""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Callable
from contextlib import ExitStack
from functools import cached_property
from threading import RLock
from typing import Any

from vkrunner.future import Future
from vkrunner.recording import Recording, Replacements
from vkrunner.result import ResultLayout, residents_of
from vkrunner.steps import (
    BufferRegion,
    Recorded,
    RecordedDispatch,
    RecordedFill,
    TextureRegion,
)
from vkrunner.vulkan.command_list import Input, Step
from vkrunner.vulkan.draining import drained
from vkrunner.vulkan.executable import DeviceSubmission, Executable, Origin, Origins
from vkrunner.vulkan.logical import COPY_TIMEOUT_NS, LogicalDevice
from vkrunner.vulkan.transfers import (
    BufferCopy,
    BufferFill,
    BufferUpload,
    ImageToImage,
    ImageUpload,
)

MOST_IN_FLIGHT = 8


class DeviceRecording(Recording):
    """See `Recording`; `timestamps`: whether its dispatches are timed."""

    host_clock = False

    def __init__(self, logical: LogicalDevice, *, timestamps: bool):
        super().__init__(logical)
        self._timestamps = timestamps and logical.info.features.timestamps
        self._lock = RLock()
        self._idle: list[Executable] = []
        self._busy: dict[DeviceSubmission, Callable[[], Future | None]] = {}  # oldest first
        self._dropped: deque[DeviceSubmission] = deque()  # whose results will not be asked for
        logical.settle_before_close(self)

    @cached_property
    def _origins(self) -> Origins:
        """The parts of results that all submissions share; valid once the recording has ended."""
        return {
            step: Origin(
                step.kernel.name,
                ResultLayout(step.kernel.interface, step.request.arguments),
                residents_of(step.request.arguments),
            )
            for step in self.dispatches
        }

    def _submit(self, replacements: Replacements) -> Future:
        with self._lock:
            self._check_closed()  # it may have been closed while we waited
            executable = self._take()
            values: dict[Input, Any] = {}
            for (step, place), value in replacements.items():
                values[executable.inputs[step][place]] = value
            submission = DeviceSubmission(self._logical, executable, self._origins, self)
            self._busy[submission] = _nobody
            submission.start(values)
            future = Future(submission)
            self._busy[submission] = weakref.ref(future)
        return future

    def _take(self) -> Executable:
        """An executable that is not in flight."""
        timed = self._timestamps or self._is_profiled
        if self._dropped:
            self._reuse_dropped()
        while True:
            while self._idle:
                executable = self._idle.pop()
                if executable.work.is_timed or not timed:
                    return executable
                self._logical.release(executable.stack)
            if len(self._busy) < MOST_IN_FLIGHT:
                return Executable(self._logical, self._realise, timed=timed)
            self._finish_oldest()

    def _realise(self, stack: ExitStack) -> dict[Recorded, Step]:
        return {step: _realised(step, stack) for step in self._steps}

    @property
    def _is_profiled(self) -> bool:
        logical = self._logical
        return bool(logical.on_dispatch) and logical.info.features.timestamps

    def _reuse_dropped(self) -> None:
        for _ in range(len(self._dropped)):
            submission = self._dropped.popleft()
            if submission.has_ended():
                self.give_back(submission)
            else:
                self._dropped.append(submission)

    def _finish_oldest(self) -> None:
        """Wait for the oldest submission; results that may be asked for are fetched."""
        busy = list(self._busy)  # which other threads give back without our lock
        if not busy:
            return
        submission = busy[0]
        future = self._busy.get(submission, _nobody)()
        if future is not None:
            future.wait()
            future.collect()
        elif not submission.has_ended():  # as it has if Ctrl-C came before it was submitted
            submission.wait(COPY_TIMEOUT_NS)
        self.give_back(submission)  # which Ctrl-C may have kept the future from

    def give_back(self, submission: DeviceSubmission) -> None:
        """Of work that has ended, and whose results were fetched or are not wanted."""
        if self._busy.pop(submission, None) is not None:
            self._idle.append(submission.executable)

    def drop(self, submission: DeviceSubmission) -> None:
        """Nobody asks for the results; called from anywhere."""
        self._dropped.append(submission)

    def settle(self) -> None:
        """Fetch the results of what has ended, for their memory is going to be freed."""
        for reference in list(self._busy.values()):
            future = reference()
            if future is not None:
                future.settle()

    def close(self) -> None:
        super().close()
        if not self._logical.is_here:
            return
        with self._lock:
            while self._busy and not self._logical.closed:
                self._finish_oldest()
            for executable in drained(self._idle):
                self._logical.retire(executable.stack)  # a thread's results may be copied just now


def _nobody() -> None:
    """In place of a weak reference to a future."""


def _realised(step: Recorded, stack: ExitStack) -> Step:
    if isinstance(step, RecordedDispatch):
        return step.kernel.prepare(step.request, stack, is_recorded=True)
    if isinstance(step, RecordedFill):
        return _fill(step)
    source, target = step.source, step.target
    if isinstance(source, BufferRegion) and isinstance(target, BufferRegion):
        ends = (source.buffer.storage, source.first), (target.buffer.storage, target.first)
        return BufferCopy(*ends, source.nbytes)
    if isinstance(source, TextureRegion) and isinstance(target, TextureRegion):
        views = source.view, target.view
        return ImageToImage(*((v.texture.image, v.part) for v in views))
    assert not isinstance(source, (BufferRegion, TextureRegion)), "pairs were checked"
    if isinstance(target, BufferRegion):
        return BufferUpload(source, target.buffer.storage, target.first, stack)
    view = target.view
    return ImageUpload(source, view.texture.image, view.part, stack)


def _fill(step: RecordedFill) -> BufferFill:
    region = step.region
    counter = region.buffer.counter_storage
    storage = counter if step.is_counter and counter is not None else region.buffer.storage
    return BufferFill(storage, region.first, region.nbytes, step.dword)
