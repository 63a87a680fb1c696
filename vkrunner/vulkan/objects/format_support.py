"""Checks of formats: for buffers, for textures, and for a sampler's linear filter.

Source: Vulkan specification, "Formats".
"""

from __future__ import annotations

from collections.abc import Sequence

from translate.interface import STORAGE_IMAGE, STORAGE_TEXEL_BUFFER, Binding
from vkrunner.binding.arguments import ImagePart, SamplerSettings, Shown, TexelRange
from vkrunner.binding.registers import label_of
from vkrunner.errors import FeatureError
from vkrunner.values.formats import Format, buffer_twin, depth_twin
from vkrunner.vulkan.device.logical import LogicalDevice
from vkrunner.vulkan.loader import vk
from vkrunner.vulkan.objects.format_features import (
    can_compare,
    format_properties,
    image_features,
    lack_text,
    lacking_feature,
)

_FILTER_MINMAX = "VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_MINMAX_BIT"  # has the first one's value


def check_formats(logical: LogicalDevice, views: Sequence[Shown]) -> None:
    """Raise FeatureError if the device cannot bind or filter a view's format as the shader does."""
    images = [view for view in views if isinstance(view, ImagePart)]
    for view in views:
        if isinstance(view, TexelRange):
            _check_texels(logical, view.binding, view.format)
    for image in images:
        _check_texture(logical, image.binding, image.format)
    samplers = [view for view in views if isinstance(view, SamplerSettings)]
    _check_filters(logical, images, samplers)
    _check_reductions(logical, images, samplers)
    _check_borders(images, samplers)


def _check_texels(logical: LogicalDevice, binding: Binding, format: Format) -> None:
    is_storage = binding.descriptor_type == STORAGE_TEXEL_BUFFER
    bound = format if is_storage else buffer_twin(format)
    lacking = lacking_feature(logical, bound)
    able = 0 if lacking else int(format_properties(logical, bound).bufferFeatures)
    uses = [binding.descriptor_type.upper()]
    if binding.atomic:
        uses.append(f"{STORAGE_TEXEL_BUFFER.upper()}_ATOMIC")
    if not all(able & vk.flags("VK_FORMAT_FEATURE", use) for use in uses):
        use = binding.descriptor_type.replace("_", " ")
        raise FeatureError(
            f"{label_of(binding)}: {logical.info.name} does not take {format.name} as"
            f" {'an atomic one' if binding.atomic else f'a {use}'}"
        )


def _check_texture(logical: LogicalDevice, binding: Binding, format: Format) -> None:
    name = logical.info.name
    able = image_features(logical, format)
    use = "STORAGE_IMAGE" if binding.descriptor_type == STORAGE_IMAGE else "SAMPLED_IMAGE"
    if not able & vk.flags("VK_FORMAT_FEATURE", use):
        raise FeatureError(
            f"{label_of(binding)}: {name} does not take {format.name} as a"
            f" {use.lower().replace('_', ' ')}{lack_text(logical, format)}"
        )
    if binding.atomic and not able & vk.flags("VK_FORMAT_FEATURE", "STORAGE_IMAGE_ATOMIC"):
        raise FeatureError(f"{label_of(binding)}: {name} has no atomics on {format.name}")
    if binding.comparison and not can_compare(logical, format):
        twin = depth_twin(format)
        format_text = "one component" if twin is format else f"format={twin.name!r}"
        raise FeatureError(
            f"{label_of(binding)}: {name} does not compare {format.name}:"
            f" make the texture with {format_text}"
        )


def _check_filters(
    logical: LogicalDevice, images: Sequence[ImagePart], samplers: Sequence[SamplerSettings]
) -> None:
    """Raise FeatureError if a linear filter reads a format that the device cannot filter.

    Comparison samplers filter the results of comparisons, which every depth format allows.
    """
    linear = {sampler.binding.register for sampler in samplers if _filters_texels(sampler)}
    for image in images:
        met = sorted(linear.intersection(image.binding.samplers or ()))
        if not met:
            continue
        able = image_features(logical, image.format)
        if not able & vk.flags("VK_FORMAT_FEATURE", "SAMPLED_IMAGE_FILTER_LINEAR"):
            raise FeatureError(
                f"{label_of(image.binding)}: {logical.info.name} does not filter"
                f" {image.format.name}: pass {met[0]}=device.sampler('point')"
            )


def _check_reductions(
    logical: LogicalDevice, images: Sequence[ImagePart], samplers: Sequence[SamplerSettings]
) -> None:
    """Raise FeatureError if a device has no minimum or maximum of a view's format.

    Views with a swizzle have none either: few devices offer `filterMinmaxImageComponentMapping`.
    """
    reducing = {one.binding.register for one in samplers if one.state.reduction is not None}
    for image in images:
        if reducing.isdisjoint(image.binding.samplers or ()):
            continue
        able = image_features(logical, image.format)
        has_minmax = able & vk.constant(_FILTER_MINMAX)
        if not has_minmax or image.format.swizzle != "rgba":
            raise FeatureError(
                f"{label_of(image.binding)}: {logical.info.name} has no minimum or maximum of"
                f" {image.format.name}"
            )


def _check_borders(images: Sequence[ImagePart], samplers: Sequence[SamplerSettings]) -> None:
    """Raise FeatureError if a view's swizzle would move a border's alpha to another component.

    D3D's border is red, green, blue and alpha as the shader sees them.
    """
    for sampler in samplers:
        border, register = sampler.state.border, sampler.binding.register
        if "border" not in sampler.state.addresses:
            continue
        for image in images:
            if register in (image.binding.samplers or ()) and _moves(image.format, border):
                raise FeatureError(
                    f"{label_of(image.binding)}: Vulkan has no border of {border} for"
                    f" {image.format.name}: its components have to be equal"
                )


def _moves(format: Format, border: Sequence[float]) -> bool:
    """Whether the swizzle of a format's views moves a component of a border."""
    given = dict(zip("rgba", border, strict=True))
    places = zip("rgba", format.swizzle, strict=True)
    return any(source in given and given[source] != given[place] for place, source in places)


def _filters_texels(sampler: SamplerSettings) -> bool:
    return sampler.state.comparison is None and "linear" in sampler.state.filters
