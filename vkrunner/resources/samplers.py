"""Sampler: a SamplerState on the device. Source: D3D11_SAMPLER_DESC."""

from __future__ import annotations

from vkrunner.device_objects import ObjectMaker
from vkrunner.values.samplers import SamplerState


class Sampler:
    """A sampler on the device, made by `Device.sampler`; it lives as long as its device.

    `made` is for the runner's own use.
    """

    def __init__(self, maker: ObjectMaker, state: SamplerState):
        self.state = state
        self.made = maker.make_sampler(state)
