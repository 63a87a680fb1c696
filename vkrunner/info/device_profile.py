"""Loading a device's description from a Vulkan profile, as `vulkaninfo --json` writes it.

Source: Khronos' Vulkan-Profiles, "profiles schema" (profiles-0.8-latest.json). Each of `profiles`
lists names of `capabilities`. A capability has extensions, features and properties; the latter two
are Vulkan's structs by name, with their fields by name.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, cast

from translate.files import read_input
from vkrunner.errors import FileError, MissingError, UnknownNameError
from vkrunner.info.device_info import DeviceFeatures, DeviceInfo
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
_UNKNOWN = 2**63 - 1  # for limits that a profile omits, so that they are not checked
_TRIPLES = ("maxComputeWorkGroupCount", "maxComputeWorkGroupSize")
_CPU_DRIVERS = {"VK_DRIVER_ID_MESA_LLVMPIPE", "VK_DRIVER_ID_GOOGLE_SWIFTSHADER"}
_OURS = frozenset(f.name for f in fields(DeviceFeatures))

Object = Mapping[str, Any]


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
    profiles = _object(file.get("profiles"), f"{path}: profiles")
    chosen = _chosen(profiles, name, path)
    capabilities = _object(file.get("capabilities"), f"{path}: capabilities")
    every = _Reader(str(path), profiles, capabilities).profile(chosen)
    version = str(_object(profiles[chosen], f"{path}: {chosen}").get("api-version", "1.1.0"))
    if not _VERSION.fullmatch(version):
        raise FileError(
            f"{path}: {chosen} has the api-version {version!r}, not a version such as 1.3.204"
        )
    return every.info(chosen, version)


def _read(path: str | os.PathLike[str]) -> Object:
    try:
        data: Any = json.loads(read_input(path))
    except (ValueError, RecursionError) as error:
        raise FileError(f"{path} is not JSON: {error}") from None
    if not isinstance(data, dict) or "profiles" not in data or "capabilities" not in data:
        raise FileError(
            f"{path} is not a Vulkan profile: it lacks the profiles and capabilities that"
            " vulkaninfo --json writes"
        )
    return cast("Object", data)


def _object(value: Any, label: str) -> Object:
    if not isinstance(value, dict):
        raise FileError(f"{label} is not a JSON object")
    return cast("Object", value)


def _chosen(profiles: Object, name: str | None, path: str | os.PathLike[str]) -> str:
    there = ", ".join(profiles) or "none"
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

    def and_also(self, other: _Offer) -> _Offer:
        extensions, features = self.extensions | other.extensions, self.features | other.features
        return _Offer(extensions, features, {**self.properties, **other.properties})

    def or_else(self, other: _Offer) -> _Offer:
        """The guarantees that both have in common."""
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
        lacking = dict.fromkeys(faulty_features(driver, version), False)
        controls = float_controls_of(
            self.properties.get, self._independence, "float16" in self.features
        )
        try:
            limits = limits_of(self._limit, 0)
        except (TypeError, ValueError, OverflowError):
            raise FileError(
                f"{name}: a limit is not a number, or not three numbers for x, y and z"
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
    known: dict[str, _Offer] = field(default_factory=dict[str, _Offer])
    read: dict[str, _Offer] = field(default_factory=dict[str, _Offer])

    def profile(self, name: str, above: tuple[str, ...] = ()) -> _Offer:
        """The guarantees of a profile, including those of the profiles that it requires."""
        if name not in self.known:
            self.known[name] = self._profile(name, above)
        return self.known[name]

    def _profile(self, name: str, above: tuple[str, ...]) -> _Offer:
        row = _object(self.profiles.get(name), f"{self.path}: profile {name}")
        if name in above:
            raise FileError(f"{self.path}: profile {name} requires itself")
        if len(above) > _MOST_REQUIRED:
            raise FileError(f"{self.path}: profiles require each other, {len(above)} in a row")
        found = _Offer()
        for required in self._list(row.get("profiles", []), name):
            found = found.and_also(self.profile(str(required), (*above, name)))
        listed = self._list(row.get("capabilities", []), name)
        every = [self._alternatives(one, name) for one in listed]
        for names in reversed(dict.fromkeys(reversed(every))):  # each once; the last one counts
            found = found.and_also(self._one_of(names))
        return found

    def _alternatives(self, names: Any, profile: str) -> tuple[str, ...]:
        """The names of a capability, or of alternatives, each once."""
        given = [names] if isinstance(names, str) else self._list(names, profile)
        return tuple(dict.fromkeys(map(str, given)))

    def _one_of(self, names: tuple[str, ...]) -> _Offer:
        """The guarantees that all of these capabilities have."""
        found = self._capability(names[0]) if names else _Offer()
        for name in names[1:]:
            found = found.or_else(self._capability(name))
        return found

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
            raise FileError(f"{self.path}: profile {profile} needs a list of names, not {kind}")
        return cast("list[Any]", value)
