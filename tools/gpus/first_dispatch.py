"""CPU time from a module to the end of its first dispatch, on any driver, with made-up resources.

The dispatch has no thread groups, so that no shader runs, whatever its resources contain: lavapipe
compiles nevertheless. Times are of all threads of the process.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection
from contextlib import ExitStack
from typing import Any

from vkrunner.vulkan.loader import vk
from vkrunner.vulkan.machine_code import PipelineDevice, descriptor_type

from .declared import Declared, DeclaredSlot, Texels, declared_by
from .process import Measure

_BYTES = 1 << 16  # of a buffer
_SIDE, _LAYERS = 16, 12
_SHAPES = {0: "1D", 1: "2D", 2: "3D", 3: "CUBE"}  # of SPIR-V's dimensions
_COMPONENTS = {"float": "SFLOAT", "sint": "SINT", "uint": "UINT"}
_SINGLE = (3, 24, 33)  # SPIR-V's formats R32f, R32i and R32ui


def first_dispatches() -> Measure:
    """The function that measures modules on the first device of the first driver."""
    return FirstDispatches().seconds


class FirstDispatches:
    """The first device of the first driver."""

    def __init__(self) -> None:
        self._pipelines = PipelineDevice()
        self._device = self._pipelines.device
        queue = vk.out("VkQueue")
        vk.lib().vkGetDeviceQueue(self._device, 0, 0, queue)
        self._queue = queue[0]

    def seconds(self, words: Any, features: Collection[str] | None = None) -> dict[str, float]:
        """CPU seconds for the pipeline and for the first dispatch.

        Raises VulkanError where the driver refuses.
        """
        declared = declared_by(words, features)
        with ExitStack() as stack:
            sets, layout = self._pipelines.layout(declared, stack)
            bound = self._descriptors(declared, sets, stack)
            start = time.process_time()
            pipeline = self._pipelines.pipeline(words, declared, layout, stack)
            made = time.process_time()
            self._dispatch(pipeline, layout, bound, stack)
            return {"pipeline": made - start, "dispatch": time.process_time() - made}

    def _dispatch(self, pipeline: Any, layout: Any, sets: list[Any], stack: ExitStack) -> None:
        commands = self._commands(stack)
        compute = vk.constant("VK_PIPELINE_BIND_POINT_COMPUTE")
        vk.call("vkBeginCommandBuffer", commands, vk.struct("VkCommandBufferBeginInfo"))
        vk.lib().vkCmdBindPipeline(commands, compute, pipeline)
        if sets:
            handles = vk.array("VkDescriptorSet", sets)
            nothing = (0, vk.ffi().NULL)
            vk.lib().vkCmdBindDescriptorSets(
                commands, compute, layout, 0, len(sets), handles, *nothing
            )
        vk.lib().vkCmdDispatch(commands, 0, 0, 0)
        vk.call("vkEndCommandBuffer", commands)
        info = vk.struct("VkSubmitInfo", commandBufferCount=1, pCommandBuffers=[commands])
        vk.call("vkQueueSubmit", self._queue, 1, info, vk.ffi().NULL)
        vk.call("vkQueueWaitIdle", self._queue)

    def _commands(self, stack: ExitStack) -> Any:
        pool = self._made("VkCommandPool", vk.struct("VkCommandPoolCreateInfo"), stack)
        info = vk.struct("VkCommandBufferAllocateInfo", commandPool=pool, commandBufferCount=1)
        return vk.create("vkAllocateCommandBuffers", "VkCommandBuffer", self._device, info)

    def _descriptors(self, declared: Declared, layouts: list[Any], stack: ExitStack) -> list[Any]:
        if not layouts:
            return []
        sizes = Counter[str]()
        for slot in declared.slots:
            sizes[slot.kind] += slot.count
        rows = [
            vk.struct("VkDescriptorPoolSize", type=descriptor_type(kind), descriptorCount=count)
            for kind, count in sizes.items()
        ]
        info = vk.struct(
            "VkDescriptorPoolCreateInfo",
            maxSets=len(layouts),
            poolSizeCount=len(rows),
            pPoolSizes=rows,
        )
        pool = self._made("VkDescriptorPool", info, stack)
        info = vk.struct(
            "VkDescriptorSetAllocateInfo",
            descriptorPool=pool,
            descriptorSetCount=len(layouts),
            pSetLayouts=layouts,
        )
        sets = vk.ffi().new("VkDescriptorSet[]", len(layouts))
        vk.call("vkAllocateDescriptorSets", self._device, info, sets)
        for slot in declared.slots:
            self._write(sets[slot.set], slot, stack)
        return list(sets)

    def _write(self, target: Any, slot: DeclaredSlot, stack: ExitStack) -> None:
        """Write the same resource to each descriptor of a binding."""
        field, item = self._resource(slot, stack)
        write = vk.struct(
            "VkWriteDescriptorSet",
            dstSet=target,
            dstBinding=slot.binding,
            descriptorCount=slot.count,
            descriptorType=descriptor_type(slot.kind),
            **{field: [item] * slot.count},
        )
        vk.lib().vkUpdateDescriptorSets(self._device, 1, write, 0, vk.ffi().NULL)

    def _resource(self, slot: DeclaredSlot, stack: ExitStack) -> tuple[str, Any]:
        """The field of VkWriteDescriptorSet, and its value."""
        if slot.kind == "SAMPLER":
            sampler = self._made("VkSampler", vk.struct("VkSamplerCreateInfo"), stack)
            return "pImageInfo", vk.struct("VkDescriptorImageInfo", sampler=sampler)
        if slot.texels is not None and slot.kind.endswith("IMAGE"):
            layout = vk.constant("VK_IMAGE_LAYOUT_GENERAL")
            view = self._image_view(slot.kind, slot.texels, stack)
            info = vk.struct("VkDescriptorImageInfo", imageView=view, imageLayout=layout)
            return "pImageInfo", info
        buffer = self._buffer(slot.kind, stack)
        if slot.texels is not None:
            info = vk.struct(
                "VkBufferViewCreateInfo", buffer=buffer, format=_format(slot.texels), range=_BYTES
            )
            return "pTexelBufferView", self._made("VkBufferView", info, stack)
        return "pBufferInfo", vk.struct("VkDescriptorBufferInfo", buffer=buffer, range=_BYTES)

    def _buffer(self, kind: str, stack: ExitStack) -> Any:
        usage = vk.flags("VK_BUFFER_USAGE", kind)
        buffer = self._made(
            "VkBuffer", vk.struct("VkBufferCreateInfo", size=_BYTES, usage=usage), stack
        )
        self._bind("Buffer", buffer, stack)
        return buffer

    def _image_view(self, kind: str, texels: Texels, stack: ExitStack) -> Any:
        shape = _SHAPES[texels.dimension]
        is_flat = shape in ("2D", "CUBE")
        layers = 1 if shape == "3D" else _LAYERS
        cube = vk.flags("VK_IMAGE_CREATE", "CUBE_COMPATIBLE") if shape == "CUBE" else 0
        extent = vk.struct(
            "VkExtent3D",
            width=_SIDE,
            height=1 if shape == "1D" else _SIDE,
            depth=_SIDE if shape == "3D" else 1,
        )
        info = vk.struct(
            "VkImageCreateInfo",
            flags=cube,
            imageType=vk.constant(f"VK_IMAGE_TYPE_{'2D' if is_flat else shape}"),
            format=_format(texels),
            extent=extent,
            mipLevels=1,
            arrayLayers=layers,
            samples=4 if texels.is_multisampled else 1,
            usage=vk.flags("VK_IMAGE_USAGE", kind.removesuffix("_IMAGE")),
        )
        image = self._made("VkImage", info, stack)
        self._bind("Image", image, stack)
        aspect = vk.flags("VK_IMAGE_ASPECT", "DEPTH" if texels.is_depth else "COLOR")
        single = 6 if shape == "CUBE" else 1
        whole = vk.struct(
            "VkImageSubresourceRange",
            aspectMask=aspect,
            levelCount=1,
            layerCount=layers if texels.is_array else single,
        )
        info = vk.struct(
            "VkImageViewCreateInfo",
            image=image,
            viewType=vk.constant(
                f"VK_IMAGE_VIEW_TYPE_{shape}{'_ARRAY' if texels.is_array else ''}"
            ),
            format=_format(texels),
            subresourceRange=whole,
        )
        return self._made("VkImageView", info, stack)

    def _bind(self, noun: str, handle: Any, stack: ExitStack) -> None:
        """Bind new memory of the first type that fits."""
        needed = vk.out("VkMemoryRequirements")
        getattr(vk.lib(), f"vkGet{noun}MemoryRequirements")(self._device, handle, needed)
        bits = int(needed.memoryTypeBits)
        info = vk.struct(
            "VkMemoryAllocateInfo",
            allocationSize=needed.size,
            memoryTypeIndex=(bits & -bits).bit_length() - 1,
        )
        null = vk.ffi().NULL
        memory = vk.create("vkAllocateMemory", "VkDeviceMemory", self._device, info, null)
        stack.callback(vk.lib().vkFreeMemory, self._device, memory, null)
        vk.call(f"vkBind{noun}Memory", self._device, handle, memory, 0)

    def _made(self, kind: str, info: Any, stack: ExitStack) -> Any:
        return self._pipelines.child(kind, info, stack)


def _format(texels: Texels) -> int:
    if texels.is_depth:
        return vk.constant("VK_FORMAT_D32_SFLOAT")
    channels = "R32" if texels.format in _SINGLE else "R32G32B32A32"
    return vk.constant(f"VK_FORMAT_{channels}_{_COMPONENTS[texels.component]}")
