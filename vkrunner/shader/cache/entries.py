"""Entries of the cache: their keys, and translations as their contents.

A key is a digest of everything that a result depends on, including this package's source. The entry
of a translation is a line of JSON, then the module's words; loading it executes nothing. NumPy and
the interface's records are imported only when the module object is needed: copying the words to a
file does without.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import translate
from translate import ListingWarning, Where
from translate.dataclass import fields, is_dataclass
from vkrunner.shader.cache.store import Store, blake2b

if TYPE_CHECKING:
    from translate import Program, SpirvModule

_DIGEST_BYTES = 32


def digest(*parts: bytes) -> str:
    """The digest of a sequence of parts, as 64 hexadecimal digits; part boundaries count."""
    state = blake2b(digest_size=_DIGEST_BYTES)
    for part in parts:
        state.update(len(part).to_bytes(8, "little"))
        state.update(part)
    return state.hexdigest()


def plain(value: Any) -> Any:
    """A value of an option as data for JSON, the same for equal values.

    Raises TypeError for values other than numbers, strings, collections and dataclasses of these.
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
    if is_dataclass(value) and not isinstance(value, type):
        rows = {f.name: plain(getattr(value, f.name)) for f in fields(value)}
        return {type(value).__name__: rows}
    raise TypeError(f"{type(value).__name__} cannot be part of a cache key")


def text_of(value: Any) -> bytes:
    """`plain` as bytes of JSON. Raises TypeError for the same values."""
    return json.dumps(plain(value), sort_keys=True).encode()


@cache
def translator_digest(store: Store) -> str | None:
    """The digest of `translate`'s source; None in the cases of `_source_digest`."""
    return _source_digest(store, os.path.dirname(translate.__file__))


@cache
def runner_digest(store: Store) -> str | None:
    """The digest of `vkrunner`'s source; None in the cases of `_source_digest`."""
    return _source_digest(store, str(Path(__file__).parents[2]))


def _source_digest(store: Store, root: str) -> str | None:
    """The digest of a package's source files.

    None if the source has no readable files, or if one may have changed since its import. Reading
    all files would take longer than reading a cache entry, so the digest is a cache entry itself,
    with sizes, times and inodes of the files in its key.
    """
    try:
        paths = sorted(_sources(root))
        stats = [os.stat(path) for path in paths]
        newest = max((max(s.st_mtime_ns, s.st_ctime_ns) for s in stats), default=None)
        if newest is None or newest > translate.IMPORTED_NS:
            return None
        seen = [(s.st_size, s.st_mtime_ns, s.st_ctime_ns, s.st_ino, s.st_dev) for s in stats]
        key = digest(b"source", *map(os.fsencode, paths), repr(seen).encode())
        found = store.read(key)
        if found is None:
            parts = (part for p in paths for part in (os.path.relpath(p, root).encode(), _read(p)))
            found = digest(*parts).encode("ascii")
            store.write(key, found)
    except OSError:
        return None
    return found.decode("ascii")


def _read(path: str) -> bytes:
    with open(path, "rb", buffering=0) as file:  # hundreds: `Path` would take twice as long
        return file.read()


def _sources(root: str) -> Iterator[str]:
    """The paths of a package's source files and compiled modules; empty for a zipped package."""
    for folder, folders, files in os.walk(root):
        if "__pycache__" in folders:
            folders.remove("__pycache__")
        yield from (os.path.join(folder, name) for name in files if name.endswith((".py", ".pyc")))


class Translation:
    """A module and the warnings for its shader; `data` is the cache entry."""

    def __init__(self, data: bytes, module: SpirvModule | None = None):
        self.data = data
        head, _, self._words = data.partition(b"\n")
        self._head = json.loads(head)
        self._module = module

    @property
    def warnings(self) -> list[str]:
        """The warnings from reading the shader."""
        return self._head["warnings"]

    def listing_warnings(self, file: str | None) -> list[ListingWarning]:
        """The warnings for a listing, with `file` as its current path."""
        return [
            ListingWarning(message, Where(file, *place), source_line, tuple(lines))
            for message, place, source_line, lines in self._head["listing_warnings"]
        ]

    def to_bytes(self) -> bytes:
        """The content of a .spv file."""
        return self._words

    @property
    def module(self) -> SpirvModule:
        """The module; the words of one from the cache are read-only."""
        if self._module is None:
            from translate import SpirvModule

            self._module = SpirvModule(self._words, _from_json(self._head["interface"]))
        return self._module

    @classmethod
    def of(cls, module: SpirvModule, program: Program | None = None) -> Translation:
        """A new entry from a module and the warnings of the program it was translated from."""
        head = {
            "interface": _to_json(module.interface),
            "warnings": program.warnings if program else [],
            "listing_warnings": [
                (w.message, (w.where.line, w.where.column, w.where.length), w.source_line, w.lines)
                for w in (program.listing_warnings if program else [])
            ],
        }
        return cls(json.dumps(head).encode("ascii") + b"\n" + module.to_bytes(), module)


@cache
def _classes() -> Mapping[str, type]:
    """The classes of an interface's records, by name."""
    from translate import interface as of

    kinds = (
        *(of.ShaderInterface, of.Binding, of.Constant, of.Table, of.ReportSite, of.MessageSite),
        *(of.ArrayType, of.StructureType, of.StaticSampler, of.SpecializationConstant),
    )
    return {kind.__name__: kind for kind in kinds}


def _to_json(value: Any) -> Any:
    """A part of an interface as data for JSON.

    Tuples become lists, other types objects with one key, the type.
    """
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if type(value).__name__ in _classes():
        rows = {name: _to_json(getattr(value, name)) for name in type(value).__annotations__}
        return {type(value).__name__: rows}
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    return [_to_json(part) for part in value]


def _from_json(data: Any) -> Any:
    """The part of an interface that `_to_json` made such data of."""
    if isinstance(data, list):
        return tuple(_from_json(part) for part in cast("list[Any]", data))
    if not isinstance(data, dict):
        return data
    ((name, content),) = cast("dict[str, Any]", data).items()
    if name == "bytes":
        return bytes.fromhex(content)
    return _classes()[name](**{key: _from_json(part) for key, part in content.items()})
