"""A VkDevice that only creates compute pipelines, and the driver's statistics of each.

Source: Vulkan specification, "Pipeline Executable Introspection".
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

import numpy as np

from vkrunner.vulkan.loader import vk
from vkrunner.vulkan.loader.instance import create_instance
from vkrunner.vulkan.loader.physical import device_extensions

from .declared import Declared, declared_by

_STATISTICS = "VK_KHR_pipeline_executable_properties"
_PUSH_BYTES = 128
_CAPTURE = 0x40  # VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR
_FEATURES = {  # struct: the end of its VkStructureType
    "VkPhysicalDeviceVulkan11Features": "VULKAN_1_1_FEATURES",
    "VkPhysicalDeviceVulkan12Features": "VULKAN_1_2_FEATURES",
    "VkPhysicalDeviceVulkan13Features": "VULKAN_1_3_FEATURES",
}
_EXTENSIONS = {  # of a device that has them; the struct and its type, as above
    "VK_EXT_robustness2": ("VkPhysicalDeviceRobustness2FeaturesEXT", "ROBUSTNESS_2_FEATURES_EXT"),
    _STATISTICS: (
        "VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR",
        "PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR",
    ),
}


class Pipelines:
    """The first device of the first driver, with every feature that it offers, as in the runner.

    So accesses are robust; the code of some peers relies on that.
    """

    def __init__(self) -> None:
        self._stack = ExitStack()
        instance = create_instance()
        self._stack.callback(instance.close)
        self._physical = instance.physical_devices()[0]
        offered = device_extensions(self._physical)
        self._extensions = [name for name in _EXTENSIONS if name in offered]
        self.device = self._create_device()

    def close(self) -> None:
        self._stack.close()

    def statistics(self, words: Any) -> dict[str, int]:
        """The driver's statistics of a module's pipeline, by the driver's names.

        Raises VulkanError where the driver refuses.
        """
        declared = declared_by(words)
        with ExitStack() as stack:
            _, layout = self.layout(declared, stack)
            return self._statistics(self.pipeline(words, declared, layout, stack))

    def _create_device(self) -> Any:
        features = self._features()
        queue = vk.struct(
            "VkDeviceQueueCreateInfo", queueCount=1, pQueuePriorities=vk.array("float", [1.0])
        )
        info = vk.struct(
            "VkDeviceCreateInfo",
            pNext=features[0],
            queueCreateInfoCount=1,
            pQueueCreateInfos=[queue],
            enabledExtensionCount=len(self._extensions),
            ppEnabledExtensionNames=self._extensions,
        )
        device = vk.create("vkCreateDevice", "VkDevice", self._physical, info, vk.ffi().NULL)
        self._stack.callback(vk.lib().vkDestroyDevice, device, vk.ffi().NULL)
        return device

    def _features(self) -> list[Any]:
        """A chain of feature structs in which every offered feature is on."""
        chain = [vk.struct("VkPhysicalDeviceFeatures2")]
        wanted = _FEATURES | dict(_EXTENSIONS[name] for name in self._extensions)
        for name, kind in wanted.items():
            made = vk.ffi().new(f"{name}*")
            made.sType = vk.constant(f"VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_{kind}")
            chain[-1].pNext = made
            chain.append(made)
        vk.lib().vkGetPhysicalDeviceFeatures2(self._physical, chain[0])
        return chain

    def layout(self, declared: Declared, stack: ExitStack) -> tuple[list[Any], Any]:
        """The set layouts and the pipeline layout of a module."""
        compute = vk.flags("VK_SHADER_STAGE", "COMPUTE")
        sets: list[Any] = []
        for number in range(max((slot.set + 1 for slot in declared.slots), default=0)):
            rows = [
                vk.struct(
                    "VkDescriptorSetLayoutBinding",
                    binding=slot.binding,
                    descriptorType=descriptor_type(slot.kind),
                    descriptorCount=slot.count,
                    stageFlags=compute,
                )
                for slot in declared.slots
                if slot.set == number
            ]
            info = vk.struct(
                "VkDescriptorSetLayoutCreateInfo", bindingCount=len(rows), pBindings=rows
            )
            sets.append(self.child("VkDescriptorSetLayout", info, stack))
        pushes = [vk.struct("VkPushConstantRange", stageFlags=compute, size=_PUSH_BYTES)]
        info = vk.struct(
            "VkPipelineLayoutCreateInfo",
            setLayoutCount=len(sets),
            pSetLayouts=sets,
            pushConstantRangeCount=int(declared.push_constants),
            pPushConstantRanges=pushes,
        )
        return sets, self.child("VkPipelineLayout", info, stack)

    def pipeline(self, words: Any, declared: Declared, layout: Any, stack: ExitStack) -> Any:
        """A module's pipeline. Raises VulkanError where the driver refuses."""
        words = np.ascontiguousarray(words, np.uint32)
        code = vk.ffi().from_buffer("uint32_t[]", words)
        info = vk.struct("VkShaderModuleCreateInfo", codeSize=words.nbytes, pCode=code)
        stage = vk.struct(
            "VkPipelineShaderStageCreateInfo",
            stage=vk.flags("VK_SHADER_STAGE", "COMPUTE"),
            module=self.child("VkShaderModule", info, stack),
            pName=declared.entry_point,
        )
        flags = _CAPTURE if _STATISTICS in self._extensions else 0
        create = vk.struct("VkComputePipelineCreateInfo", flags=flags, stage=stage, layout=layout)
        null = vk.ffi().NULL
        arguments = (self.device, null, 1, create, null)
        made = vk.create("vkCreateComputePipelines", "VkPipeline", *arguments)
        stack.callback(vk.lib().vkDestroyPipeline, self.device, made, null)
        return made

    def child(self, kind: str, info: Any, stack: ExitStack) -> Any:
        """A new object of the device, which `stack` destroys."""
        name = kind.removeprefix("Vk")
        made = vk.create(f"vkCreate{name}", kind, self.device, info, vk.ffi().NULL)
        destroy = getattr(vk.lib(), f"vkDestroy{name}")
        stack.callback(destroy, self.device, made, vk.ffi().NULL)
        return made

    def _statistics(self, pipeline: Any) -> dict[str, int]:
        name = "vkGetPipelineExecutableStatisticsKHR"
        address = vk.lib().vkGetDeviceProcAddr(self.device, name.encode())
        function = vk.ffi().cast(f"PFN_{name}", address)
        info = vk.struct("VkPipelineExecutableInfoKHR", pipeline=pipeline)
        count = vk.out("uint32_t")
        vk.check(name, function(self.device, info, count, vk.ffi().NULL))
        rows = vk.ffi().new("VkPipelineExecutableStatisticKHR[]", int(count[0]))
        for row in rows:
            row.sType = vk.constant("VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR")
        vk.check(name, function(self.device, info, count, rows))
        return {vk.text(row.name): int(row.value.u64) for row in rows}


def descriptor_type(kind: str) -> int:
    """The VkDescriptorType of a slot's kind."""
    return vk.constant(f"VK_DESCRIPTOR_TYPE_{kind}")
