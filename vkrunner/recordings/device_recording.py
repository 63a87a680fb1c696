"""DeviceRecording: a recording as command buffers of a Vulkan device.

One command buffer serves one submission at a time. While it is in flight, or its results have not
been fetched, a further submission gets another one with memory of its own, up to MOST_IN_FLIGHT.
"""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Callable, Mapping
from threading import RLock
from typing import Any

from vkrunner.binding.arguments import ArrayArgument, Place
from vkrunner.command_list import CommandList, Step
from vkrunner.futures import Collected, Future
from vkrunner.prepared import Prepared
from vkrunner.recordings.recorded import (
    SOURCE,
    BufferRegion,
    Recorded,
    RecordedCopy,
    RecordedDispatch,
    RecordedFill,
    TextureRegion,
)
from vkrunner.recordings.recording import Recording, Replacements, chosen
from vkrunner.recordings.transfers import (
    BufferCopy,
    BufferFill,
    BufferUpload,
    ImageToImage,
    ImageUpload,
)
from vkrunner.result import Result, contents_of
from vkrunner.values.arrays import Array, bytes_of
from vkrunner.vulkan.draining import drained
from vkrunner.vulkan.logical import COPY_TIMEOUT_NS, LogicalDevice
from vkrunner.vulkan.pool import Bytes

MOST_IN_FLIGHT = 8


class DeviceRecording(Recording):
    """See `Recording`; `timestamps`: whether its dispatches are timed."""

    def __init__(self, logical: LogicalDevice, *, timestamps: bool):
        super().__init__(logical)
        self._timestamps = timestamps and logical.info.features.timestamps
        self._lock = RLock()
        self._idle: list[_Instance] = []
        self._busy: dict[_Flight, Callable[[], Future | None]] = {}  # oldest first
        self._dropped: deque[_Flight] = deque()  # those that nobody asks for the results
        logical.settle_before_close(self)

    def _submit(self, replacements: Replacements) -> Future:
        with self._lock:
            self._check_closed()  # it may have been closed while we waited
            flight = _Flight(self._logical, self, self._take())
            try:
                flight.instance.write(replacements)
                self._logical.queue.submit(flight.instance.work)
            except BaseException:  # Ctrl-C may come when it is in flight
                self._busy[flight] = _nobody
                self._dropped.append(flight)
                raise
            future = Future(flight)
            self._busy[flight] = weakref.ref(future)
        return future

    def _take(self) -> _Instance:
        """An instance that is not in flight."""
        timed = self._timestamps or self._is_profiled
        if self._dropped:
            self._reuse_dropped()
        while True:
            while self._idle:
                instance = self._idle.pop()
                if instance.work.is_timed or not timed:
                    return instance
                self._logical.release(instance.stack)
            if len(self._busy) < MOST_IN_FLIGHT:
                return _Instance(self._logical, self._steps, timed=timed)
            self._finish_oldest()

    @property
    def _is_profiled(self) -> bool:
        logical = self._logical
        return bool(logical.on_dispatch) and logical.info.features.timestamps

    def _reuse_dropped(self) -> None:
        for _ in range(len(self._dropped)):
            flight = self._dropped.popleft()
            if flight.has_ended():
                self.give_back(flight)
            else:
                self._dropped.append(flight)

    def _finish_oldest(self) -> None:
        """Wait for the oldest submission; results that may be asked for are fetched."""
        busy = list(self._busy)  # which other threads give back without our lock
        if not busy:
            return
        flight = busy[0]
        future = self._busy.get(flight, _nobody)()
        if future is not None:
            future.wait()
            future.collect()
        elif not flight.has_ended():  # as it has if Ctrl-C came before it was submitted
            flight.wait(COPY_TIMEOUT_NS)
        self.give_back(flight)  # which Ctrl-C may have kept the future from

    def give_back(self, flight: _Flight) -> None:
        """Of work that has ended, and whose results were fetched or are not wanted."""
        if self._busy.pop(flight, None) is not None:
            self._idle.append(flight.instance)

    def drop(self, flight: _Flight) -> None:
        """Nobody asks for the results; called from anywhere."""
        self._dropped.append(flight)

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
            for instance in drained(self._idle):
                self._logical.retire(instance.stack)  # a thread's results may be copied just now


def _nobody() -> None:
    """In place of a weak reference to a future."""


class _Flight:
    """One submission of an instance: a `futures.Submission`."""

    def __init__(self, logical: LogicalDevice, recording: DeviceRecording, instance: _Instance):
        self._logical = logical
        self._recording = recording
        self.instance = instance
        self.has_outputs = instance.has_outputs

    def has_ended(self) -> bool:
        return self._logical.has_ended(self.instance.work)

    def is_compiling(self) -> bool:
        return self._logical.is_compiling

    def wait(self, timeout_ns: int) -> None:
        self._logical.wait(self.instance.work, timeout_ns)

    def drop(self) -> None:
        self._recording.drop(self)

    def results(self) -> Collected:
        with self._logical.in_use():
            return self.instance.results()

    def give_back(self) -> None:
        self._recording.give_back(self)


