"""Every verb in a folder whose Python files have the names of modules: none of them runs."""

import os
import shutil
import sys
from pathlib import Path

import pytest

import vkrunner
from checks.running.shaders import ONE_TEST
from tests.commands import Done, python

DATA = Path(__file__).parents[1] / "data"
OURS = (
    *("translate", "vkrunner", "tests"),
    *("numpy", "cffi", "_cffi_backend", "vulkan", "sitecustomize"),
)
PROGRAMS = ("uname", "fxc", "vkd3d-compiler", "wine", "gcc", "cc", "ld", "spirv-val", "python3")
DECOY = "open({place!r}, 'a').write(__name__ + ' ')\n"
SETTINGS = """khronos_validation.debug_action = VK_DBG_LAYER_ACTION_LOG_MSG
khronos_validation.report_flags = error,warn,perf,info,debug
khronos_validation.log_filename = {place}
"""
VERBS = {
    "devices": "devices",
    "inspect": "inspect saxpy.dxbc",
    "translate": "translate saxpy.dxbc -o x.spv",
    "bulk": "translate shaders --output-dir out -j 2",
    "disasm": "disasm saxpy.dxbc -o x.asm",
    "asm": "asm saxpy.asm -o x.dxbc",
    "extract": "extract shaders --output-dir found",
    "explain": "explain saxpy.dxbc -o x.html",
    "run": "run saxpy.dxbc --groups 1 --x arange:64:f4 --y zeros:64:f4 --Params a=2,count=64",
    "diff": "diff saxpy.dxbc --groups 1 --x arange:64:f4 --y zeros:64:f4 --Params a=2,count=64"
    " --against --guards off",
    "test": "test a.shader_test b.shader_test -j 2",
    "selftest": "selftest a.shader_test b.shader_test -j 2",
    "cache": "cache",
}


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    text = DECOY.format(place=str(folder / "ran"))
    for name in sorted({*sys.stdlib_module_names, *OURS}):
        (folder / f"{name}.py").write_text(text)
    for name in PROGRAMS:
        (folder / name).write_text(f"#!/bin/sh\nprintf '%s ' {name} >>{folder / 'ran'}\n")
        (folder / name).chmod(0o755)
    # A relative entry of the import path is one of the working folder
    for entry in sorted({entry for entry in sys.path if entry and not os.path.isabs(entry)}):
        (folder / entry).mkdir()
        (folder / entry / "sitecustomize.py").write_text(text)
    (folder / "vk_layer_settings.txt").write_text(SETTINGS.format(place=folder / "ran"))
    (folder / "shaders").mkdir()
    for name in ("saxpy", "double", "shared", "sizes"):
        shutil.copy(DATA / f"{name}.dxbc", folder / "shaders")
    shutil.copy(DATA / "saxpy.dxbc", folder)
    for name in "ab":
        (folder / f"{name}.shader_test").write_text(ONE_TEST)
    return folder


def sm5vk(folder: Path, words: str, device: vkrunner.Device, **variables: str) -> Done:
    """The installed command; caches are off, so that all children start."""
    environment = {
        **{name: text for name, text in os.environ.items() if name != "PYTHONSAFEPATH"},
        "PATH": f".{os.pathsep}{os.environ['PATH']}",
        "SM5VK_CACHE": "0",
        "SM5VK_DEVICE": str(device.info.index),
        "SM5VK_VALIDATION": "",
        **variables,
    }
    script = Path(sys.executable).with_name("sm5vk")
    return python(script, *words.split(), folder=folder, environment=environment)


@pytest.mark.parametrize("verb", VERBS)
def test_no_file_of_the_folder_runs(device: vkrunner.Device, hostile: Path, verb: str) -> None:
    if verb == "asm":
        assert sm5vk(hostile, "disasm saxpy.dxbc -o saxpy.asm", device).returncode == 0
    done = sm5vk(hostile, VERBS[verb], device)
    assert done.returncode == 0, done.stderr
    assert not (hostile / "ran").exists(), (hostile / "ran").read_text()


@pytest.mark.parametrize(
    "variables",
    [
        {"SM5VK_VALIDATION": "1"},
        {"SM5VK_VALIDATION": "1", "VK_LAYER_SETTINGS_PATH": ""},
        {"VK_INSTANCE_LAYERS": "VK_LAYER_KHRONOS_validation"},
    ],
)
def test_no_settings_of_the_folder_reach_the_validation_layer(
    device: vkrunner.Device, hostile: Path, variables: dict[str, str]
) -> None:
    """They could turn off its checks, and let it write to any file."""
    done = sm5vk(hostile, VERBS["run"], device, **variables)
    assert done.returncode == 0, done.stderr
    assert not (hostile / "ran").exists(), (hostile / "ran").read_text()
