"""A compiler for the tests: the stand-in for fxc, and the real one where there is one."""

import os
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from ..unit.vkrunner.cli.conftest import call as call  # a fixture

collect_ignore = ["vkd3d"]  # test_vkd3d.py runs these files, with a compiler
DATA = Path(__file__).parent / "data"
# Indented where a line would look like a section of a shader test.
SCALE = """RWStructuredBuffer<uint> values : register(u0);
    [numthreads(8, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    values[id.x] = values[id.x] * 3 + 4;
}
"""
STAND_IN = shlex.join([sys.executable, "-S", "-E", str(Path(__file__).with_name("fxc.py"))])
REAL = os.environ.get("SM5VK_FXC") or shutil.which("fxc")
NO_REAL = "no real compiler: SM5VK_FXC is not set, and fxc is not on PATH"


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> str:
    """The command of the stand-in for fxc, as SM5VK_FXC."""
    monkeypatch.setenv("SM5VK_FXC", STAND_IN)
    return STAND_IN


@pytest.fixture
def log(stand_in: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file with a line for each run of the stand-in: its arguments."""
    path = tmp_path / "log"
    path.touch()
    monkeypatch.setenv("STAND_IN_LOG", str(path))
    return path


@pytest.fixture(params=["stand-in", "real"])
def compiler(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Each of the two compilers, as SM5VK_FXC."""
    command = STAND_IN if request.param == "stand-in" else REAL
    if command is None:
        pytest.skip(NO_REAL)
    monkeypatch.setenv("SM5VK_FXC", command)
    return command


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with scale.hlsl, and factor.h in its folder `include`."""
    folder = tmp_path / "project"
    (folder / "include").mkdir(parents=True)
    shutil.copy(DATA / "scale.hlsl", folder)
    (folder / "include" / "factor.h").write_text("#define FACTOR 3\n")
    monkeypatch.chdir(folder)
    return folder


def edit(path: Path, old: str, new: str) -> None:
    """Replace a part of a file."""
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def program(folder: Path, name: str, text: str) -> Path:
    """A program in a folder, which is made too."""
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(text)
    path.chmod(0o755)
    return path
