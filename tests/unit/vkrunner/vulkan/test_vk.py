"""Structs keep what they point to alive and have their sType; results are checked."""

from __future__ import annotations

import gc

import pytest

from vkrunner import OutOfMemoryError, VulkanError
from vkrunner.errors import vulkan_error
from vkrunner.vulkan.loader import vk


def test_type_of_a_struct_comes_from_its_name() -> None:
    made = vk.struct("VkPhysicalDeviceRobustness2FeaturesEXT")
    assert made.sType == 1000286000  # of the specification
    assert vk.struct("VkComputePipelineCreateInfo").sType == 29


def test_a_struct_keeps_its_pointees_alive() -> None:
    stage = vk.struct(
        "VkComputePipelineCreateInfo",
        stage=vk.struct("VkPipelineShaderStageCreateInfo", pName="an entry point"),
    )
    gc.collect()
    noise = [vk.ffi().new("char[]", b"x" * 14) for _ in range(1000)]
    assert vk.text(stage.stage.pName) == "an entry point"
    assert len(noise) == 1000


def test_a_chain_and_an_array_of_names_are_kept_alive() -> None:
    info = vk.struct("VkDescriptorBufferInfo", range=vk.WHOLE_SIZE)
    write = vk.struct("VkWriteDescriptorSet", pBufferInfo=info)
    del info
    instance = vk.struct("VkInstanceCreateInfo", ppEnabledLayerNames=["one", "two"])
    gc.collect()
    assert write.pBufferInfo.range == vk.WHOLE_SIZE
    assert [vk.text(instance.ppEnabledLayerNames[i]) for i in range(2)] == ["one", "two"]


def test_flags_are_joined() -> None:
    assert vk.flags("VK_BUFFER_USAGE", "TRANSFER_SRC", "STORAGE_BUFFER") == 0x21


def test_negative_results_are_raised() -> None:
    assert vk.check("vkCall", 2) == 2
    with pytest.raises(VulkanError, match=r"vkCall failed: VK_ERROR_FEATURE_NOT_PRESENT$"):
        vk.check("vkCall", -8)
    with pytest.raises(OutOfMemoryError, match="VK_ERROR_OUT_OF_DEVICE_MEMORY"):
        vk.check("vkCall", -2)
    assert str(vulkan_error("vkCall", -77)) == "vkCall failed: VkResult -77"
