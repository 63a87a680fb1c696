"""Image: a VkImage with its memory. ImageCopy: its texels to and from the host.

Images stay in the layout GENERAL, which every use allows. Source: Vulkan specification, "Images"
and "Copying Data Between Buffers and Images".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from vkrunner.errors import FeatureError, LimitError, VulkanError
from vkrunner.resources.device_objects import next_token
from vkrunner.values.formats import Format, family_of
from vkrunner.values.numbers import Bytes
from vkrunner.values.texture_layout import Dimension, ImageSize, Part
from vkrunner.vulkan.device.logical import LogicalDevice
from vkrunner.vulkan.device.pool import MemoryPlace, is_shared
from vkrunner.vulkan.loader import vk
from vkrunner.vulkan.loader.deletion import Deletions
from vkrunner.vulkan.objects.format_support import can_be, held_format, held_texels

_COPIES = ("TRANSFER_SRC", "TRANSFER_DST")
_EXTENDED_USAGE = 1 << 8  # VK_IMAGE_CREATE_EXTENDED_USAGE_BIT; the package lacks it
_FORMAT_NOT_SUPPORTED = -11  # VK_ERROR_FORMAT_NOT_SUPPORTED
_CONSTANTS = {"0": "ZERO", "1": "ONE"}
# The alignment of a level in the host's memory: a multiple of every texel's bytes (1 to 16, also
# 12) and of 4, as copies between buffers and images require it.
_LEVEL_ALIGNMENT = 48


def image_info(
    logical: LogicalDevice,
    format: Format,
    size: ImageSize,
    uses: tuple[str, ...],
    *,
    is_cast: bool,
) -> Any:
    """The VkImageCreateInfo; `is_cast`: views may show any format of the family.

    Raises FeatureError or LimitError if the device has no such images.
    """
    create = ["CUBE_COMPATIBLE"] if size.is_cube_compatible else []
    if is_cast and len(family_of(format)) > 1:
        create.append("MUTABLE_FORMAT")
    info = _create_info(format, size, uses, create)
    if not can_be(logical, format, uses):
        info.flags |= _EXTENDED_USAGE
    _check_image(logical, format, size, info)
    return info


def _create_info(
    format: Format, size: ImageSize, uses: tuple[str, ...], create: Sequence[str]
) -> Any:
    width, height, depth = size.extent(0)
    return vk.struct(
        "VkImageCreateInfo",
        flags=vk.flags("VK_IMAGE_CREATE", *create),
        imageType=vk.constant(f"VK_IMAGE_TYPE_{size.axes}D"),
        format=vk.constant(format.vulkan),
        extent=vk.struct("VkExtent3D", width=width, height=height, depth=depth),
        mipLevels=size.mips,
        arrayLayers=size.layers,
        samples=vk.flags("VK_SAMPLE_COUNT", str(size.samples)),
        tiling=vk.constant("VK_IMAGE_TILING_OPTIMAL"),
        usage=vk.flags("VK_IMAGE_USAGE", *uses, *_COPIES),
        sharingMode=vk.constant("VK_SHARING_MODE_EXCLUSIVE"),
        initialLayout=vk.constant("VK_IMAGE_LAYOUT_UNDEFINED"),
    )


def _check_image(logical: LogicalDevice, format: Format, size: ImageSize, info: Any) -> None:
    """Compare the requested image with the device's limits for such images."""
    able, name = vk.out("VkImageFormatProperties"), logical.info.name
    try:
        vk.call(
            "vkGetPhysicalDeviceImageFormatProperties",
            *(logical.physical, info.format, info.imageType, info.tiling, info.usage, info.flags),
            able,
        )
    except VulkanError as error:
        if error.result != _FORMAT_NOT_SUPPORTED:
            raise
        raise FeatureError(f"{name} has no such textures of {format.name}") from None
    most = able.maxExtent
    for what, wanted, allowed in (
        ("texels wide", size.width, most.width),
        ("texels high", size.height, most.height),
        ("texels deep", size.depth, most.depth),
        ("layers", size.layers, able.maxArrayLayers),
        ("mips", size.mips, able.maxMipLevels),
    ):
        if wanted > allowed:
            raise LimitError(f"a texture of {wanted} {what}; {name} allows {allowed}")
    if not able.sampleCounts & size.samples:
        raise FeatureError(f"{name} has no textures of {format.name} with {size.samples} samples")


