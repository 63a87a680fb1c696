"""Uses of formats that a device supports, and formats whose texels the device holds converted.

Shaders read exactly the same values of converted texels. If a view shows a part of each texel, the
device holds only this part: the other bits are 0 when the texture is read back. Source: Vulkan
specification, "Formats".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from translate.dataclass import dataclass, replace
from translate.interface import STORAGE_IMAGE, STORAGE_TEXEL_BUFFER, Binding
from vkrunner.binding.arguments import ImagePart, SamplerSettings, Shown, TexelRange
from vkrunner.errors import FeatureError
from vkrunner.info.device_info import DeviceInfo
from vkrunner.info.faults import SMALL_TEXELS
from vkrunner.values.formats import Format, bound_format, depth_twin, family_of
from vkrunner.values.numbers import Bytes
from vkrunner.values.samplers import SamplerState
from vkrunner.vulkan.device.logical import LogicalDevice
from vkrunner.vulkan.loader import vk

SAMPLED, STORAGE = "SAMPLED", "STORAGE"
_FLAGS2_EXTENSION = "VK_KHR_format_feature_flags2"
_FORMAT_FEATURES = (  # by part of the VkFormat's name
    ("_BC", "texture_compression_bc"),
    ("A4R4G4B4", "format_a4r4g4b4"),
)
_DEPTH_COMPARISON = 1 << 33  # VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_DEPTH_COMPARISON_BIT
_FILTER_LINEAR = "VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT"
_FILTER_MINMAX = "VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_MINMAX_BIT"  # has the first one's value
_DEPTH_BITS = (1 << 24) - 1
Bits = tuple[int, int]  # of a component: the first bit, and the number of bits
_FLOAT_BYTES = 16  # of VK_FORMAT_R32G32B32A32_SFLOAT
_SMALL: dict[str, tuple[Bits, ...]] = {  # red, green, blue and alpha
    "b5g6r5_unorm": ((11, 5), (5, 6), (0, 5)),
    "b5g5r5a1_unorm": ((10, 5), (5, 5), (0, 5), (15, 1)),
}


def image_features(logical: LogicalDevice, format: Format) -> int:
    """The VkFormatFeatureFlags of a format's images; 0 if a device feature is missing."""
    if lacking_feature(logical, format):
        return 0
    return int(format_properties(logical, format).optimalTilingFeatures)


def lacking_feature(logical: LogicalDevice, format: Format) -> str | None:
    """The feature that a format needs and the device lacks, or None."""
    needed = next((name for part, name in _FORMAT_FEATURES if part in format.vulkan), None)
    return needed if needed and not getattr(logical.info.features, needed) else None


def lack_text(logical: LogicalDevice, format: Format) -> str:
    """The reason why the device has no images of a format, to append to an error; may be ""."""
    feature = lacking_feature(logical, format)
    if feature is not None:
        return f": it lacks the feature {feature}"
    return ": give its texels a fourth component" if format.components == 3 else ""


def format_properties(logical: LogicalDevice, format: Format) -> Any:
    """The VkFormatProperties of a format."""
    properties = vk.out("VkFormatProperties")
    number = vk.constant(format.vulkan)
    vk.lib().vkGetPhysicalDeviceFormatProperties(logical.physical, number, properties)
    return properties


def can_compare(logical: LogicalDevice, format: Format) -> bool:
    """Whether comparison samplers may read images of a format.

    Depth formats allow it. For other formats VkFormatProperties3 says so; without that struct,
    they do not count as allowed.
    """
    new_enough = tuple(int(n) for n in logical.info.api_version.split(".")) >= (1, 3)
    if format.is_depth or not (new_enough or _FLAGS2_EXTENSION in logical.info.extensions):
        return format.is_depth
    wide = vk.struct("VkFormatProperties3")
    properties = vk.struct("VkFormatProperties2", pNext=wide)
    number = vk.constant(format.vulkan)
    vk.lib().vkGetPhysicalDeviceFormatProperties2(logical.physical, number, properties)
    return bool(int(wide.optimalTilingFeatures) & _DEPTH_COMPARISON)


def _uses(logical: LogicalDevice, format: Format) -> list[str]:
    able = image_features(logical, format)
    return [u for u in (SAMPLED, STORAGE) if able & vk.flags("VK_FORMAT_FEATURE", f"{u}_IMAGE")]


def can_be(logical: LogicalDevice, format: Format, uses: tuple[str, ...]) -> bool:
    """Whether images support the uses in this very format; others of its family may differ."""
    return {*uses} <= {*_uses(logical, format)}


