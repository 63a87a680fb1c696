"""The VkSamplerCreateInfo of settings that few drivers for CPUs have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vkrunner
from checks.driver import Driver, renaming
from vkrunner.vulkan.loader import vk


@pytest.mark.parametrize("most", [1, 2, 16])
def test_anisotropy(device: vkrunner.Device, driver: Driver, most: int) -> None:
    """The driver describes itself as one that has it, and does not get to know."""
    found: list[tuple[int, float]] = []

    def describe(function: Callable[..., None], physical: Any, top: Any) -> None:
        function(physical, top)
        top.features.samplerAnisotropy = 1

    def create(function: Callable[..., int], physical: Any, info: Any, *rest: Any) -> int:
        features = vk.ffi().cast("VkPhysicalDeviceFeatures2*", info.pNext).features
        assert features.samplerAnisotropy
        features.samplerAnisotropy = 0
        return function(physical, info, *rest)

    def make(function: Callable[..., int], handle: Any, info: Any, *rest: Any) -> int:
        found.append((info.anisotropyEnable, info.maxAnisotropy))
        info.anisotropyEnable = 0
        return function(handle, info, *rest)

    driver.replace("vkGetPhysicalDeviceProperties2", renaming(b"other"))  # lavapipe has a fault
    driver.replace("vkGetPhysicalDeviceFeatures2", describe)
    driver.replace("vkCreateDevice", create)
    driver.replace("vkCreateSampler", make)
    with vkrunner.open_device(device.info.index) as own:
        own.sampler(max_anisotropy=most)
    assert found == [(most > 1, most)]
