"""Machine code: a VkDevice that creates pipelines only, and the driver's code of a module.

As a program it serves `vkrunner.api.gpu_code`: a process of its own, since a driver that compiles
for a GPU without having one may end the process. Source: Vulkan
specification, "Pipeline Executable Introspection".
"""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Iterable, Sequence
from contextlib import ExitStack
from typing import Any

import numpy as np

from translate.dataclass import dataclass
from vkrunner.vulkan.loader import vk
from vkrunner.vulkan.loader.instance import create_instance
from vkrunner.vulkan.loader.physical import describe, device_extensions, pipeline_robustness

_EXECUTABLES = "VK_KHR_pipeline_executable_properties"
_CAPTURE_STATISTICS, _CAPTURE_TEXTS = 0x40, 0x80  # VK_PIPELINE_CREATE_CAPTURE_..._BIT_KHR
_ASSEMBLY = "assembly"  # the end of its name in Mesa's drivers, in lower case
_FEATURES = {  # struct: the end of its VkStructureType
    "VkPhysicalDeviceVulkan11Features": "VULKAN_1_1_FEATURES",
    "VkPhysicalDeviceVulkan12Features": "VULKAN_1_2_FEATURES",
    "VkPhysicalDeviceVulkan13Features": "VULKAN_1_3_FEATURES",
}
_EXTENSIONS = {  # extension: the struct of its features, and its type as above
    "VK_EXT_robustness2": ("VkPhysicalDeviceRobustness2FeaturesEXT", "ROBUSTNESS_2_FEATURES_EXT"),
    "VK_EXT_pipeline_robustness": (
        "VkPhysicalDevicePipelineRobustnessFeaturesEXT",
        "PIPELINE_ROBUSTNESS_FEATURES_EXT",
    ),
    _EXECUTABLES: (
        "VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR",
        "PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR",
    ),
}


@dataclass(frozen=True, slots=True)
class Slot:
    """A binding of a module; `kind` is the name of a VkDescriptorType without its prefix."""

    set: int
    binding: int
    kind: str
    count: int


@dataclass(frozen=True, slots=True)
class Entry:
    """A module's compute entry point, its bindings, and the bytes of its push constants.

    `features` are those of the device that it relies on; None: all robust accesses.
    """

    name: str
    slots: Sequence[Slot]
    push_bytes: int
    features: Collection[str] | None = None


