"""Mesa's compiler for a family of AMD's GPUs: RADV without hardware."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from vkrunner.api.amd_code import manifest, only_driver, without_hardware
from vkrunner.vulkan.machine_code import PipelineDevice

from .declared import declared_by
from .process import DriverProcess, Measure, MissingDriver


def driver_variables(driver: str) -> dict[str, str]:
    """The variables for a Vulkan with one of Mesa's drivers, without its cache.

    Raises MissingDriver.
    """
    path = manifest(driver)
    if path is None:
        raise MissingDriver(f"no driver {driver}: apt-get install mesa-vulkan-drivers")
    return only_driver(path)


def environment(family: str) -> dict[str, str]:
    """The variables for a Vulkan with one device: null hardware of this family.

    Raises MissingDriver.
    """
    return {"RADV_FORCE_FAMILY": family, **driver_variables("radeon")}


def compiler_for(family: str) -> DriverProcess:
    """The compiler for a family, by the first of the ways in which this Mesa offers it.

    It measures the driver's statistics of its code. Raises MissingDriver.
    """
    driver = driver_variables("radeon")
    *others, last = ({**driver, **variables} for variables in without_hardware(family))
    for variables in others:
        with suppress(MissingDriver):
            return DriverProcess(variables, _statistics)
    return DriverProcess(last, _statistics)


def _statistics() -> Measure:
    device = PipelineDevice()

    def measure(words: Any) -> dict[str, int]:
        return device.statistics(words, declared_by(words))

    return measure
