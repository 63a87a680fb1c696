"""One translation as it is sent to another process: bytes in, bytes or a refusal out."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from translate.api import load, to_spirv
from translate.errors import (
    NOWHERE,
    MissingToolsError,
    TranslateError,
    UnsupportedError,
    Where,
    render_caret,
)
from translate.hlsl.source import is_hlsl
from translate.options import Options
from translate.version import fingerprint

_BINARY, _TEXT, _INTERFACE = ".spv", ".spvasm", ".json"
SUFFIXES = frozenset({_BINARY, _TEXT, _INTERFACE})  # of the files that a recipe makes


@dataclass(frozen=True)
class Recipe:
    """All that decides about the outputs besides the input.

    Attributes
    ----------
    options : Options
        How to translate.
    text : bool
        Write SPIR-V assembly instead of the binary.
    interfaces : bool
        Write an interface as JSON beside each module.
    translator : str
        A digest of the translator's source; that of this process without it.
    """

    options: Options
    text: bool = False  # SPIR-V assembly instead of the binary
    interfaces: bool = False
    translator: str = dataclasses.field(default_factory=fingerprint)

    @functools.cached_property
    def key(self) -> str:
        """A SHA-256 of it."""
        return hashlib.sha256(json.dumps(_plain(self), sort_keys=True).encode()).hexdigest()

    @property
    def suffixes(self) -> tuple[str, ...]:
        """The suffixes that are appended to an input's name for its outputs."""
        module = _TEXT if self.text else _BINARY
        return (module, _INTERFACE) if self.interfaces else (module,)


@dataclass(frozen=True, slots=True)
class Job:
    """A shader's bytes; `digest` is their SHA-256."""

    digest: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a shader was not translated. `lasting`: asked again, the answer is the same."""

    message: str
    where: Where = NOWHERE
    source_line: str | None = None
    lasting: bool = True

    def detail(self) -> str:
        """The refusal as it reads after the path of the file."""
        place = str(dataclasses.replace(self.where, file="-")).removeprefix("-")
        caret = render_caret(self.where, self.source_line)
        return f"{place}: error: {self.message}" + (f"\n{caret}" if caret else "")


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a job: `files` by suffix, or the reason that there are none."""

    files: Mapping[str, bytes]
    words: int = 0
    seconds: float = 0.0
    refusal: Refusal | None = None


def translate_job(job: Job, recipe: Recipe) -> Outcome:
    """Translate; whatever goes wrong with this shader is in the outcome.

    Raises RuntimeError where another translator runs than the recipe asks for.
    """
    if recipe.translator != fingerprint():
        raise RuntimeError("this process has another version of sm5vk than the one that asks")
    start = time.perf_counter()
    try:
        files, words = _translate(job.data, recipe)
    except Exception as error:  # a fault of ours stops no other shader
        return Outcome({}, 0, time.perf_counter() - start, _refusal(error))
    return Outcome(files, words, time.perf_counter() - start)


def _translate(data: bytes, recipe: Recipe) -> tuple[dict[str, bytes], int]:
    if is_hlsl(data):
        raise UnsupportedError("HLSL is not translated with many others: translate it alone")
    module = to_spirv(load(data, strict=recipe.options.strict), recipe.options)
    code = module.text().encode() if recipe.text else module.to_bytes()
    contents = [code]
    if recipe.interfaces:
        contents.append(f"{module.interface.to_json()}\n".encode())
    return dict(zip(recipe.suffixes, contents, strict=True)), len(module.words)


def _refusal(error: Exception) -> Refusal:
    if isinstance(error, TranslateError):
        lasting = not isinstance(error, MissingToolsError)
        return Refusal(error.message, error.where, error.source_line, lasting)
    lasting = not isinstance(error, (MemoryError, OSError))
    return Refusal(f"{type(error).__name__}: {error}", lasting=lasting)


def _plain(value: object) -> object:
    """Dataclasses, mappings and sets as what JSON writes in one way only."""
    if dataclasses.is_dataclass(value):
        return {f.name: _plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        rows = cast("Mapping[object, object]", value)
        return {str(name): _plain(rows[name]) for name in rows}
    if isinstance(value, (set, frozenset)):
        return sorted(cast("frozenset[str]", value))
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(part) for part in cast("Sequence[object]", value)]
    return value
