"""Formats that a device takes: for buffers, for textures, and for a sampler's linear filter.

Source: Vulkan specification, "Formats".
"""

from __future__ import annotations

from collections.abc import Sequence

from translate.interface import STORAGE_IMAGE, STORAGE_TEXEL_BUFFER, UNIFORM_TEXEL_BUFFER, Binding
from vkrunner.binding.arguments import (
    Argument,
    NullArgument,
    ResidentTexture,
    SamplerArgument,
    Texels,
    TextureArray,
    Typed,
)
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


def check_formats(logical: LogicalDevice, arguments: Sequence[Argument]) -> None:
    """Raise FeatureError for a format that the device does not bind, or filter, as it is used."""
    for argument in arguments:
        if isinstance(argument, Texels):
            _check_texels(logical, argument.binding, argument.format)
        if isinstance(argument, ResidentTexture) or (
            isinstance(argument, TextureArray) and argument.array.size
        ):
            _check_texture(logical, argument.binding, argument.format)
    _check_filters(logical, arguments)
    _check_borders(arguments)


def _check_texels(logical: LogicalDevice, binding: Binding, format: Format) -> None:
    is_storage = binding.descriptor_type == STORAGE_TEXEL_BUFFER
    bound = format if is_storage else buffer_twin(format)
    lacking = lacking_feature(logical, bound)
    able = 0 if lacking else int(format_properties(logical, bound).bufferFeatures)
    uses = [binding.descriptor_type.upper()]
    if is_storage:  # its buffer may be used as both
        uses.append(UNIFORM_TEXEL_BUFFER.upper())
    if binding.atomic:
        uses.append(f"{STORAGE_TEXEL_BUFFER.upper()}_ATOMIC")
    if not all(able & vk.flags("VK_FORMAT_FEATURE", use) for use in uses):
        use = "an atomic one" if binding.atomic else binding.descriptor_type.replace("_", " ")
        raise FeatureError(
            f"{label_of(binding)}: {logical.info.name} does not take {format.name} as {use}"
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


def _check_filters(logical: LogicalDevice, arguments: Sequence[Argument]) -> None:
    """Raise FeatureError where a linear filter meets a format that the device does not filter.

    Comparisons are filtered after the comparison, which every depth format can.
    """
    linear = {a.binding.register for a in arguments if _filters_texels(a)}
    for argument in arguments:
        met = sorted(linear.intersection(argument.binding.samplers or ()))
        if not met or not isinstance(argument, Typed) or isinstance(argument, NullArgument):
            continue
        able = image_features(logical, argument.format)
        if not able & vk.flags("VK_FORMAT_FEATURE", "SAMPLED_IMAGE_FILTER_LINEAR"):
            raise FeatureError(
                f"{label_of(argument.binding)}: {logical.info.name} does not filter"
                f" {argument.format.name}: pass {met[0]}=device.sampler('point')"
            )


def _check_borders(arguments: Sequence[Argument]) -> None:
    """Raise FeatureError where a view's swizzle would give a border's alpha to another component.

    D3D's border has red, green, blue and alpha as the shader sees them.
    """
    for sampler in (a for a in arguments if isinstance(a, SamplerArgument)):
        border, register = sampler.state.border, sampler.binding.register
        if "border" not in sampler.state.addresses:
            continue
        for argument in arguments:
            if not isinstance(argument, (ResidentTexture, TextureArray)):
                continue
            if register in (argument.binding.samplers or ()) and _moves(argument.format, border):
                raise FeatureError(
                    f"{label_of(argument.binding)}: Vulkan has no border of {border} for"
                    f" {argument.format.name}: its components have to be equal"
                )


def _moves(format: Format, border: Sequence[float]) -> bool:
    """Whether the swizzle of a format's views takes a component of a border for another one."""
    given = dict(zip("rgba", border, strict=True))
    places = zip("rgba", format.swizzle, strict=True)
    return any(source in given and given[source] != given[place] for place, source in places)


def _filters_texels(argument: Argument) -> bool:
    if not isinstance(argument, SamplerArgument):
        return False
    return argument.state.comparison is None and "linear" in argument.state.filters
