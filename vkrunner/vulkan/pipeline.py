"""Pipeline: a SPIR-V module made ready on a device, and Descriptors, what one dispatch binds.

Source: Vulkan specification, "Pipelines", "Descriptor Set Updates".
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from translate import ShaderInterface, SpirvModule
from translate.interface import WINDOWS, Binding
from vkrunner.device_info import DeviceLimits
from vkrunner.errors import FeatureError, LimitError
from vkrunner.vulkan import vk
from vkrunner.vulkan.deletion import Deletions
from vkrunner.vulkan.descriptor import (
    SAMPLED_IMAGE,
    SAMPLER,
    STORAGE_BUFFER,
    STORAGE_IMAGE,
    STORAGE_TEXEL_BUFFER,
    UNIFORM_BUFFER,
    UNIFORM_TEXEL_BUFFER,
    Bound,
    descriptor_type,
    descriptor_write,
)
from vkrunner.vulkan.logical import LogicalDevice
from vkrunner.vulkan.pipeline_cache import pipeline_cache

_DWORD = 4


@dataclass(frozen=True, slots=True)
class Descriptors:
    """The descriptor sets of one dispatch, and the push constants that hold its windows."""

    sets: list[vk.Handle]
    windows: list[int]


class Pipeline:
    """A compute pipeline, which it owns; `interface` is its module's, `token` names its kernel.

    `windowed` are the registers of buffers, and of arrays of them, whose views go by windows.

    Raises LimitError or FeatureError when the module needs more than the device has.
    """

    def __init__(self, logical: LogicalDevice, module: SpirvModule, token: int):
        self.interface = module.interface
        self.windowed = _windowed(self.interface)
        self.token = token
        check_device(logical, self.interface)
        self._logical = logical
        stack = logical.own(self)
        self._set_layouts = self._create_set_layouts(stack)
        self._layout = self._create_layout(stack)
        self._pipeline = self._create_pipeline(module, stack)
        self.was_dispatched = False

    @property
    def may_compile(self) -> bool:
        """Whether a driver that compiles late may do so at a dispatch with new descriptors.

        lavapipe compiles once for buffers, and anew for other kinds of images and samplers.
        """
        buffers = (STORAGE_BUFFER, UNIFORM_BUFFER)
        return not self.was_dispatched or any(
            b.descriptor_type not in buffers for b in self.interface
        )

    def describe(self, bound: Sequence[Bound], stack: Deletions) -> Descriptors:
        """Descriptor sets that show these ranges, freed by `stack`."""
        sets = self._allocate_sets(stack)
        writes = [descriptor_write(b, sets[b.binding.set]) for b in bound]
        if writes:
            array = vk.array("VkWriteDescriptorSet", writes)
            null, device = vk.ffi().NULL, self._logical.handle
            vk.lib().vkUpdateDescriptorSets(device, len(writes), array, 0, null)
        shown = {b.binding.register: b.window for b in bound if b.window is not None}
        windows = [n for register in self.interface.windows for n in shown[register]]
        return Descriptors(sets, windows)

    def record_bind(self, commands: vk.Handle, descriptors: Descriptors) -> None:
        """Bind the pipeline and all that it takes."""
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
        """One a set number up to the highest, empty where the shader skips one."""
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
        size = _window_bytes(self.interface)
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
            logical.creating.add(self)
            try:
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


def check_device(logical: LogicalDevice, interface: ShaderInterface) -> None:
    """Raise FeatureError or LimitError when the device cannot run such a module."""
    lacking = [n for n in interface.features if not getattr(logical.info.features, n, False)]
    if lacking:
        raise FeatureError(f"{logical.info.name} lacks what the shader needs: {', '.join(lacking)}")
    _check_target(logical, interface.target)
    name, most = logical.info.name, logical.info.limits.max_workgroup_size
    size = interface.thread_group
    if any(n > m for n, m in zip(size, most, strict=True)):
        raise LimitError(f"a thread group of {size}; {name} allows {most}")
    for what, needed, allowed in _needs(interface, logical.info.limits):
        if needed > allowed:
            raise LimitError(f"{needed} {what}; {name} allows {allowed}")


def _needs(interface: ShaderInterface, limits: DeviceLimits) -> list[tuple[str, int, int]]:
    """(what, how many are needed, how many the device has); Vulkan counts images with buffers."""
    shared, sets = interface.shared_memory_bytes, max((b.set + 1 for b in interface), default=0)
    count = dict.fromkeys((b.descriptor_type for b in interface), 0)
    for binding in interface:
        count[binding.descriptor_type] += binding.count

    def total(*kinds: str) -> int:
        return sum(count.get(kind, 0) for kind in kinds)

    sampled = total(UNIFORM_TEXEL_BUFFER, SAMPLED_IMAGE)
    storage = total(STORAGE_TEXEL_BUFFER, STORAGE_IMAGE)
    return [
        ("threads in a group", math.prod(interface.thread_group), limits.max_workgroup_invocations),
        ("bytes of group-shared memory", shared, limits.max_shared_memory_bytes),
        ("descriptor sets", sets, limits.max_bound_descriptor_sets),
        (
            "bytes of push constants, for views that no descriptor can show",
            _window_bytes(interface),
            limits.max_push_constants_bytes,
        ),
        ("constant buffers", total(UNIFORM_BUFFER), limits.max_uniform_buffers),
        ("storage buffers", total(STORAGE_BUFFER), limits.max_storage_buffers),
        ("typed buffers and textures", sampled, limits.max_sampled_images),
        ("typed UAVs", storage, limits.max_storage_images),
        ("samplers", total(SAMPLER), limits.max_samplers),
        ("resources", sum(count.values()) - total(SAMPLER), limits.max_resources),
    ]


def _windowed(interface: ShaderInterface) -> frozenset[str]:
    """Single buffers by push constants, arrays by tables."""
    tables = (b.register.rpartition(".")[0] for b in interface if b.kind == WINDOWS)
    return frozenset(interface.windows).union(tables)


def _window_bytes(interface: ShaderInterface) -> int:
    """Two dwords a window."""
    return 2 * _DWORD * len(interface.windows)


def _check_target(logical: LogicalDevice, target: str) -> None:
    wanted = [int(n) for n in target.removeprefix("vulkan").split(".")]
    have = [int(n) for n in logical.info.api_version.split(".")]
    if wanted > have:
        version = logical.info.api_version
        raise FeatureError(f"the shader's target is {target}; {logical.info.name} has {version}")


def _layout_binding(binding: Binding) -> Any:
    return vk.struct(
        "VkDescriptorSetLayoutBinding",
        binding=binding.binding,
        descriptorType=descriptor_type(binding),
        descriptorCount=binding.count,
        stageFlags=vk.flags("VK_SHADER_STAGE", "COMPUTE"),
    )
