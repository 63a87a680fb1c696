"""Devices that lack a format's feature: the texture is refused, and the error names it."""

from typing import Any

import numpy as np
import pytest

import vkrunner
from checks.driver import Driver


@pytest.mark.parametrize("name", ["bc1_unorm", "bc7_unorm_srgb"])
def test_no_block_compression(device: vkrunner.Device, driver: Driver, name: str) -> None:
    def without(function: Any, physical: Any, features: Any) -> None:
        function(physical, features)
        features.features.textureCompressionBC = 0

    driver.replace("vkGetPhysicalDeviceFeatures2", without)
    with vkrunner.open_device(device.info.index) as own:
        message = f"has no textures of {name}: it lacks the feature texture_compression_bc"
        with pytest.raises(vkrunner.FeatureError, match=message):
            own.texture((2, 2), name)
        assert not own.features.texture_compression_bc


def test_no_reversed_nibbles(device: vkrunner.Device, driver: Driver) -> None:
    def without(function: Any, physical: Any, layer: Any, count: Any, rows: Any) -> int:
        result: int = function(physical, layer, count, rows)
        for n in range(count[0] if rows else 0):
            name = rows[n].extensionName
            if b"".join(name).startswith(b"VK_EXT_4444_formats\0"):
                name[0] = b"X"
        return result

    driver.replace("vkEnumerateDeviceExtensionProperties", without)
    with vkrunner.open_device(device.info.index) as own:
        message = "has no textures of b4g4r4a4_unorm: it lacks the feature format_a4r4g4b4"
        with pytest.raises(vkrunner.FeatureError, match=message):
            own.texture((2, 2), "b4g4r4a4_unorm")
        texture = own.texture(np.array([[0x7C1F]], np.uint16), "b5g5r5a1_unorm")
        assert texture.read().tolist() == [[0x7C1F]]