class Image:
    """A VkImage with its own memory; `uses` are SAMPLED and STORAGE.

    `is_cast`: its views may show any format of the family, with the uses of that format.

    Raises FeatureError for a format without all uses, LimitError for a size that is too large.
    """

    def __init__(
        self,
        logical: LogicalDevice,
        format: Format,
        size: ImageSize,
        uses: tuple[str, ...],
        *,
        is_cast: bool = False,
    ):
        self.logical = logical
        # Shaders only load from multisampled images: a fault of filters does not concern them.
        self.format = held_format(logical.info, format) if size.samples == 1 else format
        self.size = size
        self.token = next_token()
        info = image_info(logical, self.format, size, uses, is_cast=is_cast)
        stack = logical.own(self)
        freed = Deletions()
        stack.add(freed)  # the image is destroyed before its memory
        self.handle = logical.create("VkImage", info, stack)
        requirements = vk.out("VkMemoryRequirements")
        vk.lib().vkGetImageMemoryRequirements(logical.handle, self.handle, requirements)
        logical.check_size(int(requirements.size), "a texture")
        memory = logical.memory.allocate(requirements, MemoryPlace.DEVICE, freed)
        vk.call("vkBindImageMemory", logical.handle, self.handle, memory, 0)

    def seen_as(self, format: Format) -> Format:
        """A format of the image's family, with the VkFormat and swizzle for views of the image."""
        return self.format if format.name == self.format.name else format

    @property
    def whole(self) -> Part:
        return Part(0, self.size.mips, 0, self.size.layers)

    def record_start(self, commands: Any) -> None:
        """Record the move of the image to its layout, ready to be written; its texels are lost.

        An earlier dispatch of no groups, in which the driver compiled, may have used the image.
        """
        barrier = vk.struct(
            "VkImageMemoryBarrier",
            srcAccessMask=vk.flags("VK_ACCESS", "SHADER_WRITE", "TRANSFER_WRITE"),
            dstAccessMask=vk.flags("VK_ACCESS", "TRANSFER_READ", "TRANSFER_WRITE"),
            oldLayout=vk.constant("VK_IMAGE_LAYOUT_UNDEFINED"),
            newLayout=vk.constant("VK_IMAGE_LAYOUT_GENERAL"),
            srcQueueFamilyIndex=vk.constant("VK_QUEUE_FAMILY_IGNORED") & 0xFFFFFFFF,
            dstQueueFamilyIndex=vk.constant("VK_QUEUE_FAMILY_IGNORED") & 0xFFFFFFFF,
            image=self.handle,
            subresourceRange=subresources(self.format, self.whole),
        )
        after = vk.flags("VK_PIPELINE_STAGE", "COMPUTE_SHADER", "TRANSFER")
        before, null = vk.flags("VK_PIPELINE_STAGE", "TRANSFER"), vk.ffi().NULL
        vk.lib().vkCmdPipelineBarrier(commands, after, before, 0, 0, null, 0, null, 1, barrier)

    def create_view(
        self,
        dimension: Dimension,
        part: Part,
        stack: Deletions,
        format: Format,
        use: str,
        *,
        swizzle: str = "rgba",
    ) -> vk.Handle:
        """A VkImageView of a part of the image, for one of its uses.

        `swizzle` is as in `Format`, for sampled views only.
        """
        usage = vk.struct("VkImageViewUsageCreateInfo", usage=vk.flags("VK_IMAGE_USAGE", use))
        mapping = {place: _swizzle(source) for place, source in zip("rgba", swizzle, strict=True)}
        info = vk.struct(
            "VkImageViewCreateInfo",
            pNext=usage,
            image=self.handle,
            viewType=vk.constant(f"VK_IMAGE_VIEW_TYPE_{dimension.view_type}"),
            format=vk.constant(format.vulkan),
            components=vk.struct("VkComponentMapping", **mapping),
            subresourceRange=subresources(self.format, part),
        )
        return self.logical.create("VkImageView", info, stack)


