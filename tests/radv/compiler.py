"""Mesa's compiler for a family of AMD's GPUs: RADV's null hardware."""

from __future__ import annotations

import glob
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Self

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


def only(driver: str) -> dict[str, str]:
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
    return {"RADV_FORCE_FAMILY": family, **only("radeon")}


class Compiler:
    """The compiler for a family. Raises MissingDriver."""

    def __init__(self, family: str):
        self.family = family
        self._process = _started(FAMILIES.get(family, (family,)))
        self.info = self._process.info

    def statistics(self, words: Any) -> Mapping[str, int]:
        """The driver's statistics of its code for a module. Raises Refused."""
        return self._process.measure(words)

    def close(self) -> None:
        self._process.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _started(names: Sequence[str]) -> DriverProcess:
    """A process for the family by the first name that this Mesa knows."""
    for name in names:
        with suppress(MissingDriver):
            return DriverProcess(environment(name), _statistics)
    manifest("radeon")
    raise MissingDriver(f"this Mesa knows no family {names[-1]}")


def _statistics() -> Measure:
    return Pipelines().statistics
