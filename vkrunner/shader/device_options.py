"""The options for a device's kernels, by its features and faults; checks that modules can run."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence, Set
from functools import partial
from itertools import count
from typing import Any

import translate
from translate import Binding, FloatControl, Options, ShaderInterface, SpirvModule
from translate.dataclass import replace
from translate.errors import did_you_mean
from translate.hlsl.options import HlslOptionsDict
from translate.interface import (
    COUNTER,
    SAMPLED_IMAGE,
    SAMPLER,
    STORAGE_BUFFER,
    STORAGE_IMAGE,
    STORAGE_TEXEL_BUFFER,
    UNIFORM_BUFFER,
    UNIFORM_TEXEL_BUFFER,
)
from translate.options import EXACT_SAMPLES, INDEXING_FEATURES, WORKAROUNDS, OptionsDict
from vkrunner.errors import FeatureError, LimitError, UnknownNameError
from vkrunner.info.device_info import MOST_DESCRIPTORS, DeviceInfo, DeviceLimits, Tried
from vkrunner.info.faults import (
    ARRAY_LENGTH_IN_BRANCH,
    ARRAY_LENGTH_NON_UNIFORM,
    FAULTS,
    SLICES_OUTSIDE,
    SMALL_UAVS_OUTSIDE,
    TOPICS,
    Faults,
    Topic,
)
from vkrunner.shader.shader import Shader

BINDING_NUMBERS = 1 << 15  # a layout costs memory for each; lavapipe confuses those from 65,535 on
_WITH_DEBUG_INFO = "vulkan1.3"  # needs no extension for it, which devices of that version may lack
_IMAGES = "robust_image_access"
_OUTSIDE_IMAGES = frozenset((SLICES_OUTSIDE, SMALL_UAVS_OUTSIDE))
_RELIED_ON = ("robust_buffer_access2", "robust_image_access")  # by guards="robustness2"
_DYNAMIC, _NON_UNIFORM = (f"storage_buffer_{w}_indexing" for w in ("dynamic", "non_uniform"))


def check_device(info: DeviceInfo, interface: ShaderInterface) -> None:
    """Raise FeatureError or LimitError if the device cannot run a module of this interface."""
    lacking = [n for n in interface.features if not getattr(info.features, n, False)]
    if lacking:
        raise FeatureError(f"{info.name} lacks features of the shader: {', '.join(lacking)}")
    _check_target(info, interface.target)
    name, most = info.name, info.limits.max_workgroup_size
    size = interface.thread_group
    if any(n > m for n, m in zip(size, most, strict=True)):
        raise LimitError(f"a thread group of {size}; {name} allows {most}")
    longest = max((binding.count for binding in interface), default=0)
    if longest > MOST_DESCRIPTORS:
        raise LimitError(f"an array of {longest} resources; D3D allows {MOST_DESCRIPTORS}")
    for resource, needed, allowed in _needs(interface, info.limits):
        if needed > allowed:
            raise LimitError(f"{needed} {resource}; {name} allows {allowed}")


def check_workarounds(info: DeviceInfo, interface: ShaderInterface, faults: Faults) -> None:
    """Raise FeatureError if a fault of the device can spoil the results of the module."""
    exposed = interface.exposed_to
    there = faults() if exposed else ()
    met = [name for name in exposed if name in there]
    if met:
        raise FeatureError(
            f"{info.name} has faults that the module does not work around: translate it with"
            f" Options(workarounds={met!r})"
        )


def _needs(interface: ShaderInterface, limits: DeviceLimits) -> list[tuple[str, int, int]]:
    """(resource, needed count, the device's limit) for each kind of resource.

    Textures and typed buffers share a limit, as in Vulkan.
    """
    shared, sets = interface.shared_memory_bytes, max((b.set + 1 for b in interface), default=0)
    numbers = max((b.binding + 1 for b in interface), default=0)
    descriptors = [b for b in interface if b.push_offset is None]
    count = dict.fromkeys((b.descriptor_type for b in descriptors), 0)
    for binding in descriptors:
        count[binding.descriptor_type] += binding.count

    def total(*kinds: str) -> int:
        return sum(count.get(kind, 0) for kind in kinds)

    sampled = total(UNIFORM_TEXEL_BUFFER, SAMPLED_IMAGE)
    storage = total(STORAGE_TEXEL_BUFFER, STORAGE_IMAGE)
    return [
        ("threads in a group", math.prod(interface.thread_group), limits.max_workgroup_invocations),
        ("bytes of group-shared memory", shared, limits.max_shared_memory_bytes),
        ("descriptor sets", sets, limits.max_bound_descriptor_sets),
        ("binding numbers in a set", numbers, BINDING_NUMBERS),
        (
            "bytes of push constants, for view ranges and Options.push_constants",
            interface.push_bytes,
            limits.max_push_constants_bytes,
        ),
        ("constant buffers", total(UNIFORM_BUFFER), limits.max_uniform_buffers),
        ("storage buffers", total(STORAGE_BUFFER), limits.max_storage_buffers),
        ("typed buffers and textures", sampled, limits.max_sampled_images),
        ("typed UAVs", storage, limits.max_storage_images),
        ("samplers", total(SAMPLER), limits.max_samplers),
        ("resources", sum(count.values()) - total(SAMPLER), limits.max_resources),
    ]


def _check_target(info: DeviceInfo, target: str) -> None:
    if not _has(info, target):
        version = info.api_version
        raise FeatureError(f"the shader's target is {target}; {info.name} has {version}")


def _has(info: DeviceInfo, target: str) -> bool:
    wanted = [int(n) for n in target.removeprefix("vulkan").split(".")]
    return wanted <= [int(n) for n in info.api_version.split(".")]


class KernelOptions(OptionsDict, HlslOptionsDict, total=False):
    """The options of `Device.kernel`: the fields of `translate.Options` and `HlslOptions`."""


def options_of(
    given: Mapping[str, Any],
    info: DeviceInfo,
    tried: Tried,
    topics: Callable[[], Set[Topic]] = lambda: TOPICS,
) -> Options:
    """`given` as Options; the device's properties and faults determine options that it omits.

    `topics` returns those of the shader.

    Raises ArgumentError for an unknown option, TranslateError for an invalid value, FeatureError
    if the guards rely on a feature that the driver gets wrong, and the errors of `tried`.
    """
    names = [field.name for field in dataclasses.fields(Options)]
    unknown = [name for name in given if name not in names]
    if unknown:
        known = [name for name in KernelOptions.__annotations__ if name not in given]
        hint = did_you_mean(unknown[0], known) or f"; there are {', '.join(known)}"
        raise UnknownNameError(f"no option {unknown[0]!r}{hint}")
    every: dict[str, Any] = {
        "float_controls": _modes(given, info, tried),
        "denormal_test": "bits" if info.is_cpu else "comparison",
        "missing_indexing": [n for n in INDEXING_FEATURES if not getattr(info.features, n)],
        **given,
    }
    needs_none = "workarounds" in given and "robust_access" in given
    is_relied_on = given.get("guards") == "robustness2"
    faults = () if needs_none and not is_relied_on else tried.faults(topics())
    if given.get("debug_info") and "target" not in given and _has(info, _WITH_DEBUG_INFO):
        every["target"] = _WITH_DEBUG_INFO
    if "workarounds" not in given:
        every["workarounds"] = WORKAROUNDS.intersection(faults)
    broken = _broken(faults)
    if "robust_access" not in given:
        every["robust_access"] = info.robust_access.difference(broken)
    if "exact_functions" not in given:
        every["exact_functions"] = tried.exact_functions(topics())
    options = translate.Options(**every)
    for name in _RELIED_ON if options.guards == "robustness2" else ():
        if name in broken:
            raise FeatureError(f"{info.name} breaks {name}: it has the fault {broken[name]}")
    return options


def constants_for(interface: ShaderInterface, info: DeviceInfo, tried: Tried) -> dict[str, int]:
    """The module's specialization constants that are true of a device, with their ids.

    Robust access counts where modules rely on it and no probe found a fault of it, and for images
    none that a module may work around.
    """
    ids = {one.name: one.id for one in interface.specialization}
    robust, kept = info.robust_access & ids.keys(), set[str]()
    if robust:
        faults = tried.faults({"buffers", "textures"} if _IMAGES in robust else {"buffers"})
        kept |= robust.difference(_broken(faults))
        if not _OUTSIDE_IMAGES.isdisjoint(faults):
            kept.discard(_IMAGES)
    asked = {name.removeprefix("exact_") for name in ids if name.startswith("exact_")}
    kinds = {*tried.exact_samples()} if asked.intersection(EXACT_SAMPLES) else set[str]()
    functions = tried.exact_functions(TOPICS & asked)
    kept |= {f"exact_{kind}" for kind in (*kinds, *functions)}
    return {name: number for name, number in ids.items() if name in kept}


def _broken(faults: Sequence[str]) -> dict[str, str]:
    """The robust accesses that faults break, each with the last of these faults."""
    return {FAULTS[name].robust_access: name for name in faults}


def _modes(given: Mapping[str, Any], info: DeviceInfo, tried: Tried) -> Set[FloatControl]:
    """The float modes that a module should declare; a probe may find some of them needless."""
    if "float_controls" in given or not info.float_controls:
        return info.float_controls
    return info.float_controls.difference(tried.needless_modes())


def options_for_any(given: Mapping[str, Any], info: DeviceInfo, tried: Tried) -> Options:
    """Like `options_of`, for shaders that are not known: also those that need size tables."""
    options = options_of(given, info, tried)
    changes: dict[str, Any] = {}
    if "size_tables" not in given:
        changes["size_tables"] = _tables(tried.faults())
    if "exact_samples" not in given and _tests_samples(options):
        changes["exact_samples"] = frozenset(tried.exact_samples())
    return replace(options, **changes)


def module_for(
    shader: Shader, given: Mapping[str, Any], info: DeviceInfo, tried: Tried
) -> tuple[Options, SpirvModule]:
    """The shader's options and module for a device.

    Raises the errors of `options_of` and `Shader.module`.
    """
    topics = partial(shader.topics, strict=given.get("strict") is True)
    options, module = packed(shader, options_of(given, info, tried, topics), info)
    if shader.finished is not None:
        return options, module
    changes: dict[str, Any] = {}
    if "size_tables" not in given:
        changes["size_tables"] = tables_for(module.interface, tried.faults)
    samples = any(binding.kind == SAMPLER for binding in module.interface)
    if "exact_samples" not in given and samples and _tests_samples(options):
        changes["exact_samples"] = frozenset(tried.exact_samples())
    changed = replace(options, **changes)
    return (options, module) if changed == options else packed(shader, changed, info)


def _tests_samples(options: Options) -> bool:
    """Whether the translated code tests operands of sample instructions."""
    return options.sampling == "d3d" and options.guards != "off"


def packed(shader: Shader, options: Options, info: DeviceInfo) -> tuple[Options, SpirvModule]:
    """The shader's module, with sets and binding numbers that the device allows, and its options.

    D3D12 has 2^32 register spaces and registers. A device may have as few as four sets, and large
    binding numbers give wrong results. Bindings with a higher set or number, for which the options
    choose no place, move to free numbers of set 0.
    """
    module, chosen = shader.module(options), options.bindings
    sets, interface = info.limits.max_bound_descriptor_sets, module.interface
    higher = (b for b in interface if b.set >= sets or b.binding >= BINDING_NUMBERS)
    moved = [
        b.register
        for b in higher
        if b.register_class not in options.layout
        and chosen.keys().isdisjoint((b.register, _name(b)))
    ]
    if shader.finished is not None or not moved:
        return options, module
    taken = {b.binding for b in interface if b.set == 0}
    free = ((0, number) for number in count() if number not in taken)
    bindings = {**chosen, **dict(zip(moved, free, strict=False))}
    options = replace(options, bindings=bindings)
    return options, shader.module(options)


def _name(binding: Binding) -> str | None:
    """The HLSL name by which `Options.bindings` may have the binding."""
    return f"{binding.name}.{COUNTER}" if binding.kind == COUNTER else binding.name


def tables_for(interface: ShaderInterface, faults: Faults) -> str:
    """The value of `Options.size_tables` with which size queries are right on a faulty device."""
    features = interface.features
    if _DYNAMIC not in features and _NON_UNIFORM not in features:
        return "none"
    tables = _tables(faults({"ranges"}))
    return "none" if tables == "non_uniform" and _NON_UNIFORM not in features else tables


def _tables(faults: Sequence[str]) -> str:
    if ARRAY_LENGTH_IN_BRANCH in faults:
        return "dynamic"
    return "non_uniform" if ARRAY_LENGTH_NON_UNIFORM in faults else "none"
