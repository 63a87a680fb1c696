"""Shader: what a kernel is made from, read and translated only where no cache has the result."""

from __future__ import annotations

import dataclasses
import os
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import translate
from vkrunner.cache.keys import digest, text_of, translator_digest
from vkrunner.cache.recent import Recent
from vkrunner.cache.store import Store, open_store
from vkrunner.cache.translation import Translation
from vkrunner.device_info import DeviceInfo
from vkrunner.errors import ArgumentError

if TYPE_CHECKING:
    from translate import Options, Program, SpirvModule

Source: TypeAlias = "str | bytes | os.PathLike[str] | Program | SpirvModule | Shader"

_RECENT_BYTES = 64 << 20


class Shader:
    """A path, a container's or listing's bytes, a listing, a Program, or a finished SpirvModule.

    A Program is the caller's, who may change it: what is made from one is not cached. Raises
    OSError for a path that cannot be read; what is wrong with a shader is raised when it is read.
    `warnings` is what the reader tolerated, known once there is a translation.
    """

    def __init__(self, source: str | bytes | os.PathLike[str] | Program | SpirvModule):
        self.finished: SpirvModule | None = None
        self._data: bytes | None = None
        self._file: str | None = None
        self._program: Program | None = None
        self.warnings: list[str] = []
        self._warned = False  # of what is doubtful in a listing
        if isinstance(source, (bytes, bytearray, memoryview)):
            self._data = bytes(source)
        elif isinstance(source, str) and "\n" in source:
            self._data = source.encode("utf-8", "surrogatepass")
        elif isinstance(source, (str, os.PathLike)):
            self._data, self._file = Path(source).read_bytes(), os.fspath(source)
        elif isinstance(source, translate.SpirvModule):
            self.finished = source
        else:
            self._program = source
            self._warned = True  # when it was loaded

    @property
    def program(self) -> Program:
        """The shader, read when first asked for. Raises as `translate.load` does."""
        return self._read(strict=False)

    def _read(self, *, strict: bool) -> Program:
        if self._program is None:
            assert self._data is not None, "a finished module was never a program here"
            self._program = translate.load(self._data, file=self._file, strict=strict)
            self._warned = True
        return self._program

    @property
    def name(self) -> str | None:
        """The file's name without folder and suffix, None for what was no file."""
        return Path(self._file).stem if self._file is not None else None

    def module(self, options: Options) -> SpirvModule:
        """The translation, with words that may be read-only. Raises as `translation` does."""
        return self.finished or self.translation(options).module

    def translation(self, options: Options) -> Translation:
        """The translation: from this process's memory, from the disk, or made now.

        Raises as `translate.load` and `translate.to_spirv` do.
        """
        found = self._translation(options)
        self.warnings = found.warnings
        if not self._warned:
            self._warned = True
            for warning in found.listing_warnings(self._file):
                warnings.warn(warning, stacklevel=3)
        return found

    def _translation(self, options: Options) -> Translation:
        store = open_store() if self._data is not None else None
        key = self._key(store, options) if store is not None else None
        if store is None or key is None:
            return self._translated(options)
        found = _recent.get(key) or _read(store, key)
        if found is None:
            found = self._translated(options)
            store.write(key, found.data)
        _recent.put(key, found, len(found.data))
        return found

    def _translated(self, options: Options) -> Translation:
        program = self._read(strict=options.strict)
        return Translation.of(translate.to_spirv(program, options), program)

    def _key(self, store: Store, options: Options) -> str | None:
        """None where the translator's source is not known, or an option cannot be compared.

        A module names the shader's file where its lines are asked for, and nowhere else.
        """
        translator = translator_digest(store)
        if translator is None:
            return None
        assert self._data is not None
        file = (self._file or "") if options.debug_lines else ""
        try:
            chosen = text_of(options)
        except TypeError:
            return None
        return digest(b"module", translator.encode(), chosen, os.fsencode(file), self._data)


def options_of(given: Mapping[str, Any], info: DeviceInfo) -> Options:
    """Options, by default with the device's float controls.

    Raises ArgumentError for an unknown name.
    """
    names = [field.name for field in dataclasses.fields(translate.Options)]
    unknown = [name for name in given if name not in names]
    if unknown:
        raise ArgumentError(f"no option {unknown[0]!r}; there are {', '.join(names)}")
    every: dict[str, Any] = {"float_controls": info.float_controls, **given}
    return translate.Options(**every)


def _read(store: Store, key: str) -> Translation | None:
    data = store.read(key)
    return Translation(data) if data is not None else None


_recent: Recent[Translation] = Recent(_RECENT_BYTES)


def forget() -> None:
    """Drop what is in memory; what is on the disk stays."""
    _recent.clear()
