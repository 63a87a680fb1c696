"""One translation job for another process, and the processes that run jobs."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
import time
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import islice
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
from translate.pool import worker_pool
from translate.version import fingerprint

_BINARY, _TEXT, _INTERFACE = ".spv", ".spvasm", ".json"
SUFFIXES = frozenset({_BINARY, _TEXT, _INTERFACE})  # of the files that a recipe makes
_AHEAD = 4  # jobs submitted ahead for each process, to keep it busy


@dataclass(frozen=True)
class Recipe:
    """The options of a run; together with an input, they determine its outputs.

    Attributes
    ----------
    options : Options
        How to translate.
    text : bool
        Write SPIR-V assembly instead of binary modules.
    interfaces : bool
        Also write each module's interface as JSON.
    translator : str
        A hash of the translator's source; by default, of the one in this process.
    """

    options: Options
    text: bool = False
    interfaces: bool = False
    translator: str = dataclasses.field(default_factory=fingerprint)

    @functools.cached_property
    def key(self) -> str:
        """A SHA-256 of the recipe."""
        return hashlib.sha256(json.dumps(_plain(self), sort_keys=True).encode()).hexdigest()

    @property
    def suffixes(self) -> tuple[str, ...]:
        """The suffixes of an input's outputs, to be appended to its name."""
        module = _TEXT if self.text else _BINARY
        return (module, _INTERFACE) if self.interfaces else (module,)


@dataclass(frozen=True, slots=True)
class Job:
    """A shader's bytes and their SHA-256 (`digest`)."""

    digest: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reason why a shader was not translated. `lasting`: a retry gives the same answer."""

    message: str
    where: Where = NOWHERE
    source_line: str | None = None
    lasting: bool = True

    def detail(self) -> str:
        """The text of the refusal, to be appended to the file's path."""
        place = str(dataclasses.replace(self.where, file="-")).removeprefix("-")
        caret = render_caret(self.where, self.source_line)
        return f"{place}: error: {self.message}" + (f"\n{caret}" if caret else "")


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a job: its files by suffix, or a refusal."""

    files: Mapping[str, bytes]
    words: int = 0
    seconds: float = 0.0
    refusal: Refusal | None = None


def translate_job(job: Job, recipe: Recipe) -> Outcome:
    """Translate one shader; errors become part of the outcome.

    Raises RuntimeError if the recipe is for another version of the translator.
    """
    if recipe.translator != fingerprint():
        raise RuntimeError("this worker has another version of sm5vk than the process that uses it")
    start = time.perf_counter()
    try:
        files, words = _translate(job.data, recipe)
    except Exception as error:  # a bug in the translator must not stop the other shaders
        return Outcome({}, 0, time.perf_counter() - start, _refusal(error))
    return Outcome(files, words, time.perf_counter() - start)


def _translate(data: bytes, recipe: Recipe) -> tuple[dict[str, bytes], int]:
    if is_hlsl(data):
        raise UnsupportedError("HLSL is not translated in bulk: translate this file alone")
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
    """Convert dataclasses, mappings and sets to data with a unique JSON text."""
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


Done = tuple[Job, Outcome]

DIED = Refusal("its process died, also with no other shader to translate", lasting=False)


def in_process(jobs: Iterable[Job], recipe: Recipe) -> Iterator[Done]:
    """Run one job after another in this process."""
    for job in jobs:
        yield job, translate_job(job, recipe)


def in_processes(jobs: Iterable[Job], recipe: Recipe, count: int) -> Iterator[Done]:
    """Run jobs in `count` processes; yield each as it ends.

    If a process dies, nothing tells which job it ran. Each submitted job is then repeated alone,
    and refused if it kills its process again.
    """
    pending = iter(jobs)
    while lost := (yield from _until_one_dies(pending, recipe, count)):
        for job in lost:
            again = yield from _until_one_dies(iter([job]), recipe, 1)
            if again:
                yield job, Outcome({}, refusal=DIED)


def _until_one_dies(
    pending: Iterator[Job], recipe: Recipe, count: int
) -> Generator[Done, None, list[Job]]:
    """Yield finished jobs; if a process dies, return the unfinished ones that were submitted."""
    taken: dict[str, Job] = {}
    futures: dict[Future[Outcome], Job] = {}
    wanted = count * _AHEAD
    try:
        with worker_pool(count) as pool:
            while True:
                for job in islice(pending, wanted):
                    taken[job.digest] = job
                    futures[pool.submit(translate_job, job, recipe)] = job
                if not futures:
                    return []
                done = wait(futures, return_when=FIRST_COMPLETED).done
                wanted = len(done)
                for future in done:
                    outcome = future.result()
                    job = futures.pop(future)
                    del taken[job.digest]
                    yield job, outcome
    except BrokenProcessPool:
        return list(taken.values())
