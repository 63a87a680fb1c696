"""Device descriptions from Vulkan profiles, as `vulkaninfo --json` writes them; profile `desktop`.

Source: Khronos' Vulkan-Profiles, "profiles schema" (profiles-0.8-latest.json). Each of `profiles`
lists names of `capabilities`. A capability has extensions, features and properties; the latter two
are Vulkan's structs by name, with their fields by name.

Sources of `desktop`: the reports of devices that LunarG's profile VP_LUNARG_desktop_baseline_2026
was made from (KhronosGroup/Vulkan-Profiles), without Apple's devices and llvmpipe: AMD's, Intel's
and NVIDIA's drivers of 2026 for Windows, Mesa's RADV and ANV, NVIDIA's for Linux and FreeBSD, on 16
GPUs. The profile has the features that all of them report, and the strictest of their limits. DXVK
requires `robustBufferAccess2` and `nullDescriptor` (VP_DXVK_requirements), Vulkan 1.3
`robustImageAccess`.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import reduce
from typing import Any, Literal, TypeAlias, cast

from translate.dataclass import dataclass, field, replace
from translate.errors import escaped, listed
from translate.files import read_input
from vkrunner.errors import FileError, MissingError, UnknownNameError
from vkrunner.info.device_info import (
    DeviceFeatures,
    DeviceInfo,
    DeviceLimits,
    checks_of,
    costly_features,
)
from vkrunner.info.faults import faulty_features, known_faults
from vkrunner.info.names import (
    BALLOT,
    COMPUTE,
    INDEPENDENCE,
    feature_name,
    features_of_extensions,
    float_controls_of,
    has_non_semantic_info,
    limits_of,
)

TYPE = "profile"
_VERSION = re.compile(r"\d{1,9}(\.\d{1,9}){1,3}")
NO_INDEX = -1
_MOST_REQUIRED = 50  # profiles in a row
_MOST_CHOICES = 256  # lists of alternatives, each of which takes the time of its capabilities
_UNKNOWN = 2**63 - 1  # for limits that a profile omits, so that they are not checked
_TRIPLES = ("maxComputeWorkGroupCount", "maxComputeWorkGroupSize")
_CPU_DRIVERS = {"VK_DRIVER_ID_MESA_LLVMPIPE", "VK_DRIVER_ID_GOOGLE_SWIFTSHADER"}
_OURS = frozenset(f.name for f in fields(DeviceFeatures))

Object = Mapping[str, Any]
BuiltIn: TypeAlias = Literal["desktop"]
_FEATURES = DeviceFeatures(
    robust_buffer_access=True,
    int64=True,
    int16=True,
    storage_image_write_without_format=True,
    storage_image_extended_formats=True,
    image_gather_extended=True,
    image_cube_array=True,
    sampler_anisotropy=True,
    texture_compression_bc=True,
    format_a4r4g4b4=True,
    uniform_buffer_dynamic_indexing=True,
    storage_buffer_dynamic_indexing=True,
    sampled_image_dynamic_indexing=True,
    storage_image_dynamic_indexing=True,
    robust_image_access=True,
    robust_buffer_access2=True,
    robust_image_access2=True,
    null_descriptor=True,
    runtime_descriptor_array=True,
    descriptor_binding_partially_bound=True,
    uniform_texel_buffer_dynamic_indexing=True,
    storage_texel_buffer_dynamic_indexing=True,
    uniform_buffer_non_uniform_indexing=True,
    storage_buffer_non_uniform_indexing=True,
    sampled_image_non_uniform_indexing=True,
    storage_image_non_uniform_indexing=True,
    uniform_texel_buffer_non_uniform_indexing=True,
    storage_texel_buffer_non_uniform_indexing=True,
    subgroup_ballot=True,
    non_semantic_info=True,
)
_LIMITS = DeviceLimits(
    max_workgroup_count=(65535, 65535, 65535),
    max_workgroup_size=(1024, 1024, 64),
    max_workgroup_invocations=1024,
    max_shared_memory_bytes=32768,
    max_storage_buffer_range=1073741820,
    max_uniform_buffer_range=65536,
    max_texel_buffer_elements=134217728,
    storage_buffer_offset_alignment=64,
    uniform_buffer_offset_alignment=64,
    texel_buffer_offset_alignment=64,
    max_bound_descriptor_sets=32,
    max_push_constants_bytes=128,
    max_uniform_buffers=200,
    max_storage_buffers=200,
    max_sampled_images=200,
    max_storage_images=16,
    max_samplers=64,
    max_sampler_lod_bias=15.0,
    max_resources=200,
    max_memory_allocation_count=4096,
    max_memory_allocation_bytes=1073741824,
    timestamp_period_ns=0.0,
)
_DESKTOP = DeviceInfo(
    index=NO_INDEX,
    name="desktop",
    type=TYPE,
    driver="",
    driver_version="",
    api_version="1.3.0",
    memory_bytes=0,
    features=_FEATURES,
    limits=_LIMITS,
    float_controls=frozenset(
        {
            "rounding_mode_rte_32",
            "rounding_mode_rte_64",
            "signed_zero_inf_nan_preserve_32",
            "signed_zero_inf_nan_preserve_64",
        }
    ),
    extensions=frozenset(
        {
            "VK_EXT_descriptor_indexing",
            "VK_EXT_image_robustness",
            "VK_EXT_robustness2",
            "VK_KHR_shader_float_controls",
            "VK_KHR_shader_non_semantic_info",
        }
    ),
)
BUILT_IN: Mapping[BuiltIn, DeviceInfo] = {"desktop": _DESKTOP}


def load_profile(path: str | os.PathLike[str], name: str | None = None) -> DeviceInfo:
    """The features and limits that a Vulkan profile guarantees, as the description of a device.

    Parameters
    ----------
    path : str or path
        A file of Khronos' profiles schema, as `vulkaninfo --json` writes it.
    name : str, optional
        The profile's name, if the file has several.

    Returns
    -------
    DeviceInfo
        Features that the profile does not mention are False; limits that it does not mention are
        not checked.

    Raises
    ------
    OSError
        The file cannot be read.
    ArgumentError
        The file is not a profile, or has no profile of that name.
    """
    file = _read(path)
    shown = escaped(str(path))
    profiles = _object(file.get("profiles"), f"{shown}: profiles")
    chosen = _chosen(profiles, name, shown)
    capabilities = _object(file.get("capabilities"), f"{shown}: capabilities")
    every = _Reader(shown, profiles, capabilities).all_of(chosen)
    label = f"{shown}: {escaped(chosen)}"
    version = str(_object(profiles[chosen], label).get("api-version", "1.1.0"))
    if not _VERSION.fullmatch(version):
        raise FileError(f"{label} has the api-version {version!r}, not a version such as 1.3.204")
    return every.info(chosen, version)


def _read(path: str | os.PathLike[str]) -> Object:
    try:
        data: Any = json.loads(read_input(path))
    except (ValueError, RecursionError) as error:
        raise FileError(f"{escaped(str(path))} is not JSON: {error}") from None
    if not isinstance(data, dict) or "profiles" not in data or "capabilities" not in data:
        raise FileError(
            f"{escaped(str(path))} is not a Vulkan profile: it lacks the profiles and capabilities"
            " that vulkaninfo --json writes"
        )
    return cast("Object", data)


def _object(value: Any, label: str) -> Object:
    if not isinstance(value, dict):
        raise FileError(f"{escaped(label)} is not a JSON object")
    return cast("Object", value)


def _chosen(profiles: Object, name: str | None, path: str) -> str:
    there = listed(profiles) or "none"
    if name is None and len(profiles) == 1:
        return next(iter(profiles))
    if name is None:
        raise MissingError(f"{path} has {len(profiles)} profiles; pass the name of one: {there}")
    if name not in profiles:
        raise UnknownNameError(f"{path} has no profile {name!r}; there are {there}")
    return name


@dataclass(frozen=True)
class _Offer:
    """Guarantees of a profile: extensions, features of DeviceFeatures, properties by field name."""

    extensions: frozenset[str] = frozenset()
    features: frozenset[str] = frozenset()
    properties: Object = field(default_factory=dict[str, Any])

    @property
    def size(self) -> int:
        return len(self.extensions) + len(self.features) + len(self.properties)

    def or_else(self, other: _Offer) -> _Offer:
        """The guarantees that both have in common, in time that grows with this one's size."""
        mine, theirs = self.properties, other.properties
        same = {name: value for name, value in mine.items() if theirs.get(name) == value}
        extensions, features = self.extensions & other.extensions, self.features & other.features
        return _Offer(extensions, features, same)

    def info(self, name: str, api_version: str) -> DeviceInfo:
        driver = str(self.properties.get("driverName", ""))
        major, minor, *_ = map(int, api_version.split("."))
        known = has_non_semantic_info((major, minor), self.extensions)
        features = DeviceFeatures(
            **features_of_extensions(self.extensions) | dict.fromkeys(self.features & _OURS, True),
            subgroup_ballot=self._has_ballots(),
            non_semantic_info=known,
        )
        version = str(self.properties.get("driverInfo", ""))
        lacking = dict.fromkeys(faulty_features(driver, version) + costly_features(driver), False)
        controls = float_controls_of(
            self.properties.get, self._independence, "float16" in self.features
        )
        try:
            limits = limits_of(self._limit, 0)
        except (TypeError, ValueError, OverflowError):
            raise FileError(
                f"{escaped(name)}: a limit is not a number, or not three numbers for x, y and z"
            ) from None
        return DeviceInfo(
            index=NO_INDEX,
            name=str(self.properties.get("deviceName", name)),
            type=TYPE,
            driver=driver,
            driver_version=version,
            api_version=api_version,
            memory_bytes=0,
            features=replace(features, **lacking),
            limits=limits,
            float_controls=controls,
            extensions=self.extensions,
            known_faults=known_faults(driver, version),
            is_cpu=str(self.properties.get("driverID")) in _CPU_DRIVERS,
            buffer_checks=checks_of(driver),
        )

    def _has_ballots(self) -> bool:
        return self._lists("Operations", BALLOT) and self._lists("Stages", COMPUTE)

    def _lists(self, property: str, flag: str) -> bool:
        """Whether the subgroup property ("Operations" or "Stages") has a flag.

        Two structs of Vulkan have it, with different field names.
        """
        names = (f"supported{property}", f"subgroupSupported{property}")
        return any(flag in str(self.properties.get(name, "")) for name in names)

    def _independence(self, field: str) -> str:
        return str(self.properties.get(field, "")).removeprefix(INDEPENDENCE)

    def _limit(self, name: str) -> Any:
        unknown: Any = (_UNKNOWN,) * 3 if name in _TRIPLES else _UNKNOWN
        return self.properties.get(name, unknown)


