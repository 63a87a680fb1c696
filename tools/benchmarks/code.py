"""How fast the code of kernels runs, and how long its pipeline takes, compared with GLSL.

The peer is the same algorithm in GLSL, written by hand and compiled by glslangValidator, without
bounds checks and without D3D's flushes of denormals. `device` is our code where those flushes and
the checks of sample operands are left to the device. All forms run on the same buffers, in turn in
each round. Times are the device's own; the figure is the lower quartile of all rounds. "Making
ready" is the creation of the pipeline and the first dispatch, of one group: lavapipe compiles then.
"""

from __future__ import annotations

import dataclasses
import os
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

import translate
import vkrunner
from translate import SpirvModule

from .figures import Row, has, lower_quartile
from .workloads import WORKLOADS, Workload

TITLE = "kernel"
_ROUNDS, _FIRST_ROUNDS = 15, 5
_PEER = "GLSL"
_FORMS: Mapping[str, Mapping[str, str]] = {
    "d3d": {},
    "off": {"guards": "off"},
    "d3d, device": {"denormals": "device", "sampling": "device"},
    "off, device": {"guards": "off", "denormals": "device", "sampling": "device"},
}


def measure(scale: float, device: str | None = None) -> list[Row]:
    """A row for each kernel. All results are checked: AssertionError where one is wrong."""
    rounds = _ROUNDS if scale >= 1 else 1
    with (
        mock.patch.dict(os.environ, MESA_SHADER_CACHE_DISABLE="true"),
        vkrunner.open_device(device, validation=False, timestamps=True) as opened,
    ):
        return [_Race(opened, make(scale)).row(rounds) for make in WORKLOADS]


class _Race:
    """All forms of one kernel on one device."""

    def __init__(self, device: vkrunner.Device, workload: Workload):
        self.device = device
        self.workload = workload
        self.modules = _modules(workload, device)
        self.inputs = {name: device.buffer(array) for name, array in workload.inputs.items()}

    def row(self, rounds: int) -> Row:
        ready, kernels = self._making_ready(min(rounds, _FIRST_ROUNDS))
        times = self._running(kernels, rounds)
        for buffer in self.inputs.values():
            buffer.close()
        figures: dict[str, float] = {}
        for form, module in self.modules.items():
            figures[f"{form} ms"] = times[form] / 1e6
            figures[f"{form} words"] = len(module.words)
        if _PEER in self.modules:
            figures = {f"{_PEER} ms": times[_PEER] / 1e6}
            figures |= {form: times[form] / times[_PEER] for form in _FORMS}
            figures |= {f"ready, {f}": ready[f] / ready[_PEER] for f in ("d3d", "off")}
            words = {form: len(module.words) for form, module in self.modules.items()}
            figures |= {f"words, {f}": words[f] / words[_PEER] for f in ("d3d", "off")}
        return Row(self.workload.name, figures)

    def _making_ready(self, rounds: int) -> tuple[dict[str, float], dict[str, vkrunner.Kernel]]:
        """Seconds from a module to the end of its first dispatch, and the last round's kernels."""
        times: dict[str, list[float]] = {form: [] for form in self.modules}
        kernels: dict[str, vkrunner.Kernel] = {}
        for _ in range(rounds):
            for kernel in kernels.values():
                kernel.close()
            for form, module in self.modules.items():
                output = self.device.buffer(self.workload.output)
                start = time.perf_counter()
                kernel = self.device.kernel(module)
                kernel.dispatch(1, **self._arguments(output))
                times[form].append(time.perf_counter() - start)
                kernels[form] = kernel
                output.close()
        return {form: min(found) for form, found in times.items()}, kernels

    def _running(self, kernels: Mapping[str, vkrunner.Kernel], rounds: int) -> dict[str, float]:
        """Nanoseconds on the device."""
        times: dict[str, list[float]] = {form: [] for form in kernels}
        for number in range(1 + rounds):
            for form in _rotated([*kernels], number):
                kernel = kernels[form]
                output = self.device.buffer(self.workload.output)
                result = kernel.dispatch(self.workload.groups, **self._arguments(output))
                if number > 0:
                    times[form].append(float(result.duration_ns or 0))
                else:  # the driver compiles now
                    self.workload.check(result.u0.reshape(self.workload.output.shape))
                output.close()
        for kernel in kernels.values():
            kernel.close()
        return {form: lower_quartile(found) for form, found in times.items()}

    def _arguments(self, output: Any) -> dict[str, Any]:
        constants = {"cb0": self.workload.constants} if self.workload.constants else {}
        return {**self.inputs, **constants, "u0": output}


def _rotated(forms: list[str], number: int) -> list[str]:
    """Each round begins with another form: the first finds the caches as the others left them."""
    first = number % len(forms)
    return forms[first:] + forms[:first]


def _modules(workload: Workload, device: vkrunner.Device) -> dict[str, SpirvModule]:
    """Our modules by form, and the peer's, which has the same interface."""
    program = translate.load(workload.dxbc)
    modules: dict[str, SpirvModule] = {}
    for form, chosen in _FORMS.items():
        options = vkrunner.options_for(device, program, **chosen)  # type: ignore[arg-type]
        modules[form] = translate.to_spirv(program, options)
    if has("glslangValidator"):
        modules[_PEER] = dataclasses.replace(modules["off"], data=_glslang(workload.glsl))
    return modules


def _glslang(source: Path) -> bytes:
    with TemporaryDirectory() as folder:
        written = Path(folder, "out.spv")
        command = ["glslangValidator", "-V", "--target-env", "vulkan1.1", str(source)]
        subprocess.run([*command, "-o", str(written)], check=True, capture_output=True)
        return written.read_bytes()
