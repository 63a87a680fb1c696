"""The code that Mesa's compilers for GPUs make of a module; no GPU is needed.

Mesa's imitations of the kernel's drivers are libraries that are loaded first, and each reads the
GPU from a variable. For AMD's GPUs, Mesa up to version 25 needs none: its driver RADV offers a
device without hardware if RADV_FORCE_FAMILY names a family. The driver is loaded in a process of
its own.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from translate import SpirvModule
from translate.child import Finished, finish, python_command
from translate.dataclass import dataclass
from vkrunner.errors import ArgumentError, NoDeviceError

_AMD = "AMD"


@dataclass(frozen=True, slots=True)
class Gpu:
    """A GPU or a family: its maker, Mesa's driver, and the ways to a device without hardware.

    `driver` begins the name of the driver's manifest. `ways` are variables of the process, to be
    tried in turn.
    """

    maker: str
    driver: str
    ways: Sequence[Mapping[str, str]]


def _imitated(driver: str, variables: Mapping[str, str]) -> dict[str, str]:
    """The variables for an imitation of the kernel's driver, of Debian's mesa-drm-shim."""
    library = f"lib{driver}_noop_drm_shim.so"
    preloaded = " ".join(filter(None, (library, os.environ.get("LD_PRELOAD"))))
    return {"LD_PRELOAD": preloaded, **variables}


def _amd(*names: str) -> Gpu:
    """A family of AMD's, by its names in Mesa's versions, from old to new."""
    forced = [{"RADV_FORCE_FAMILY": name} for name in names]
    imitated = [_imitated("amdgpu", {"AMDGPU_GPU_ID": name.lower()}) for name in names]
    return Gpu(_AMD, "radeon", [*forced, *imitated])


GPUS: Mapping[str, Gpu] = {
    "VEGA10": _amd("VEGA10"),
    "NAVI21": _amd("NAVI21"),
    "NAVI31": _amd("GFX1100", "NAVI31"),
    "GFX1201": _amd("GFX1201"),
    "GA102": Gpu("NVIDIA", "nouveau", [_imitated("nouveau", {"NOUVEAU_CHIPSET": "172"})]),
    "ADRENO740": Gpu("Qualcomm", "freedreno", [_imitated("freedreno", {"FD_GPU_ID": "740"})]),
    "M1": Gpu("Apple", "asahi", [_imitated("asahi", {})]),
}
_FOLDERS = ("/usr/share", "/usr/local/share", "/etc", "/usr/local/etc")
_UNBOUNDED = 4  # descriptors of an array without a length
_TIMEOUT_S = 300
_NO_DEVICE = (NoDeviceError.__name__, "vkEnumeratePhysicalDevices")  # in errors of the child


@dataclass(frozen=True, slots=True)
class GpuCode:
    """A module's code for a GPU.

    `driver` names Mesa's driver and its version. `statistics` are the compiler's, by its names.
    `lines` are the lines of the assembly; none if the driver does not give it.
    """

    driver: str
    statistics: Mapping[str, int]
    lines: Sequence[str]


def gpu_code(module: SpirvModule, name: str) -> GpuCode:
    """Compile a module for a GPU of `GPUS`, or for another family of AMD's.

    Raises NoDeviceError if Mesa's driver, or its library for machines without a GPU, is not
    installed. Raises ArgumentError if the driver does not know the GPU, or does not compile the
    module.
    """
    gpu = gpu_named(name)
    path = manifest(gpu.driver)
    if path is None:
        raise NoDeviceError(f"code for {name} needs {_needed(gpu)}")
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
        "features": interface.features,
    }
    data = json.dumps(head).encode() + b"\n" + module.data
    errors: list[str] = []
    for variables in gpu.ways:
        done = _compiled(data, {**only_driver(path), **variables})
        if done.returncode == 0:
            return _code(json.loads(done.stdout))
        said = done.stderr.decode("utf-8", "replace").strip()
        errors.append(said or f"the compiler's process ended with status {done.returncode}")
    told = [error for error in errors if not any(words in error for words in _NO_DEVICE)]
    if not told:
        raise NoDeviceError(
            f"without a GPU, this version of Mesa compiles for {gpu.maker}'s only with its"
            f" {gpu.ways[-1]['LD_PRELOAD'].split()[0]}: apt-get install mesa-drm-shim, of the"
            " driver's version"
        )
    raise ArgumentError(
        f"Mesa compiled nothing for {name}, of which {', '.join(GPUS)} are examples:"
        f" {told[0].splitlines()[-1]}"
    )


def _needed(gpu: Gpu) -> str:
    """The driver for a GPU, and where it is had."""
    driver = f"Mesa's driver for {gpu.maker}'s GPUs"
    if gpu.maker == _AMD:
        return f"{driver}: apt-get install mesa-vulkan-drivers"
    return (
        f"{driver}, which works without a GPU from Mesa 26 on: apt-get install mesa-vulkan-drivers"
        " mesa-drm-shim, if your system has that version; on an older one, run the command in the"
        " clone of sm5vk as sh ci/mesa26.sh .venv/bin/sm5vk explain ..."
    )


def gpu_named(name: str) -> Gpu:
    """A GPU of `GPUS`; another name is taken for one of AMD's families, of which Mesa has more."""
    return GPUS.get(name) or _amd(name)


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


def _code(found: Mapping[str, Any]) -> GpuCode:
    return GpuCode(found["driver"], found["statistics"], found["text"].splitlines())
