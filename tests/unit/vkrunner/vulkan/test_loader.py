"""Structs have their sType and keep what they point to alive; results are checked.

Vulkan objects are destroyed when the submissions that may use them have ended, not earlier.
"""

import gc
from collections.abc import Callable
from typing import Any

import pytest

from vkrunner import OutOfMemoryError, VulkanError
from vkrunner.errors import vulkan_error
from vkrunner.vulkan.loader import vk
from vkrunner.vulkan.loader.deletion import DeletionQueue


def test_types_of_structs_and_flags_come_from_their_names() -> None:
    assert vk.flags("VK_BUFFER_USAGE", "TRANSFER_SRC", "STORAGE_BUFFER") == 0x21
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


def test_all_results_but_success_are_raised() -> None:
    for success in (0, None):  # None: of a function that returns nothing
        vk.check("vkCall", success)
    with pytest.raises(VulkanError, match=r"vkCall failed: VK_INCOMPLETE$"):
        vk.check("vkCall", 5)
    with pytest.raises(VulkanError, match=r"vkCall failed: VK_ERROR_FEATURE_NOT_PRESENT$"):
        vk.check("vkCall", -8)
    with pytest.raises(OutOfMemoryError, match="VK_ERROR_OUT_OF_DEVICE_MEMORY"):
        vk.check("vkCall", -2)
    assert str(vulkan_error("vkCall", -77)) == "vkCall failed: VkResult -77"


class Owner:
    """It ends with its last reference."""


def after_use(queue: DeletionQueue, destroy: Callable[[], None]) -> None:
    stack = queue.own(None)
    stack.callback(destroy)
    queue.destroy_after(stack)


def with_owner(queue: DeletionQueue, destroy: Callable[[], None]) -> None:
    owner = Owner()
    queue.own(owner).callback(destroy)
    del owner


@pytest.mark.parametrize("end", [after_use, with_owner])
def test_objects_live_until_the_latest_submission_has_ended(end: Any) -> None:
    """Later submissions do not count; without work in flight they are destroyed immediately."""
    queue, destroyed = DeletionQueue(), list[str]()
    queue.latest = 2
    end(queue, lambda: destroyed.append("idle"))
    queue.collect()
    assert destroyed == ["idle"]
    in_flight: dict[int, object] = {1: None, 2: None}
    queue.in_flight = in_flight
    end(queue, lambda: destroyed.append("object"))
    queue.collect()
    del in_flight[1]
    in_flight[3], queue.latest = None, 3
    queue.collect()
    assert destroyed == ["idle"]
    del in_flight[2]
    queue.collect()
    assert destroyed == ["idle", "object"]
