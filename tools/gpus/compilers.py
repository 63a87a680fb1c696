"""Mesa's compilers for GPUs, without hardware, behind one interface, and their statistics.

Each driver reports statistics under names of its own (VK_KHR_pipeline_executable_properties); the
figures here are those that all of them have. Cycles are estimates: RADV's inverse throughput; the
cycles of NVK's instructions with fixed latency; Turnip's instructions and stalls; the cycles of the
busiest of Apple's units.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from typing import Any

from vkrunner.api.gpu_code import gpu_named, manifest, only_driver
from vkrunner.vulkan.machine_code import PipelineDevice

from .declared import declared_by
from .process import DriverProcess, Measure, MissingDriver

FIGURES = INSTRUCTIONS, CYCLES, BYTES, REGISTERS, SPILLS = (
    *("instructions", "cycles", "bytes", "registers", "spills"),
)
COMPILER_MS = "compiler's ms"
ONE_OF_EACH = "NAVI21", "GA102", "ADRENO740", "M1"  # a GPU of each maker
_STALLS = "Estimated cycles stalled on SS", "Estimated cycles stalled on SY"
_UNITS = "ALU", "FSCIB", "IC"


def driver_variables(driver: str) -> dict[str, str]:
    """The variables for a Vulkan with one of Mesa's drivers, without its cache.

    Raises MissingDriver.
    """
    path = manifest(driver)
    if path is None:
        raise MissingDriver(f"no driver {driver}: apt-get install mesa-vulkan-drivers")
    return only_driver(path)


def compiler_for(gpu: str, nulls: bool = False) -> DriverProcess:
    """The compiler for a GPU, by the first of the ways in which this Mesa offers it.

    It measures these figures of its code. With `nulls` its device has null descriptors also if the
    runner leaves them disabled. Raises MissingDriver.
    """
    found = gpu_named(gpu)
    driver = driver_variables(found.driver)
    measure = functools.partial(_statistics, _FIGURES[found.driver], nulls)
    *others, last = ({**driver, **variables} for variables in found.ways)
    for variables in others:
        with suppress(MissingDriver):
            return DriverProcess(variables, measure)
    return DriverProcess(last, measure)


def _statistics(figures: Callable[[Mapping[str, int]], dict[str, float]], nulls: bool) -> Measure:
    device = PipelineDevice(nulls)

    def measure(words: Any, features: Collection[str] | None = None) -> dict[str, float]:
        declared = declared_by(words, features)
        start = time.process_time()
        found = device.statistics(words, declared)
        return {**figures(found), COMPILER_MS: 1000 * (time.process_time() - start)}

    return measure


def _radv(found: Mapping[str, int]) -> dict[str, float]:
    return {
        INSTRUCTIONS: found["Instructions"],
        CYCLES: found["Inverse Throughput"],
        BYTES: found["Code size"],
        REGISTERS: found["VGPRs"],
        SPILLS: found["Spilled VGPRs"] + found["Spilled SGPRs"],
    }


def _nvk(found: Mapping[str, int]) -> dict[str, float]:
    return {
        INSTRUCTIONS: found["Instruction count"],
        CYCLES: found["Static cycle count"],
        BYTES: found["Code size"],
        REGISTERS: found["Number of GPRs"],
        SPILLS: found["Spills to memory"],
    }


def _turnip(found: Mapping[str, int]) -> dict[str, float]:
    count = found["Instruction Count"]
    return {
        INSTRUCTIONS: count,
        CYCLES: count + sum(found[name] for name in _STALLS),
        BYTES: 4 * found["Code size"],
        REGISTERS: found["Registers used"],
        SPILLS: found["STP Count"],
    }


def _honeykrisp(found: Mapping[str, int]) -> dict[str, float]:
    return {
        INSTRUCTIONS: found["Instructions"],
        CYCLES: max(found[unit] for unit in _UNITS),
        BYTES: found["Code size"],
        REGISTERS: found["GPRs"],
        SPILLS: found["Spills"],
    }


_FIGURES = {"radeon": _radv, "nouveau": _nvk, "freedreno": _turnip, "asahi": _honeykrisp}
