"""Compiling modules in a process that may crash: RADV's null hardware, for one family of GPUs."""

from __future__ import annotations

import glob
import multiprocessing
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import mkstemp
from typing import Any, Self

import vkrunner
from vkrunner import DeviceInfo
from vkrunner.errors import RunnerError

from .pipelines import Pipelines

_MANIFESTS = "/usr/share/vulkan/icd.d/radeon_icd*.json", "/etc/vulkan/icd.d/radeon_icd*.json"
_TIMEOUT_S = 300
# The names of a family in Mesa's versions, from old to new.
FAMILIES: Mapping[str, Sequence[str]] = {
    "VEGA10": ("VEGA10",),
    "NAVI21": ("NAVI21",),
    "NAVI31": ("GFX1100", "NAVI31"),
    "GFX1201": ("GFX1201",),
}


class MissingCompiler(Exception):
    """RADV cannot compile for a family here; the message says why."""


class Refused(Exception):
    """A module has no pipeline: the driver's error, or how its process ended."""


def manifest() -> str:
    """Path of RADV's manifest. Raises MissingCompiler."""
    found = sorted(path for pattern in _MANIFESTS for path in glob.glob(pattern))
    if not found:
        raise MissingCompiler("RADV is not installed: apt-get install mesa-vulkan-drivers")
    return found[0]


def environment(family: str) -> dict[str, str]:
    """The variables for a Vulkan with one device: null hardware of this family.

    Raises MissingCompiler.
    """
    path = manifest()
    return {
        "RADV_FORCE_FAMILY": family,
        "VK_DRIVER_FILES": path,
        "VK_ICD_FILENAMES": path,
        "MESA_SHADER_CACHE_DISABLE": "true",
    }


class Compiler:
    """Mesa's compiler for a family of GPUs, in a process that is restarted after a crash.

    Raises MissingCompiler.
    """

    def __init__(self, family: str):
        self.family = family
        *others, self._name = FAMILIES.get(family, (family,))
        self.info = self._first(others) or self._start()

    def statistics(self, words: Any) -> Mapping[str, int]:
        """The driver's statistics of its code for a module. Raises Refused."""
        if not self._process.is_alive():
            self._start()
        self._pipe.send(words)
        found = self._answer()
        if isinstance(found, str):
            raise Refused(found)
        return found

    def close(self) -> None:
        self._process.kill()
        self._process.join()
        self._messages.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _first(self, names: Sequence[str]) -> DeviceInfo | None:
        """Start by the first name that this Mesa knows."""
        last = self._name
        for self._name in names:
            with suppress(MissingCompiler):
                return self._start()
        self._name = last
        return None

    def _start(self) -> DeviceInfo:
        context = multiprocessing.get_context("spawn")
        descriptor, name = mkstemp(suffix=".txt")
        os.close(descriptor)
        self._messages = Path(name)
        self._pipe, theirs = context.Pipe()
        arguments = (environment(self._name), name, theirs)
        self._process = context.Process(target=_serve, args=arguments, daemon=True)
        self._process.start()
        theirs.close()
        try:
            info = self._answer()
        except Refused as error:
            self.close()
            raise MissingCompiler(str(error)) from error
        if not isinstance(info, DeviceInfo):
            self.close()
            raise MissingCompiler(str(info))
        return info

    def _answer(self) -> Any:
        try:
            if self._pipe.poll(_TIMEOUT_S):
                return self._pipe.recv()
        except (EOFError, ConnectionResetError):
            raise Refused(self._end()) from None
        self.close()
        raise Refused(f"no end of it after {_TIMEOUT_S} s")

    def _end(self) -> str:
        """How the process ended, with the last line that it wrote."""
        self._process.join()
        lines = self._messages.read_text("utf-8", "replace").strip().splitlines()
        self._messages.unlink()
        code = self._process.exitcode or 0
        ending = f"signal {-code}" if code < 0 else f"exit code {code}"
        return ": ".join([f"the driver ended the process, {ending}", *lines[-1:]])


def _serve(variables: Mapping[str, str], said: str, pipe: Connection) -> None:
    """Send DeviceInfo first, then for each module its statistics or its error.

    The driver's output goes to the file `said`.
    """
    os.dup2(os.open(said, os.O_WRONLY | os.O_APPEND), 2)
    os.environ.update(variables)
    devices = [device for device in vkrunner.devices() if "NULL" in device.name.upper()]
    pipe.send(devices[0] if devices else "no such family in this Mesa")
    pipelines = Pipelines()
    with suppress(EOFError):
        while True:
            words = pipe.recv()
            try:
                pipe.send(pipelines.statistics(words))
            except RunnerError as error:
                pipe.send(str(error))
