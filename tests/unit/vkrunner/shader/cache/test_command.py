"""`sm5vk cache`."""

import json
from pathlib import Path
from typing import Any

import pytest

from vkrunner.__main__ import main
from vkrunner.shader.cache.store import open_store

SAXPY = Path(__file__).parents[2] / "data" / "saxpy.dxbc"


def facts(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["cache", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_info_and_clear(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty = {"folder": str(folder / "1"), "entries": 0, "size_bytes": 0, "limit_bytes": 256 << 20}
    assert facts(capsys) == {**empty, "off": None}
    main(["translate", str(SAXPY), "-o", str(tmp_path / "a.spv")])
    files = [path for path in folder.rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files)
    assert len(files) == 2, "the module, and the digest of the translator's source"
    assert facts(capsys) == {**empty, "off": None, "entries": 2, "size_bytes": size}
    assert main(["cache"]) == 0
    assert f"{folder / '1'}: 2 entries, {size} bytes of 268435456" in capsys.readouterr().out
    assert facts(capsys, "clear") == {**empty, "off": None}
    assert not [path for path in folder.rglob("*") if path.is_file()]


def test_why_it_is_not_used(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    store = open_store()
    assert store is not None
    store.folder.chmod(0o777)
    assert "other users can write" in facts(capsys)["off"]
    assert main(["cache"]) == 0
    assert "not used: other users can write to" in capsys.readouterr().out
    monkeypatch.setenv("SM5VK_CACHE_SIZE", "0")
    assert facts(capsys)["off"] == "SM5VK_CACHE_SIZE is 0"
    monkeypatch.setenv("SM5VK_CACHE", "0")
    monkeypatch.delenv("SM5VK_CACHE_SIZE")
    assert facts(capsys)["off"] == "SM5VK_CACHE turns it off"


def test_clear_deletes_nothing_of_a_folder_that_it_would_not_use(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Another user's link could lead it to any folder."""
    theirs = tmp_path / "theirs"
    (theirs / "a").mkdir(parents=True)
    kept = theirs / "a" / ("a" * 64)
    kept.touch()
    folder.mkdir()
    (folder / "1").symlink_to(theirs)
    assert main(["cache", "clear"]) == 2
    assert "error: nothing was deleted: " in capsys.readouterr().err
    assert kept.exists()


def test_clear_deletes_only_what_the_cache_made(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = open_store()
    assert store is not None
    entry, left = "b" * 64, f"{'b' * 64}.123.0123abcd.tmp"
    store.write(entry, b"")
    other = tmp_path / "other"
    other.mkdir()
    (store.folder / "c").symlink_to(other)
    kept = [store.folder / "b/notes.txt", store.folder / "b/B", other / ("c" * 64)]
    for path in (store.folder / "b" / left, *kept):
        path.touch()
    assert facts(capsys)["entries"] == 2
    assert facts(capsys, "clear")["entries"] == 0
    assert all(path.exists() for path in kept)
    assert not (store.folder / "b" / entry).exists()
    assert not (store.folder / "b" / left).exists()


def test_clear_keeps_files_where_others_can_write(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = open_store()
    assert store is not None
    for digit in "ab":
        store.write(digit * 64, b"")
    (store.folder / "a").chmod(0o777)
    facts(capsys, "clear")
    assert (store.folder / "a" / ("a" * 64)).exists()
    assert not (store.folder / "b" / ("b" * 64)).exists()


def test_a_wrong_size_is_bad_usage(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SM5VK_CACHE_SIZE", "lots")
    assert main(["cache"]) == 2
    assert "SM5VK_CACHE_SIZE is a number of bytes" in capsys.readouterr().err
