"""Pipeline: a SPIR-V module on a device; DescriptorSets: the sets of one dispatch.

Source: Vulkan specification, "Pipelines", "Descriptor Set Updates".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from translate import ShaderInterface, SpirvModule
from translate.interface import STORAGE_BUFFER, UNIFORM_BUFFER, Binding
from vkrunner.shader.device_needs import check_device, window_bytes
from vkrunner.vulkan.device.logical import LogicalDevice
from vkrunner.vulkan.encode.descriptor import Bound, descriptor_type
from vkrunner.vulkan.loader import vk
from vkrunner.vulkan.loader.deletion import Deletions
from vkrunner.vulkan.objects.pipeline_cache import pipeline_cache

_DWORD = 4


@dataclass(frozen=True, slots=True)
class DescriptorSets:
    """The descriptor sets of one dispatch, and its push constants, which are `windows`."""

    sets: list[vk.Handle]
    windows: list[int]


class Pipeline:
    """A compute pipeline made from a module; `token` identifies the kernel that it belongs to.

    `windowed` are the registers whose views get windows.

    Raises LimitError or FeatureError if the module needs more than the device has.
    """

    def __init__(self, logical: LogicalDevice, module: SpirvModule, token: int):
        self.interface = module.interface
        self.windowed = _windowed(self.interface)
        self.token = token
        check_device(logical.info, self.interface)
        self._logical = logical
        stack = logical.own(self)
        self._set_layouts = self._create_set_layouts(stack)
        self._layout = self._create_layout(stack)
        self._pipeline = self._create_pipeline(module, stack)
        self.was_dispatched = False

    @property
    def may_compile(self) -> bool:
        """Whether a driver that compiles at dispatches may still have to compile this pipeline.

        lavapipe compiles once for buffers, and again for each new kind of images and samplers.
        """
        buffers = (STORAGE_BUFFER, UNIFORM_BUFFER)
        return not self.was_dispatched or any(
            b.descriptor_type not in buffers for b in self.interface
        )

    def describe(self, bound: Bound, stack: Deletions) -> DescriptorSets:
        """Make the descriptor sets of a dispatch; `stack` frees them."""
        sets = self._allocate_sets(stack)
        writes = [one.write(sets[one.binding.set]) for one in bound.descriptors]
        if writes:
            array = vk.array("VkWriteDescriptorSet", writes)
            null, device = vk.ffi().NULL, self._logical.handle
            vk.lib().vkUpdateDescriptorSets(device, len(writes), array, 0, null)
        windows = [n for register in self.interface.windows for n in bound.windows[register, 0]]
        return DescriptorSets(sets, windows)

    def record_bind(self, commands: vk.Handle, descriptors: DescriptorSets) -> None:
        """Bind the pipeline, its descriptor sets and its windows."""
        point = vk.constant("VK_PIPELINE_BIND_POINT_COMPUTE")
        vk.lib().vkCmdBindPipeline(commands, point, self._pipeline)
        if descriptors.sets:
            sets = vk.array("VkDescriptorSet", descriptors.sets)
            null, count = vk.ffi().NULL, len(descriptors.sets)
            vk.lib().vkCmdBindDescriptorSets(commands, point, self._layout, 0, count, sets, 0, null)
        if descriptors.windows:
            words = vk.array("uint32_t", descriptors.windows)
            stage, size = vk.flags("VK_SHADER_STAGE", "COMPUTE"), _DWORD * len(descriptors.windows)
            vk.lib().vkCmdPushConstants(commands, self._layout, stage, 0, size, words)

    def _create_set_layouts(self, stack: Deletions) -> list[vk.Handle]:
        """Create a layout for each set up to the highest; sets that the shader skips are empty."""
        count = max((b.set + 1 for b in self.interface), default=0)
        layouts: list[vk.Handle] = []
        for number in range(count):
            rows = [_layout_binding(b) for b in self.interface if b.set == number]
            info = vk.struct(
                "VkDescriptorSetLayoutCreateInfo", bindingCount=len(rows), pBindings=rows
            )
            layouts.append(self._logical.create("VkDescriptorSetLayout", info, stack))
        return layouts

    def _create_layout(self, stack: Deletions) -> vk.Handle:
        size = window_bytes(self.interface)
        stages = vk.flags("VK_SHADER_STAGE", "COMPUTE")
        ranges = [vk.struct("VkPushConstantRange", stageFlags=stages, size=size)] if size else []
        info = vk.struct(
            "VkPipelineLayoutCreateInfo",
            setLayoutCount=len(self._set_layouts),
            pSetLayouts=self._set_layouts,
            pushConstantRangeCount=len(ranges),
            pPushConstantRanges=ranges,
        )
        return self._logical.create("VkPipelineLayout", info, stack)

    def _create_pipeline(self, module: SpirvModule, stack: Deletions) -> vk.Handle:
        words = np.ascontiguousarray(module.words, np.uint32)
        code = vk.ffi().from_buffer("uint32_t[]", words)
        info = vk.struct("VkShaderModuleCreateInfo", codeSize=words.nbytes, pCode=code)
        logical, null = self._logical, vk.ffi().NULL
        with logical.temporaries() as temporary, pipeline_cache(logical, module) as cache:
            shader = logical.create("VkShaderModule", info, temporary)
            stage = vk.struct(
                "VkPipelineShaderStageCreateInfo",
                stage=vk.flags("VK_SHADER_STAGE", "COMPUTE"),
                module=shader,
                pName=self.interface.entry_point,
            )
            create = vk.struct("VkComputePipelineCreateInfo", stage=stage, layout=self._layout)
            arguments = (logical.handle, cache, 1, create, null)
            try:
                logical.creating.add(self)
                return vk.create("vkCreateComputePipelines", "VkPipeline", *arguments, stack=stack)
            finally:
                logical.creating.discard(self)

    def _allocate_sets(self, stack: Deletions) -> list[vk.Handle]:
        if not self._set_layouts:
            return []
        sizes = [
            vk.struct("VkDescriptorPoolSize", type=descriptor_type(b), descriptorCount=b.count)
            for b in self.interface
        ]
        count = len(self._set_layouts)
        info = vk.struct(
            "VkDescriptorPoolCreateInfo",
            maxSets=count,
            poolSizeCount=len(sizes),
            pPoolSizes=sizes,
        )
        allocate = vk.struct(
            "VkDescriptorSetAllocateInfo",
            descriptorPool=self._logical.create("VkDescriptorPool", info, stack),
            descriptorSetCount=count,
            pSetLayouts=self._set_layouts,
        )
        sets = vk.ffi().new("VkDescriptorSet[]", count)
        vk.call("vkAllocateDescriptorSets", self._logical.handle, allocate, sets)
        return list(sets)


def _windowed(interface: ShaderInterface) -> frozenset[str]:
    """The registers whose views get windows: as push constants, or for arrays in tables."""
    arrays = (table.register for table in interface.tables if table.kind == "windows")
    return frozenset(interface.windows).union(arrays)


def _layout_binding(binding: Binding) -> Any:
    return vk.struct(
        "VkDescriptorSetLayoutBinding",
        binding=binding.binding,
        descriptorType=descriptor_type(binding),
        descriptorCount=binding.count,
        stageFlags=vk.flags("VK_SHADER_STAGE", "COMPUTE"),
    )
