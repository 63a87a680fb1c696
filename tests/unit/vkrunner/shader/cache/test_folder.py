"""The cache's folder, its maximum size, and folders that are not trusted."""

import os
import stat
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from vkrunner.errors import InvalidValueError
from vkrunner.shader.cache.store import (
    DEFAULT_SIZE_BYTES,
    is_on,
    location,
    make_private,
    open_store,
    size_limit,
)


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("", DEFAULT_SIZE_BYTES),
        ("12345", 12345),
        ("64K", 64 << 10),
        ("64M", 64 << 20),
        ("1GiB", 1 << 30),
        ("2gb", 2 << 30),
        ("1t", 1 << 40),
    ],
)
def test_sizes(monkeypatch: pytest.MonkeyPatch, text: str, size: int) -> None:
    monkeypatch.setenv("SM5VK_CACHE_SIZE", text)
    assert size_limit() == size


@pytest.mark.parametrize("text", ["much", "-1", "1.5G", "12 M", "0x10", "K"])
def test_invalid_sizes(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("SM5VK_CACHE_SIZE", text)
    with pytest.raises(InvalidValueError, match=r"SM5VK_CACHE_SIZE.*67108864"):
        size_limit()


@pytest.mark.parametrize("text", ["0", "off", "OFF", "no", "false"])
def test_off(folder: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    assert is_on()
    monkeypatch.setenv("SM5VK_CACHE", text)
    assert not is_on()
    assert open_store() is None
    assert not folder.exists()


@pytest.mark.parametrize(
    ("platform", "variables", "place"),
    [
        ("linux", {}, ".cache/sm5vk"),
        ("linux", {"XDG_CACHE_HOME": "not/absolute"}, ".cache/sm5vk"),
        ("linux", {"XDG_CACHE_HOME": "{home}/xdg"}, "xdg/sm5vk"),
        ("darwin", {}, "Library/Caches/sm5vk"),
        ("win32", {"LOCALAPPDATA": "{home}/Local"}, "Local/sm5vk"),
    ],
)
def test_the_place_of_the_platform(
    monkeypatch: Any, tmp_path: Path, platform: str, variables: dict[str, str], place: str
) -> None:
    """XDG's base directory specification: absolute, else $HOME/.cache."""
    for name in ("SM5VK_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.platform", platform)
    for name, value in {"HOME": "{home}", **variables}.items():
        monkeypatch.setenv(name, value.format(home=tmp_path))
    assert location() == tmp_path / place


def test_a_new_folder_is_ours_alone(folder: Path) -> None:
    store = open_store()
    assert store is not None
    assert store.folder.parent == folder
    assert store.folder.stat().st_mode & 0o777 == 0o700


def test_new_folders_around_it_are_ours_alone(folder: Path, monkeypatch: Any) -> None:
    """With a umask of 0, others could replace the cache in one with usual permissions."""
    monkeypatch.setenv("SM5VK_CACHE_DIR", str(folder / ".cache/sm5vk"))
    mask = os.umask(0)
    try:
        store = open_store()
        assert store is not None
        store.write("a" * 64, b"one")
    finally:
        os.umask(mask)
    made = [path for path in (folder, *folder.rglob("*")) if path.is_dir()]
    assert [stat.S_IMODE(path.stat().st_mode) for path in made] == [0o700] * 5
    assert open_store() is not None


def test_a_folder_that_others_write_into_is_not_used(folder: Path) -> None:
    """Files that they put there would reach the driver."""
    store = open_store()
    assert store is not None
    store.folder.chmod(0o770)
    assert open_store() is None
    assert "other users can write to" in (make_private(store.folder) or "")
    store.folder.chmod(0o755)
    assert open_store() is not None


def test_a_folder_of_another_user_is_not_used(folder: Path, monkeypatch: Any) -> None:
    assert open_store() is not None
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert open_store() is None
    assert "belongs to another user" in (make_private(folder) or "")


def test_a_link_is_not_followed(folder: Path, tmp_path: Path) -> None:
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    folder.mkdir()
    (folder / "1").symlink_to(theirs)
    assert open_store() is None


@pytest.fixture
def within(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder around the cache's; /tmp above it is safe, since root has it and it is sticky."""
    around = tmp_path / "around"
    around.mkdir(mode=0o755)
    monkeypatch.setenv("SM5VK_CACHE_DIR", str(around / "cache"))
    return around


@pytest.mark.parametrize("mode", [0o777, 0o757, 0o773])
def test_a_folder_that_others_can_replace_is_not_used(within: Path, mode: int) -> None:
    """They would rename it, and put one with their files there."""
    assert open_store() is not None
    within.chmod(mode)
    assert open_store() is None
    reason = make_private(within / "cache" / "1") or ""
    assert f"other users can replace {within / 'cache'}: choose another" in reason
    within.chmod(mode | stat.S_ISVTX)  # now they cannot rename what is not theirs
    assert open_store() is not None


def test_a_folder_in_that_of_another_user_is_not_used(within: Path, monkeypatch: Any) -> None:
    assert open_store() is not None
    real, other = os.lstat, os.geteuid() + 1

    def stat_of(path: Any) -> os.stat_result:
        found = real(path)
        is_within = os.fspath(path) == str(within)
        return os.stat_result((*found[:4], other, *found[5:])) if is_within else found

    monkeypatch.setattr(os, "lstat", stat_of)
    assert open_store() is None


def test_a_link_on_the_way_is_as_safe_as_its_folder(
    within: Path, tmp_path: Path, monkeypatch: Any
) -> None:
    for name in ("safe", "open"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "link").symlink_to("../around")
    (tmp_path / "open").chmod(0o777)
    monkeypatch.setenv("SM5VK_CACHE_DIR", str(tmp_path / "safe/link/cache"))
    assert open_store() is not None
    monkeypatch.setenv("SM5VK_CACHE_DIR", str(tmp_path / "open/link/cache"))
    assert open_store() is None
    (tmp_path / "safe/link").unlink()
    (tmp_path / "safe/link").symlink_to(tmp_path / "open/link")
    monkeypatch.setenv("SM5VK_CACHE_DIR", str(tmp_path / "safe/link/cache"))
    assert open_store() is None


@pytest.mark.parametrize(
    ("group", "members", "primary", "others", "is_used"),
    [
        ("me", [], 5, 6, True),
        ("me", ["me"], 5, 6, True),
        ("me", ["me", "other"], 5, 6, False),
        ("staff", [], 5, 6, False),
        ("me", [], 6, 7, False),
        ("me", [], 5, 5, False),
    ],
)
def test_the_group_that_a_user_has_alone(
    within: Path,
    monkeypatch: Any,
    group: str,
    members: list[str],
    primary: int,
    others: int,
    is_used: bool,
) -> None:
    """Debian's users have such a group, and many a umask of 002.

    `primary` is the user's own group, `others` that of another user, whom the group does not list.
    """
    within.chmod(0o775)
    user = SimpleNamespace(pw_name="me", pw_gid=primary)
    row = SimpleNamespace(gr_name=group, gr_gid=5, gr_mem=members)
    rows = [user, SimpleNamespace(pw_name="other", pw_gid=others)]
    users = SimpleNamespace(getpwuid=lambda _: user, getpwall=lambda: rows)
    monkeypatch.setitem(sys.modules, "pwd", users)
    monkeypatch.setitem(sys.modules, "grp", SimpleNamespace(getgrgid=lambda _: row))
    assert (open_store() is not None) == is_used


@pytest.mark.parametrize("place", ["/dev/null", "/proc/nothing/here"])
def test_a_place_that_cannot_be_written_is_no_cache(
    monkeypatch: pytest.MonkeyPatch, folder: Path, place: str
) -> None:
    monkeypatch.setenv("SM5VK_CACHE_DIR", place)
    assert open_store() is None


def test_a_user_without_a_home_has_no_cache(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SM5VK_CACHE_DIR")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr("os.path.expanduser", lambda path: path)
    assert open_store() is None
    assert not Path("~").exists()


def test_subfolders_that_came_with_the_folder(folder: Path, tmp_path: Path) -> None:
    """Others may have made them, as in an unpacked archive, or lead elsewhere by links."""
    store, key = open_store(), "a" * 64
    assert store is not None
    store.write(key, b"one")
    (store.folder / "a").chmod(0o777)
    assert store.read(key) is None
    store.write(key, b"two")
    (store.folder / "a").chmod(0o700)
    assert store.read(key) == b"one"
    (store.folder / "a").rename(tmp_path / "elsewhere")
    (store.folder / "a").symlink_to(tmp_path / "elsewhere")
    assert store.read(key) is None


def test_entries_that_others_could_write(folder: Path) -> None:
    """They may be left from a time when the folder was open to all."""
    store, key = open_store(), "a" * 64
    assert store is not None
    store.write(key, b"one")
    (store.folder / "a" / key).chmod(0o666)
    assert store.read(key) is None
    store.write(key, b"two")
    assert store.read(key) == b"two"
    if not os.getuid():
        os.chown(store.folder / "a" / key, 1, 1)
        assert store.read(key) is None
