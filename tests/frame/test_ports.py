"""The frame in C and in C++: each writes, byte for byte, the results of vkrunner.

The programs use nothing of this package. They are compiled as their page says, with every warning
as an error, and run with the validation layer, synchronisation checks included. Their engines
refuse resources that do not fit a kernel, and kernels that do not fit the device: `bind.c`,
`bind.cpp`.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import vulkan

import vkrunner
from translate.options import FLOAT_CONTROLS

from ..host.test_host import CONFLICTING, SLOW
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
    main: str
    engine: str
    packages: str

    def missing(self) -> str:
        """What is missing to compile the program."""
        if shutil.which(self.compile[0]) is None:
            return f"no compiler {self.compile[0]} (Debian: {self.packages})"
        probe = [self.compile[0], "-fsyntax-only", "-x", self.name, "-"]
        includes = "#include <vulkan/vulkan.h>\n#include <cjson/cJSON.h>\n"
        done = subprocess.run(probe, input=includes, capture_output=True, text=True, timeout=60)
        return "" if done.returncode == 0 else "no headers (Debian: libvulkan-dev, libcjson-dev)"

    def build(self, folder: Path, sources: Path = SOURCES, main: Path | None = None) -> Path:
        """Compile the frame, or another program that uses its engine."""
        program = folder / "frame"
        files = [main or sources / self.main, sources / self.engine]
        command = [*self.compile, *STRICT, f"-I{sources}", *files, "-o", program, *LIBRARIES]
        subprocess.run(command, check=True, timeout=600)
        return program


C = Language("c", ("cc", "-std=c99"), "frame.c", "gpu.c", "gcc, libc6-dev")
CPP = Language("c++", ("c++", "-std=c++20"), "frame.cpp", "gpu.cpp", "g++")


@pytest.fixture(
    scope="module", params=[C, pytest.param(CPP, marks=SLOW)], ids=lambda language: language.name
)
def language(request: pytest.FixtureRequest, require: Require) -> Language:
    require(request.param.missing())
    return request.param


@pytest.fixture(scope="module")
def program(language: Language, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return language.build(tmp_path_factory.mktemp("frame"))


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
    dispatch = "    vkCmdDispatch(gpu->commands, groups.x, groups.y, 1);\n"
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


Bind = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def binder(language: Language, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program that dispatches one kernel, with resources of the kinds that its words name."""
    main = Path(__file__).with_name("bind").with_suffix(Path(language.main).suffix)
    return language.build(tmp_path_factory.mktemp("bind"), main=main)


@pytest.fixture
def bind(binder: Path) -> Bind:
    def start(
        folder: Path, kernel: str, resources: dict[str, str], frames: int = 1, **variables: str
    ) -> subprocess.CompletedProcess[str]:
        words = (f"{name}={numbered(kind)}" for name, kind in resources.items())
        command = [str(binder), str(folder), kernel, str(frames), *words]
        environment = {**os.environ, **variables}
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)

    return start


def numbered(kind: str) -> str:
    """A kind with the format's number in place of its name."""
    return re.sub(
        "(?<=:)[A-Z]\\w+", lambda name: str(getattr(vulkan, f"VK_FORMAT_{name[0]}")), kind
    )


# What the C++ engine calls the formats VK_FORMAT_...
SHORT = {
    "R32_UINT": "R32Uint",
    "R32_SINT": "R32Sint",
    "R32_SFLOAT": "R32Sfloat",
    "R8G8B8A8_UNORM": "R8G8B8A8Unorm",
    "R32G32B32A32_SFLOAT": "R32G32B32A32Sfloat",
}


def as_named(language: Language, message: str) -> str:
    """A message with the formats' names of the language's engine."""
    for name, short in SHORT.items() if language is CPP else ():
        message = message.replace(f"VK_FORMAT_{name}", short)
    return message


# Resources of the right kinds
FITTING = {
    "light_culling": {
        "depth_buffer": "2d:R32_SFLOAT",
        "lights": "96",
        "tile_counts": "2d:R32_UINT",
        "tile_lights": "typed:R32_UINT",
        "Camera": "96",
    },
    "particles_emit": {"living": "counted", "Step": "96"},
    "particles_size_dispatch": {"alive": "4", "arguments": "typed:R32_UINT"},
    "tone_mapping_count": {"scene": "2d:R32_SFLOAT", "histogram": "1024"},
    "tone_mapping_apply": {
        "scene": "2d:R32_SFLOAT",
        "curve": "1d:R32_SFLOAT",
        "linear_clamp": "sampler",
        "picture": "2d:R8G8B8A8_UNORM",
    },
}


