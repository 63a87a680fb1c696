"""The validation layer is heard when it is on, and asked for as documented."""

from __future__ import annotations

from typing import Any

import pytest

import vkrunner
from vkrunner import Device
from vkrunner.vulkan import vk
from vkrunner.vulkan.instance import VALIDATION_LAYER, instance_layers, validation_wanted


@pytest.mark.parametrize(
    ("argument", "variable", "wanted"),
    [
        (None, "", ""),
        (None, "0", ""),
        (None, "1", "1"),
        (None, "sync", "sync"),
        (False, "1", ""),
        (True, "", "1"),
        ("sync", "0", "sync"),
    ],
)
def test_who_asks_for_validation(
    monkeypatch: pytest.MonkeyPatch, argument: Any, variable: str, wanted: str
) -> None:
    monkeypatch.setenv("SM5VK_VALIDATION", variable)
    assert validation_wanted(argument) == wanted


def test_a_mistake_is_heard(device: Device) -> None:
    """Without this the silence of all other tests would mean nothing."""
    if VALIDATION_LAYER not in instance_layers():
        pytest.skip("the validation layer is not installed")
    with vkrunner.open_device(device.info.index, validation=True) as own:
        info = vk.struct("VkFenceCreateInfo", flags=64)
        fence = vk.create("vkCreateFence", "VkFence", own._logical.handle, info, vk.ffi().NULL)
        vk.lib().vkDestroyFence(own._logical.handle, fence, vk.ffi().NULL)
    messages = vkrunner.validation_messages()
    vkrunner.clear_validation_messages()
    assert any("VkFenceCreateInfo" in message for message in messages)
