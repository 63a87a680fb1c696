"""Mesa's compiler for a family of AMD's GPUs: RADV's null hardware."""

from __future__ import annotations

import glob
from collections.abc import Mapping, Sequence
from contextlib import suppress

from .pipelines import Pipelines
from .process import DriverProcess, Measure, MissingDriver

# The names of a family in Mesa's versions, from old to new.
FAMILIES: Mapping[str, Sequence[str]] = {
    "VEGA10": ("VEGA10",),
    "NAVI21": ("NAVI21",),
    "NAVI31": ("GFX1100", "NAVI31"),
    "GFX1201": ("GFX1201",),
}


def manifest(driver: str) -> str:
    """Path of the manifest of one of Mesa's drivers, such as `radeon`. Raises MissingDriver."""
    folders = "/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d"
    found = sorted(path for f in folders for path in glob.glob(f"{f}/{driver}_icd*.json"))
    if not found:
        raise MissingDriver(f"no driver {driver}: apt-get install mesa-vulkan-drivers")
    return found[0]


def only_driver(driver: str) -> dict[str, str]:
    """The variables for a Vulkan with one of Mesa's drivers, without its cache.

    Raises MissingDriver.
    """
    path = manifest(driver)
    return {
        "VK_DRIVER_FILES": path,
        "VK_ICD_FILENAMES": path,
        "MESA_SHADER_CACHE_DISABLE": "true",
    }


def environment(family: str) -> dict[str, str]:
    """The variables for a Vulkan with one device: null hardware of this family.

    Raises MissingDriver.
    """
    return {"RADV_FORCE_FAMILY": family, **only_driver("radeon")}


def compiler_for(family: str) -> DriverProcess:
    """The compiler for a family, by the first of its names that this Mesa knows.

    It measures the driver's statistics of its code. Raises MissingDriver.
    """
    *others, last = FAMILIES.get(family, (family,))
    for name in others:
        with suppress(MissingDriver):
            return DriverProcess(environment(name), _statistics)
    return DriverProcess(environment(last), _statistics)


def _statistics() -> Measure:
    return Pipelines().statistics