@pytest.mark.parametrize("kernel", FITTING)
def test_resources_that_fit(bind: Bind, kernels: Path, kernel: str) -> None:
    done = bind(kernels, kernel, FITTING[kernel])
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("format", ["R8G8B8A8_UNORM", "R16G16B16A16_SFLOAT"])
def test_a_format_that_the_shader_reads_as_float(bind: Bind, kernels: Path, format: str) -> None:
    """The module was translated for any of them."""
    resources = FITTING["tone_mapping_apply"] | {"scene": f"2d:{format}"}
    done = bind(kernels, "tone_mapping_apply", resources)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("kernel", "name", "kind", "message"),
    [
        ("light_culling", "lights", "2d:R32_SFLOAT", "no buffer is bound to"),
        ("light_culling", "lights", "sampler", "no buffer is bound to"),
        ("light_culling", "Camera", "2d:R32_SFLOAT", "no buffer is bound to"),
        ("light_culling", "tile_lights", "2d:R32_UINT", "no buffer is bound to"),
        ("light_culling", "tile_lights", "96", "no typed buffer is bound to"),
        ("light_culling", "depth_buffer", "typed:R32_SFLOAT", "no texture is bound to"),
        ("light_culling", "tile_counts", "96", "no texture is bound to"),
        ("light_culling", "tile_counts", "sampler", "no texture is bound to"),
        ("light_culling", "Camera", "80", "a longer buffer is needed"),
        (
            "light_culling",
            "lights",
            "90",
            "a size of 90 bytes is no multiple of the stride, 16",
        ),
        ("particles_emit", "living", "96", "no counter is bound to"),
        ("particles_emit", "living", "2d:R32_SFLOAT", "no buffer is bound to"),
        ("tone_mapping_apply", "linear_clamp", "2d:R32_SFLOAT", "no sampler is bound to"),
        ("tone_mapping_apply", "linear_clamp", "96", "no sampler is bound to"),
        ("light_culling", "depth_buffer", "1d:R32_SFLOAT", "the texture is 1d, not 2d"),
        ("tone_mapping_apply", "curve", "2d:R32_SFLOAT", "the texture is 2d, not 1d"),
        (
            "light_culling",
            "tile_counts",
            "2d:R32_SFLOAT",
            "the format is VK_FORMAT_R32_SFLOAT, not VK_FORMAT_R32_UINT",
        ),
        (
            "light_culling",
            "tile_lights",
            "typed:R32_SINT",
            "the format is VK_FORMAT_R32_SINT, not VK_FORMAT_R32_UINT",
        ),
        (
            "tone_mapping_apply",
            "picture",
            "2d:R32G32B32A32_SFLOAT",
            "the format is VK_FORMAT_R32G32B32A32_SFLOAT, not VK_FORMAT_R8G8B8A8_UNORM",
        ),
        (
            "light_culling",
            "depth_buffer",
            "2d:R32_UINT",
            "the format VK_FORMAT_R32_UINT is not read as float",
        ),
        (
            "tone_mapping_count",
            "scene",
            "2d:R32_SINT",
            "the format VK_FORMAT_R32_SINT is not read as float",
        ),
    ],
)
def test_a_resource_that_does_not_fit(
    bind: Bind,
    language: Language,
    kernels: Path,
    kernel: str,
    name: str,
    kind: str,
    message: str,
) -> None:
    done = bind(kernels, kernel, FITTING[kernel] | {name: kind})
    assert done.returncode == 1
    assert done.stderr == f"frame: {as_named(language, message)}: {name}\n"


@pytest.mark.parametrize(
    ("component", "format"),
    [
        ("uint", "R32_SFLOAT"),
        ("uint", "R32_SINT"),
        ("sint", "R32_UINT"),
        ("sint", "R8G8B8A8_UNORM"),
    ],
)
def test_a_format_of_other_numbers(
    bind_changed: Bind, kernels: Path, language: Language, component: str, format: str
) -> None:
    interface = json.loads((kernels / "particles_size_dispatch.json").read_text())
    (row,) = (row for row in interface["bindings"] if row["name"] == "arguments")
    row["component"] = component
    del row["format"]
    done = bind_changed({"arguments": f"typed:{format}"}, bindings=interface["bindings"])
    message = f"frame: the format VK_FORMAT_{format} is not read as {component}: arguments\n"
    assert (done.returncode, done.stderr) == (1, as_named(language, message))


def test_a_name_without_a_resource(bind: Bind, kernels: Path) -> None:
    done = bind(kernels, "particles_size_dispatch", {"alive": "4"})
    assert (done.returncode, done.stderr) == (1, "frame: nothing is bound to: arguments\n")


def test_a_resource_that_the_kernel_does_not_have(bind: Bind, kernels: Path) -> None:
    resources = FITTING["particles_size_dispatch"] | {"alife": "4"}
    done = bind(kernels, "particles_size_dispatch", resources)
    message = "frame: particles_size_dispatch has no resource of this name: alife\n"
    assert (done.returncode, done.stderr) == (1, message)


