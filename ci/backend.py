"""Builds the package: setuptools, and machine code where it can be made (PEP 517).

If a C compiler and Python's headers are found, mypyc compiles the part of the translator that
setup.py names into a wheel, such as `pip install .` builds. Otherwise, and if that fails, the wheel
has no machine code, and the build's output says why. With SM5VK_COMPILE=1 the build fails instead,
with 0 nothing is compiled. Editable installations and source archives have no machine code.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from tempfile import TemporaryDirectory
from typing import Any

from setuptools import Distribution, Extension, build_meta
from setuptools.build_meta import *  # noqa: F403 # the hooks that stay
from setuptools.errors import BaseError, CCompilerError

VARIABLE = "SM5VK_COMPILE"
REQUIREMENTS = ["mypy[mypyc]==2.4.1", "numpy", "pybind11>=2.13"]
Settings = Mapping[str, Any] | None


def obstacle() -> str:
    """Why nothing is to be compiled, or cannot be; "" if a small extension was compiled."""
    wanted = os.environ.get(VARIABLE, "")
    if wanted not in ("", "0", "1"):
        raise SystemExit(f"{VARIABLE} is 0 or 1, not {wanted!r}")
    if wanted:
        return "" if wanted == "1" else f"{VARIABLE} is 0"
    with TemporaryDirectory() as folder:
        source = os.path.join(folder, "trial.c")
        with open(source, "w") as file:
            file.write("#include <Python.h>\nPyObject *PyInit_trial(void) { return NULL; }\n")
        trial = Distribution({"ext_modules": [Extension("trial", [source])]})
        command = trial.get_command_obj("build_ext")
        command.build_temp = command.build_lib = folder
        command.ensure_finalized()
        try:
            command.run()
        except (BaseError, CCompilerError, OSError) as error:
            return f"a C compiler and Python's headers are needed: {error}"
    return ""


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    """Setuptools' requirements, and mypyc's if it is to compile."""
    found = build_meta.get_requires_for_build_wheel(config_settings)
    return found if obstacle() else [*found, *REQUIREMENTS]


def build_wheel(
    wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None
) -> str:
    """Build a wheel with machine code, or one without."""
    arguments = wheel_directory, config_settings, metadata_directory
    why = obstacle()
    if not why:
        is_wanted = os.environ.get(VARIABLE) == "1"
        os.environ[VARIABLE] = "1"  # read by setup.py
        try:
            return build_meta.build_wheel(*arguments)
        except (Exception, SystemExit) as error:  # whatever mypy, the compiler or the linker raises
            if is_wanted:
                raise
            why = f"compilation failed: {error}"
    print(f"sm5vk: no machine code, because {why}", file=sys.stderr)
    os.environ[VARIABLE] = "0"
    return build_meta.build_wheel(*arguments)
