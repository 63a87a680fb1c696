"""One test on one device: its resources made, its steps done, what it expects compared."""

from __future__ import annotations

import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from traceback import format_exception
from typing import Any

import numpy as np

from translate import Binding, ShaderInterface, TranslateError
from vkrunner import (
    Device,
    Kernel,
    RunnerError,
    Sampler,
    Violation,
    clear_validation_messages,
    validation_messages,
)
from vkrunner.shadertest.cursor import ShaderTestError, Token
from vkrunner.shadertest.outcome import (
    DEVICE,
    SKIPPED,
    Failure,
    Outcome,
    failure_of,
    status_of,
)
from vkrunner.shadertest.probes import check
from vkrunner.shadertest.records import (
    Case,
    Constants,
    CounterProbe,
    Dispatch,
    Probe,
    Resource,
    SamplerSection,
    ShaderSection,
    Step,
    Uniform,
)
from vkrunner.shadertest.require_syntax import lacking
from vkrunner.shadertest.resources import (
    Live,
    constant_data,
    find_binding,
    make_resource,
    put,
    with_elements,
)
from vkrunner.shadertest.violations import compare_violations
from vkrunner.values.arrays import Array

_DWORD = 4
Slot = tuple[str, int]  # a binding's register, and the element of an array of resources


def _source(section: ShaderSection) -> str | Path:
    """A listing, with the line numbers that it has in the test's file, or a path."""
    if section.path is not None:
        return section.path
    first = section.lines[0].number
    return "\n" * (first - 1) + "\n".join(line.text for line in section.lines) + "\n"


def run_case(device: Device, case: Case) -> Outcome:
    """Run a test. What goes wrong is in the outcome, whatever it is."""
    start = time.perf_counter()
    path, line = case.token.line.file, case.token.line.number
    try:
        reasons = [reason for r in case.requirements if (reason := lacking(r, device.info))]
    except ShaderTestError as error:
        reasons, failures = [], [failure_of(error, case.token)]
    else:
        if reasons:
            return Outcome(path, case.name, device.name, SKIPPED, line, reason="; ".join(reasons))
        failures = _failures(device, case)
    seconds = time.perf_counter() - start
    status = status_of(failures)
    return Outcome(path, case.name, device.name, status, line, tuple(failures), seconds=seconds)


def _failures(device: Device, case: Case) -> list[Failure]:
    run = _Run(device, case)
    clear_validation_messages()
    try:
        with run.stack:
            run.execute()
            run.compare_all()
    except (TranslateError, RunnerError, OSError, MemoryError) as error:
        run.stopped(error)
    except Exception as error:  # a mistake of ours; the other tests run all the same
        run.broke(error)
    else:
        run.not_refused()
    found = validation_messages()
    clear_validation_messages()
    if found:
        message = "the validation layer has something to say"
        place = case.token
        run.failures.append(Failure(message, place.where, place.line.text, tuple(found), DEVICE))
    return run.failures


