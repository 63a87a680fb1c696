"""ReferenceRecording: a recording whose steps the reference machine runs when it is submitted."""

from __future__ import annotations

import dataclasses

import numpy as np

from vkrunner.binding.arguments import Argument, ArrayArgument
from vkrunner.future import Ended, Finished, Future
from vkrunner.kernel import Request
from vkrunner.recording import Recording, Replacements
from vkrunner.reference.device import ReferenceKernel
from vkrunner.result import Result
from vkrunner.steps import (
    SOURCE,
    BufferRegion,
    RecordedCopy,
    RecordedDispatch,
    RecordedFill,
    Region,
    TextureRegion,
)
from vkrunner.values.arrays import Bytes, as_array, bytes_of
from vkrunner.values.dimensions import one_mip


class ReferenceRecording(Recording):
    """See `Recording`; a submission has ended when it returns."""

    def _submit(self, replacements: Replacements) -> Future:
        requests = {step: _request(step, replacements) for step in self.dispatches}
        results: dict[RecordedDispatch, Result] = {}
        for step in self._steps:
            if isinstance(step, RecordedDispatch):
                assert isinstance(step.kernel, ReferenceKernel), "kernels of others were refused"
                results[step] = step.kernel.run(requests[step])
            elif isinstance(step, RecordedFill):
                _fill(step)
            else:
                _copy(step, replacements)
        return Future(Ended(Finished(results)))


def _request(step: RecordedDispatch, replacements: Replacements) -> Request:
    """What the dispatch runs in this submission."""

    def replaced(argument: Argument) -> Argument:
        if (step, argument.place) not in replacements or not isinstance(argument, ArrayArgument):
            return argument
        return argument.with_value(replacements[step, argument.place])

    arguments = [replaced(argument) for argument in step.request.arguments]
    return dataclasses.replace(step.request, arguments=arguments)


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
        array = replacements.get((step, (SOURCE, 0)), source)
        _write(target, bytes_of(as_array(array, "")))


def _write(target: Region, data: Bytes) -> None:
    if isinstance(target, BufferRegion):
        target.buffer.storage.write(target.first, data)
    else:
        target.view.texture.write_part(target.view.part, data)
