"""The keys of the store; an entry is read as it was written, or not at all."""

import hashlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vkrunner.shader.cache.entries import digest
from vkrunner.shader.cache.store import Store

KEY = hashlib.sha256(b"one").hexdigest()
OTHER = hashlib.sha256(b"two").hexdigest()


def test_the_boundaries_of_parts_count() -> None:
    same = ((b"ab", b"c"), (b"a", b"bc"), (b"abc",), (b"abc", b""), (b"", b"abc"))
    keys = [digest(*parts) for parts in same]
    assert len({*keys}) == len(same)
    assert {len(key) for key in keys} == {64}


def path_of(store: Store, key: str = KEY) -> Path:
    (found,) = store.folder.rglob(key)
    return found


@pytest.mark.parametrize("payload", [b"", b"\n", bytes(range(256)) * 200])
def test_the_last_write_is_read(store: Store, payload: bytes) -> None:
    assert store.read(KEY) is None
    assert (store.usage().entries, store.usage().size_bytes) == (0, 0)
    store.clear()
    store.write(KEY, b"old")
    store.write(KEY, payload)
    assert store.usage().entries == 1
    assert store.read(KEY) == payload
    assert store.read(OTHER) is None


@given(st.data())
def test_a_damaged_entry_is_none(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject):
    """A byte changed at any place, the end cut off, or bytes appended."""
    store = Store(tmp_path_factory.mktemp("store"), 1 << 20)
    store.write(KEY, b"payload of an entry")
    path = path_of(store)
    sound = path.read_bytes()
    at = data.draw(st.integers(0, len(sound) - 1))
    flipped = bytes([sound[at] ^ data.draw(st.integers(1, 255))])
    damaged = [sound[:at] + flipped + sound[at + 1 :], sound[:at], sound + b"\0"]
    path.write_bytes(data.draw(st.sampled_from(damaged)))
    assert store.read(KEY) is None
    store.write(KEY, b"payload of an entry")
    assert store.read(KEY) == b"payload of an entry"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
@pytest.mark.parametrize("make", [os.mkfifo, lambda path: os.symlink("/dev/zero", path)])
def test_a_pipe_or_a_device_is_no_entry(store: Store, make: Callable[[Path], None]) -> None:
    store.write(KEY, b"payload")
    path = path_of(store)
    path.unlink()
    make(path)
    assert store.read(KEY) is None
    store.write(KEY, b"payload")
    assert store.read(KEY) == b"payload"


def test_a_link_is_no_entry(store: Store, tmp_path: Path) -> None:
    """The file that it leads to keeps its times, by which the least recently used are removed."""
    store.write(KEY, b"payload")
    path = path_of(store)
    os.utime(path, (1, 1))
    path.rename(tmp_path / "own")
    path.symlink_to(tmp_path / "own")
    assert store.read(KEY) is None
    assert (tmp_path / "own").stat().st_mtime == 1
    store.write(KEY, b"payload")
    assert store.read(KEY) == b"payload"
    assert path.stat().st_mtime > 1


def test_an_entry_under_another_name_is_none(store: Store) -> None:
    store.write(KEY, b"one")
    store.write(OTHER, b"two")
    path_of(store, OTHER).write_bytes(path_of(store).read_bytes())
    assert store.read(OTHER) is None


def test_the_least_recently_used_is_removed_first(tmp_path: Path) -> None:
    """All keys begin with one digit, so that they share a sixteenth of the limit."""
    store = Store(tmp_path, 16 * 4000)
    keys = [f"a{hashlib.sha256(bytes([n])).hexdigest()[1:]}" for n in range(5)]
    for age, key in enumerate(keys[:3]):
        store.write(key, bytes(1000))
        os.utime(path_of(store, key), (1000 + age, 1000 + age))
    assert store.read(keys[0]) is not None  # and so it was used last
    store.write(keys[3], bytes(1000))
    assert [store.read(key) is not None for key in keys[:4]] == [True, False, True, True]
    assert store.usage().size_bytes <= 4000


@pytest.mark.parametrize("limit", [0, 1000, 16 * 1000])
def test_too_large_entries_are_not_kept(tmp_path: Path, limit: int) -> None:
    store = Store(tmp_path, limit)
    store.write(KEY, bytes(1000))
    assert store.read(KEY) is None
    assert store.usage().entries == 0


def test_the_size_stays_bounded(tmp_path: Path) -> None:
    store = Store(tmp_path, 16 * 3000)
    for n in range(300):
        store.write(hashlib.sha256(str(n).encode()).hexdigest(), bytes(n))
        assert store.usage().size_bytes <= store.limit_bytes
    assert store.usage().entries > 16


def test_files_of_a_killed_process_are_removed(store: Store) -> None:
    store.write(KEY, b"one")
    left = path_of(store).with_name(f"{KEY}.1.aaaaaaaa.tmp")
    young = path_of(store).with_name(f"{KEY}.2.bbbbbbbb.tmp")
    left.write_bytes(b"half")
    young.write_bytes(b"half")
    os.utime(left, (1000, 1000))
    store.write(KEY, b"one again")
    assert not left.exists()
    assert young.exists(), "another process may be writing it"


def test_a_folder_that_went_away_is_made_again(store: Store) -> None:
    store.write(KEY, b"one")
    shutil.rmtree(store.folder)
    store.write(KEY, b"one")
    assert store.read(KEY) == b"one"


def test_entries_that_cannot_be_written_are_not_kept(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_bytes(b"")
    store = Store(blocked / "store", 1 << 20)
    store.write(KEY, b"one")
    assert store.read(KEY) is None


def test_only_the_owner_may_read_an_entry(store: Store) -> None:
    store.write(KEY, b"one")
    assert path_of(store).stat().st_mode & 0o077 == 0
    assert path_of(store).parent.stat().st_mode & 0o077 == 0
