"""A process of its own that runs probes on a device; `vkrunner.probes.asking` starts it.

It reads one line of JSON from standard input: the device's index and build, and names of probes. It
writes a line when the device is open, then one for each answer.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import gc
import json
import os
import sys
import threading
import traceback
from contextlib import suppress
from typing import Any

from vkrunner.api.kernel import brief_kernel
from vkrunner.api.opening import open_device
from vkrunner.errors import NoDeviceError, OutOfMemoryError, RunnerError
from vkrunner.probes.asking import FAILED, READY
from vkrunner.probes.trials import PROBES, Trial


def main() -> None:
    """Answer the request on standard input; the driver's own output goes to standard error."""
    gc.disable()
    _leave_no_core_file()
    answers = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    request = json.loads(sys.stdin.buffer.readline())
    threading.Thread(target=_end_with_parent, daemon=True).start()
    trial = _trial(request["index"], bytes.fromhex(request["build"]))
    _send(answers, READY)
    probes = {probe.name: probe for probe in PROBES}
    for name in request["probes"]:
        _send(answers, probes[name].shows(trial))


def _trial(index: int, build: bytes) -> Trial:
    backend = open_device(index, validation=False)._backend
    if backend.build != build:
        raise NoDeviceError(f"device {index} of another process has another driver")
    return Trial(backend, brief_kernel)


def _send(answers: int, value: Any) -> None:
    os.write(answers, json.dumps(value).encode() + b"\n")


def _end_with_parent() -> None:
    """End this process when the parent ends, which closes standard input."""
    sys.stdin.buffer.read()
    os._exit(1)


def _leave_no_core_file() -> None:
    with suppress(ImportError, OSError, ValueError):  # Windows has no such limit
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _exit_code() -> int:
    try:
        main()
    except (Exception, KeyboardInterrupt) as error:
        traceback.print_exc()
        has_failed = isinstance(error, RunnerError) and not isinstance(error, OutOfMemoryError)
        return FAILED if has_failed else 1
    return 0


if __name__ == "__main__":
    code = _exit_code()
    sys.stderr.flush()
    os._exit(code)  # at the usual end of a process some drivers crash
