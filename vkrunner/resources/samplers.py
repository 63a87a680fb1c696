"""Sampler: a SamplerState on the device. Source: D3D11_SAMPLER_DESC."""

# The functions of this module are for the runner: they read what callers do not see.
# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

from vkrunner.device_objects import DeviceObject, ObjectMaker
from vkrunner.values.samplers import SamplerState


class Sampler:
    """A sampler on the device, made by `Device.sampler`; it lives as long as its device."""

    def __init__(self, maker: ObjectMaker, state: SamplerState):
        self.state = state
        self._made = maker.make_sampler(state)


def made_of(sampler: Sampler) -> DeviceObject:
    """A sampler on the device."""
    return sampler._made


# Equal for equal samplers
KEY_PARTS: dict[type, Callable[[Any], Any]] = {Sampler: attrgetter("_made.token")}
