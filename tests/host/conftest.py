"""The languages of the hosts."""

import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

import vkrunner


@dataclass(frozen=True)
class Language:
    """How a host is compiled, with every warning an error."""

    name: str
    suffix: str
    command: tuple[str, ...]
    headers: tuple[str, ...]
    packages: str

    def missing(self) -> str:
        """The compiler or headers that are missing, with their packages; empty if all are found."""
        if shutil.which(self.command[0]) is None:
            return f"no compiler (Debian: {self.packages})"
        found = "".join(f"#if !__has_include(<{h}>)\n#error\n#endif\n" for h in self.headers)
        probe = [*self.command[:2], "-fsyntax-only", "-x", self.name, "-"]
        done = subprocess.run(probe, input=found, capture_output=True, text=True, timeout=60)
        return "" if done.returncode == 0 else f"no headers (Debian: {self.packages})"

    def build(self, program: Path, *words: str | Path) -> Path:
        """Compile these files to a program."""
        command = [*self.command, *words, "-o", program, "-lvulkan", "-lcjson"]
        subprocess.run(command, check=True, timeout=600)
        return program


C = Language(
    "c",
    ".c",
    ("cc", "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-O1"),
    ("vulkan/vulkan.h", "cjson/cJSON.h"),
    "gcc, libc6-dev, libvulkan-dev, libcjson-dev",
)
CPP = Language(
    "c++",
    ".cpp",
    ("c++", "-std=c++20", "-pedantic", "-Wall", "-Wextra", "-Werror"),
    ("vulkan/vulkan_raii.hpp", "vulkan/vulkan_format_traits.hpp", "cjson/cJSON.h"),
    "g++, libvulkan-dev, libcjson-dev",
)
SLOW = pytest.mark.slow(reason="the C++ compiler takes ten seconds")


@pytest.fixture(scope="session", params=[C, pytest.param(CPP, marks=SLOW)], ids=lambda it: it.name)
def language(request: pytest.FixtureRequest, require: Callable[[str], None]) -> Language:
    require(request.param.missing())
    return request.param


# A device may have these and not be able to combine them with other modes.
CONFLICTING = {"denorm_preserve_16", "denorm_preserve_64", "rounding_mode_rtz_16"}


def check_float_mode(device: vkrunner.Device, mode: str, said: str) -> None:
    """A host accepts an interface with this mode, or refuses it if the device lacks the mode."""
    _, _, refusal = said.partition(": ")
    if mode in device.info.float_controls:
        assert said == ""
    elif mode not in CONFLICTING or said:
        assert refusal == f"the device lacks the float mode: {mode}\n"
