"""The faults of a device: those known by its driver's name, and those that probes detect.

A process probes a device once. The result is cached on disk if the driver's builds differ in their
version or UUID. The cache also notes that the warning about possible wrong results was given.
"""

from __future__ import annotations

import json
from dataclasses import replace

from vkrunner.info.faults import SWIFTSHADER, Faults, in_order, notice
from vkrunner.probes.trials import Dispatch, shown_faults
from vkrunner.shader.cache.keys import digest, runner_digest, translator_digest
from vkrunner.shader.cache.store import Store, open_store
from vkrunner.work.backend import Backend

# Devices that cannot run shaders (RADV without a GPU) or have no driver
_NOT_TRIED = ("Null hardware", "reference machine")

# Drivers with the same version and UUID in every build
_UNVERSIONED = (SWIFTSHADER,)

# Keys are descriptions: devices with equal descriptions have equal faults.
_tried: dict[str, tuple[str, ...]] = {}
_told: set[str] = set()


def faults_of(backend: Backend, dispatch: Dispatch) -> tuple[str, ...]:
    """Names of the device's faults, in the order of `faults.FAULTS`. Raises a dispatch's errors."""
    if backend.context.info.name.startswith(_NOT_TRIED):
        return backend.context.info.known_faults
    description = _description(backend)
    found = _tried.get(description)
    if found is None:
        found = _tried[description] = _kept_or_tried(backend, description, dispatch)
    return found


def untold(backend: Backend, faults: Faults) -> str | None:
    """The warning about possible wrong results, or None if it was given. Raises as `faults`."""
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


def _kept_or_tried(backend: Backend, description: str, dispatch: Dispatch) -> tuple[str, ...]:
    store = None if backend.context.info.driver in _UNVERSIONED else open_store()
    key = _key(store, backend, description) if store is not None else None
    if store is None or key is None:
        return _try(backend, dispatch)
    data = store.read(key)
    if data is not None:
        return tuple(json.loads(data))
    found = _try(backend, dispatch)
    store.write(key, json.dumps(found).encode("ascii"))
    return found


def _try(backend: Backend, dispatch: Dispatch) -> tuple[str, ...]:
    return in_order(shown_faults(backend, dispatch) | {*backend.context.info.known_faults})


def _key(store: Store, backend: Backend, description: str) -> str | None:
    """The cache key; None if the source of the probes has no digest."""
    sources = translator_digest(store), runner_digest(store)
    if None in sources:
        return None
    return digest(b"faults", backend.build, description.encode(), repr(sources).encode())


def _was_told(backend: Backend, text: str) -> bool:
    """Whether a process has given this warning for this build of the driver; note that one has."""
    store = open_store()
    if store is None:
        return False
    key = digest(b"told", backend.build, text.encode())
    if store.read(key) is not None:
        return True
    store.write(key, b"")
    return False
