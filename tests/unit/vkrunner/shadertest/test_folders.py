"""A test reads only files below its own folder and below allowed folders."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import vkrunner
from vkrunner.shadertest.cases import ShaderTest
from vkrunner.shadertest.cursor import ShaderTestError
from vkrunner.shadertest.execute import run_case
from vkrunner.shadertest.file_reader import read_file
from vkrunner.shadertest.outcome import ERROR

from .cases import COPY

MOVED = "no longer below the test's folder"
END = "[test]\ndispatch 1 1 1\n"
NAMING = {  # a line that names a file -> a test with `{}` in that place
    "a shader": f"[shader]\nfile {{}}\n{END}",
    "contents": f"{COPY}[srv 0]\nnpy {{}}\n{END}",
    "a picture": f"{COPY}[srv 0]\nimage {{}}\n{END}",
    "a probe": f"{COPY}[srv 0]\n1\n[uav 0]\n0\n{END}probe uav 0 all npy {{}}\n",
}


@pytest.fixture
def reads(tmp_path: Path) -> Callable[..., ShaderTest]:
    """Reads `here/tests/a.shader_test`; there are `here/file`, `elsewhere/file` and links."""
    tests, elsewhere = tmp_path / "here" / "tests", tmp_path / "elsewhere"
    for folder in (tests / "data", elsewhere):
        folder.mkdir(parents=True)
    for file in (tests / "data" / "file", tests.parent / "file", elsewhere / "file"):
        file.write_bytes(b"")
    (tests / "link").symlink_to(elsewhere / "file")
    (tests / "folder").symlink_to(elsewhere)
    (tests / "inside").symlink_to("data/file")
    (tests / "loop").symlink_to("loop")

    def read(text: str, *allowed: Path) -> ShaderTest:
        path = tests / "a.shader_test"
        path.write_text(text)
        return read_file(path, "a.shader_test", allowed)

    return read


OUTSIDE = ("../file", "../../elsewhere/file", "link", "folder/file", "data/../../file", "../tests2")


@pytest.mark.parametrize("what", NAMING)
@pytest.mark.parametrize("name", [*OUTSIDE, "/etc/passwd", "/dev/zero", "folder/../file"])
def test_a_path_that_leads_out(reads: Callable[..., ShaderTest], what: str, name: str) -> None:
    text = NAMING[what].format(name)
    with pytest.raises(ShaderTestError) as caught:
        reads(text)
    number = next(n for n, line in enumerate(text.splitlines(), 1) if name in line)
    column = text.splitlines()[number - 1].index(name) + 1
    assert str(caught.value).startswith(
        f"a.shader_test:{number}:{column}: error: {name} is not below the test's folder; another"
        " folder is allowed by --allow-path FOLDER (in pytest by --vulkan-allow-path=FOLDER)"
    )


@pytest.mark.parametrize("what", NAMING)
@pytest.mark.parametrize("name", ["data/file", "./data/../data/file", "inside", "missing", "loop"])
def test_a_path_within(reads: Callable[..., ShaderTest], what: str, name: str) -> None:
    assert reads(NAMING[what].format(name)).cases


@pytest.mark.parametrize("name", OUTSIDE)
def test_an_allowed_folder(reads: Callable[..., ShaderTest], tmp_path: Path, name: str) -> None:
    text = NAMING["contents"].format(name)
    assert reads(text, tmp_path / "nowhere", tmp_path).cases
    with pytest.raises(ShaderTestError):
        reads(text, tmp_path / "here" / "tests")


def test_an_absolute_path(reads: Callable[..., ShaderTest], tmp_path: Path) -> None:
    text = NAMING["contents"].format(tmp_path / "elsewhere" / "file")
    assert reads(text, tmp_path / "elsewhere").cases
    with pytest.raises(ShaderTestError):
        reads(text, tmp_path / "else")


def test_an_allowed_folder_by_a_link(reads: Callable[..., ShaderTest], tmp_path: Path) -> None:
    (tmp_path / "allowed").symlink_to("elsewhere")
    assert reads(NAMING["contents"].format("link"), tmp_path / "allowed").cases


@pytest.mark.parametrize("is_allowed", [False, True])
def test_a_test_that_is_a_link(tmp_path: Path, is_allowed: bool) -> None:
    """Errors would show lines of any file that looks like a shader test."""
    for folder in ("tests/data", "elsewhere"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "elsewhere/config").write_text("# x\n[srv 0]\nSECRET\n")
    (tmp_path / "tests/data/inside").write_text(f"{COPY}{END}")
    inside, outside = (tmp_path / f"tests/{name}.shader_test" for name in ("inside", "outside"))
    inside.symlink_to("data/inside")
    outside.symlink_to("../elsewhere/config")
    allowed = [tmp_path / "elsewhere"] if is_allowed else []
    assert read_file(inside, allowed=allowed).cases
    text = "SECRET" if is_allowed else "the file is a link to one that is not below its folder"
    with pytest.raises(ShaderTestError) as caught:
        read_file(outside, allowed=allowed)
    assert text in str(caught.value)
    assert is_allowed or "SECRET" not in str(caught.value)


def test_the_current_folder_does_not_matter(
    reads: Callable[..., ShaderTest], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert reads(NAMING["contents"].format("data/file")).cases
    with pytest.raises(ShaderTestError):
        reads(NAMING["contents"].format(os.path.abspath("file")))


@pytest.mark.parametrize("system", ["Linux", "another"])
@pytest.mark.parametrize("exchanged", ["here/tests/data", "here/tests"])
@pytest.mark.parametrize("what", NAMING)
def test_a_folder_that_becomes_a_link_after_reading(
    reads: Callable[..., ShaderTest],
    machine: vkrunner.Device,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    what: str,
    exchanged: str,
    system: str,
) -> None:
    """The file that is open counts, not the one that was there; other systems have no /proc."""
    (case,) = reads(NAMING[what].format("data/file")).cases
    assert MOVED not in run_case(machine, case).text()
    (tmp_path / "elsewhere/data").mkdir()
    (tmp_path / "elsewhere/data/file").write_text("secret\n")
    (tmp_path / exchanged).rename(tmp_path / "kept")
    (tmp_path / exchanged).symlink_to(tmp_path / "elsewhere")
    readlink = os.readlink

    def without_proc(path: str, **given: Any) -> str:
        if path.startswith("/proc"):
            raise FileNotFoundError(path)
        return readlink(path, **given)

    if system == "another":
        monkeypatch.setattr(os, "readlink", without_proc)
    found = run_case(machine, case)
    assert found.status == ERROR
    assert MOVED in found.text()


def test_a_folder_that_is_moved_after_reading(
    reads: Callable[..., ShaderTest], machine: vkrunner.Device, tmp_path: Path
) -> None:
    """Within the test's folder links may lead anywhere."""
    (case,) = reads(NAMING["contents"].format("data/file")).cases
    (tmp_path / "here/tests/data").rename(tmp_path / "here/tests/moved")
    (tmp_path / "here/tests/data").symlink_to("moved")
    assert MOVED not in run_case(machine, case).text()
