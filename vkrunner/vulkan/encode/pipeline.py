"""Pipeline: a SPIR-V module on a device; DescriptorSets; Dispatch: a command that runs it.

The driver's compiled code of a module is kept for later processes in a VkPipelineCache. It belongs
to one device and one version of its driver, which are parts of the key. Lavapipe and SwiftShader
return only a header, which is not kept; lavapipe has its own cache. Source: Vulkan specification,
"Pipelines", "Pipeline Cache", "Descriptor Set Updates", "Dispatching Commands".
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any

import numpy as np

from translate import ShaderInterface, SpirvModule
from translate.dataclass import dataclass
from translate.interface import PUSH_CONSTANTS, STORAGE_BUFFER, UNIFORM_BUFFER, Binding
from vkrunner.dispatch.context import DEFAULT_TIMEOUT_NS
from vkrunner.dispatch.groups import INDIRECT_BYTES, Groups, Indirect
from vkrunner.shader.cache.entries import Translation, digest
from vkrunner.shader.cache.store import open_store
from vkrunner.shader.device_options import check_device
from vkrunner.values.numbers import Bytes
from vkrunner.vulkan.device.commands import INDIRECT, ResourceUse
from vkrunner.vulkan.device.logical import LogicalDevice
from vkrunner.vulkan.encode.command_list import Command, CommandList
from vkrunner.vulkan.encode.descriptor import Bound, descriptor_type
from vkrunner.vulkan.loader import vk
from vkrunner.vulkan.loader.deletion import Deletions, Owner
from vkrunner.vulkan.loader.physical import HEADER, pipeline_robustness
from vkrunner.vulkan.objects.storage import Storage

_DWORD = 4


@contextmanager
def pipeline_cache(logical: LogicalDevice, module: SpirvModule) -> Generator[vk.Handle]:
    """A VkPipelineCache for creating a module's pipeline; null if caching is off.

    It has the data of an earlier process. Without such data, the driver's data is kept after the
    `with`.
    """
    store = open_store()
    if store is None:
        yield vk.ffi().NULL
        return
    build = logical.build
    key = digest(b"pipeline", build, Translation.of(module).data)
    found = store.read(key)
    if found is not None and found[: HEADER.size] != build[: HEADER.size]:
        found = None
    with logical.temporaries() as stack:
        handle = logical.create("VkPipelineCache", _create_info(found or b""), stack)
        yield handle
        made = b""
        if found is None:
            made = vk.data("vkGetPipelineCacheData", logical.handle, handle)
        if len(made) > HEADER.size:
            store.write(key, made)


def _create_info(data: bytes) -> Any:
    if not data:
        return vk.struct("VkPipelineCacheCreateInfo")
    pointer = vk.ffi().from_buffer(data)
    return vk.struct("VkPipelineCacheCreateInfo", initialDataSize=len(data), pInitialData=pointer)


@dataclass(frozen=True, slots=True)
class DescriptorSets:
    """The descriptor sets of one dispatch, and its push constants, which its commands contain."""

    sets: list[vk.Handle]
    pushed: Bytes


class Pipeline:
    """A compute pipeline made from a module; `token` identifies the kernel that it belongs to.

    `windowed` are the registers whose views get windows. `constants` are the specialization
    constants that are set, with their ids; those of robust accesses are relied on.

    Raises LimitError or FeatureError if the module needs more than the device has.
    """

    def __init__(
        self,
        logical: LogicalDevice,
        module: SpirvModule,
        token: int,
        constants: Mapping[str, int] = MappingProxyType({}),
    ):
        self.interface = module.interface
        self.windowed = _windowed(self.interface)
        self.token = token
        check_device(logical.info, self.interface)
        self._logical = logical
        stack = logical.own(self)
        self._set_layouts = self._create_set_layouts(stack)
        self._layout = self._create_layout(stack)
        self._pipeline = self._create_pipeline(module, constants, stack)
        self.was_dispatched = False

    @property
    def may_compile(self) -> bool:
        """Whether a driver that compiles at dispatches may still have to compile this pipeline.

        lavapipe compiles once for buffers, and again for each new kind of images and samplers.
        """
        buffers = (STORAGE_BUFFER, UNIFORM_BUFFER, PUSH_CONSTANTS)
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
        bound.pushed[: _DWORD * len(windows)] = np.array(windows, np.uint32).view(np.uint8)
        return DescriptorSets(sets, bound.pushed)

    def record_bind(self, commands: vk.Handle, descriptors: DescriptorSets) -> None:
        """Bind the pipeline, its descriptor sets and its push constants."""
        point = vk.constant("VK_PIPELINE_BIND_POINT_COMPUTE")
        vk.lib().vkCmdBindPipeline(commands, point, self._pipeline)
        if descriptors.sets:
            sets = vk.array("VkDescriptorSet", descriptors.sets)
            null, count = vk.ffi().NULL, len(descriptors.sets)
            vk.lib().vkCmdBindDescriptorSets(commands, point, self._layout, 0, count, sets, 0, null)
        if descriptors.pushed.nbytes:
            words = vk.ffi().from_buffer("uint32_t[]", descriptors.pushed)
            stage, size = vk.flags("VK_SHADER_STAGE", "COMPUTE"), descriptors.pushed.nbytes
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
        size = self.interface.push_bytes
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

    def _create_pipeline(
        self, module: SpirvModule, constants: Mapping[str, int], stack: Deletions
    ) -> vk.Handle:
        relied_on = {*self.interface.features, *constants}
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
                pSpecializationInfo=_set_constants(constants.values()),
            )
            create = vk.struct(
                "VkComputePipelineCreateInfo",
                pNext=pipeline_robustness(logical.info, relied_on),
                stage=stage,
                layout=self._layout,
            )
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
            if b.push_offset is None
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


def _set_constants(ids: Iterable[int]) -> Any:
    """The VkSpecializationInfo that sets these boolean constants."""
    size = vk.ffi().sizeof("VkBool32")
    entries = [
        vk.struct("VkSpecializationMapEntry", constantID=number, offset=size * place, size=size)
        for place, number in enumerate(ids)
    ]
    return vk.struct(
        "VkSpecializationInfo",
        mapEntryCount=len(entries),
        pMapEntries=entries,
        dataSize=size * len(entries),
        pData=vk.array("VkBool32", [1] * len(entries)),
    )


def _layout_binding(binding: Binding) -> Any:
    return vk.struct(
        "VkDescriptorSetLayoutBinding",
        binding=binding.binding,
        descriptorType=descriptor_type(binding),
        descriptorCount=binding.count,
        stageFlags=vk.flags("VK_SHADER_STAGE", "COMPUTE"),
    )


class Dispatch(Command):
    """A dispatch of a pipeline, with its thread groups and descriptor sets."""

    is_timed = True

    def __init__(
        self, pipeline: Pipeline, sets: DescriptorSets, bound: Bound, groups: Groups | Indirect
    ):
        self._pipeline = pipeline
        self._sets = sets
        self._groups = groups
        self.is_nothing = not isinstance(groups, Indirect) and 0 in groups
        self._excerpts = bound.excerpts
        self.copies = bound.copies
        self.uses: Sequence[ResourceUse] = bound.uses
        self.owners: Sequence[Owner] = [pipeline, *bound.owners]
        if isinstance(groups, Indirect):
            storage: Storage = groups.on_device
            end = groups.offset + INDIRECT_BYTES
            use = ResourceUse(storage.token, ((groups.offset, end),), writes=False, stage=INDIRECT)
            self.uses, self.owners = [*self.uses, use], [*self.owners, storage]
            self._indirect = storage.slot.handle, storage.slot.offset + groups.offset

    def record(self, commands: vk.Handle) -> None:
        if self.is_nothing:
            return
        for excerpt in self._excerpts:
            excerpt.record(commands)
        self._pipeline.record_bind(commands, self._sets)
        if isinstance(self._groups, Indirect):
            vk.lib().vkCmdDispatchIndirect(commands, *self._indirect)
        else:
            vk.lib().vkCmdDispatch(commands, *self._groups)

    @property
    def may_compile(self) -> bool:
        return self._pipeline.may_compile and not self.is_nothing

    def compile_no_more(self) -> None:
        self._pipeline.was_dispatched = True

    def record_compilation(self, commands: vk.Handle) -> None:
        self._pipeline.record_bind(commands, self._sets)
        vk.lib().vkCmdDispatch(commands, 0, 0, 0)


def run(
    logical: LogicalDevice,
    work: CommandList,
    pipeline: Pipeline,
    bound: Bound,
    groups: Groups,
) -> None:
    """Dispatch once, as the only step of `work`, and wait.

    Afterwards the host can read the memory of `bound` that the shader wrote.
    """
    sets = pipeline.describe(bound, work.stack)
    work.record_steps([Dispatch(pipeline, sets, bound, groups)], timed=False)
    logical.queue.submit(work)
    logical.context.finish(work.serial, DEFAULT_TIMEOUT_NS)