@dataclass(slots=True)
class _Run:
    """A test under way. `at` is the step that is being done."""

    device: Device
    case: Case
    failures: list[Failure] = field(default_factory=list[Failure])
    live: dict[Slot, Live] = field(default_factory=dict[Slot, Live])
    constants: dict[Slot, Array] = field(default_factory=dict[Slot, Array])
    samplers: dict[Slot, Sampler] = field(default_factory=dict[Slot, Sampler])
    violations: list[Violation] = field(default_factory=list[Violation])
    told: int = 0
    stack: ExitStack = field(default_factory=ExitStack)
    at: Token | None = None

    def execute(self) -> None:
        self.at = self.case.shader.token
        kernel = self.device.kernel(_source(self.case.shader), **dict(self.case.shader.options))
        self.stack.callback(kernel.close)
        self._make(kernel.interface)
        for step in self.case.steps:
            self.at = step.token
            self._do(kernel, step)

    def _make(self, interface: ShaderInterface) -> None:
        """The resources, each in its slot once."""
        places: dict[Slot, Token] = {}
        for record in self.case.bound:
            self.at = record.token
            binding, element = find_binding(interface, record.key, record.token, type(record))
            slot = binding.register, element
            before = places.setdefault(slot, record.token)
            if before is not record.token:
                raise record.token.error(f"line {before.line.number} has this resource already")
            if isinstance(record, Constants):
                self.constants[slot] = constant_data(record, binding)
            elif isinstance(record, SamplerSection):
                self.samplers[slot] = self.device.sampler(**record.settings)
            else:
                self.live[slot] = self._resource(interface, record, binding)

    def _resource(self, interface: ShaderInterface, record: Resource, binding: Binding) -> Live:
        live = make_resource(self.device, interface, record, binding)
        for handle in (live.buffer, live.texture):
            if handle is not None:
                self.stack.callback(handle.close)
        return live

    def _do(self, kernel: Kernel, step: Step) -> None:
        if isinstance(step, Dispatch):
            self._dispatch(kernel, step)
        elif isinstance(step, Uniform):
            self._set_constants(kernel.interface, step)
        else:
            live = self._probed(kernel.interface, step)
            if isinstance(step, CounterProbe):
                self._check_counter(step, live)
            else:
                self._check(step, live)

    def _dispatch(self, kernel: Kernel, step: Dispatch) -> None:
        timeout = {"timeout": self.case.timeout_s} if self.case.timeout_s else {}
        values: dict[Slot, Any] = {slot: live.bound for slot, live in self.live.items()}
        values |= {slot: data.tobytes() for slot, data in self.constants.items()} | self.samplers
        bindings = with_elements(kernel.interface, values)
        result = kernel.dispatch(step.groups, bindings=bindings, **timeout)
        self.violations.extend(result.violations)
        self.told += result.violations.total
        for live in self.live.values():
            details = live.damage()
            if details:
                message = f"{live.label}: the guard region around the view was written to"
                place = live.record.token
                self.failures.append(Failure(message, place.where, place.line.text, tuple(details)))

    @property
    def _now(self) -> Token:
        return self.at or self.case.token

    def _set_constants(self, interface: ShaderInterface, step: Uniform) -> None:
        binding, element = find_binding(interface, step.key, step.token, Constants)
        before = self.constants.get((binding.register, element), np.zeros(0, np.uint8))
        first = step.offset * _DWORD
        data: Array = np.zeros(max(before.nbytes, first + step.element.itemsize), np.uint8)
        data[: before.nbytes] = before
        for leaf, number in zip(step.element.leaves, step.values, strict=True):
            put(data[first:], leaf, number)
        self.constants[binding.register, element] = data

    def _probed(self, interface: ShaderInterface, probe: Probe | CounterProbe) -> Live:
        binding, element = find_binding(interface, probe.key, probe.target, Resource)
        live = self.live.get((binding.register, element))
        if live is None:
            raise probe.target.error(f"no section above describes {probe.target.text}")
        if live.bound is None:
            raise probe.target.error(f"{live.label} is null: there is nothing to probe")
        return live

    def _check(self, probe: Probe, live: Live) -> None:
        if probe.level >= live.record.levels:
            raise probe.token.error(f"{live.label} has {live.record.levels} levels")
        found = check(probe, live)
        if found is not None:
            self._failed(f"{live.label}: {found.summary()}", probe.token, found.table())

    def _check_counter(self, probe: CounterProbe, live: Live) -> None:
        counter = live.buffer.counter if live.buffer is not None else None
        if counter is None:
            raise probe.token.error(f"{live.label} has no hidden counter")
        expected = int(probe.expected.value) % 2**32
        if counter != expected:
            details = [f"expected {expected}, got {counter}"]
            self._failed(f"{live.label}: the hidden counter differs", probe.token, details)

    def compare_all(self) -> None:
        """What is expected of the whole."""
        expected = self.case.violations
        if expected is not None:
            self.failures.extend(compare_violations(expected, self.violations, self.told))

    def stopped(self, error: TranslateError | RunnerError | OSError | MemoryError) -> None:
        """An error that ended it: the one that is expected, or a failure."""
        expected = self.case.error
        found = failure_of(error, self._now)
        if expected is None or isinstance(error, (ShaderTestError, OSError, MemoryError)):
            self.failures.append(found)
        elif expected.text not in f"{found.where}: error: {found.message}":
            self._failed("it is refused with another error", expected, found.text().splitlines())

    def broke(self, error: Exception) -> None:
        """An error that nobody expected: all there is to know of it."""
        details = [line for text in format_exception(error) for line in text.splitlines()]
        message = f"internal error: {type(error).__name__}: {error}"
        place = self._now
        failure = Failure(message, place.where, place.line.text, tuple(details), DEVICE)
        self.failures.append(failure)

    def not_refused(self) -> None:
        expected = self.case.error
        if expected is not None:
            self._failed("no error came, this one was expected", expected, [])

    def _failed(self, message: str, token: Token, details: list[str]) -> None:
        self.failures.append(Failure(message, token.where, token.line.text, tuple(details)))
