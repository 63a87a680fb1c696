"""Sampling: convert the operands of a `sample` for the reference machine's sampler."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from checks.interpret.denormals import flushed
from checks.interpret.descriptors import named
from checks.interpret.lanes import Lanes
from checks.interpret.operation import Handler, Operation
from checks.interpret.texels import TexelSpaces
from translate.ir import ops, row
from translate.ir.memory import Resource, Sample, SampleMode
from translate.reference.resources import Sampler
from translate.reference.sampling import Request, sample
from translate.reference.storage import Storage

_GATHERS = (SampleMode.GATHER, SampleMode.GATHER_COMPARE)


class Samples:
    """Executes `sample` and `sample_compare`."""

    def __init__(self, storage: Storage, texels: TexelSpaces):
        self._storage = storage
        self._texels = texels
        self.handlers: Mapping[ops.Op, Handler] = {
            ops.SAMPLE: self._sample,
            ops.SAMPLE_COMPARE: self._sample,
        }

    def _sample(self, operation: Operation) -> Lanes:
        """Four components, or the single result of a comparison."""
        data = row.SAMPLE.of(operation.value)
        result = np.zeros((4, len(operation.active.lanes)), np.uint32)
        texture_at = 1 + operation.tables.takes_index(data.sampler)  # operands from the end
        samplers = np.zeros(len(operation.active.lanes), np.int64)
        states: list[Sampler | None] = []
        for number, (name, chosen) in enumerate(named(operation, data.sampler)):
            states.append(self._state(data.sampler, name))
            samplers[chosen] = number
        for name, chosen in named(operation, data.resource, texture_at):
            space = self._texels.space(data.resource, name)
            for number, state in enumerate(states):
                picked = chosen[samplers[chosen] == number]
                if len(picked):
                    request = _request(operation, picked)
                    result[:, picked] = sample(space, state, request)
        is_number = operation.value.op is ops.SAMPLE_COMPARE
        return operation.given(result[0] if is_number else result)

    def _state(self, resource: Resource, name: str | None) -> Sampler | None:
        """The sampler for a register; None out of range, or null in an unbounded range."""
        if name is None:
            return None
        unbounded = resource.is_array and not resource.count
        if unbounded and not self._storage.names(name):
            return None
        return self._storage.sampler(name)


def _request(operation: Operation, picked: Lanes) -> Request:
    """The operands of the lanes `picked`, by the names that the reference machine uses."""
    data = row.SAMPLE.of(operation.value)
    given: dict[str, list[Lanes]] = {}
    position = 0
    for name, count in _named_operands(data):
        given[name] = [_as_given(one[picked]) for one in operation.taken(position, count)]
        position += count
    x, y, z = (*data.offset, 0, 0, 0)[:3]
    return Request(given, (x, y, z), data.mode in _GATHERS, data.component, len(picked))


def _as_given(lanes: Lanes) -> Lanes:
    """Floats with denormals flushed, as samplers do; offsets as signed integers."""
    if lanes.dtype == np.float32:
        return flushed(np.ascontiguousarray(lanes))
    return lanes.astype(np.uint32).view(np.int32)


def _named_operands(data: Sample) -> list[tuple[str, int]]:
    """The names of the operands in order, and the number of each."""
    shape = data.resource.shape
    axes = shape.axes + shape.cube
    by_mode = {
        SampleMode.LOD: [("lod", 1)],
        SampleMode.GRADIENTS: [("ddx", axes), ("ddy", axes)],
        SampleMode.COMPARE: [("reference", 1)],
        SampleMode.GATHER: [],
        SampleMode.GATHER_COMPARE: [("reference", 1)],
    }
    clamp = [("lod_clamp", 1)] if data.clamped else []
    offset = [("offset", 2)] if data.dynamic_offset else []
    return [("coordinates", shape.sampling_coordinates), *by_mode[data.mode], *clamp, *offset]