def possible_uses(logical: LogicalDevice, format: Format, samples: int) -> tuple[str, ...]:
    """The uses, of SAMPLED and STORAGE, that some format of the family supports for images.

    Raises FeatureError if the format itself supports neither. A multisampled image has only the
    uses of its own format.
    """
    uses = _uses(logical, format)
    if samples == 1:
        shown = {use for other in family_of(format) for use in _uses(logical, other)}
        uses = [use for use in (SAMPLED, STORAGE) if use in shown] if uses else []
    if not uses:
        lack = lack_text(logical, format)
        raise FeatureError(f"{logical.info.name} has no textures of {format.name}{lack}")
    if samples > 1 and not logical.info.features.storage_image_multisample:
        return tuple(use for use in uses if use != STORAGE)
    return tuple(uses)


def check_formats(logical: LogicalDevice, views: Sequence[Shown]) -> None:
    """Raise FeatureError if the device cannot bind or filter a view's format as the shader does."""
    samplers = [view for view in views if isinstance(view, SamplerSettings)]
    for view in views:
        if isinstance(view, TexelRange):
            _check_texels(logical, view.binding, view.format)
        elif isinstance(view, ImagePart):
            able = image_features(logical, bound_format(view.format, view.binding))
            _check_texture(logical, view.binding, view.format, able)
            for sampler in samplers:
                if sampler.binding.register in (view.binding.samplers or ()):
                    _check_sampler(logical, view, able, sampler)


def _check_texels(logical: LogicalDevice, binding: Binding, format: Format) -> None:
    bound = bound_format(format, binding)
    lacking = lacking_feature(logical, bound)
    able = 0 if lacking else int(format_properties(logical, bound).bufferFeatures)
    uses = [binding.descriptor_type.upper()]
    if binding.atomic:
        uses.append(f"{STORAGE_TEXEL_BUFFER.upper()}_ATOMIC")
    if not all(able & vk.flags("VK_FORMAT_FEATURE", use) for use in uses):
        use = binding.descriptor_type.replace("_", " ")
        raise FeatureError(
            f"{binding.label}: {logical.info.name} does not take {format.name} as"
            f" {'an atomic one' if binding.atomic else f'a {use}'}"
        )


def _check_texture(logical: LogicalDevice, binding: Binding, format: Format, able: int) -> None:
    name = logical.info.name
    use = "STORAGE_IMAGE" if binding.descriptor_type == STORAGE_IMAGE else "SAMPLED_IMAGE"
    if not able & vk.flags("VK_FORMAT_FEATURE", use):
        raise FeatureError(
            f"{binding.label}: {name} does not take {format.name} as a"
            f" {use.lower().replace('_', ' ')}{lack_text(logical, format)}"
        )
    if binding.atomic and not able & vk.flags("VK_FORMAT_FEATURE", "STORAGE_IMAGE_ATOMIC"):
        raise FeatureError(f"{binding.label}: {name} has no atomics on {format.name}")
    if binding.comparison and not can_compare(logical, format):
        twin = depth_twin(format)
        format_text = "one component" if twin is format else f"format={twin.name!r}"
        raise FeatureError(
            f"{binding.label}: {name} does not compare {format.name}:"
            f" make the texture with {format_text}"
        )


def _check_sampler(
    logical: LogicalDevice, image: ImagePart, able: int, sampler: SamplerSettings
) -> None:
    """Raise FeatureError if the device does not filter or reduce a format, or has no such border.

    `able` are the format's features.

    Comparison samplers filter the results of comparisons, which every depth format allows. Views
    with a swizzle have no minimum or maximum: few devices offer
    `filterMinmaxImageComponentMapping`. D3D's border is red, green, blue and alpha as the shader
    sees them, but a swizzle would move it.
    """
    name, format, state = logical.info.name, image.format, sampler.state
    label, register = image.binding.label, sampler.binding.register
    if _filters_texels(state) and not able & vk.constant(_FILTER_LINEAR):
        raise FeatureError(
            f"{label}: {name} does not filter {format.name}:"
            f" pass {register}=device.sampler('point')"
        )
    has_reductions = able & vk.constant(_FILTER_MINMAX) and format.swizzle == "rgba"
    if state.reduction is not None and not has_reductions:
        raise FeatureError(f"{label}: {name} has no minimum or maximum of {format.name}")
    if "border" in state.addresses and _moves(format, state.border):
        raise FeatureError(
            f"{label}: Vulkan has no border of {state.border} for {format.name}: its components"
            " have to be equal"
        )


def _moves(format: Format, border: Sequence[float]) -> bool:
    """Whether the swizzle of a format's views moves a component of a border."""
    given = dict(zip("rgba", border, strict=True))
    places = zip("rgba", format.swizzle, strict=True)
    return any(source in given and given[source] != given[place] for place, source in places)


def _filters_texels(state: SamplerState) -> bool:
    return state.comparison is None and "linear" in state.filters


@dataclass(frozen=True, slots=True)
class HeldTexels:
    """A conversion of texels; a texel on the device has `nbytes`.

    `packed` converts whole rows of a caller's texels for the device, and `unpacked` converts them
    back. Both take the width in texels.
    """

    nbytes: int
    packed: Callable[[Bytes, int], Bytes]
    unpacked: Callable[[Bytes, int], Bytes]


