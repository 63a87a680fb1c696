"""What ci/backend.py builds of a small project, and its reasons for no machine code.

One process builds all, because setuptools takes as long to import as to build.
"""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.commands import python

pytest.importorskip("setuptools", minversion="77")
ROOT = Path(__file__).parents[2]
SETUP = """
import os, sys
from setuptools import Extension, setup
compiles = os.environ.get("SM5VK_COMPILE") == "1" and "bdist_wheel" in sys.argv
if compiles and "broken" in os.environ:
    sys.exit("mypyc failed")
setup(py_modules=["small"], ext_modules=[Extension("_small", ["small.c"])] if compiles else [])
"""
FILES = {
    "pyproject.toml": '[project]\nname = "small"\nversion = "1"\n',
    "setup.py": SETUP,
    "small.py": "",
    "small.c": "#include <Python.h>\nPyObject *PyInit__small(void) { return NULL; }\n",
}
BUILD = """
import contextlib, io, json, os
import backend
made = []
for number, variables in enumerate(json.loads(os.environ["given"])):
    os.chdir(str(number))  # setuptools makes no folder of the same name again
    os.environ.pop("SM5VK_COMPILE", None)
    os.environ.pop("broken", None)
    os.environ["CC"] = "cc"
    os.environ.update(variables)
    needed, said = [], io.StringIO()
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
        try:
            needed = backend.get_requires_for_build_wheel()
            wheel = backend.build_wheel("dist")
        except SystemExit as error:
            wheel = f"error: {error}"
        editable = backend.get_requires_for_build_editable()
    made.append([variables, needed, editable, wheel, said.getvalue()])
    os.chdir("..")
print(json.dumps(made))
"""
BROKEN = {"broken": "1"}
NO_COMPILER = {"CC": "false"}
PURE = "small-1-py3-none-any.whl"
# Variables -> the wheel or the error, and what the build says
CASES: list[tuple[dict[str, str], str, str]] = [
    (NO_COMPILER, PURE, "no machine code, because a C compiler and Python's headers are needed"),
    (BROKEN, PURE, "no machine code, because compilation failed: mypyc failed"),
    ({"SM5VK_COMPILE": "0"}, PURE, "no machine code, because SM5VK_COMPILE is 0"),
    ({"SM5VK_COMPILE": "1", **BROKEN}, "error: mypyc failed", ""),
    ({"SM5VK_COMPILE": "yes"}, "error: SM5VK_COMPILE is 0 or 1, not 'yes'", ""),
    ({}, "small-1-cp", ""),
]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    if shutil.which("cc") is None:
        pytest.skip("no C compiler")
    folder = tmp_path_factory.mktemp("small")
    for number in range(len(CASES)):
        (folder / str(number)).mkdir()
        for name, text in FILES.items():
            (folder / str(number) / name).write_text(text)
    given = json.dumps([variables for variables, _, _ in CASES])
    done = python("-c", BUILD, folder=folder, given=given, PYTHONPATH=str(ROOT / "ci"))
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_wheels(built: list[Any]) -> None:
    for (variables, wheel, said), made in zip(CASES, built, strict=True):
        assert made[3].startswith(wheel), variables
        assert said in made[4], variables
        assert ("no machine code" in made[4]) == bool(said), variables


def test_mypyc_is_required_only_where_it_can_compile(built: list[Any]) -> None:
    needed = [any("mypyc" in one for one in made[1]) for made in built]
    assert needed == [False, True, False, True, False, True]
    assert not any(made[2] for made in built)
