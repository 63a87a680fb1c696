"""SPIRV-Tools: where they are searched, and the behaviour without them."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import translate

ROOT = Path(__file__).parents[2]
SAXPY = ROOT / "shaders" / "saxpy.dxbc"
NAMED = "libSPIRV-Tools-shared.so"
# Import all that a translation needs, so that the search path can be emptied afterwards
PREPARED = f"""
import sys, translate, translate.dxbc, translate.pipeline
program = translate.load({str(SAXPY)!r})
"""
HIDDEN = f"{PREPARED}\nsys.path.clear()"
ABSENT = f"from tests.portable.lacking import take_tools_away\ntake_tools_away()\n{PREPARED}"


def python(code: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
    )


def sm5vk(*words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.portable.lacking", "--no-tools", *map(str, words)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def test_default_validation_is_left_out_with_one_warning() -> None:
    done = python(f"{ABSENT}\nfor _ in range(3): translate.to_spirv(program)")
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("RuntimeWarning: modules are not validated") == 1
    assert "install the Vulkan SDK" in done.stderr


def test_requested_validation_is_an_error() -> None:
    done = python(f"{ABSENT}\ntranslate.to_spirv(program, translate.Options(validate=True))")
    assert "MissingToolsError: validation needs SPIRV-Tools" in done.stderr


def test_no_validation_needs_no_tools() -> None:
    done = python(f"{ABSENT}\ntranslate.to_spirv(program, translate.Options(validate=False))")
    assert (done.returncode, done.stderr) == (0, "")


def test_the_command_says_so_in_one_line(tmp_path: Path) -> None:
    done = sm5vk("translate", SAXPY, "-o", tmp_path / "saxpy.spv")
    assert done.returncode == 0
    assert done.stderr.startswith("sm5vk: warning: modules are not validated")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("where", [["-o", "-"], ["--output-dir", "out"]], ids=["one", "many"])
def test_text_needs_the_tools(tmp_path: Path, where: list[str]) -> None:
    where = [word if word != "out" else str(tmp_path / "out") for word in where]
    done = sm5vk("translate", "-S", SAXPY, *where)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith(
        "sm5vk: error: SPIR-V assembly needs SPIRV-Tools, which were not found"
    )


def installed_library() -> Path:
    """The library in this environment's package of SPIRV-Tools."""
    places = (Path(place) / "cmeel.prefix" / "lib" / NAMED for place in sys.path)
    return next(place for place in places if place.exists())


@pytest.mark.skipif(sys.platform != "linux", reason="the file has another name elsewhere")
@pytest.mark.parametrize("folder", ["lib", "bin"])
def test_the_vulkan_sdk_has_them(tmp_path: Path, folder: str) -> None:
    (tmp_path / folder).mkdir()
    (tmp_path / folder / NAMED).symlink_to(installed_library())
    code = f"{HIDDEN}\nprint(translate.to_spirv(program).text())"
    assert "OpEntryPoint GLCompute" in python(code, VULKAN_SDK=str(tmp_path)).stdout


@pytest.mark.skipif(sys.platform != "linux", reason="the file has another name elsewhere")
def test_the_system_has_them() -> None:
    code = f"{HIDDEN}\nprint(translate.to_spirv(program).text())"
    path = str(installed_library().parent)
    assert "OpEntryPoint GLCompute" in python(code, LD_LIBRARY_PATH=path).stdout


@pytest.mark.parametrize("value", ["yes", None, 2])
def test_other_values_are_refused(value: object) -> None:
    with pytest.raises(translate.OptionError):
        translate.Options(validate=value)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("platform", "machine", "wanted"),
    [
        ("linux", "x86_64", True),
        ("linux", "aarch64", True),
        ("darwin", "arm64", True),
        ("darwin", "x86_64", False),
        ("linux", "riscv64", False),
        ("win32", "AMD64", False),
        ("win32", "ARM64", False),
    ],
)
def test_the_package_is_required_where_it_has_wheels(
    platform: str, machine: str, wanted: bool
) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    (found,) = (r for r in map(Requirement, project["dependencies"]) if "spirv" in r.name)
    assert found.marker is not None
    environment = {"sys_platform": platform, "platform_machine": machine}
    assert found.marker.evaluate(environment) is wanted
