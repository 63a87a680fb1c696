"""Plans: dispatches that were recorded once, found again by what is passed and submitted anew.

A dispatch with arrays of the same dtypes and shapes, the same resources on the device and the same
number of groups as one before needs nothing more than its data written and a submission. Nothing
here keeps a resource alive: it is known by its token.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

import numpy as np

from translate.interface import CONSTANT_BUFFER, COUNTER, ShaderInterface
from vkrunner.binding.arguments import Argument, ArrayArgument, NullArgument, Place
from vkrunner.binding.constants import constant_bytes
from vkrunner.binding.packing import packer_of
from vkrunner.binding.registers import COUNTER_SUFFIX, find, label_of
from vkrunner.command_list import CommandList
from vkrunner.dispatch import Indirect
from vkrunner.exchange import Input
from vkrunner.prepared import Prepared
from vkrunner.resources.buffers import Buffer, BufferView
from vkrunner.resources.samplers import Sampler
from vkrunner.resources.textures import Texture, TextureView
from vkrunner.result import Counters, Duration, Result, Value
from vkrunner.vulkan.plan_cache import Key, Repeated
from vkrunner.vulkan.pool import Bytes

_KEY_PARTS: dict[type, Callable[[Any], Any]] = {
    np.ndarray: attrgetter("dtype", "shape"),
    Buffer: attrgetter("token"),
    BufferView: lambda view: (
        *(view.buffer.token, view.first_element, view.num_elements, view.stride, view.format),
    ),
    Texture: attrgetter("token"),
    TextureView: lambda view: (view.texture.token, view.dimension, view.part),
    Sampler: attrgetter("token"),
    type(None): lambda nothing: nothing,
    dict: lambda constants: dict,
    int: lambda constant: int,
    float: lambda constant: float,
}


def key_of(token: int, timed: bool, groups: Any, resources: Mapping[str, Any]) -> Key | None:
    """What tells one dispatch from another but for its data; None for one that is not repeated.

    `token` is the kernel's.
    """
    if isinstance(groups, Indirect):
        return _with_parts([token, timed, groups.buffer.token, groups.offset], resources)
    if groups.__class__ is list:
        groups = tuple(groups)
    for number in groups if groups.__class__ is tuple else (groups,):
        if type(number) is not int:  # 1.0 and True are equal to 1
            return None
    return _with_parts([token, timed, groups], resources)


def _with_parts(parts: list[Any], resources: Mapping[str, Any]) -> Key | None:
    for name, value in resources.items():
        part = _KEY_PARTS.get(value.__class__)
        if part is None:
            return None
        parts += (name, part(value))
    return tuple(parts)


class Ready(Repeated):
    """A recorded dispatch that is not in flight, with what writes its data. `stack` frees it."""

    def __init__(self, work: CommandList, prepared: Prepared, stack: ExitStack):
        self.work = work
        self.prepared = prepared
        super().__init__(stack, prepared.nbytes)
        self.writers: list[tuple[str, Callable[[Any], None]]] = []
        self._resets: list[tuple[Bytes, Bytes]] = []

    def repeat(self, interface: ShaderInterface, resources: Mapping[str, Any]) -> None:
        """Find out how a later dispatch with such resources writes its data."""
        inputs: dict[Place, Input] = {i.place: i for i in self.prepared.inputs}
        for name, value in resources.items():
            binding, element = find(interface, name)
            there = inputs.pop((binding.register, element or 0), None)
            if there is not None and value is not None:
                self.writers.append((name, _writer(there, value)))
        self._resets = [(i.target, i.initial) for i in inputs.values() if i.initial is not None]

    def write(self, resources: Mapping[str, Any]) -> None:
        """Bring the data of a dispatch to where the device finds it."""
        for name, write in self.writers:
            write(resources[name])
        for target, data in self._resets:
            target[:] = data
        self.prepared.clear_report()


@dataclass(frozen=True, slots=True)
class Plan:
    """How the result of a repeated dispatch is made.

    `uavs` and `counters` are rows of register, and where its value is: in an output, or in the
    resource that has this name.
    """

    interface: ShaderInterface
    uavs: list[tuple[str, Place | None, str]]
    counters: list[tuple[str, Place | None, str]]

    def result(self, ready: Ready, resources: Mapping[str, Any], duration: Duration) -> Result:
        """What a submission that has ended gives."""
        outputs = ready.prepared.outputs
        values: dict[str, Value | list[Value]] = {}
        for register, place, name in self.uavs:
            values[register] = resources[name] if place is None else outputs[place].read()
        counts: dict[str, int | Buffer] = {}
        for register, place, name in self.counters:
            counts[register] = (
                _owner(resources[name]) if place is None else int(outputs[place].read()[0])
            )
        result = Result(self.interface, values, Counters(self.interface, counts), duration)
        if ready.prepared.has_report:
            result.violations = ready.prepared.violations()
        return result


def plan_of(
    interface: ShaderInterface, resources: Mapping[str, Any], arguments: Sequence[Argument]
) -> Plan | None:
    """The plan for dispatches like this one; None where each is to be looked at."""
    names = {find(interface, name)[0].register: name for name in resources}
    plan = Plan(interface, [], [])
    for argument in arguments:
        binding = argument.binding
        if binding.count != 1:
            return None
        place = argument.place if isinstance(argument, ArrayArgument) else None
        owner = binding.register.removesuffix(COUNTER_SUFFIX)
        if isinstance(argument, NullArgument) or not binding.register.startswith("u"):
            continue
        rows = plan.counters if binding.kind == COUNTER else plan.uavs
        rows.append((owner, place, names[owner]))
    return plan


def _owner(value: Any) -> Buffer:
    """The buffer whose counter is meant."""
    return value.buffer if isinstance(value, BufferView) else value


def _writer(there: Input, value: Any) -> Callable[[Any], None]:
    """What writes values of the same kind to the same place."""
    binding = there.binding
    if binding.kind != CONSTANT_BUFFER:
        return there.writer()
    label, packer = label_of(binding), None
    if isinstance(value, dict):
        packer = packer_of(binding.constants, there.target)
    target = memoryview(there.target.data)

    def write(value: Any) -> None:
        if packer is None or not packer.pack(value, target):
            there.write(constant_bytes(binding, value, label))

    return write
