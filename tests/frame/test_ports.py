"""The frame in C and in C++: each writes, byte for byte, the results of vkrunner.

The programs use nothing of this package. They are compiled as their page says, with every warning
as an error, and run with the validation layer, synchronisation checks included. Their engines
refuse resources that do not fit a kernel, and kernels that do not fit the device: `bind.c`,
`bind.cpp`.
"""

import json
import os
import re
import shutil
import subprocess
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import vulkan

import vkrunner
from translate.options import FLOAT_CONTROLS

from ..host.conftest import CPP, C, Language, check_float_mode
from .inputs import PARTICLE, Array, make_inputs
from .prepare import translate_kernels, write_inputs
from .program import run

SOURCES = Path(__file__).parents[2] / "docs/host/frame"
LAYER = "VK_LAYER_KHRONOS_validation"
Require = Callable[[str], None]
# Older layers turn synchronisation checks on by the first variable, newer ones by the others
SYNC = {
    "VK_LAYER_ENABLES": "VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT",
    "VK_KHRONOS_VALIDATION_VALIDATE_SYNC": "true",
    "VK_KHRONOS_VALIDATION_SYNCVAL_SHADER_ACCESSES_HEURISTIC": "true",
}


Done = subprocess.CompletedProcess[str]


@pytest.fixture(scope="module")
def engine(language: Language, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The compiled engine, of which C++ takes seconds."""
    words = ("-c", f"-I{SOURCES}", SOURCES / f"gpu{language.suffix}")
    return language.build(tmp_path_factory.mktemp("engine") / "gpu.o", *words)


@pytest.fixture(scope="module")
def program(language: Language, engine: Path) -> Path:
    words = (f"-I{SOURCES}", SOURCES / f"frame{language.suffix}", engine)
    return language.build(engine.with_name("frame"), *words)


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


def execute(*words: str | Path, **variables: str) -> Done:
    """Run a program with these variables of its environment."""
    command, environment = list(map(str, words)), {**os.environ, **variables}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)


def test_results(
    program: Path, kernels: Path, inputs: Path, expected: dict[str, Array], tmp_path: Path
) -> None:
    done = execute(program, kernels, inputs, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    found = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    count = np.frombuffer(found["alive"], np.uint32)[0]
    living = np.frombuffer(found["particles"], PARTICLE)[:count]
    found["particles"] = np.sort(living, order="id").tobytes()  # appended in any order
    assert found.keys() == expected.keys()
    for name, array in expected.items():
        assert found[name] == array.tobytes(), name


def test_the_validation_layer_is_silent(
    program: Path, kernels: Path, inputs: Path, require: Require, tmp_path: Path
) -> None:
    require(no_layer())
    done = execute(program, kernels, inputs, tmp_path, VK_INSTANCE_LAYERS=LAYER, **SYNC)
    assert done.returncode == 0
    assert "Validation" not in done.stdout + done.stderr


def test_the_layer_sees_a_barrier_that_is_missing(
    kernels: Path, inputs: Path, require: Require, tmp_path: Path
) -> None:
    """Otherwise its silence would mean nothing."""
    require(no_layer() or C.missing())
    folder = shutil.copytree(SOURCES, tmp_path / "sources")
    dispatch = "    vkCmdDispatch(gpu->commands, groups.x, groups.y, 1);\n"
    source = (folder / "gpu.c").read_text()
    assert source.count(f"{dispatch}    barrier(gpu);\n") == 1
    (folder / "gpu.c").write_text(source.replace(f"{dispatch}    barrier(gpu);\n", dispatch))
    words = (f"-I{folder}", folder / "frame.c", folder / "gpu.c")
    program = C.build(tmp_path / "frame", *words)
    done = execute(program, kernels, inputs, tmp_path, VK_INSTANCE_LAYERS=LAYER, **SYNC)
    assert "SYNC-HAZARD-READ-AFTER-WRITE" in done.stdout + done.stderr


def no_layer() -> str:
    layers: list[Any] = vulkan.vkEnumerateInstanceLayerProperties()
    there = any(layer.layerName == LAYER for layer in layers)
    return "" if there else "no validation layer (Debian: vulkan-validationlayers)"


def test_a_missing_kernel(program: Path, kernels: Path, inputs: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(kernels, tmp_path / "kernels")
    (folder / "fft.spv").unlink()
    done = execute(program, folder, inputs, tmp_path)
    assert (done.returncode, done.stderr) == (1, f"frame: cannot be read: {folder}/fft.spv\n")


Bind = Callable[..., Done]


@pytest.fixture(scope="module")
def binder(language: Language, engine: Path) -> Path:
    """A program that dispatches one kernel, with resources of the kinds that its words name."""
    main = Path(__file__).with_name(f"bind{language.suffix}")
    return language.build(engine.with_name("bind"), f"-I{SOURCES}", main, engine)


@pytest.fixture
def bind(binder: Path) -> Bind:
    def start(
        folder: Path, kernel: str, resources: dict[str, str], frames: int = 1, **variables: str
    ) -> Done:
        words = (f"{name}={numbered(kind)}" for name, kind in resources.items())
        return execute(binder, folder, kernel, str(frames), *words, **variables)

    return start


def numbered(kind: str) -> str:
    """A kind with the format's number in place of its name."""
    return re.sub(
        "(?<=:)[A-Z]\\w+", lambda name: str(getattr(vulkan, f"VK_FORMAT_{name[0]}")), kind
    )


def as_named(language: Language, message: str) -> str:
    """A message with the formats' names of the language's engine."""
    name = (lambda f: f[1] + f[2].title()) if language is CPP else r"VK_FORMAT_\g<0>"
    return re.sub(r"(R\d+\w*)_([A-Z]+)", name, message)


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


@pytest.mark.parametrize(
    ("kernel", "changed"),
    [
        *((kernel, {}) for kernel in FITTING),
        ("tone_mapping_apply", {"scene": "2d:R8G8B8A8_UNORM"}),
        ("tone_mapping_apply", {"scene": "2d:R16G16B16A16_SFLOAT"}),
    ],
)
def test_resources_fit(bind: Bind, kernels: Path, kernel: str, changed: dict[str, str]) -> None:
    """Modules that read a texture as float were translated for any such format."""
    done = bind(kernels, kernel, FITTING[kernel] | changed)
    assert (done.returncode, done.stderr) == (0, "")


# For each kernel: a resource, a kind that does not fit it, and the message
UNFIT = {
    "light_culling": [
        ("lights", "2d:R32_SFLOAT", "no buffer is bound to"),
        ("lights", "sampler", "no buffer is bound to"),
        ("Camera", "2d:R32_SFLOAT", "no buffer is bound to"),
        ("tile_lights", "2d:R32_UINT", "no buffer is bound to"),
        ("tile_lights", "96", "no typed buffer is bound to"),
        ("depth_buffer", "typed:R32_SFLOAT", "no texture is bound to"),
        ("tile_counts", "96", "no texture is bound to"),
        ("tile_counts", "sampler", "no texture is bound to"),
        ("Camera", "80", "a longer buffer is needed"),
        ("lights", "90", "a size of 90 bytes is no multiple of the stride, 16"),
        ("depth_buffer", "1d:R32_SFLOAT", "the texture is 1d, not 2d"),
        ("tile_counts", "2d:R32_SFLOAT", "the format is R32_SFLOAT, not R32_UINT"),
        ("tile_lights", "typed:R32_SINT", "the format is R32_SINT, not R32_UINT"),
        ("depth_buffer", "2d:R32_UINT", "the format R32_UINT is not read as float"),
    ],
    "particles_emit": [
        ("living", "96", "no counter is bound to"),
        ("living", "2d:R32_SFLOAT", "no buffer is bound to"),
    ],
    "tone_mapping_apply": [
        ("linear_clamp", "2d:R32_SFLOAT", "no sampler is bound to"),
        ("linear_clamp", "96", "no sampler is bound to"),
        ("curve", "2d:R32_SFLOAT", "the texture is 2d, not 1d"),
        (
            "picture",
            "2d:R32G32B32A32_SFLOAT",
            "the format is R32G32B32A32_SFLOAT, not R8G8B8A8_UNORM",
        ),
    ],
    "tone_mapping_count": [("scene", "2d:R32_SINT", "the format R32_SINT is not read as float")],
}


@pytest.mark.parametrize(
    ("kernel", "name", "kind", "message"),
    [(kernel, *row) for kernel, rows in UNFIT.items() for row in rows],
)
def test_a_resource_that_does_not_fit(
    bind: Bind, language: Language, kernels: Path, kernel: str, name: str, kind: str, message: str
) -> None:
    done = bind(kernels, kernel, FITTING[kernel] | {name: kind})
    said = f"frame: {as_named(language, message)}: {name}\n"
    assert (done.returncode, done.stderr) == (1, said)


@pytest.mark.parametrize(
    ("component", "format"),
    [
        *(("uint", "R32_SFLOAT"), ("uint", "R32_SINT")),
        *(("sint", "R32_UINT"), ("sint", "R8G8B8A8_UNORM")),
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
    message = f"frame: the format {format} is not read as {component}: arguments\n"
    assert (done.returncode, done.stderr) == (1, as_named(language, message))


@pytest.mark.parametrize(
    ("resources", "message"),
    [
        ({"alive": "4"}, "nothing is bound to: arguments"),
        (
            FITTING["particles_size_dispatch"] | {"alife": "4"},
            "particles_size_dispatch has no resource of this name: alife",
        ),
    ],
)
def test_other_names(bind: Bind, kernels: Path, resources: dict[str, str], message: str) -> None:
    done = bind(kernels, "particles_size_dispatch", resources)
    assert (done.returncode, done.stderr) == (1, f"frame: {message}\n")


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

    def start(resources: dict[str, str] | None = None, **changed: Any) -> Done:
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


ENABLED = ", ".join(FEATURES)


@pytest.mark.parametrize("feature", FEATURES)
def test_every_feature(bind_changed: Bind, device: vkrunner.Device, feature: str) -> None:
    done = bind_changed(features=[feature], extensions=FEATURES[feature].split())
    required = feature == "robust_buffer_access"  # the runner hides it where it has a fault
    there = required or getattr(device.features, feature)
    assert done.stderr == ("" if there else f"frame: the device lacks the feature: {feature}\n")


@pytest.mark.parametrize("mode", FLOAT_CONTROLS)
def test_every_float_mode(bind_changed: Bind, device: vkrunner.Device, mode: str) -> None:
    check_float_mode(device, mode, bind_changed(float_controls=[mode]).stderr)


@pytest.mark.parametrize(
    ("field", "name", "message"),
    [
        ("features", "image_cube_array", f"the program enables {ENABLED}, and not the feature"),
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
