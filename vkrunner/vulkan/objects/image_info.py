"""The creation info of an image, checked against the device.

Source: Vulkan specification, "Images".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from vkrunner.errors import FeatureError, LimitError, VulkanError
from vkrunner.values.formats import Format, family_of
from vkrunner.values.texture_layout import ImageSize
from vkrunner.vulkan.device.logical import LogicalDevice
from vkrunner.vulkan.loader import vk
from vkrunner.vulkan.objects.format_support import can_be

_COPIES = ("TRANSFER_SRC", "TRANSFER_DST")
_EXTENDED_USAGE = 1 << 8  # VK_IMAGE_CREATE_EXTENDED_USAGE_BIT; the package lacks it
_FORMAT_NOT_SUPPORTED = -11  # VK_ERROR_FORMAT_NOT_SUPPORTED


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
