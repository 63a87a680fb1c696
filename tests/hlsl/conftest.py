"""A compiler for the tests: the stand-in for fxc, and the real one where there is one."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path

import pytest

collect_ignore = ["vkd3d"]  # test_vkd3d.py runs these files, with a compiler
DATA = Path(__file__).parent / "data"
STAND_IN = shlex.join([sys.executable, "-S", "-E", str(Path(__file__).with_name("fxc.py"))])
REAL = os.environ.get("SM5VK_FXC") or shutil.which("fxc")
NO_REAL = "no real compiler: SM5VK_FXC is not set, and fxc is not on PATH"


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> str:
    """The command of the stand-in for fxc, as SM5VK_FXC."""
    monkeypatch.setenv("SM5VK_FXC", STAND_IN)
    return STAND_IN


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
