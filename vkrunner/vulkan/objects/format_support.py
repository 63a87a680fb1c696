"""Checks of formats: for buffers, for textures, and for a sampler's linear filter.

Source: Vulkan specification, "Formats".
"""

from __future__ import annotations

from collections.abc import Sequence

from translate.interface import STORAGE_IMAGE, STORAGE_TEXEL_BUFFER, Binding
from vkrunner.binding.arguments import ImagePart, SamplerSettings, Shown, TexelRange
from vkrunner.errors import FeatureError
from vkrunner.values.formats import Format, bound_format, depth_twin
from vkrunner.values.samplers import SamplerState
from vkrunner.vulkan.device.logical import LogicalDevice
from vkrunner.vulkan.loader import vk
from vkrunner.vulkan.objects.format_features import (
    can_compare,
    format_properties,
    image_features,
    lack_text,
    lacking_feature,
)

_FILTER_LINEAR = "VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT"
_FILTER_MINMAX = "VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_MINMAX_BIT"  # has the first one's value


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
