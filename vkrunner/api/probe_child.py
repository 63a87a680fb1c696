"""A process of its own that runs probes on a device; `vkrunner.probes.asking` starts it.

It reads a line of JSON from standard input: the device's index and build, and names of probes. It
writes a line when the device is open, then one for each answer; in between, requests for
translations, whose replies come on standard input.

With the probes' work, a copy of `sm5vk` takes a quarter of the time of a new interpreter, which has
to import the same modules again. `vkrunner.api.opening.prepare` makes it before a driver is loaded.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import base64
import gc
import json
import os
import sys
import threading
import traceback
import warnings
from collections.abc import Mapping
from contextlib import suppress
from queue import SimpleQueue
from typing import Any

from translate import Options
from vkrunner.api.kernel import brief_kernel
from vkrunner.api.opening import open_device
from vkrunner.dispatch.context import Backend
from vkrunner.errors import NoDeviceError, OutOfMemoryError, RunnerError
from vkrunner.probes.asking import FAILED, READY, translation_request
from vkrunner.probes.trial import Trial
from vkrunner.probes.trials import PROBES
from vkrunner.shader.cache.entries import Translation
from vkrunner.shader.shader import Shader


class _Parent:
    """The process that asks. If it ends, which closes standard input, this process ends too."""

    def __init__(self) -> None:
        self._out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # for the driver's own output
        self._lines = SimpleQueue[bytes]()
        threading.Thread(target=self._read, daemon=True).start()

    def line(self) -> bytes:
        return self._lines.get()

    def send(self, value: Any) -> None:
        self._out.write(json.dumps(value).encode() + b"\n")
        self._out.flush()

    def _read(self) -> None:
        for line in sys.stdin.buffer:
            self._lines.put(line)
        os._exit(1)


class _Listing(Shader):
    """A shader that the parent translates."""

    def __init__(self, listing: str, parent: _Parent):
        super().__init__(listing)
        self._parent = parent

    def _translated(self, options: Options) -> Translation:
        self._parent.send(translation_request(self.data, options))
        return Translation(base64.b64decode(self._parent.line()))


def _answer() -> None:
    gc.disable()
    warnings.simplefilter("ignore")
    _leave_no_core_file()
    parent = _Parent()
    request = json.loads(parent.line())
    backend = open_device(request["index"], validation=False)._backend
    if backend.build != bytes.fromhex(request["build"]):
        raise NoDeviceError(f"device {request['index']} of another process has another driver")

    def opened(backend: Backend, listing: str, options: Mapping[str, Any]) -> Any:
        return brief_kernel(backend, _Listing(listing, parent), options)

    parent.send(READY)
    trial = Trial(backend, opened)
    probes = {probe.name: probe for probe in PROBES}
    for name in request["probes"]:
        parent.send(probes[name].shows(trial))


def _leave_no_core_file() -> None:
    with suppress(ImportError, OSError, ValueError):  # Windows has no such limit
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def exit_code() -> int:
    """Answer the request on standard input, and return the process's exit code."""
    try:
        _answer()
    except (Exception, KeyboardInterrupt) as error:
        traceback.print_exc()
        has_failed = isinstance(error, RunnerError) and not isinstance(error, OutOfMemoryError)
        return FAILED if has_failed else 1
    return 0


if __name__ == "__main__":
    code = exit_code()
    sys.stderr.flush()
    os._exit(code)  # at the usual end of a process some drivers crash
