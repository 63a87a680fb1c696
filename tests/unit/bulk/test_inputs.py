"""The files that sources select, and their names in the output."""

import os
import shlex
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from translate.bulk import find_inputs


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with files by name; those with contents are containers."""
    for name, data in {
        "cache/b.cso": b"DXBC...",
        "cache/a/1f03": b"DXBC...",
        "cache/a/.hidden.dxbc": b"DXBC...",
        "cache/a/notes.txt": b"DXB",
        "cache/a/x.asm": b"cs_5_0\n",
        "other/b.cso": b"DXBC...",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    monkeypatch.chdir(tmp_path)
    return tmp_path


ALL = ["a/.hidden.dxbc", "a/1f03", "a/x.asm", "b.cso"]


@pytest.mark.parametrize(
    ("sources", "names"),
    [
        (["cache"], ALL),
        (["cache/"], ALL),
        (["./cache/a/../a"], [".hidden.dxbc", "1f03", "x.asm"]),
        (["cache/a/x.asm"], ["x.asm"]),
        (["cache/a/x.asm", "cache/a"], [".hidden.dxbc", "1f03", "x.asm"]),
        (["cache/b.cso", "other/b.cso"], ["cache/b.cso", "other/b.cso"]),
        (["cache", "other"], [*(f"cache/{name}" for name in ALL), "other/b.cso"]),
        (["cache", "cache/b.cso", "cache/b.cso"], ALL),
        (["cache/**/*.cso"], ["b.cso"]),
        (["*/b.cso"], ["cache/b.cso", "other/b.cso"]),
        (["cache/a/[0-9]*"], ["1f03"]),
        (["cache/**/*"], ["a/.hidden.dxbc", "a/1f03", "a/notes.txt", "a/x.asm", "b.cso"]),
    ],
)
def test_names(cache: Path, sources: list[str], names: list[str]) -> None:
    found = find_inputs(sources)
    assert [given.name for given in found] == names
    assert all(given.path.is_file() and given.path.is_absolute() for given in found)


def test_a_file_with_a_wildcard_in_its_name_is_that_file(cache: Path) -> None:
    (cache / "a[1].dxbc").write_bytes(b"DXBC")
    assert [given.name for given in find_inputs(["a[1].dxbc"])] == ["a[1].dxbc"]


@pytest.mark.parametrize("source", ["missing/*.dxbc", "cache/*.none", "empty"])
def test_a_source_that_gives_nothing(cache: Path, source: str) -> None:
    (cache / "empty").mkdir()
    with pytest.raises(
        FileNotFoundError, match=f"nothing to translate: {source}".replace("*", ".")
    ):
        find_inputs(["cache", source])


def test_a_source_that_is_not_there(cache: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"^missing: no such file or folder$"):
        find_inputs(["cache", "missing"])


def test_a_folder_of_hlsl(cache: Path) -> None:
    (cache / "hlsl/deep").mkdir(parents=True)
    for name in ("b.hlsl", "a.hlsl", "deep/c.hlsl"):
        (cache / "hlsl" / name).write_text("[numthreads(1, 1, 1)] void main() {}\n")
    hint = f"3 files, is translated one entry point at a time: sm5vk translate hlsl{os.sep}a.hlsl"
    with pytest.raises(FileNotFoundError, match=hint):
        find_inputs(["hlsl"])


def test_a_pipe_in_a_folder_is_ignored(cache: Path) -> None:
    os.mkfifo(cache / "other/pipe")
    assert [given.name for given in find_inputs(["other"])] == ["b.cso"]


@pytest.mark.timeout(60)
@pytest.mark.parametrize("moment", ["listed", "compared"])
def test_a_file_becomes_a_pipe(cache: Path, monkeypatch: pytest.MonkeyPatch, moment: str) -> None:
    """Its end never comes, if it is opened as a file."""
    path = cache / "cache/a/x.asm"
    scandir, splitext = os.scandir, os.path.splitext

    def become() -> None:
        path.unlink()
        os.mkfifo(path)

    def listing(folder: str) -> Any:
        with scandir(folder) as entries:
            found = [*entries]
        if Path(folder) == path.parent:
            become()
        return nullcontext(found)

    def parts(name: str) -> tuple[str, str]:
        if name == str(path) and path.is_file():
            become()
        return splitext(name)

    if moment == "listed":
        monkeypatch.setattr(os, "scandir", listing)
    else:
        monkeypatch.setattr(os.path, "splitext", parts)
    given = {one.name: one for one in find_inputs(["cache"])}
    assert [*given] == ALL
    assert path.is_fifo()
    with pytest.raises(OSError, match="not a regular file"):
        given["a/x.asm"].read()


def test_the_command_for_hlsl_is_quoted(tmp_path: Path) -> None:
    (tmp_path / "a;b $(c).hlsl").touch()
    with pytest.raises(FileNotFoundError) as caught:
        find_inputs([str(tmp_path)])
    words = shlex.split(str(caught.value).partition("at a time: ")[2])
    assert words == ["sm5vk", "translate", f"{tmp_path}/a;b $(c).hlsl", "--entry", "NAME"]
