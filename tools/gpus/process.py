"""A driver that measures modules in a process of its own, because it may crash."""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import mkstemp
from typing import Any, Self
from unittest import mock

import vkrunner
from translate import SpirvModule
from vkrunner import DeviceInfo
from vkrunner.errors import RunnerError

_TIMEOUT_S = 300
Measure = Callable[..., Mapping[str, Any]]  # of a module's words, and the features it relies on


class MissingDriver(Exception):
    """The driver is not installed, or lacks the device; the message says why."""


class Refused(Exception):
    """A module has no pipeline: the driver's error, or how its process ended."""


class DriverProcess:
    """The process, which is started again after a crash.

    `variables` are those of its environment, which leave one device. `make` is called there, and
    returns the function that measures a module. Raises MissingDriver.
    """

    def __init__(self, variables: Mapping[str, str], make: Callable[[], Measure]):
        self._variables = variables
        self._make = make
        self.info = self._start()

    def measure(self, words: Any, *features: Collection[str]) -> Mapping[str, Any]:
        """The figures of a module, which relies on these features; without them, on all. Raises
        Refused.

        A process that ends after other modules may lack memory: a new one measures once more.
        """
        if not self._process.is_alive():
            self._start()
        self._pipe.send((words, *features))
        try:
            found = self._answer()
        except Refused:
            if self._is_fresh:
                raise
            return self.measure(words, *features)
        if isinstance(found, str):
            raise Refused(found)
        self._is_fresh = False
        return found

    def measure_all(self, name: str, modules: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
        """The figures of a shader's modules: each is a SpirvModule, or the arguments of `measure`.

        Says on stderr which of them are refused. Equal ones are measured once: some drivers compile
        them once.
        """
        found: dict[str, Mapping[str, Any]] = {}
        known: dict[tuple[Any, ...], Mapping[str, Any]] = {}
        for form, module in modules.items():
            given = module
            if isinstance(module, SpirvModule):
                given = module.words, module.interface.features
            key = (given[0].tobytes(), *given[1:])
            try:
                found[form] = known[key] = known.get(key) or self.measure(*given)
            except Refused as error:
                print(f"{name}, {form}, {self.info.name}: {error}", file=sys.stderr)
        return found

    def close(self) -> None:
        self._process.kill()
        self._process.join()
        self._messages.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _start(self) -> DeviceInfo:
        context = multiprocessing.get_context("spawn")
        self._is_fresh = True
        descriptor, name = mkstemp(suffix=".txt")
        os.close(descriptor)
        self._messages = Path(name)
        self._pipe, theirs = context.Pipe()
        arguments = (self._make, name, theirs)
        self._process = context.Process(target=_serve, args=arguments, daemon=True)
        with mock.patch.dict(os.environ, self._variables):  # some work from a process's start only
            self._process.start()
        theirs.close()
        try:
            info = self._answer()
        except Refused as error:
            self.close()
            raise MissingDriver(str(error)) from error
        if not isinstance(info, DeviceInfo):
            self.close()
            raise MissingDriver(str(info))
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


def _serve(make: Callable[[], Measure], said: str, pipe: Connection) -> None:
    """Send DeviceInfo first, then for each module its figures or its error.

    The driver's output goes to the file `said`.
    """
    os.dup2(os.open(said, os.O_WRONLY | os.O_APPEND), 2)
    devices = [device for device in vkrunner.devices() if device.index >= 0]
    pipe.send(devices[0] if devices else "no such device in this driver")
    measure = make()
    with suppress(EOFError):
        while True:
            given = pipe.recv()
            try:
                pipe.send(measure(*given))
            except RunnerError as error:
                pipe.send(str(error))