class ImageCopy:
    """Host memory for the texels of a part of an image, and the copies in both directions.

    `is_returned`: a submission that uploads the texels also brings them back.
    """

    def __init__(self, image: Image, stack: Deletions, part: Part, *, is_returned: bool = False):
        self.image = image
        self.part = part
        self.is_returned = is_returned
        self._held = held_texels(image.format)
        starts: dict[int, int] = {}
        end = 0
        for mip in part.mips:
            starts[mip] = end = -(-end // _LEVEL_ALIGNMENT) * _LEVEL_ALIGNMENT
            end += self._bytes(mip)
        # Only a slot that shares its VkBuffer may begin at an offset that is not aligned
        more = _LEVEL_ALIGNMENT if is_shared(end) else 0
        self._host = image.logical.slot(end + more, stack, host=True)
        before = -self._host.offset % _LEVEL_ALIGNMENT
        self._offsets = {mip: before + start for mip, start in starts.items()}

    def _bytes(self, mip: int) -> int:
        """The bytes of a mip on the device."""
        part, format = self.part, self.image.format
        width, height, depth = self.image.size.part_extent(part, mip)
        if self._held is not None:
            return width * height * depth * part.num_layers * self._held.nbytes
        across, down = format.elements(width, height)
        return across * down * depth * part.num_layers * format.texel_bytes

    def _level(self, mip: int) -> Bytes:
        """The device's texels of one mip, with all layers of the part in order; writable."""
        first = self._offsets[mip]
        return self._host.bytes[first : first + self._bytes(mip)]

    def put(self, mip: int, data: Bytes) -> None:
        """Write the texels of one mip to the host memory, from the form of a caller's array."""
        self._level(mip)[:] = self.packed(mip, data) if self.is_packed else data

    def clear(self, mip: int) -> None:
        """Write zeros to the host memory of one mip."""
        self._level(mip)[:] = 0

    def get(self, mip: int) -> Bytes:
        """A copy of the texels of one mip in the host memory, in the form of a caller's array."""
        data, held = self._level(mip), self._held
        return data.copy() if held is None else held.unpacked(data, self.image.size.extent(mip)[0])

    def packed(self, mip: int, data: Bytes) -> Bytes:
        """The texels of one mip in the device's form."""
        held = self._held
        return data if held is None else held.packed(data, self.image.size.extent(mip)[0])

    @property
    def is_packed(self) -> bool:
        """Whether the device's texels differ from a caller's array."""
        return self._held is not None

    staged = True  # the host never sees an image's own memory

    @property
    def incoming(self) -> Bytes:
        """The first mip, to which the texels of an array are written."""
        return self._level(self.part.first_mip)

    outgoing = incoming

    def record_start(self, commands: Any) -> None:
        """Move the image to its layout; its texels are lost."""
        self.image.record_start(commands)

    def record_upload(self, commands: Any) -> None:
        """Copy from the host to the image."""
        layout = vk.constant("VK_IMAGE_LAYOUT_GENERAL")
        vk.lib().vkCmdCopyBufferToImage(
            commands, self._host.handle, self.image.handle, layout, *self._regions()
        )

    def record_download(self, commands: Any) -> None:
        """Copy from the image to the host."""
        layout = vk.constant("VK_IMAGE_LAYOUT_GENERAL")
        vk.lib().vkCmdCopyImageToBuffer(
            commands, self.image.handle, layout, self._host.handle, *self._regions()
        )

    def _regions(self) -> tuple[int, Any]:
        regions = [self._region(mip) for mip in self.part.mips]
        return len(regions), vk.array("VkBufferImageCopy", regions)

    def _region(self, mip: int) -> Any:
        return vk.struct(
            "VkBufferImageCopy",
            bufferOffset=self._host.offset + self._offsets[mip],
            imageSubresource=mip_layers(self.image.format, self.part, mip),
            imageOffset=part_offset(self.part),
            imageExtent=part_extent(self.image.size, self.part, mip),
        )


def _swizzle(source: str) -> int:
    """The VkComponentSwizzle of a letter, or of 0 or 1."""
    return vk.constant(f"VK_COMPONENT_SWIZZLE_{_CONSTANTS.get(source, source.upper())}")


def _aspect(format: Format) -> int:
    """The VkImageAspectFlags of a format."""
    return vk.flags("VK_IMAGE_ASPECT", "DEPTH" if format.is_depth else "COLOR")


def part_extent(size: ImageSize, part: Part, mip: int) -> Any:
    """The VkExtent3D of a part in a mip."""
    width, height, depth = size.part_extent(part, mip)
    return vk.struct("VkExtent3D", width=width, height=height, depth=depth)


def part_offset(part: Part) -> Any:
    """The VkOffset3D of a part in a mip."""
    return vk.struct("VkOffset3D", z=part.first_w_slice)


def mip_layers(format: Format, part: Part, mip: int) -> Any:
    """The VkImageSubresourceLayers of one mip of a part."""
    return vk.struct(
        "VkImageSubresourceLayers",
        aspectMask=_aspect(format),
        mipLevel=mip,
        baseArrayLayer=part.first_layer,
        layerCount=part.num_layers,
    )


def subresources(format: Format, part: Part) -> Any:
    """The VkImageSubresourceRange of a part."""
    return vk.struct(
        "VkImageSubresourceRange",
        aspectMask=_aspect(format),
        baseMipLevel=part.first_mip,
        levelCount=part.num_mips,
        baseArrayLayer=part.first_layer,
        layerCount=part.num_layers,
    )


def spans_of(part: Part) -> tuple[tuple[int, int], tuple[int, int]]:
    """The mips and the layers of a part of an image, each as (first, end)."""
    return (
        (part.first_mip, part.first_mip + part.num_mips),
        (part.first_layer, part.first_layer + part.num_layers),
    )
