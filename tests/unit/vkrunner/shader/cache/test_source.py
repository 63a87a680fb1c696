"""The translator's source is a part of every key: processes with packages of their own."""

import compileall
import os
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commands import python

ROOT = Path(__file__).parents[5]
SAXPY = Path(__file__).parents[2] / "data" / "saxpy.dxbc"

# Prints whether a translation was made. `changes` runs after the import.
MODULE = """
import os, sys
from pathlib import Path
import translate
from translate import Options
from vkrunner.shader.shader import Shader
changed = Path(translate.__file__).parent / "passes" / "fold.py"
{changes}
words = Shader(sys.argv[1]).module(Options()).words
assert words[0] == 0x07230203
print("translate.pipeline" in sys.modules)
"""

Run = Callable[..., bool]


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the translator with bytecode, which is of use as long as files have their times."""
    made = tmp_path_factory.mktemp("compiled") / "translate"
    shutil.copytree(ROOT / "translate", made, ignore=shutil.ignore_patterns("__pycache__"))
    assert compileall.compile_dir(made, quiet=1)
    return made


@pytest.fixture
def package(folder: Path, tmp_path: Path, compiled: Path) -> Path:
    """A copy of the translator, in a program's own package folder."""
    return Path(shutil.copytree(compiled, tmp_path / "packages" / "translate"))


@pytest.fixture
def translated(package: Path) -> Run:
    """Whether a new process has to translate the shader."""

    def run(place: Path = package.parent, changes: str = "") -> bool:
        variables = {
            "PYTHONPATH": os.pathsep.join(map(str, (place, ROOT))),
            "PYTHONDONTWRITEBYTECODE": "1",  # nothing but the test changes the package
        }
        code = MODULE.format(changes=changes)
        done = python("-P", "-c", code, SAXPY, folder=package.parents[1], **variables)
        assert done.returncode == 0, done.stderr
        return {"True\n": True, "False\n": False}[done.stdout]

    return run


@pytest.mark.slow(reason="several processes with packages of their own")
def test_a_change_of_the_source_is_seen(package: Path, translated: Run) -> None:
    assert translated()
    assert not translated()
    fold = package / "passes" / "fold.py"
    before = fold.read_bytes()
    fold.write_bytes(before + b"\n# changed\n")
    assert translated()
    assert not translated()
    fold.write_bytes(before)
    assert not translated(), "what was made with this source is there"
    (package / "passes" / "new.py").write_text("")
    assert translated()


def test_where_the_source_lies_does_not_count(
    package: Path, translated: Run, tmp_path: Path
) -> None:
    """A cache that another machine made with the same source can be used here."""
    assert translated()
    elsewhere = tmp_path / "elsewhere"
    package.parent.rename(elsewhere)
    assert not translated(elsewhere)


@pytest.mark.slow(reason="a process for each case")
@pytest.mark.parametrize(
    "after",
    ["", "os.utime(changed, ns=(0, 0))", "os.utime(changed, (2**33, 2**33))"],
    ids=["now", "past", "future"],
)
def test_a_source_that_changed_after_the_import_is_not_trusted(
    translated: Run, folder: Path, after: str
) -> None:
    """The module is not cached: the source before the change may have made it."""
    assert translated(changes=f"changed.write_bytes(changed.read_bytes())\n{after}")
    assert not any(path.is_file() for path in folder.rglob("*"))
    assert translated(), "nothing was kept"


@pytest.mark.slow(reason="several processes with packages of their own")
def test_no_source_no_cache(package: Path, translated: Run, folder: Path) -> None:
    """The source is in an archive, whose files have no times."""
    archive = package.parents[1] / "translate.zip"
    with zipfile.ZipFile(archive, "w") as file:
        for path in package.rglob("*.py"):
            file.write(path, path.relative_to(package.parent))
    for _ in range(2):
        assert translated(archive)
    assert not any(path.is_file() for path in folder.rglob("*"))