@pytest.mark.parametrize("bytes", [60, 68, 4096])
def test_data_of_another_size(bind: Bind, language: Language, kernels: Path, bytes: int) -> None:
    """A buffer has a size of its own in C++ only."""
    wrong = [f"2d:R32_SFLOAT:{bytes}", *([f"64:{bytes}"] if language is CPP else [])]
    for kind in wrong:
        done = bind(kernels, "tone_mapping_count", FITTING["tone_mapping_count"] | {"scene": kind})
        message = f"frame: the data has {bytes} bytes, the resource 64\n"
        assert (done.returncode, done.stderr) == (1, message)


@pytest.mark.parametrize("frames", [1, 2, 130])
def test_frames(bind: Bind, kernels: Path, require: Require, frames: int) -> None:
    """Each counts the 16 texels once; a driver may refuse sets for 130 frames in one pool."""
    require(no_layer())
    resources = FITTING["tone_mapping_count"]
    done = bind(kernels, "tone_mapping_count", resources, frames, VK_INSTANCE_LAYERS=LAYER, **SYNC)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"histogram {16 * frames}\n"


@pytest.fixture
def bind_changed(bind: Bind, kernels: Path, tmp_path: Path) -> Bind:
    """Run a kernel whose interface has some fields changed; its resources fit."""

    def start(
        resources: dict[str, str] | None = None, **changed: Any
    ) -> subprocess.CompletedProcess[str]:
        kernel = "particles_size_dispatch"
        shutil.copy(kernels / f"{kernel}.spv", tmp_path)
        interface = json.loads((kernels / f"{kernel}.json").read_text())
        (tmp_path / f"{kernel}.json").write_text(json.dumps({**interface, **changed}))
        return bind(tmp_path, kernel, FITTING[kernel] | (resources or {}))

    return start


# Features -> the extension that has them
FEATURES = {
    "float64": "",
    "image_gather_extended": "",
    "robust_buffer_access": "",
    "robust_buffer_access2": "VK_EXT_robustness2",
    "robust_image_access": "VK_EXT_image_robustness",
    "storage_image_extended_formats": "",
    "storage_image_read_without_format": "",
    "storage_image_write_without_format": "",
}


@pytest.mark.parametrize("feature", FEATURES)
def test_every_feature(bind_changed: Bind, device: vkrunner.Device, feature: str) -> None:
    extensions = list(filter(None, [FEATURES[feature]]))
    done = bind_changed(features=[feature], extensions=extensions)
    required = feature == "robust_buffer_access"  # the runner hides it where it has a fault
    there = required or getattr(device.features, feature)
    assert done.stderr == ("" if there else f"frame: the device lacks the feature: {feature}\n")


@pytest.mark.parametrize("mode", FLOAT_CONTROLS)
def test_every_float_mode(bind_changed: Bind, device: vkrunner.Device, mode: str) -> None:
    done = bind_changed(float_controls=[mode])
    refusal = f"frame: the device lacks the float mode: {mode}\n"
    if mode in device.info.float_controls:
        assert done.stderr == ""
    elif mode in CONFLICTING:
        assert done.stderr in ("", refusal)
    else:
        assert done.stderr == refusal


@pytest.mark.parametrize(
    ("field", "name", "message"),
    [
        (
            "features",
            "image_cube_array",
            f"the program enables {', '.join(FEATURES)}, and not the feature",
        ),
        ("float_controls", "rounding_mode_up_32", "the device lacks the float mode"),
        ("extensions", "VK_EXT_missing", "the device lacks the extension"),
    ],
)
def test_a_name_that_is_unknown(bind_changed: Bind, field: str, name: str, message: str) -> None:
    done = bind_changed(**{field: [name]})
    assert (done.returncode, done.stderr) == (1, f"frame: {message}: {name}\n")


def test_a_descriptor_that_is_unknown(bind_changed: Bind) -> None:
    row = {"register": "t0", "name": "alive", "kind": "raw_buffer", "set": 0, "binding": 32}
    done = bind_changed(bindings=[{**row, "count": 1, "descriptor_type": "inline_block"}])
    assert (done.returncode, done.stderr) == (1, "frame: no such descriptor: inline_block\n")


def test_an_interface_of_another_module(bind_changed: Bind, kernels: Path, tmp_path: Path) -> None:
    code = (kernels / "particles_size_dispatch.spv").read_bytes()
    assert bind_changed(spirv_crc32=zlib.crc32(code)).stderr == ""
    done = bind_changed(spirv_crc32=zlib.crc32(code[:-4]))
    module = tmp_path / "particles_size_dispatch"
    message = f"frame: {module}.json is not the interface of {module}.spv\n"
    assert (done.returncode, done.stderr) == (1, message)


def test_a_pipeline_that_the_driver_refuses(bind_changed: Bind, device: vkrunner.Device) -> None:
    if "llvmpipe" not in device.info.name:
        pytest.skip("only lavapipe is known to refuse a missing entry point")
    done = bind_changed(entry_point="missing")
    assert done.returncode == 1
    assert "particles_size_dispatch" in done.stderr
