"""ReferenceRecording: a recording whose steps the reference machine runs when it is submitted."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from vkrunner.binding.arguments import Argument, ArrayArgument
from vkrunner.futures import Ended, Future
from vkrunner.recordings.recorded import (
    SOURCE,
    BufferRegion,
    RecordedCopy,
    RecordedDispatch,
    RecordedFill,
    Region,
    TextureRegion,
)
from vkrunner.recordings.recording import Recording, Replacements, chosen
from vkrunner.reference.device import ReferenceKernel
from vkrunner.resources.images import one_mip
from vkrunner.result import Result
from vkrunner.values.arrays import as_array, bytes_of
from vkrunner.vulkan.pool import Bytes


class ReferenceRecording(Recording):
    """See `Recording`; a submission has ended when it returns."""

    def _submit(self, replacements: Replacements) -> Future:
        results: dict[RecordedDispatch, Result] = {}
        for step in self._steps:
            if isinstance(step, RecordedDispatch):
                results[step] = _run(step, replacements)
            elif isinstance(step, RecordedFill):
                _fill(step)
            else:
                _copy(step, replacements)
        return Future(Ended(_Results(results)))


class _Results:
    """What a submission left."""

    def __init__(self, results: dict[RecordedDispatch, Result]):
        self.duration_ns: int | None = None
        self._results = results

    def result(self, step: Any) -> Result:
        return self._results[chosen(list(self._results), step)]


def _run(step: RecordedDispatch, replacements: Replacements) -> Result:
    def replaced(argument: Argument) -> Argument:
        array = replacements.get((step, argument.place))
        if array is None or not isinstance(argument, ArrayArgument):
            return argument
        return argument.with_array(array)

    kernel = step.kernel
    assert isinstance(kernel, ReferenceKernel), "kernels of other devices were refused"
    arguments = [replaced(argument) for argument in step.request.arguments]
    return kernel.run(dataclasses.replace(step.request, arguments=arguments))


def _fill(step: RecordedFill) -> None:
    if step.is_counter:
        step.region.buffer.counter = step.dword
        return
    region, count = step.region, -(-step.region.nbytes // 4)
    data = np.full(count, step.dword, np.uint32).view(np.uint8)
    size = min(region.nbytes, region.buffer.nbytes - region.first)
    region.buffer.storage.write(region.first, data[:size])


def _copy(step: RecordedCopy, replacements: Replacements) -> None:
    source, target = step.source, step.target
    if isinstance(source, BufferRegion) and isinstance(target, BufferRegion):
        _write(target, source.buffer.read_bytes(source.first, source.nbytes))
    elif isinstance(source, TextureRegion) and isinstance(target, TextureRegion):
        ours, theirs = source.view, target.view
        for mip, to_mip in zip(ours.part.mips, theirs.part.mips, strict=True):
            data = ours.texture.read_part(one_mip(ours.part, mip))
            theirs.texture.write_part(one_mip(theirs.part, to_mip), data)
    else:
        array = replacements.get((step, (SOURCE, 0)))
        assert not isinstance(source, (BufferRegion, TextureRegion)), "pairs were checked"
        _write(target, source if array is None else bytes_of(as_array(array, "")))


def _write(target: Region, data: Bytes) -> None:
    if isinstance(target, BufferRegion):
        target.buffer.storage.write(target.first, data)
    else:
        target.view.texture.write_part(target.view.part, data)
