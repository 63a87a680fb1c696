"""The code that Mesa's compiler for AMD's GPUs makes of a module; no GPU is needed.

Up to version 25, Mesa's driver RADV offers a device without hardware if RADV_FORCE_FAMILY names a
family of GPUs. Later it needs Mesa's imitation of the kernel's driver, a library that is loaded
first and reads AMDGPU_GPU_ID. The driver is loaded in a process of its own.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from translate import SpirvModule
from translate.child import Finished, finish, python_command
from translate.dataclass import dataclass
from vkrunner.errors import ArgumentError, NoDeviceError

# The names of a family in Mesa's versions, from old to new.
FAMILIES: Mapping[str, Sequence[str]] = {
    "VEGA10": ("VEGA10",),
    "NAVI21": ("NAVI21",),
    "NAVI31": ("GFX1100", "NAVI31"),
    "GFX1201": ("GFX1201",),
}
_IMITATION = "libamdgpu_noop_drm_shim.so"  # of Debian's package mesa-drm-shim
_FOLDERS = ("/usr/share", "/usr/local/share", "/etc", "/usr/local/etc")
_UNBOUNDED = 4  # descriptors of an array without a length
_TIMEOUT_S = 300
_NO_DEVICE = (NoDeviceError.__name__, "vkEnumeratePhysicalDevices")  # in errors of the child


@dataclass(frozen=True, slots=True)
class AmdCode:
    """A module's code for a family of AMD's GPUs.

    `driver` names RADV's version. `statistics` are the compiler's, by its names. `lines` are the
    lines of the assembly.
    """

    driver: str
    statistics: Mapping[str, int]
    lines: Sequence[str]


def amd_code(module: SpirvModule, family: str) -> AmdCode:
    """Compile a module for a family of AMD's GPUs, such as `NAVI21`.

    Raises NoDeviceError if RADV, or its library for machines without a GPU, is not installed.
    Raises ArgumentError if RADV does not know the family, or does not compile the module.
    """
    path = manifest("radeon")
    if path is None:
        raise NoDeviceError(
            "AMD's code needs Mesa's driver for AMD's GPUs: apt-get install mesa-vulkan-drivers"
        )
    interface = module.interface
    slots = [
        (b.set, b.binding, b.descriptor_type.upper(), b.count or _UNBOUNDED)
        for b in interface
        if b.push_offset is None
    ]
    head = {
        "name": interface.entry_point,
        "slots": slots,
        "push_bytes": interface.push_bytes,
    }
    data = json.dumps(head).encode() + b"\n" + module.data
    errors: list[str] = []
    for variables in without_hardware(family):
        done = _compiled(data, only_driver(path) | variables)
        if done.returncode == 0:
            return _code(json.loads(done.stdout))
        said = done.stderr.decode("utf-8", "replace").strip()
        errors.append(said or f"the compiler's process ended with status {done.returncode}")
    told = [error for error in errors if not any(words in error for words in _NO_DEVICE)]
    if not told:
        raise NoDeviceError(
            f"without a GPU, this version of Mesa compiles for AMD's only with its {_IMITATION}:"
            " apt-get install mesa-drm-shim, of the driver's version"
        )
    raise ArgumentError(
        f"Mesa compiled nothing for {family}, of which {', '.join(FAMILIES)} are examples:"
        f" {told[0].splitlines()[-1]}"
    )


def without_hardware(family: str) -> Iterator[dict[str, str]]:
    """The variables by which versions of Mesa may offer a device without hardware."""
    names = FAMILIES.get(family, (family,))
    yield from ({"RADV_FORCE_FAMILY": name} for name in names)
    preloaded = " ".join(filter(None, (_IMITATION, os.environ.get("LD_PRELOAD"))))
    for name in names:
        yield {"LD_PRELOAD": preloaded, "AMDGPU_GPU_ID": name.lower()}


def manifest(driver: str) -> str | None:
    """The path of the manifest of one of Mesa's drivers, such as `radeon`."""
    folders = [Path(folder) / "vulkan/icd.d" for folder in _FOLDERS]
    found = (path for folder in folders for path in sorted(folder.glob(f"{driver}_icd*.json")))
    return next(map(str, found), None)


def only_driver(path: str) -> dict[str, str]:
    """The variables for a Vulkan with one of Mesa's drivers, without its cache."""
    return {
        "VK_DRIVER_FILES": path,
        "VK_ICD_FILENAMES": path,
        "MESA_SHADER_CACHE_DISABLE": "true",
    }


def _compiled(data: bytes, variables: Mapping[str, str]) -> Finished:
    done = finish(python_command("vkrunner.vulkan.machine_code"), _TIMEOUT_S, data, variables)
    if done is None:
        raise ArgumentError(f"Mesa did not compile the module in {_TIMEOUT_S} s")
    return done


def _code(found: Mapping[str, Any]) -> AmdCode:
    return AmdCode(found["driver"], found["statistics"], found["text"].splitlines())