class _Instance:
    """One command buffer of a recording, with the memory of what comes with a submission."""

    def __init__(
        self,
        logical: LogicalDevice,
        steps: list[Recorded],
        *,
        timed: bool,
    ):
        self._logical = logical
        self.stack = logical.own(self)
        self._writers: dict[tuple[Recorded, Place], _Writer] = {}
        self._prepared: dict[RecordedDispatch, Prepared] = {}
        try:
            realised = [self._realise(step) for step in steps]
            self.work = CommandList(logical, realised, self.stack, timed=timed)
        except BaseException:
            logical.release(self.stack)
            raise
        self._stale: set[tuple[Recorded, Place]] = set()  # what does not have the recorded data
        self._spent = {key for key, writer in self._writers.items() if writer.is_spent}
        self._reported = [p for p in self._prepared.values() if p.has_report]
        self.has_outputs = any(p.outputs or p.has_report for p in self._prepared.values())
        # What every submission leaves that has no outputs and is not timed
        self._nothing = None if self.has_outputs else _Results(self._prepared, {})

    def write(self, replacements: Replacements) -> None:
        """Bring the data of a submission to where the device finds it."""
        stale = self._stale
        self._stale = stale.union(self._spent, replacements)  # until all is written
        for key in stale.difference(replacements):
            self._writers[key].restore()
        for key, array in replacements.items():
            self._writers[key].write(array)
        self._stale = self._spent.union(replacements)
        for prepared in self._reported:
            prepared.clear_report()

    def results(self) -> Collected:
        """What a submission left that has ended."""
        results = self._nothing
        if results is None or self.work.is_timed:
            results = _Results(self._prepared, self._durations())
        return results

    def _durations(self) -> dict[RecordedDispatch, int]:
        """The time of each dispatch; empty where they are not timed."""
        reading = self.work.reading()
        if reading is None:
            return {}
        pairs = zip(self._prepared.items(), reading.durations_ns, strict=True)
        durations = {step: 0 if p.is_nothing else time for (step, p), time in pairs}
        for call in self._logical.on_dispatch:
            for step, time in durations.items():
                call(step.kernel.name, time)
        return durations

    def _realise(self, step: Recorded) -> Step:
        if isinstance(step, RecordedDispatch):
            return self._realise_dispatch(step)
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
        return self._realise_upload(step, source)

    def _realise_dispatch(self, step: RecordedDispatch) -> Prepared:
        prepared = step.kernel.prepare(step.request, self.stack)
        self._prepared[step] = prepared
        arguments = {a.place: a for a in step.request.arguments if isinstance(a, ArrayArgument)}
        for there in prepared.inputs:
            data = arguments[there.place].contents
            writer = _Writer(there.target, data, there.writer(), is_spent=there.is_spent)
            self._writers[step, there.place] = writer
        return prepared

    def _realise_upload(self, step: RecordedCopy, source: Bytes) -> Step:
        target = step.target
        if isinstance(target, BufferRegion):
            storage = target.buffer.storage
            upload = BufferUpload(storage, target.first, target.nbytes, self.stack)
        else:
            view = target.view
            upload = ImageUpload(view.texture.image, view.part, self.stack)
        place = upload.target

        def write(array: Array) -> None:
            place[:] = bytes_of(array)

        self._writers[step, (SOURCE, 0)] = _Writer(place, source, write, is_spent=False)
        place[:] = source
        return upload


class _Writer:
    """How one array comes to where the device finds it: the recorded one, or another."""

    def __init__(
        self, target: Bytes, recorded: Bytes, write: Callable[[Array], None], *, is_spent: bool
    ):
        self._target = target
        self._recorded = recorded
        self.write = write
        self.is_spent = is_spent

    def restore(self) -> None:
        self._target[:] = self._recorded


class _Results:
    """What a submission left, in `outputs` by step and place."""

    def __init__(
        self,
        prepared: Mapping[RecordedDispatch, Prepared],
        durations: Mapping[RecordedDispatch, int],
    ):
        self._durations = durations
        self.duration_ns = sum(durations.values()) if durations else None
        self.outputs = {
            step: {place: output.read() for place, output in p.outputs.items()}
            for step, p in prepared.items()
        }
        self.violations = {step: p.violations() for step, p in prepared.items() if p.has_report}

    def result(self, step: Any) -> Result:
        step = chosen(list(self.outputs), step)
        outputs = self.outputs[step]

        def read(argument: ArrayArgument) -> Array:
            found = outputs.get(argument.place)
            return argument.array.copy() if found is None else found

        interface = step.kernel.interface
        values, counters = contents_of(interface, step.request.arguments, read)
        result = Result(interface, values, counters, self._durations.get(step))
        result.violations = self.violations.get(step, result.violations)
        return result


def _fill(step: RecordedFill) -> BufferFill:
    region = step.region
    counter = region.buffer.counter_storage
    storage = counter if step.is_counter and counter is not None else region.buffer.storage
    return BufferFill(storage, region.first, region.nbytes, step.dword)