def _depths_of_24_bits(data: Bytes, width: int) -> Bytes:
    depths = (data.view("<u4") & np.uint32(_DEPTH_BITS)) / np.float64(_DEPTH_BITS)
    return depths.astype("<f4").view(np.uint8)


def _to_24_bits(data: Bytes, width: int) -> Bytes:
    """Floats to depths of 24 bits, exactly: neighbouring depths have different floats."""
    return np.rint(data.view("<f4").astype(np.float64) * _DEPTH_BITS).astype("<u4").view(np.uint8)


def _part(first: int, nbytes: int, data: Bytes, width: int) -> Bytes:
    """`nbytes` bytes, from byte `first` on, of each texel of 8 bytes."""
    return np.ascontiguousarray(data.reshape(-1, 8)[:, first : first + nbytes]).reshape(-1)


def _whole(first: int, nbytes: int, data: Bytes, width: int) -> Bytes:
    texels: Bytes = np.zeros((data.nbytes // nbytes, 8), np.uint8)
    texels[:, first : first + nbytes] = data.reshape(-1, nbytes)
    return texels.reshape(-1)


def _pairs_apart(order: tuple[int, int, int, int], data: Bytes, width: int) -> Bytes:
    """Two texels from each block: the block's red and blue, and each texel's own green.

    The second texel's green is in the place of alpha in the block. `order` has the bytes of red,
    the first green, blue and the second green. With an odd width the last block's second texel is
    omitted.
    """
    red, first, blue, second = order
    blocks = data.reshape(-1, -(-width // 2), 4)
    texels = np.stack([blocks[..., order], blocks[..., (red, second, blue, first)]], axis=2)
    rows = texels.reshape(len(blocks), -1, 4)[:, :width]
    return np.ascontiguousarray(rows).reshape(-1)


def _pairs_together(order: tuple[int, int, int, int], data: Bytes, width: int) -> Bytes:
    first = data.reshape(-1, width, 4)[:, ::2]
    blocks = np.zeros_like(first)
    blocks[..., order] = first
    return blocks.reshape(-1)


def _pairs(order: tuple[int, int, int, int]) -> HeldTexels:
    return HeldTexels(4, partial(_pairs_apart, order), partial(_pairs_together, order))


def _floats(fields: tuple[Bits, ...], data: Bytes, width: int) -> Bytes:
    """The components of 16-bit texels as four floats; missing components are 0."""
    codes = data.view("<u2")
    texels = np.zeros((len(codes), 4), "<f4")
    for component, (first, bits) in enumerate(fields):
        top = (1 << bits) - 1
        texels[:, component] = (codes >> first & top) / np.float64(top)
    return texels.reshape(-1).view(np.uint8)


def _from_floats(fields: tuple[Bits, ...], data: Bytes, width: int) -> Bytes:
    texels = data.view("<f4").reshape(-1, 4)
    codes = np.zeros(len(texels), "<u2")
    for component, (first, bits) in enumerate(fields):
        code = np.rint(texels[:, component] * np.float64((1 << bits) - 1))
        codes |= code.astype("<u2") << first
    return codes.view(np.uint8)


_HELD_SMALL = {
    name: HeldTexels(_FLOAT_BYTES, partial(_floats, fields), partial(_from_floats, fields))
    for name, fields in _SMALL.items()
}
_HELD = {
    "r24_unorm_x8_typeless": HeldTexels(4, _depths_of_24_bits, _to_24_bits),
    "r32_float_x8x24_typeless": HeldTexels(4, partial(_part, 0, 4), partial(_whole, 0, 4)),
    "x32_typeless_g8x24_uint": HeldTexels(1, partial(_part, 4, 1), partial(_whole, 4, 1)),
    "r8g8_b8g8_unorm": _pairs((0, 1, 2, 3)),
    "g8r8_g8b8_unorm": _pairs((1, 0, 3, 2)),
}


def held_format(info: DeviceInfo, format: Format) -> Format:
    """The same format, with the VkFormat and swizzle in which this device holds its images.

    They differ only on drivers with the fault SMALL_TEXELS, where images of some formats hold
    floats. These formats have no UAVs there.
    """
    if SMALL_TEXELS not in info.known_faults or format.name not in _SMALL:
        return format
    swizzle = "rgba"[: len(_SMALL[format.name])].ljust(4, "1")
    return replace(format, held="VK_FORMAT_R32G32B32A32_SFLOAT", swizzle=swizzle)


def held_texels(format: Format) -> HeldTexels | None:
    """The conversion for a `held_format`; None if the device has the format itself."""
    if format.name in _SMALL:
        return _HELD_SMALL[format.name] if format.held else None
    return _HELD.get(format.name)
