"""A project of CMake in a folder of its own."""

import functools
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.commands import ROOT, Done, output
from tests.hlsl.conftest import DATA, STAND_IN
from vkrunner.cli.parser import CMAKE_FOLDER

PATH = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
CMAKE = "cmake_minimum_required(VERSION 3.20)\nproject(test LANGUAGES NONE)\n"
FIND = "find_package(sm5vk REQUIRED)\n"
# The package's folder for CMake is a copy, whose translator a test may change. The help that each
# configuration asks for is made once.
COMMAND = """#!/bin/sh
[ "$1" = --cmake-dir ] && echo "{folder}" && exit
[ "$2" = --help ] && cat "{help}" && exit
echo "$2" >>"{log}"
PYTHONPATH="{root}" exec "{python}" -m vkrunner "$@"
"""


@dataclass
class Project:
    """A project with `scale.hlsl`, which includes `factor.h`, a container and a listing."""

    folder: Path
    generator: str = "Ninja"

    @property
    def build_folder(self) -> Path:
        return self.folder / "build"

    @property
    def package(self) -> Path:
        return self.folder.parent / "package"

    def write(self, text: str) -> None:
        """Write CMakeLists.txt."""
        (self.folder / "CMakeLists.txt").write_text(CMAKE + FIND + text)

    def configure(self, *words: str) -> Done:
        place = f"-Dsm5vk_DIR={self.package / 'vkrunner/cmake'}"
        command = f"-DSM5VK_EXECUTABLE={self.folder.parent / 'sm5vk'}"
        words = ("-S", ".", "-B", "build", "-G", self.generator, place, command, *words)
        return self.run("cmake", *words)

    def build(self, *words: str) -> Done:
        return self.run("cmake", "--build", "build", *words)

    def translated(self, *words: str) -> set[str]:
        """The file names of the shaders that a build translates; it has to succeed."""
        return self.translated_by("cmake", "--build", "build", *words)

    def translated_by(self, *command: str) -> set[str]:
        log = self.folder.parent / "log"
        log.write_text("")
        done = self.run(*command)
        assert done.returncode == 0, done.stdout + done.stderr
        return {Path(line).name for line in log.read_text().splitlines()}

    def made(self) -> set[str]:
        """The outputs below the build folder."""
        files = self.build_folder.rglob("*")
        found = {f.relative_to(self.build_folder) for f in files if f.suffix in (".spv", ".json")}
        return {path.as_posix() for path in found if path.parts[0] != "CMakeFiles"}

    def run(self, program: str, *words: str) -> Done:
        """Run a program in the project's folder."""
        path = f"{self.folder.parent}{os.pathsep}{PATH}"
        environment = {**os.environ, "SM5VK_FXC": STAND_IN, "PATH": path}
        environment.pop("VERBOSE", None)
        command = [tool(program) or program, *words]
        return subprocess.run(
            command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False
        )


def tool(name: str) -> str | None:
    """A program of the extra `test`, or of the system."""
    return shutil.which(name, path=PATH)


@functools.cache
def help_of_translate() -> str:
    return output("-m", "vkrunner", "translate", "--help")


def make_project(parent: Path, name: str = "project") -> Project:
    project = Project(parent / name)
    (project.folder / "include").mkdir(parents=True)
    shutil.copy(DATA / "scale.hlsl", project.folder)
    shutil.copy(ROOT / "shaders/saxpy.dxbc", project.folder)
    shutil.copy(ROOT / "shaders/moving_average.asm", project.folder)
    (project.folder / "include/factor.h").write_text("#define FACTOR 3\n")
    shutil.copytree(CMAKE_FOLDER, project.package / "vkrunner/cmake")
    (project.package / "translate").mkdir()
    shutil.copy(ROOT / "translate/version.py", project.package / "translate")
    (parent / "help").write_text(help_of_translate())
    command, folder = parent / "sm5vk", project.package / "vkrunner/cmake"
    places = {"log": parent / "log", "help": parent / "help", "root": ROOT}
    command.write_text(COMMAND.format(folder=folder, python=sys.executable, **places))
    command.chmod(0o755)
    return project


@pytest.fixture(autouse=True)
def tools(request: pytest.FixtureRequest, require: Callable[[str], None]) -> None:
    names = ["cmake", "ninja", *(["make"] if "Make" in request.node.name else [])]
    lacking = [name for name in names if tool(name) is None]
    require(f"{', '.join(lacking)} is missing" if lacking else "")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return make_project(tmp_path)


def errors_of(done: Done) -> str:
    """The text of CMake's errors, on one line; the command has to fail."""
    assert done.returncode != 0, done.stdout
    return re.sub(r"\s+", " ", done.stderr)


def read_json(path: Path) -> dict[str, object]:
    return json.loads(path.read_text())
