"""One test on one device: its resources made, its steps executed, its expectations compared."""

from __future__ import annotations

import time
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field
from traceback import format_exception
from typing import Any

import numpy as np

from translate import ShaderInterface, TranslateError
from vkrunner import (
    Device,
    Kernel,
    RunnerError,
    Sampler,
    Violation,
    clear_validation_messages,
    validation_messages,
)
from vkrunner.shadertest.cases import (
    Case,
    Constants,
    CounterProbe,
    Dispatch,
    Probe,
    Resource,
    SamplerSection,
    Step,
    Uniform,
)
from vkrunner.shadertest.cursor import ShaderTestError, Token
from vkrunner.shadertest.device_resources import (
    DeviceResource,
    constant_data,
    find_binding,
    make_resource,
    put,
    with_elements,
)
from vkrunner.shadertest.outcome import CHECK, DEVICE, Failure, Outcome, failure_of
from vkrunner.shadertest.probe_check import check
from vkrunner.shadertest.shader_source import make_kernel
from vkrunner.shadertest.violations import compare_violations
from vkrunner.values.arrays import Array

_DWORD = 4
Slot = tuple[str, int]  # a binding's register, and the element of an array of resources


def run_case(device: Device, case: Case) -> Outcome:
    """Run a test. Its outcome has all errors, of any kind."""
    start = time.perf_counter()
    reasons = [reason for lacking in case.requirements if (reason := lacking(device.info))]
    failures = () if reasons else tuple(_failures(device, case))
    seconds = time.perf_counter() - start
    line = case.token.line
    head = (line.file, case.name, device.name, line.number)
    return Outcome(*head, failures, "; ".join(reasons), seconds)


def _failures(device: Device, case: Case) -> list[Failure]:
    run = _Run(device, case, case.token)
    clear_validation_messages()
    try:
        with run.stack:
            run.execute()
    except (TranslateError, RunnerError, OSError, MemoryError) as error:
        run.stopped(error)
    except Exception as error:  # a mistake of ours; the other tests run all the same
        details = [line for text in format_exception(error) for line in text.splitlines()]
        run.failed(run.at, f"internal error: {type(error).__name__}: {error}", details, DEVICE)
    else:
        if case.error is not None:
            run.failed(case.error, "no error came, this one was expected")
    messages = validation_messages()
    clear_validation_messages()
    if messages:
        run.failed(case.token, "the validation layer has something to say", messages, DEVICE)
    return run.failures


@dataclass(slots=True)
class _Run:
    """A test that is running. `at` is the section or the step that it has reached."""

    device: Device
    case: Case
    at: Token
    failures: list[Failure] = field(default_factory=list[Failure])
    resources: dict[Slot, DeviceResource] = field(default_factory=dict[Slot, DeviceResource])
    constants: dict[Slot, Array] = field(default_factory=dict[Slot, Array])
    samplers: dict[Slot, Sampler] = field(default_factory=dict[Slot, Sampler])
    violations: list[Violation] = field(default_factory=list[Violation])
    violation_count: int = 0
    stack: ExitStack = field(default_factory=ExitStack)

    def execute(self) -> None:
        shader = self.case.shader
        self.at = shader.token
        kernel = make_kernel(self.device, shader)
        self.stack.callback(kernel.close)
        self._make_resources(kernel.interface)
        for step in self.case.steps:
            self.at = step.token
            self._step(kernel, step)
        if self.case.violations is not None:
            found = compare_violations(self.case.violations, self.violations, self.violation_count)
            self.failures.extend(found)

    def stopped(self, error: TranslateError | RunnerError | OSError | MemoryError) -> None:
        """An error that ended it: the expected one, or a failure."""
        expected = self.case.error
        found = failure_of(error, self.at)
        if expected is None or isinstance(error, (ShaderTestError, OSError, MemoryError)):
            self.failures.append(found)
        elif expected.text not in f"{found.where}: error: {found.message}":
            self.failed(expected, "it is refused with another error", found.text().splitlines())

    def failed(
        self, token: Token, message: str, details: Iterable[str] = (), code: int = CHECK
    ) -> None:
        self.failures.append(Failure.at(token, message, details, code))

    def _make_resources(self, interface: ShaderInterface) -> None:
        """Each in its slot once."""
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
                self.resources[slot] = make_resource(self.device, interface, record, binding)
                self.stack.callback(self.resources[slot].close)

    def _step(self, kernel: Kernel, step: Step) -> None:
        if isinstance(step, Dispatch):
            self._dispatch(kernel, step)
        elif isinstance(step, Uniform):
            self._set_constants(kernel.interface, step)
        elif isinstance(step, CounterProbe):
            self._check_counter(step, self._probed(kernel.interface, step))
        else:
            self._check(step, self._probed(kernel.interface, step))

    def _dispatch(self, kernel: Kernel, step: Dispatch) -> None:
        timeout = {"timeout": self.case.timeout_s} if self.case.timeout_s else {}
        values: dict[Slot, Any] = {slot: made.bound for slot, made in self.resources.items()}
        values |= {slot: data.tobytes() for slot, data in self.constants.items()} | self.samplers
        bindings = with_elements(kernel.interface, values)
        result = kernel.dispatch(step.groups, bindings=bindings, **timeout)
        self.violations.extend(result.violations)
        self.violation_count += result.violations.total
        for made in self.resources.values():
            details = made.damage()
            if details:
                message = f"{made.label}: the guard region around the view was written to"
                self.failed(made.record.token, message, details)

    def _set_constants(self, interface: ShaderInterface, step: Uniform) -> None:
        binding, element = find_binding(interface, step.key, step.token, Constants)
        before = self.constants.get((binding.register, element), np.zeros(0, np.uint8))
        first = step.offset * _DWORD
        data: Array = np.zeros(max(before.nbytes, first + step.element.itemsize), np.uint8)
        data[: before.nbytes] = before
        put(data[first:], step.element.leaves, step.values)
        self.constants[binding.register, element] = data

    def _probed(self, interface: ShaderInterface, probe: Probe | CounterProbe) -> DeviceResource:
        binding, element = find_binding(interface, probe.key, probe.target, Resource)
        found = self.resources.get((binding.register, element))
        if found is None:
            raise probe.target.error(f"no section above describes {probe.target.text}")
        if found.bound is None:
            raise probe.target.error(f"{found.label} is null: there is nothing to probe")
        return found

    def _check(self, probe: Probe, resource: DeviceResource) -> None:
        levels = resource.record.levels
        if probe.level >= levels:
            raise probe.token.error(f"{resource.label} has {levels} levels")
        found = check(probe, resource)
        if found is not None:
            self.failed(probe.token, f"{resource.label}: {found.summary()}", found.table())

    def _check_counter(self, probe: CounterProbe, resource: DeviceResource) -> None:
        counter = resource.buffer.counter if resource.buffer is not None else None
        if counter is None:
            raise probe.token.error(f"{resource.label} has no hidden counter")
        expected = int(probe.expected.value) % 2**32
        if counter != expected:
            details = [f"expected {expected}, got {counter}"]
            self.failed(probe.token, f"{resource.label}: the hidden counter differs", details)
