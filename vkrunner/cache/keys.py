"""Keys: digests of all that a result depends on, this package's own source included."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, cast

import translate
from vkrunner.cache.store import Store

_DIGEST_BYTES = 32


def digest(*parts: bytes) -> str:
    """64 hexadecimal digits for a sequence of parts; where each ends matters."""
    state = hashlib.blake2b(digest_size=_DIGEST_BYTES)
    for part in parts:
        state.update(len(part).to_bytes(8, "little"))
        state.update(part)
    return state.hexdigest()


def plain(value: Any) -> Any:
    """A value of options as JSON, the same for equal values.

    Raises TypeError for anything but plain data.
    """
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, Mapping):
        items = [[plain(key), plain(v)] for key, v in cast("Mapping[Any, Any]", value).items()]
        return {"map": sorted(items, key=json.dumps)}
    if isinstance(value, (set, frozenset)):
        return {"set": sorted((plain(v) for v in cast("Iterable[Any]", value)), key=json.dumps)}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in cast("Iterable[Any]", value)]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        rows = {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
        return {type(value).__name__: rows}
    raise TypeError(f"{type(value).__name__} is no plain data")


def text_of(value: Any) -> bytes:
    """`plain` as bytes. Raises TypeError as it does."""
    return json.dumps(plain(value), sort_keys=True).encode()


# --- the translator's source --------------------------------------------------------------------


def translator_digest(store: Store) -> str | None:
    """A digest of the source of `translate`.

    None where there are no files to be read, or where one changed after it may have been imported.
    Reading them all takes longer than a process should wait for an entry, so the digest is an entry
    itself, by the sizes, times and inodes of the files.
    """
    return _translator_digest(store.folder, store.limit_bytes)


@cache
def _translator_digest(folder: Path, limit_bytes: int) -> str | None:
    store = Store(folder, limit_bytes)
    paths = sorted(_sources(Path(translate.__file__).parent))
    try:
        stats = [path.stat() for path in paths]
    except OSError:
        return None
    newest = max((max(s.st_mtime_ns, s.st_ctime_ns) for s in stats), default=None)
    if newest is None or newest > translate.IMPORTED_NS:
        return None
    seen = [(s.st_size, s.st_mtime_ns, s.st_ctime_ns, s.st_ino, s.st_dev) for s in stats]
    key = digest(b"source", *map(os.fsencode, paths), repr(seen).encode())
    found = store.read(key)
    if found is not None:
        return found.decode("ascii")
    return _read_all(store, key, paths)


def _read_all(store: Store, key: str, paths: list[Path]) -> str | None:
    root = Path(translate.__file__).parent
    try:
        parts = [(str(p.relative_to(root)).encode(), p.read_bytes()) for p in paths]
    except OSError:
        return None
    made = digest(*(part for pair in parts for part in pair))
    store.write(key, made.encode("ascii"))
    return made


def _sources(folder: Path) -> Iterator[Path]:
    """Every file of a package's source and of its compiled modules."""
    try:
        rows = list(os.scandir(folder))
    except OSError:  # a package inside an archive
        return
    for row in rows:
        if row.is_dir() and row.name != "__pycache__":
            yield from _sources(Path(row.path))
        elif row.name.endswith((".py", ".pyc")):
            yield Path(row.path)
