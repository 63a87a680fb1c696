"""Which files a run deletes: outputs of earlier runs, whatever a manifest of others says."""

import hashlib
import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

import translate
from tests.unit.bulk.shaders import RECIPE, container, contents, refused
from translate.bulk import Recipe, Report, find_inputs, translate_files
from translate.bulk.manifest import NAME

MODULE = translate.to_spirv(translate.load(container(7)))
INTERFACE = f"{MODULE.interface.to_json()}\n".encode()


@pytest.fixture
def given(tmp_path: Path) -> Path:
    """A folder with a shader."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in/a.dxbc").write_bytes(container(0))
    return tmp_path / "in"


@pytest.fixture
def out(tmp_path: Path) -> Path:
    (tmp_path / "out").mkdir()
    return tmp_path / "out"


def run(given: Path, out: Path, recipe: Recipe = RECIPE) -> Report:
    return translate_files(find_inputs([str(given)]), out, recipe, whole=[str(given)])


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def say(out: Path, name: str, files: dict[str, str], gone: Path) -> None:
    """Write a manifest by which `files` are the outputs of an input that is gone."""
    row = {"name": name, "contents": "x", "recipe": "y", "words": 1, "files": files}
    (out / NAME).write_text(f"{json.dumps(row | {'path': str(gone / 'gone')})}\n")


@pytest.mark.parametrize("suffix", [".json", ".spv", ".spvasm"])
def test_a_file_that_is_no_output_by_its_contents(given: Path, out: Path, suffix: str) -> None:
    """Everybody knows the hash of a public file, and may put a manifest beside it."""
    kept = out / f"mine/package{suffix}"
    kept.parent.mkdir()
    kept.write_bytes(b'{"name": "package"}')
    say(out, "mine/package", {suffix: sha256(kept.read_bytes())}, given)
    report = run(given, out)
    assert kept.read_bytes() == b'{"name": "package"}'
    assert (report.removed, report.left) == ((), (f"mine/package{suffix}",))


def test_files_with_the_name_of_an_input(given: Path, out: Path) -> None:
    """Their hashes, which are wrong, count also if the input is translated."""
    (given / "package").write_bytes(container(1))
    for name in ("package.json", "package.spvasm"):
        (out / name).write_text("kept")
    say(out, "package", {".json": "wrong", ".spvasm": sha256(b"kept")}, given)
    report = run(given, out, Recipe(translate.Options()))
    found = [path.name for path in out.glob("package.*")]
    assert sorted(found) == ["package.json", "package.spv", "package.spvasm"]
    assert (report.removed, report.left) == ((), ("package.json", "package.spvasm"))


@pytest.mark.parametrize("name", ["./a.dxbc", "b//../a.dxbc", ".//a.dxbc", "b/./c", "b//c", "b/c/"])
def test_another_path_of_an_output(given: Path, out: Path, name: str) -> None:
    (given / "b").mkdir()
    (given / "b/c").write_bytes(container(1))
    run(given, out)
    before = contents(out)
    place = os.path.normpath(name)
    files = {suffix: sha256(before[f"{place}{suffix}"]) for suffix in (".spv", ".json")}
    line = json.loads(before[NAME].splitlines()[0]) | {"name": name, "files": files}
    with (out / NAME).open("a") as manifest:
        manifest.write(f"{json.dumps(line | {'path': str(given / 'gone')})}\n")
    assert run(given, out).removed == ()
    assert contents(out) == before


def test_another_name_of_an_output(given: Path, out: Path) -> None:
    """As on systems that take `A` for `a`; here by a second link."""
    run(given, out)
    (out / "A.dxbc.spv").hardlink_to(out / "a.dxbc.spv")
    line = json.loads((out / NAME).read_text()) | {"name": "A.dxbc", "path": str(given / "gone")}
    with (out / NAME).open("a") as manifest:
        manifest.write(f"{json.dumps(line)}\n")
    report = run(given, out)
    assert (report.removed, report.left) == ((), ("A.dxbc.spv",))


def test_an_input_of_the_run(given: Path) -> None:
    """Also one that looks like an output."""
    (given / "keep.spvasm").write_text("; SPIR-V\n")
    files = {".spvasm": sha256(b"; SPIR-V\n")}
    say(given, "keep", files, given)
    sources = [str(given), f"{given}/keep.spvasm"]
    report = translate_files(find_inputs(sources), given, RECIPE, whole=sources)
    assert (report.removed, report.left) == ((), ("keep.spvasm",))
    assert (given / "keep.spvasm").exists()


def test_an_output_that_was_changed(given: Path, out: Path) -> None:
    """Whether its input is gone, refused, or has fewer outputs now."""
    for name in ("b", "c"):
        (given / name).write_bytes(container(ord(name)))
    run(given, out)
    (given / "b").unlink()
    (given / "c").write_bytes(refused())
    for name in ("a.dxbc.json", "b.json", "c.spv"):
        with (out / name).open("ab") as file:
            file.write(b" mine")
    report = run(given, out, Recipe(translate.Options()))
    assert report.removed == ("b.spv", "c.json")
    assert report.left == ("a.dxbc.json", "b.json", "c.spv")
    assert report.to_dict()["left"] == [*report.left]
    assert all((out / name).read_bytes().endswith(b" mine") for name in report.left)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files without owners")
@pytest.mark.parametrize("place", ["", "b", NAME, "b/c.spv"])
@pytest.mark.parametrize("by", ["mode", "group", "owner"])
def test_what_other_users_can_write(
    given: Path, out: Path, monkeypatch: pytest.MonkeyPatch, place: str, by: str
) -> None:
    """The folder of outputs, one on the way to an output, the manifest, or the output."""
    (given / "b").mkdir()
    (given / "b/c").write_bytes(container(1))
    (given / "b/d").write_bytes(container(2))
    run(given, out)
    (given / "b/c").unlink()
    (given / "b/d").write_bytes(refused())
    if by == "owner":
        _give_away(monkeypatch, out / place)
    else:
        if by == "group":
            monkeypatch.setattr("pwd.getpwuid", {}.__getitem__)  # no group of this user alone
        (out / place).chmod((out / place).stat().st_mode | {"mode": 0o002, "group": 0o020}[by])
    report = run(given, out)
    left = ("b/c.json", "b/c.spv", "b/d.json", "b/d.spv") if place != "b/c.spv" else ("b/c.spv",)
    assert report.left == left
    assert all((out / name).exists() for name in left)
    assert not {*report.removed} & {*left}


def _give_away(monkeypatch: pytest.MonkeyPatch, place: Path) -> None:
    """Let a file or folder belong to another user; only root could do so in truth."""
    real, theirs = os.fstat, place.stat()

    def fstat(descriptor: int) -> os.stat_result:
        found = real(descriptor)
        is_theirs = (found.st_dev, found.st_ino) == (theirs.st_dev, theirs.st_ino)
        return os.stat_result((*found[:4], found[4] + 1, *found[5:])) if is_theirs else found

    monkeypatch.setattr(os, "fstat", fstat)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files without owners")
def test_a_group_of_one_user(given: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Debian's users have one, and many a umask of 002: their outputs are removed."""
    rows = {"pw_name": "me", "pw_gid": 5, "gr_name": "me", "gr_gid": 5, "gr_mem": ()}
    row: Any = type("Row", (), rows)
    monkeypatch.setattr("pwd.getpwuid", lambda _: row)
    monkeypatch.setattr("pwd.getpwall", lambda: [row])
    monkeypatch.setattr("grp.getgrgid", lambda _: row)
    mask = os.umask(0o002)
    try:
        out.chmod(0o775)
        run(given, out)
        (given / "b").write_bytes(container(3))
        (given / "a.dxbc").unlink()
        assert stat.S_IMODE((out / "a.dxbc.spv").stat().st_mode) == 0o664
        assert run(given, out).removed == ("a.dxbc.json", "a.dxbc.spv")
    finally:
        os.umask(mask)


def test_an_output_is_removed_by_its_manifest_only(given: Path, out: Path) -> None:
    """What the tests above rely on: this manifest would delete an output of sm5vk."""
    (out / "b").mkdir()
    (out / "b/c.json").write_bytes(INTERFACE)
    (out / "b/c.spv").write_bytes(MODULE.to_bytes())
    say(out, "b/c", {".json": sha256(INTERFACE)}, given)
    assert run(given, out).removed == ("b/c.json",)
    assert (out / "b/c.spv").exists()
