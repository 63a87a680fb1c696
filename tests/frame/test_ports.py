"""The frame in C and in C++: each writes, byte for byte, the results of vkrunner.

The programs use nothing of this package. They are compiled as their page says, with every warning
as an error, and run with the validation layer, synchronisation checks included.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import vulkan

import vkrunner

from .inputs import PARTICLE, Array, make_inputs
from .prepare import translate_kernels, write_inputs
from .program import run

SOURCES = Path(__file__).parents[2] / "docs/host/frame"
STRICT = ["-pedantic", "-Wall", "-Wextra", "-Werror"]
LIBRARIES = ["-lvulkan", "-lcjson"]
LAYER = "VK_LAYER_KHRONOS_validation"
Require = Callable[[str], None]
# Older layers turn synchronisation checks on by the first variable, newer ones by the others
SYNC = {
    "VK_LAYER_ENABLES": "VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT",
    "VK_KHRONOS_VALIDATION_VALIDATE_SYNC": "true",
    "VK_KHRONOS_VALIDATION_SYNCVAL_SHADER_ACCESSES_HEURISTIC": "true",
}


@dataclass(frozen=True)
class Language:
    name: str
    compile: tuple[str, ...]
    sources: tuple[str, ...]
    packages: str

    def missing(self) -> str:
        """What is missing to compile the program."""
        if shutil.which(self.compile[0]) is None:
            return f"no compiler {self.compile[0]} (Debian: {self.packages})"
        probe = [self.compile[0], "-fsyntax-only", "-x", self.name, "-"]
        includes = "#include <vulkan/vulkan.h>\n#include <cjson/cJSON.h>\n"
        done = subprocess.run(probe, input=includes, capture_output=True, text=True, timeout=60)
        return "" if done.returncode == 0 else "no headers (Debian: libvulkan-dev, libcjson-dev)"

    def build(self, folder: Path, sources: Path = SOURCES) -> Path:
        program = folder / "frame"
        files = [sources / name for name in self.sources]
        command = [*self.compile, *STRICT, *files, "-o", program, *LIBRARIES]
        subprocess.run(command, check=True, timeout=600)
        return program


C = Language("c", ("cc", "-std=c99"), ("frame.c", "gpu.c"), "gcc, libc6-dev")
CPP = Language("c++", ("c++", "-std=c++20"), ("frame.cpp", "gpu.cpp"), "g++")


@pytest.fixture(scope="module", params=[C, CPP], ids=lambda language: language.name)
def program(
    request: pytest.FixtureRequest, require: Require, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    require(request.param.missing())
    return request.param.build(tmp_path_factory.mktemp("frame"))


@pytest.fixture(scope="module")
def kernels(device: vkrunner.Device, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with each kernel's module for the device and its interface."""
    folder = tmp_path_factory.mktemp("kernels")
    assert translate_kernels(folder, "--for-device", device.name) == 0
    return folder


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("inputs")
    write_inputs(folder)
    return folder


@pytest.fixture(scope="module")
def expected(device: vkrunner.Device) -> dict[str, Array]:
    return run(device, make_inputs())


Call = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def call(kernels: Path, inputs: Path, tmp_path: Path) -> Call:
    """Runs a program, which writes its outputs to the test's folder."""

    def start(program: Path, **variables: str) -> subprocess.CompletedProcess[str]:
        command = [str(program), str(kernels), str(inputs), str(tmp_path)]
        environment = {**os.environ, **variables}
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)

    return start


def test_results(program: Path, call: Call, expected: dict[str, Array], tmp_path: Path) -> None:
    done = call(program)
    assert (done.returncode, done.stderr) == (0, "")
    found = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    count = np.frombuffer(found["alive"], np.uint32)[0]
    living = np.frombuffer(found["particles"], PARTICLE)[:count]
    found["particles"] = np.sort(living, order="id").tobytes()  # appended in any order
    assert found.keys() == expected.keys()
    for name, array in expected.items():
        assert found[name] == array.tobytes(), name


def test_the_validation_layer_is_silent(program: Path, call: Call, require: Require) -> None:
    require(no_layer())
    done = call(program, VK_INSTANCE_LAYERS=LAYER, **SYNC)
    assert done.returncode == 0
    assert "Validation" not in done.stdout + done.stderr


def test_the_layer_sees_a_barrier_that_is_missing(
    call: Call, require: Require, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Otherwise its silence would mean nothing."""
    require(no_layer() or C.missing())
    folder = tmp_path_factory.mktemp("without_barrier")
    shutil.copytree(SOURCES, folder, dirs_exist_ok=True)
    dispatch = "    vkCmdDispatch(gpu->commands, x, y, 1);\n"
    source = (folder / "gpu.c").read_text()
    assert source.count(f"{dispatch}    barrier(gpu);\n") == 1
    (folder / "gpu.c").write_text(source.replace(f"{dispatch}    barrier(gpu);\n", dispatch))
    done = call(C.build(folder, folder), VK_INSTANCE_LAYERS=LAYER, **SYNC)
    assert "SYNC-HAZARD-READ-AFTER-WRITE" in done.stdout + done.stderr


def no_layer() -> str:
    layers: list[Any] = vulkan.vkEnumerateInstanceLayerProperties()
    there = any(layer.layerName == LAYER for layer in layers)
    return "" if there else "no validation layer (Debian: vulkan-validationlayers)"


def test_a_kernel_that_is_missing(
    program: Path, kernels: Path, inputs: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(kernels, tmp_path / "kernels")
    (folder / "fft.spv").unlink()
    command = [str(program), str(folder), str(inputs), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1
    assert done.stderr == f"frame: cannot be read: {folder}/fft.spv\n"
