"""Trial: a probe's access to a device: kernels without workarounds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any

from vkrunner.dispatch.context import Backend
from vkrunner.dispatch.result import Result

_OPTIONS = {
    "guards": "off",
    "validate": False,
    "robust_access": frozenset[str](),
    "formats": dict[str, str](),
    "exact_samples": frozenset[str](),
    "exact_functions": frozenset[str](),
    "size_tables": "none",
    "workarounds": frozenset[str](),
}


Dispatch = Callable[[int, Mapping[str, Any]], Result]
"""Dispatches thread groups of a kernel, with resources by name."""

Opener = Callable[[Backend, str, Mapping[str, Any]], AbstractContextManager[Dispatch]]
"""Makes a kernel of a listing, with options by name."""


class Trial:
    """Runs the listings of probes on a device."""

    def __init__(self, backend: Backend, opener: Opener):
        self.backend = backend
        self.answers: dict[object, bool] = {}  # those that several probes use
        self._opener = opener

    def run(self, listing: str, **resources: Any) -> Result:
        """Dispatch one thread group of a shader; `resources` may have options (`_OPTIONS`) too.

        Raises the errors of `Device.kernel` and `Kernel.dispatch`.
        """
        options = {name: resources.pop(name, value) for name, value in _OPTIONS.items()}
        with self.opened(listing, **options) as dispatch:
            return dispatch(1, resources)

    def opened(self, listing: str, **options: Any) -> AbstractContextManager[Dispatch]:
        """A kernel for several dispatches. Raises the errors of `Device.kernel`."""
        return self._opener(self.backend, listing, {**_OPTIONS, **options})
