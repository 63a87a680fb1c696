"""The folder that a page's blocks run in."""

import os
import shutil
import sys
from pathlib import Path

import pytest

import vkrunner
from tests.hlsl.conftest import STAND_IN

from .blocks import ROOT

COMMAND = '#!/bin/sh\nexec "{python}" -m vkrunner "$@"\n'


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, device: vkrunner.Device) -> Path:
    """A working folder with shaders and hosts; `sm5vk`, Python and the device are the tests' own.

    HLSL is compiled by the stand-in for fxc.
    """
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "sm5vk").write_text(COMMAND.format(python=sys.executable))
    (programs / "sm5vk").chmod(0o755)
    path = [str(programs), str(Path(sys.executable).parent), os.environ["PATH"]]
    monkeypatch.setenv("PATH", os.pathsep.join(path))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("SM5VK_DEVICE", device.name)
    monkeypatch.setenv("SM5VK_FXC", STAND_IN)
    place = tmp_path / "page"
    place.mkdir()
    for name in ("shaders", "docs/host"):
        shutil.copytree(ROOT / name, place / name)
    monkeypatch.chdir(place)
    return place
