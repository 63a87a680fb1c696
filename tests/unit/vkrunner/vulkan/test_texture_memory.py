"""The memory that a texture's contents take on their way to the device."""

from __future__ import annotations

from typing import Any

import vkrunner
from checks.driver import CountingDriver


def test_no_more_than_its_bytes(counting_driver: CountingDriver, device: Any) -> None:
    """Otherwise one of the largest allocation, 2^31 bytes on lavapipe, could not be filled."""
    side = 1024
    size = 4 * side * side
    with vkrunner.open_device(device.info.index) as own:
        own.texture((8, 8), "r32_float").close()  # makes what all textures share
        before = counting_driver.memory_bytes
        texture = own.texture((side, side), "r32_float")
        assert 2 * size <= counting_driver.memory_bytes - before < 2.1 * size
        assert texture.read().shape == (side, side)
