"""With SM5VK_COMPILE=1, mypyc compiles the translator's middle into the wheel; else nothing.

`ci/backend.py` sets the variable if it is not set. The sources are the same either way and stay in
the wheel. `ci/compiled.sh` builds such a wheel and runs tests with it.
"""

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from setuptools import Extension, setup

COMPILED = ("ir", "lower", "passes", "spirv")  # folders of `translate`, but for:
INTERPRETED = {
    # Enums whose members have attributes: mypyc cannot make these in `__init__`
    *("ir/memory.py", "ir/types.py"),
    # The IR's text is read and written by slots and type hints, which mypyc does not keep
    *("ir/tables.py", "ir/parser.py", "ir/printer.py", "ir/reader.py", "ir/spelling.py"),
    # `import *`, which mypyc does not carry out
    "ir/ops.py",
    # Arrays of NumPy stand for integers
    "ir/lanes.py",
    # Callers pickle modules; SPIRV-Tools are called by ctypes
    "spirv/module.py",
}
# pyright judges the types; mypy has nothing to say of what is not compiled.
MYPY = ("--follow-imports=silent", "--disable-error-code=arg-type")


def sources() -> list[str]:
    """The files that are compiled."""
    folder = Path("translate")
    found = [path for part in COMPILED for path in sorted((folder / part).rglob("*.py"))]
    return [str(path) for path in found if path.relative_to(folder).as_posix() not in INTERPRETED]


def extensions(folder: str) -> list[Extension]:
    """What mypyc makes of the files: the C code is written to `folder`, and compiled later."""
    from mypyc.build import mypycify

    files = [*MYPY, f"--cache-dir={folder}/cache", *sources()]
    return mypycify(
        files,
        group_name="sm5vk",
        multi_file=True,
        opt_level="1",  # of twice the time, "2" makes nothing faster
        debug_level="0",
        target_dir=folder,
    )


def compile_and_build() -> None:
    """Build the wheel with machine code. Nothing that was compiled stays in the clone."""
    from pybind11.setup_helpers import ParallelCompile

    with TemporaryDirectory() as folder, ParallelCompile():  # on all cores
        setup(ext_modules=extensions(folder), options={"build": {"build_base": folder}})


if os.environ.get("SM5VK_COMPILE") == "1" and "bdist_wheel" in sys.argv:
    compile_and_build()
else:
    setup()
