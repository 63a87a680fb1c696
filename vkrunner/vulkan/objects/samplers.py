"""SamplerObject: a sampler on the device.

Source: D3D11_SAMPLER_DESC; Vulkan specification, "Samplers".
"""

from __future__ import annotations

from typing import Any

from vkrunner.errors import FeatureError, LimitError
from vkrunner.info.device_info import DeviceInfo
from vkrunner.info.faults import ANISOTROPIC_GATHERS, REDUCED_MIPS
from vkrunner.resources.device_objects import next_token
from vkrunner.values.samplers import (
    ADDRESSES,
    COMPARISONS,
    FILTERS,
    REDUCTIONS,
    AddressName,
    SamplerState,
)
from vkrunner.vulkan.device.logical import LogicalDevice
from vkrunner.vulkan.loader import vk
from vkrunner.vulkan.loader.deletion import Deletions

_BORDERS = {  # Vulkan's only borders without an extension
    (0.0, 0.0, 0.0, 0.0): "TRANSPARENT_BLACK",
    (0.0, 0.0, 0.0, 1.0): "OPAQUE_BLACK",
    (1.0, 1.0, 1.0, 1.0): "OPAQUE_WHITE",
}


class SamplerObject:
    """A sampler, with the VkSamplers that it owns; `token` names it."""

    def __init__(self, logical: LogicalDevice, state: SamplerState):
        self.token = next_token()
        self._logical = logical
        self._state = state
        self._stack = logical.own(self)
        self._floats = create_sampler(logical, state, self._stack)
        self._integers: vk.Handle | None = None

    def handle(self, *, of_integers: bool) -> vk.Handle:
        """The VkSampler for textures of integers, if it has a border, or of other numbers."""
        if not of_integers or "border" not in self._state.addresses:
            return self._floats
        if self._integers is None:
            self._integers = create_sampler(
                self._logical, self._state, self._stack, of_integers=True
            )
        return self._integers


def create_sampler(
    logical: LogicalDevice, state: SamplerState, stack: Deletions, *, of_integers: bool = False
) -> vk.Handle:
    """A VkSampler; with `of_integers`, its border is one of integers.

    Raises FeatureError or LimitError for settings that the device lacks.
    """
    most = logical.info.limits.max_sampler_lod_bias
    if abs(state.lod_bias) > most:
        raise LimitError(f"a bias of {state.lod_bias}: {logical.info.name} allows {most}")
    name, uses_border = logical.info.name, "border" in state.addresses
    features = logical.info.features
    if "mirror_once" in state.addresses and not features.sampler_mirror_clamp_to_edge:
        raise FeatureError(f"{name} lacks sampler_mirror_clamp_to_edge, which mirror_once needs")
    if state.max_anisotropy > 1 and not features.sampler_anisotropy:
        raise FeatureError(f"{name} lacks sampler_anisotropy, which max_anisotropy needs")
    if state.reduction is not None:
        _check_reduction(logical.info, state)
    if uses_border and state.border not in _BORDERS:
        raise FeatureError(
            f"a border of {state.border}: there are (0, 0, 0, 0), (0, 0, 0, 1) and (1, 1, 1, 1)"
        )
    border = f"{'INT' if of_integers else 'FLOAT'}_{_BORDERS.get(state.border, 'OPAQUE_WHITE')}"
    minify, magnify, mips = (FILTERS[name] for name in state.filters)
    u, v, w = (vk.constant(_address(name)) for name in state.addresses)
    info = vk.struct(
        "VkSamplerCreateInfo",
        pNext=_reduction(state),
        magFilter=vk.constant(f"VK_FILTER_{magnify}"),
        minFilter=vk.constant(f"VK_FILTER_{minify}"),
        mipmapMode=vk.constant(f"VK_SAMPLER_MIPMAP_MODE_{mips}"),
        addressModeU=u,
        addressModeV=v,
        addressModeW=w,
        mipLodBias=state.lod_bias,
        anisotropyEnable=int(
            state.max_anisotropy > 1 and ANISOTROPIC_GATHERS not in logical.info.known_faults
        ),
        maxAnisotropy=state.max_anisotropy,
        compareEnable=int(state.comparison is not None),
        compareOp=vk.constant(f"VK_COMPARE_OP_{COMPARISONS[state.comparison or 'never']}"),
        minLod=state.min_lod,
        maxLod=state.max_lod,
        borderColor=vk.constant(f"VK_BORDER_COLOR_{border}"),
    )
    return logical.create("VkSampler", info, stack)


def _check_reduction(info: DeviceInfo, state: SamplerState) -> None:
    if not info.features.sampler_filter_minmax:
        raise FeatureError(f"{info.name} lacks sampler_filter_minmax, which reductions need")
    if state.filters[2] == "linear" and REDUCED_MIPS in info.known_faults:
        raise FeatureError(
            f"{info.name} has no {state.reduction} of two mips ({REDUCED_MIPS}): pass"
            " filter=('linear', 'linear', 'point')"
        )


def _reduction(state: SamplerState) -> Any:
    if state.reduction is None:
        return vk.ffi().NULL
    mode = vk.constant(f"VK_SAMPLER_REDUCTION_MODE_{REDUCTIONS[state.reduction]}")
    return vk.struct("VkSamplerReductionModeCreateInfo", reductionMode=mode)


def _address(name: AddressName) -> str:
    return f"VK_SAMPLER_ADDRESS_MODE_{ADDRESSES[name]}"
