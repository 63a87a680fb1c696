"""The translation options for a device's kernels, chosen by its features and faults."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence, Set
from functools import partial
from itertools import count
from typing import Any

import translate
from translate import Binding, FloatControl, Options, ShaderInterface, SpirvModule
from translate.errors import did_you_mean
from translate.hlsl.options import HlslOptionsDict
from translate.interface import COUNTER, SAMPLER
from translate.options import INDEXING_FEATURES, WORKAROUNDS, OptionsDict
from vkrunner.errors import FeatureError, UnknownNameError
from vkrunner.info.device_info import DeviceInfo, Tried
from vkrunner.info.faults import (
    ARRAY_LENGTH_IN_BRANCH,
    ARRAY_LENGTH_NON_UNIFORM,
    FAULTS,
    TOPICS,
    Faults,
    Topic,
)
from vkrunner.shader.device_needs import BINDING_NUMBERS
from vkrunner.shader.shader import Shader

_RELIED_ON = ("robust_buffer_access2", "robust_image_access")  # by guards="robustness2"
_DYNAMIC, _NON_UNIFORM = (f"storage_buffer_{w}_indexing" for w in ("dynamic", "non_uniform"))


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
    if "workarounds" not in given:
        every["workarounds"] = WORKAROUNDS.intersection(faults)
    broken = {FAULTS[name].robust_access: name for name in faults}
    if "robust_access" not in given:
        every["robust_access"] = info.features.robust_access.difference(broken)
    options = translate.Options(**every)
    for name in _RELIED_ON if options.guards == "robustness2" else ():
        if name in broken:
            raise FeatureError(f"{info.name} breaks {name}: it has the fault {broken[name]}")
    return options


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
    return dataclasses.replace(options, **changes)


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
    changed = dataclasses.replace(options, **changes)
    return (options, module) if changed == options else packed(shader, changed, info)


def _tests_samples(options: Options) -> bool:
    """Whether the translated code tests operands of sample instructions."""
    return options.sampling == "d3d" and options.guards != "off"


def packed(shader: Shader, options: Options, info: DeviceInfo) -> tuple[Options, SpirvModule]:
    """The shader's module, with sets and binding numbers that the device allows, and its options.

    D3D12 has 2^32 register spaces and registers. A device may have as few as four sets, and large
    binding numbers give wrong results. Bindings with a higher set or number move to free numbers of
    set 0.
    """
    module, chosen = shader.module(options), options.bindings
    sets, interface = info.limits.max_bound_descriptor_sets, module.interface
    higher = (b for b in interface if b.set >= sets or b.binding >= BINDING_NUMBERS)
    moved = [b.register for b in higher if chosen.keys().isdisjoint((b.register, _name(b)))]
    if shader.finished is not None or not moved:
        return options, module
    taken = {b.binding for b in interface if b.set == 0}
    free = ((0, number) for number in count() if number not in taken)
    bindings = {**chosen, **dict(zip(moved, free, strict=False))}
    options = dataclasses.replace(options, bindings=bindings)
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