@dataclass(frozen=True)
class _Reader:
    """The profiles and capabilities of a file."""

    path: str
    profiles: Object
    capabilities: Object
    read: dict[str, _Offer] = field(default_factory=dict[str, _Offer])

    def all_of(self, name: str) -> _Offer:
        """The guarantees of a profile, including those of the profiles that it requires.

        Of a property that several capabilities have, the last one counts.
        """
        extensions, features, properties = set[str](), set[str](), dict[str, Any]()
        every = dict.fromkeys(self._backwards(name, (), set()))
        if sum(len(names) > 1 for names in every) > _MOST_CHOICES:
            text = f"more than {_MOST_CHOICES} lists of alternatives"
            raise FileError(f"{self.path}: profile {escaped(name)} has {text}")
        for found in map(self._one_of, every):
            extensions |= found.extensions
            features |= found.features
            for key, value in found.properties.items():
                properties.setdefault(key, value)
        return _Offer(frozenset(extensions), frozenset(features), properties)

    def _backwards(
        self, name: str, above: tuple[str, ...], seen: set[str]
    ) -> Iterator[frozenset[str]]:
        """The capabilities of a profile, and of those that it requires, the last one first.

        Each is one name, or alternatives. A profile's second time would add nothing.
        """
        row = _object(self.profiles.get(name), f"{self.path}: profile {name}")
        if name in above:
            raise FileError(f"{self.path}: profile {escaped(name)} requires itself")
        if len(above) > _MOST_REQUIRED:
            raise FileError(f"{self.path}: profiles require each other, {len(above)} in a row")
        if name in seen:
            return
        seen.add(name)
        for names in reversed(self._list(row.get("capabilities", []), name)):
            given = [names] if isinstance(names, str) else self._list(names, name)
            yield frozenset(map(str, given))
        for required in reversed(self._list(row.get("profiles", []), name)):
            yield from self._backwards(str(required), (*above, name), seen)

    def _one_of(self, names: frozenset[str]) -> _Offer:
        """The guarantees that all of these capabilities have."""
        offers = sorted(map(self._capability, names), key=lambda offer: offer.size)
        return reduce(_Offer.or_else, offers) if offers else _Offer()

    def _capability(self, name: str) -> _Offer:
        if name not in self.read:
            self.read[name] = self._read(name)
        return self.read[name]

    def _read(self, name: str) -> _Offer:
        label = f"{self.path}: capability {name}"
        row = _object(self.capabilities.get(name), label)
        extensions = _object(row.get("extensions", {}), f"{label}: extensions")
        features = self._fields(row.get("features", {}), f"{label}: features")
        there = frozenset(feature_name(field) for field, value in features.items() if value is True)
        properties = self._fields(row.get("properties", {}), f"{label}: properties")
        return _Offer(frozenset(extensions), there, properties)

    def _fields(self, structs: Any, label: str) -> Object:
        """The fields of all structs by name, including the fields of structs within them."""
        found: dict[str, Any] = {}
        for name, struct in _object(structs, label).items():
            for key, value in _object(struct, f"{label}: {name}").items():
                found |= cast("Object", value) if isinstance(value, dict) else {key: value}
        return found

    def _list(self, value: Any, profile: str) -> list[Any]:
        if not isinstance(value, list):
            kind = type(value).__name__
            label = f"{self.path}: profile {escaped(profile)}"
            raise FileError(f"{label} needs a list of names, not {kind}")
        return cast("list[Any]", value)
