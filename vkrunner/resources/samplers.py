"""Sampler: a SamplerState on the device. Source: D3D11_SAMPLER_DESC."""

from __future__ import annotations

from vkrunner.resources.device_objects import DeviceChild, DeviceObject, ObjectMaker
from vkrunner.values.samplers import SamplerState


class Sampler(DeviceChild[DeviceObject]):
    """A sampler on the device, made by `Device.sampler`; it lives as long as its device.

    Attributes
    ----------
    state : SamplerState
        Filters, address modes, border, comparison and limits of the level of detail.

    References
    ----------
    D3D11_SAMPLER_DESC.
    """

    _noun = "sampler"

    def __init__(self, maker: ObjectMaker, state: SamplerState):
        self.state = state
        super().__init__(maker, maker.make_sampler(state))

    def _brief(self) -> tuple[str, ...]:
        return tuple(f"{name} {value}" for name, value in self.state.settings().items())

    def _facts(self) -> list[tuple[str, object]]:
        return list(self.state.settings().items())
