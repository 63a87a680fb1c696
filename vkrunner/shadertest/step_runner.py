"""StepRunner: runs dispatches, constants and probes with one shader. Returns failures."""

from __future__ import annotations

from typing import Any

from translate import CompileError, HlslOptions, ShaderInterface, TranslateError
from vkrunner import Device, Kernel, RunnerError, Violations
from vkrunner.shadertest.bound_resources import BoundResources
from vkrunner.shadertest.cases import (
    BoundSection,
    CounterProbe,
    Dispatch,
    Probe,
    ShaderSection,
    Step,
    Uniform,
)
from vkrunner.shadertest.conditions import model_of
from vkrunner.shadertest.cursor import ShaderTestError
from vkrunner.shadertest.device_resources import DeviceResource
from vkrunner.shadertest.outcome import INPUT, Failure
from vkrunner.shadertest.probe_check import Checked, check
from vkrunner.shadertest.shader_source import make_kernel
from vkrunner.shadertest.violations import race_failures


class StepRunner:
    """Runs the steps of tests, with one shader at a time, on resources that outlast the shader.

    `reports` has the violations of each dispatch. `has_failed` is set after a failed dispatch: its
    results cannot be probed.
    """

    def __init__(self, device: Device):
        self._device = device
        self._resources = BoundResources(device)
        self._kernels: list[tuple[ShaderSection, Kernel]] = []
        self._kernel: Kernel | None = None
        self._shader: ShaderSection | None = None
        self._error: TranslateError | RunnerError | None = None
        self.timeout_s: float | None = None
        self.allows_races = False
        self.has_failed = False
        self.reports: list[Violations] = []
        self.tolerated: list[str] = []  # a line for each tolerated probe

    def use(self, shader: ShaderSection, *, may_fail: bool = False) -> None:
        """Continue with another shader, and forget reported violations.

        Raises the errors of `make_kernel`; with `may_fail`, the next dispatch raises them.
        """
        self._shader, self._kernel, self._error = shader, None, None
        self.has_failed = False
        self.reports.clear()
        self.tolerated.clear()
        try:
            self._kernel = self._kernel_of(shader)
        except (TranslateError, RunnerError) as error:
            if not may_fail or not is_refusal(error):
                raise
            self._error = error

    def _kernel_of(self, shader: ShaderSection) -> Kernel:
        for other, kernel in self._kernels:
            if other == shader:
                return kernel
        made = make_kernel(self._device, shader)
        self._kernels.append((shader, made))
        return made

    def make(self, record: BoundSection) -> None:
        """Make the resource of a section for the shader. Raises ShaderTestError."""
        self._resources.make(record, self.interface)

    def close(self) -> None:
        """Free resources and kernels."""
        self._resources.close()
        for _, kernel in self._kernels:
            kernel.close()

    @property
    def interface(self) -> ShaderInterface | None:
        """The shader's interface; None until it has a kernel."""
        return self._kernel.interface if self._kernel is not None else None

    @property
    def model(self) -> float:
        """The shader model, 5.0."""
        if self._kernel is not None:
            return model_of(self._kernel.interface.profile)
        hlsl = self._shader.hlsl if self._shader is not None else None
        return model_of((hlsl or {}).get("profile", HlslOptions.profile))

    def run(self, step: Step) -> list[Failure]:
        """Execute a step. Raises the errors of a dispatch, and ShaderTestError."""
        if isinstance(step, Dispatch):
            return self._dispatch(step)
        if isinstance(step, Uniform):
            self._resources.set_uniform(step, self.interface)
            return []
        assert isinstance(step, (Probe, CounterProbe))
        resource = self._resources.probed(step, self.interface)
        if isinstance(step, CounterProbe):
            return _check_counter(step, resource)
        found = _check(step, resource)
        if found.tolerated is not None:
            line = step.token.line.number
            self.tolerated.append(f"line {line}: {resource.label}: {found.tolerated}")
        if found.differences is None:
            return []
        text = f"{resource.label}: {found.differences.summary()}"
        return [Failure.at(step.token, text, found.differences.table())]

    def _dispatch(self, step: Dispatch) -> list[Failure]:
        self.has_failed = True
        if self._error is not None:
            raise self._error
        assert self._kernel is not None
        assert self._shader is not None
        bindings = self._resources.arguments(self._kernel.interface)
        timeout: dict[str, Any] = {"timeout": self.timeout_s} if self.timeout_s else {}
        result = self._kernel.dispatch(step.groups, bindings=bindings, **timeout)
        self.has_failed = False
        self.reports.append(result.violations)
        races = [] if self.allows_races else race_failures(result, self._shader, step.token)
        return [
            *races,
            *(
                Failure.at(
                    made.record.token,
                    f"{made.label}: the guard region around the view was written to",
                    details,
                )
                for made, details in self._resources.damaged()
            ),
        ]


def is_refusal(error: Exception) -> bool:
    """Whether the error says that a shader or dispatch was refused.

    False for faults of the test file, the device or the compiler itself.
    """
    if isinstance(error, (ShaderTestError, OSError, MemoryError)):
        return False
    if isinstance(error, CompileError):
        return error.refused
    return isinstance(error, TranslateError) or getattr(error, "exit_code", None) == INPUT


def _check(probe: Probe, resource: DeviceResource) -> Checked:
    levels = resource.record.levels
    if probe.level >= levels:
        raise probe.token.error(f"{resource.label} has {levels} levels")
    return check(probe, resource)


def _check_counter(probe: CounterProbe, resource: DeviceResource) -> list[Failure]:
    counter = resource.buffer.counter if resource.buffer is not None else None
    if counter is None:
        raise probe.token.error(f"{resource.label} has no hidden counter")
    expected = int(probe.expected.value) % 2**32
    if counter == expected:
        return []
    details = [f"expected {expected}, got {counter}"]
    return [Failure.at(probe.token, f"{resource.label}: the hidden counter differs", details)]