class PipelineDevice:
    """The first device of the first driver, with all features that it offers, as in the runner.

    With `nulls` it has null descriptors also if the runner leaves them disabled.
    """

    def __init__(self, nulls: bool = False) -> None:
        self._stack = ExitStack()
        instance = create_instance()
        self._stack.callback(instance.close)
        self.physical = instance.physical_devices()[0]
        self.info = describe(self.physical, 0, instance.api_version)
        offered = device_extensions(self.physical)
        self._extensions = [name for name in _EXTENSIONS if name in offered]
        self.device = self._create_device(nulls or self.info.features.null_descriptor)

    def close(self) -> None:
        self._stack.close()

    def statistics(self, words: Any, entry: Entry) -> dict[str, int]:
        """The driver's statistics of a module's code, by the driver's names.

        Raises VulkanError if the driver refuses the module.
        """
        with ExitStack() as stack:
            _, layout = self.layout(entry, stack)
            return self._statistics(self.pipeline(words, entry, layout, stack))

    def code(self, words: Any, entry: Entry) -> tuple[dict[str, int], str]:
        """The driver's statistics of a module's code, and the code as text; "" if it gives none.

        Raises VulkanError if the driver refuses the module.
        """
        with ExitStack() as stack:
            _, layout = self.layout(entry, stack)
            pipeline = self.pipeline(words, entry, layout, stack, _CAPTURE_TEXTS)
            return self._statistics(pipeline), self._assembly(pipeline)

    def _create_device(self, nulls: bool) -> Any:
        features = self._features(nulls)
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
        device = vk.create("vkCreateDevice", "VkDevice", self.physical, info, vk.ffi().NULL)
        self._stack.callback(vk.lib().vkDestroyDevice, device, vk.ffi().NULL)
        return device

    def _features(self, nulls: bool) -> list[Any]:
        """A chain of feature structs in which every offered feature is on; nulls, if asked for."""
        chain = [vk.struct("VkPhysicalDeviceFeatures2")]
        wanted = _FEATURES | dict(_EXTENSIONS[name] for name in self._extensions)
        for name, kind in wanted.items():
            made = vk.ffi().new(f"{name}*")
            made.sType = vk.constant(f"VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_{kind}")
            chain[-1].pNext = made
            chain.append(made)
        vk.lib().vkGetPhysicalDeviceFeatures2(self.physical, chain[0])
        for made in chain:
            if hasattr(made, "nullDescriptor") and not nulls:
                made.nullDescriptor = 0
        return chain

    def layout(self, entry: Entry, stack: ExitStack) -> tuple[list[Any], Any]:
        """The set layouts and the pipeline layout of a module."""
        compute = vk.flags("VK_SHADER_STAGE", "COMPUTE")
        sets: list[Any] = []
        for number in range(max((slot.set + 1 for slot in entry.slots), default=0)):
            rows = [
                vk.struct(
                    "VkDescriptorSetLayoutBinding",
                    binding=slot.binding,
                    descriptorType=descriptor_type(slot.kind),
                    descriptorCount=slot.count,
                    stageFlags=compute,
                )
                for slot in entry.slots
                if slot.set == number
            ]
            info = vk.struct(
                "VkDescriptorSetLayoutCreateInfo", bindingCount=len(rows), pBindings=rows
            )
            sets.append(self.child("VkDescriptorSetLayout", info, stack))
        pushes = [vk.struct("VkPushConstantRange", stageFlags=compute, size=entry.push_bytes)]
        info = vk.struct(
            "VkPipelineLayoutCreateInfo",
            setLayoutCount=len(sets),
            pSetLayouts=sets,
            pushConstantRangeCount=int(entry.push_bytes > 0),
            pPushConstantRanges=pushes,
        )
        return sets, self.child("VkPipelineLayout", info, stack)

    def pipeline(
        self, words: Any, entry: Entry, layout: Any, stack: ExitStack, captured: int = 0
    ) -> Any:
        """A module's pipeline. Raises VulkanError if the driver refuses it."""
        words = np.ascontiguousarray(words, np.uint32)
        code = vk.ffi().from_buffer("uint32_t[]", words)
        info = vk.struct("VkShaderModuleCreateInfo", codeSize=words.nbytes, pCode=code)
        stage = vk.struct(
            "VkPipelineShaderStageCreateInfo",
            stage=vk.flags("VK_SHADER_STAGE", "COMPUTE"),
            module=self.child("VkShaderModule", info, stack),
            pName=entry.name,
        )
        flags = _CAPTURE_STATISTICS | captured if _EXECUTABLES in self._extensions else 0
        null, relied_on = vk.ffi().NULL, entry.features
        create = vk.struct(
            "VkComputePipelineCreateInfo",
            pNext=null if relied_on is None else pipeline_robustness(self.info, relied_on),
            flags=flags,
            stage=stage,
            layout=layout,
        )
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
        name, rows = "vkGetPipelineExecutableStatisticsKHR", "VkPipelineExecutableStatisticKHR"
        found = self._executable(name, rows, "STATISTIC", pipeline)
        return {vk.text(row.name): int(row.value.u64) for row in found}

    def _assembly(self, pipeline: Any) -> str:
        name = "vkGetPipelineExecutableInternalRepresentationsKHR"
        rows, kind = "VkPipelineExecutableInternalRepresentationKHR", "INTERNAL_REPRESENTATION"
        texts: list[Any] = []

        def add_memory(found: Iterable[Any]) -> None:
            for row in found:
                texts.append(vk.ffi().new("char[]", int(row.dataSize)))
                row.pData = texts[-1]

        found = self._executable(name, rows, kind, pipeline, add_memory)
        named = zip((vk.text(row.name).lower() for row in found), texts, strict=True)
        return next((vk.text(text) for name, text in named if name.endswith(_ASSEMBLY)), "")

    def _executable(
        self, name: str, type_name: str, kind: str, pipeline: Any, prepare: Any = None
    ) -> Any:
        """The rows of a pipeline's executable; `prepare` makes them ready for a further call."""
        function = vk.device_function(self.device, name)
        info = vk.struct("VkPipelineExecutableInfoKHR", pipeline=pipeline)
        count = vk.out("uint32_t")
        vk.check(name, function(self.device, info, count, vk.ffi().NULL))
        rows = vk.ffi().new(f"{type_name}[]", int(count[0]))
        for row in rows:
            row.sType = vk.constant(f"VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_{kind}_KHR")
        vk.check(name, function(self.device, info, count, rows))
        if prepare is not None:
            prepare(rows)
            vk.check(name, function(self.device, info, count, rows))
        return rows


def descriptor_type(kind: str) -> int:
    """The VkDescriptorType of a slot's kind."""
    return vk.constant(f"VK_DESCRIPTOR_TYPE_{kind}")


def main() -> None:
    """Read a line of JSON and a module from standard input, and print its code as JSON."""
    head, _, data = sys.stdin.buffer.read().partition(b"\n")
    given = json.loads(head)
    slots = [Slot(*slot) for slot in given["slots"]]
    entry = Entry(given["name"], slots, given["push_bytes"], given["features"])
    device = PipelineDevice()
    statistics, text = device.code(np.frombuffer(data, np.uint32), entry)
    info = device.info
    json.dump(
        {"driver": f"{info.driver} {info.driver_version}", "statistics": statistics, "text": text},
        sys.stdout,
    )
    device.close()


if __name__ == "__main__":
    main()
