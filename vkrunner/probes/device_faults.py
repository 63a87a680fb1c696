"""Results of probes on a device: its faults, and the tests and float modes that it does not need.

Probes run when their subject is first needed, at most once in a process for each device. Results
are cached on disk, except for drivers whose builds all have the same version and UUID. The cache
also records that the warning about possible wrong results was given.
"""

from __future__ import annotations

import json
from collections.abc import Sequence, Set
from functools import partial
from typing import TYPE_CHECKING, TypeAlias, cast

from translate import ExactFunction, ExactSample, FloatControl
from translate.dataclass import replace
from translate.options import EXACT_FUNCTIONS
from vkrunner.dispatch.context import Backend
from vkrunner.info.device_info import DeviceInfo, Tried
from vkrunner.info.faults import (
    NVIDIA,
    SAMPLE_COORDINATES,
    SWIFTSHADER,
    TOPICS,
    Topic,
    in_order,
    notice,
    with_remedy,
)
from vkrunner.probes.arithmetic import NEAREST
from vkrunner.shader.cache.entries import digest, runner_digest, translator_digest
from vkrunner.shader.cache.store import Store, open_store

if TYPE_CHECKING:
    from translate import ShaderInterface
    from vkrunner.probes.trials import Probe, Subject

# Devices that cannot run shaders (RADV without a GPU) or have no driver
_NOT_TRIED = ("Null hardware", "reference machine")

# Drivers with the same version and UUID in every build
_UNVERSIONED = (SWIFTSHADER,)

# By description and subject: the names with the answer yes. Devices with equal descriptions have
# equal faults.
Findings: TypeAlias = "dict[Subject, list[str]]"
_tried: dict[str, Findings] = {}
_PROBED = digest(b"probed")  # the key of an entry beside those of results
_told: set[tuple[str, str]] = set()  # names of devices and faults


def tried_of(backend: Backend) -> Tried:
    """The results of probes on a device."""
    return Tried(
        partial(_faults_of, backend),
        partial(_exact_samples_of, backend),
        partial(_needless_modes_of, backend),
        partial(_exact_functions_of, backend),
    )


def _faults_of(backend: Backend, topics: Set[Topic] = TOPICS, /) -> tuple[str, ...]:
    """Names of the device's faults, known and probed, in the order of `faults.FAULTS`."""
    known = backend.context.info.known_faults
    if backend.context.info.name.startswith(_NOT_TRIED):
        return known
    return in_order({*_found(backend, topics), *known})


def _exact_samples_of(backend: Backend) -> frozenset[ExactSample]:
    """The value of `Options.exact_samples` for the device."""
    info = backend.context.info
    if info.name.startswith(_NOT_TRIED) or SAMPLE_COORDINATES in info.known_faults:
        return frozenset()
    return frozenset(cast("list[ExactSample]", _found(backend, {"samples"})))


def _needless_modes_of(backend: Backend) -> frozenset[FloatControl]:
    """The value of `Device.needless_modes`: none for drivers that no mode is known to slow down."""
    info = backend.context.info
    if info.driver != NVIDIA or NEAREST not in info.float_controls:
        return frozenset()
    return frozenset(cast("list[FloatControl]", _found(backend, {"rounding"})))


def _exact_functions_of(backend: Backend, topics: Set[Topic], /) -> frozenset[ExactFunction]:
    """The functions among `topics` in which the device gives D3D's results."""
    asked = topics & {*EXACT_FUNCTIONS}
    if backend.context.info.name.startswith(_NOT_TRIED) or not asked:
        return frozenset()
    return frozenset(cast("list[ExactFunction]", _found(backend, asked)))


def untold(backend: Backend, faults: Sequence[str], interface: ShaderInterface) -> str | None:
    """The warning about possible wrong results of a shader on this device.

    It has the faults that the shader can show and of which no warning told before; None without
    any.
    """
    name = backend.context.info.name
    if name.startswith(_NOT_TRIED):
        return None
    rows = (row for row in with_remedy(faults, "none") if any(map(row.concerns, interface)))
    new = [row.name for row in rows if (name, row.name) not in _told]
    _told.update((name, fault) for fault in new)
    return notice(name, [fault for fault in new if not _was_told(backend, fault)])


def _description(backend: Backend) -> str:
    return repr(replace(backend.context.info, index=0).to_dict())


def _found(backend: Backend, subjects: Set[Subject]) -> list[str]:
    """Names with the answer yes: remembered by this process, read from the cache, or new."""
    description = _description(backend)
    there = _tried.setdefault(description, {})
    if subjects - there.keys():
        _complete(there, backend, subjects, description)
    return [name for subject in subjects for name in there[subject]]


def _complete(there: Findings, backend: Backend, subjects: Set[Subject], description: str) -> None:
    """Add the missing subjects, from the cache or by probes."""
    info = backend.context.info
    store = None if info.driver in _UNVERSIONED else open_store()
    key = _key(store, backend, description) if store is not None else None
    if store is not None and key is not None:
        there |= _read(store, key)
    missing = subjects - there.keys()
    if not missing:
        return
    from vkrunner.probes.asking import ask  # only the first use of a driver needs them
    from vkrunner.probes.trials import PROBES

    probes = [probe for probe in PROBES if probe.subject in missing and _is_open(probe, info)]
    answers = ask(backend, probes)
    made: Findings = {subject: [] for subject in missing}
    for probe in probes:
        made[probe.subject] += [probe.name] * answers.found[probe.name]
    there |= made
    if store is not None and key is not None and answers.are_lasting:
        found = _read(store, key) | made  # other processes may have added subjects
        store.write(key, json.dumps(found).encode("ascii"))
        store.write(_PROBED, b"")


def was_probed() -> bool:
    """Whether the cache has results of any device."""
    store = open_store()
    return store is not None and store.read(_PROBED) is not None


def _is_open(probe: Probe, info: DeviceInfo) -> bool:
    """Whether only the probe can tell: the fault is not known, and the device has its features."""
    has_all = all(getattr(info.features, name) for name in probe.features)
    return has_all and probe.name not in info.known_faults


def _read(store: Store, key: str) -> Findings:
    data = store.read(key)
    return json.loads(data) if data is not None else {}


def _key(store: Store, backend: Backend, description: str) -> str | None:
    """The key of a device's results in the cache; None if a package's source has no digest."""
    sources = translator_digest(store), runner_digest(store)
    if None in sources:
        return None
    return digest(b"faults", backend.build, description.encode(), repr(sources).encode())


def _was_told(backend: Backend, fault: str) -> bool:
    """Whether the cache records a warning of this fault for this driver build; else record it.

    False without a cache.
    """
    store = open_store()
    if store is None:
        return False
    key = digest(b"told", backend.build, fault.encode())
    if store.read(key) is not None:
        return True
    store.write(key, b"")
    return False
