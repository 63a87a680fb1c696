"""Results of probes on a device: its faults, and the tests and float modes that it does not need.

A process runs the probes for faults, for samples and for rounding at most once for a device, when
they are first needed. Results are cached on disk, except for drivers whose builds all have the same
version and UUID. The cache also records that the warning about possible wrong results was given.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import cast

from translate import ExactSample, FloatControl
from vkrunner.info.faults import NVIDIA, SAMPLE_COORDINATES, SWIFTSHADER, Faults, in_order, notice
from vkrunner.info.tried import Tried
from vkrunner.probes.rounding import NEAREST, needless_modes
from vkrunner.probes.samples import exact_samples
from vkrunner.probes.trials import Trial, shown_faults
from vkrunner.shader.cache.keys import digest, runner_digest, translator_digest
from vkrunner.shader.cache.store import Store, open_store
from vkrunner.work.backend import Backend

# Devices that cannot run shaders (RADV without a GPU) or have no driver
_NOT_TRIED = ("Null hardware", "reference machine")

# Drivers with the same version and UUID in every build
_UNVERSIONED = (SWIFTSHADER,)

# Keys are topics and descriptions: devices with equal descriptions have equal faults.
_tried: dict[tuple[str, str], tuple[str, ...]] = {}
_told: set[str] = set()


def tried_of(trial: Trial) -> Tried:
    """The results of probes on a trial's device; probing raises the errors of a dispatch."""
    return Tried(
        partial(_faults_of, trial),
        partial(_exact_samples_of, trial),
        partial(_needless_modes_of, trial),
    )


def _faults_of(trial: Trial) -> tuple[str, ...]:
    """Names of the device's faults, known and probed, in the order of `faults.FAULTS`."""
    known = trial.backend.context.info.known_faults
    if trial.backend.context.info.name.startswith(_NOT_TRIED):
        return known
    return _found(trial, "faults", lambda one: in_order(shown_faults(one) | {*known}))


def _exact_samples_of(trial: Trial) -> frozenset[ExactSample]:
    """The value of `Options.exact_samples` for the device."""
    info = trial.backend.context.info
    if info.name.startswith(_NOT_TRIED) or SAMPLE_COORDINATES in info.known_faults:
        return frozenset()
    return frozenset(cast("tuple[ExactSample, ...]", _found(trial, "samples", exact_samples)))


def _needless_modes_of(trial: Trial) -> frozenset[FloatControl]:
    """The value of `Device.needless_modes`: none for drivers that no mode is known to slow down."""
    info = trial.backend.context.info
    if info.driver != NVIDIA or NEAREST not in info.float_controls:
        return frozenset()
    return frozenset(cast("tuple[FloatControl, ...]", _found(trial, "rounding", needless_modes)))


def untold(backend: Backend, faults: Faults) -> str | None:
    """The warning about possible wrong results on this device.

    None if it was given before, or if no fault of the device calls for it. Raises the errors of
    `faults()`.
    """
    if backend.context.info.name.startswith(_NOT_TRIED):
        return None
    description = _description(backend)
    if description in _told:
        return None
    _told.add(description)
    text = notice(backend.context.info.name, faults())
    return None if text is None or _was_told(backend, text) else text


def _description(backend: Backend) -> str:
    return repr(replace(backend.context.info, index=0).to_dict())


def _found(trial: Trial, topic: str, probe: Callable[[Trial], Sequence[str]]) -> tuple[str, ...]:
    """The result of `probe`: remembered by this process, read from the cache on disk, or new."""
    description = _description(trial.backend)
    found = _tried.get((topic, description))
    if found is None:
        found = _kept_or_tried(trial, topic, description, probe)
        _tried[topic, description] = found
    return found


def _kept_or_tried(
    trial: Trial, topic: str, description: str, probe: Callable[[Trial], Sequence[str]]
) -> tuple[str, ...]:
    backend = trial.backend
    store = None if backend.context.info.driver in _UNVERSIONED else open_store()
    key = _key(store, backend, topic, description) if store is not None else None
    if store is None or key is None:
        return tuple(probe(trial))
    data = store.read(key)
    if data is not None:
        return tuple(json.loads(data))
    found = tuple(probe(trial))
    store.write(key, json.dumps(found).encode("ascii"))
    return found


def _key(store: Store, backend: Backend, topic: str, description: str) -> str | None:
    """The key of a probe's result in the cache; None if a package's source has no digest."""
    sources = translator_digest(store), runner_digest(store)
    if None in sources:
        return None
    return digest(topic.encode(), backend.build, description.encode(), repr(sources).encode())


def _was_told(backend: Backend, text: str) -> bool:
    """Whether the cache records that this warning was given for this driver build; else record it.

    False without a cache.
    """
    store = open_store()
    if store is None:
        return False
    key = digest(b"told", backend.build, text.encode())
    if store.read(key) is not None:
        return True
    store.write(key, b"")
    return False
