"""make and Ninja without CMake, by the files on the page."""

import os
import shutil

import pytest

from tests.commands import ROOT
from tests.docs.blocks import blocks_of
from tests.hlsl.conftest import edit

from .conftest import Project

SHADERS = {
    "Makefile": {"saxpy.dxbc", "moving_average.asm"},
    "build.ninja": {"saxpy.hlsl", "compact.hlsl"},
}


@pytest.mark.parametrize("name", SHADERS)
def test_a_build(project: Project, name: str) -> None:
    command = "make" if name == "Makefile" else "ninja"
    (page,) = (block for block in blocks_of("docs/builds.md") if block.title == name)
    (project.folder / name).write_text(page.text)
    shutil.copytree(ROOT / "shaders", project.folder / "shaders")
    assert project.translated_by(command) == SHADERS[name]
    assert project.translated_by(command) == set()
    changed = min(SHADERS[name])
    os.utime(project.folder / "shaders" / changed)
    assert project.translated_by(command) == {changed}
    edit(project.folder / name, "--for desktop", "--target vulkan1.2")
    assert project.translated_by(command) == SHADERS[name]
    path = project.folder / "shaders" / changed
    text = path.read_text()
    path.write_text(text + ("\nfrob r0.x\n" if name == "Makefile" else "\n#error frob\n"))
    for _ in range(2):
        done = project.run(command)
        assert done.returncode != 0
        assert f"shaders/{changed}" in done.stdout + done.stderr
    path.write_text(text)
    assert project.translated_by(command) == {changed}
    assert project.translated_by(command) == set()
