"""Sampler: a SamplerState on the device. Source: D3D11_SAMPLER_DESC."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

from vkrunner.device_objects import DeviceChild, DeviceObject, ObjectMaker
from vkrunner.values.samplers import SamplerState


class Sampler(DeviceChild[DeviceObject]):
    """A sampler on the device, made by `Device.sampler`; it lives as long as its device."""

    _noun = "sampler"

    def __init__(self, maker: ObjectMaker, state: SamplerState):
        self.state = state
        super().__init__(maker, maker.make_sampler(state))


# Equal for equal samplers
KEY_PARTS: dict[type, Callable[[Any], Any]] = {Sampler: attrgetter("_token")}
