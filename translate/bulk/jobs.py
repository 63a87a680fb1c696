"""A job, which is to translate one shader, and the executors that run jobs."""

from __future__ import annotations

import functools
import hashlib
import json
import os
import pickle
import time
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    wait,
)
from contextlib import ExitStack, contextmanager
from importlib import import_module
from itertools import islice
from typing import Any, NamedTuple, cast

from translate.api import load_quietly, to_spirv
from translate.dataclass import dataclass, field, fields, is_dataclass, replace
from translate.errors import (
    NOWHERE,
    MissingToolsError,
    TranslateError,
    UnsupportedError,
    Where,
    render_caret,
)
from translate.hlsl.source import is_hlsl
from translate.interface import ShaderInterface
from translate.options import Options
from translate.pool import worker_pool
from translate.program import Program
from translate.surprises import surprises
from translate.version import fingerprint

_BINARY, _TEXT, _INTERFACE = ".spv", ".spvasm", ".json"
HEADS = {  # of the files that a recipe makes, by their suffixes
    _BINARY: b"\x03\x02\x23\x07",
    _TEXT: b"; SPIR-V\n",
    _INTERFACE: b'{\n  "profile": "',
}
_AHEAD = 4  # tasks submitted ahead for each process, to keep it busy
_TASKS = 256  # submitted to a given executor, of unknown size
_JOBS = 16  # in a task at most; a task costs Dask's scheduler about a millisecond
_TASK_BYTES = 1 << 20  # of shaders in a task, from which on no more are added
_ATTEMPTS = 2  # of a job alone; the first may fail by a worker that ends for another reason
_PATIENCE_S = 10.0  # with a Dask scheduler that does not answer


class ExecutorError(TranslateError):
    """An executor cannot be used: it takes no work, or its workers cannot translate."""


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
    check : callable, optional
        Called with each module's interface; raises TranslateError to refuse a shader. It is an
        instance of a dataclass that can be pickled; its fields are a part of the recipe.
    """

    options: Options
    text: bool = False
    interfaces: bool = False
    translator: str = field(default_factory=fingerprint)
    check: Callable[[ShaderInterface], None] | None = None

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
        return _detail("error", self.message, self.where, self.source_line)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a job: its files by suffix, or a refusal.

    `warnings` are those of the reader, each a text to be appended to the file's path.
    """

    files: Mapping[str, bytes]
    words: int = 0
    seconds: float = 0.0
    refusal: Refusal | None = None
    warnings: tuple[str, ...] = ()


def translate_job(job: Job, recipe: Recipe) -> Outcome:
    """Translate one shader; errors become part of the outcome."""
    start = time.perf_counter()
    try:
        made = _translate(job.data, recipe)
    except Exception as error:  # a bug in the translator must not stop the other shaders
        made = Outcome({}, refusal=_refusal(error))
    return replace(made, seconds=time.perf_counter() - start)


def _translate(data: bytes, recipe: Recipe) -> Outcome:
    if is_hlsl(data):
        raise UnsupportedError("HLSL is not translated in bulk: translate this file alone, with -o")
    program = load_quietly(data, strict=recipe.options.strict)
    module = to_spirv(program, recipe.options)
    if recipe.check is not None:
        recipe.check(module.interface)
    code = module.text().encode() if recipe.text else module.to_bytes()
    contents = [code]
    if recipe.interfaces:
        contents.append(f"{module.interface.to_json()}\n".encode())
    files = dict(zip(recipe.suffixes, contents, strict=True))
    return Outcome(files, len(module.words), warnings=_warnings(program))


def _warnings(program: Program) -> tuple[str, ...]:
    """The warnings that the translation of this shader alone prints."""
    told = [*program.warnings, *map(str, surprises(program))]
    placed = (
        _detail("warning", w.message, w.where, w.source_line) for w in program.listing_warnings
    )
    return (*(_detail("warning", text) for text in told), *placed)


def _detail(kind: str, message: str, where: Where = NOWHERE, source_line: str | None = None) -> str:
    place = str(replace(where, file="-")).removeprefix("-")
    caret = render_caret(where, source_line)
    return f"{place}: {kind}: {message}" + (f"\n{caret}" if caret else "")


def _refusal(error: Exception) -> Refusal:
    if isinstance(error, TranslateError):
        lasting = not isinstance(error, MissingToolsError)
        return Refusal(error.message, error.where, error.source_line, lasting)
    lasting = not isinstance(error, (MemoryError, OSError))
    return Refusal(f"{type(error).__name__}: {error}", lasting=lasting)


def _plain(value: object) -> object:
    """Convert dataclasses, mappings and sets to data with a unique JSON text."""
    if is_dataclass(value):
        return {f.name: _plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Mapping):
        rows = cast("Mapping[object, object]", value)
        return {str(name): _plain(rows[name]) for name in rows}
    if isinstance(value, (set, frozenset)):
        return sorted(cast("frozenset[str]", value))
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(part) for part in cast("Sequence[object]", value)]
    return value


Done = tuple[Job, Outcome]


@contextmanager
def dask_executor(address: str) -> Generator[Executor]:
    """The executor of the Dask cluster whose scheduler has this address. Raises ExecutorError."""
    try:
        connect: Any = import_module("distributed").Client
    except ImportError:
        raise ExecutorError("--dask needs Dask: pip install distributed") from None
    try:
        client = connect(address, timeout=_PATIENCE_S, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ExecutorError(f"no Dask scheduler at {address}: {error}") from None
    with client:
        yield client.get_executor()


def run_jobs(
    jobs: Iterator[Job], count: int, recipe: Recipe, processes: int, executor: Executor | None
) -> Generator[Done]:
    """Run `count` jobs; yield each as it ends. Closing the generator ends its own processes.

    Raises ExecutorError.
    """
    if executor is None and processes <= 1:
        for job in jobs:
            yield job, translate_batch([job], recipe)[0]
        return
    own = max(min(processes, count), 1)
    with ExitStack() as stack:
        lasting = _Lasting(executor, own, stack)
        if executor is None:
            yield from _run(jobs, recipe, lasting, _AHEAD * own, 1)
        else:
            yield from _run(jobs, recipe, lasting, _TASKS, min(max(count // _TASKS, 1), _JOBS))


class _Lasting(Executor):
    """An executor that continues in a new pool of `count` processes if its pool breaks.

    A pool of processes breaks when one of them dies. Without a given pool all are new.
    """

    def __init__(self, given: Executor | None, count: int, stack: ExitStack) -> None:
        self._given = self._pool = given
        self._count = count
        self._stack = stack

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        try:
            if self._pool is not None:
                return self._pool.submit(fn, *args, **kwargs)
        except BrokenExecutor as error:
            if self._pool is self._given:
                text = f"the executor broke, and own processes continue: {error}"
                warnings.warn(text, RuntimeWarning, stacklevel=2)
        except Exception as error:
            if self._pool is not self._given:
                raise
            raise ExecutorError(f"the executor takes no work: {error}") from error
        self._stack.close()
        self._pool = self._stack.enter_context(worker_pool(self._count))
        return self._pool.submit(fn, *args, **kwargs)

    def cancel(self, futures: Iterable[Future[Any]]) -> None:
        """Cancel work of a given executor; the end of an own pool cancels its own.

        Python 3.11 prints a traceback if a process ends while a future of its pool is cancelled.
        """
        if self._pool is self._given:
            for future in futures:
                future.cancel()


def _run(
    jobs: Iterator[Job], recipe: Recipe, executor: _Lasting, tasks: int, size: int
) -> Generator[Done]:
    """Run jobs in tasks of up to `size`, of which up to `tasks` are submitted at a time.

    If a task fails, for instance because a worker dies, nothing tells which job, perhaps of another
    task, is the cause. Each job of failed tasks is then repeated alone, and refused if it fails
    again though the workers can run a task without jobs.
    """
    batches = _batches(jobs, size)
    while failed := (yield from _until_failure(batches, recipe, executor, tasks)):
        for job, error in failed.items():
            for _ in range(_ATTEMPTS):
                if not (yield from _until_failure(iter([[job]]), recipe, executor, 1)):
                    break
                _check(recipe, executor)
            else:
                reason = f"its worker failed, also with no other shader: {type(error).__name__}"
                yield job, Outcome({}, refusal=Refusal(reason, lasting=False))


def _batches(jobs: Iterator[Job], size: int) -> Iterator[list[Job]]:
    batch: list[Job] = []
    for job in jobs:
        batch.append(job)
        if len(batch) == size or sum(len(job.data) for job in batch) >= _TASK_BYTES:
            yield batch
            batch = []
    if batch:
        yield batch


def _until_failure(
    batches: Iterator[list[Job]], recipe: Recipe, executor: _Lasting, tasks: int
) -> Generator[Done, None, dict[Job, Exception]]:
    """Yield finished jobs until a task fails; return the unfinished jobs that were submitted."""
    running: dict[Future[list[Outcome]], list[Job]] = {}
    failed: dict[Job, Exception] = {}
    try:
        while True:
            for batch in islice(batches, 0 if failed else tasks - len(running)):
                running[_submit(batch, recipe, executor)] = batch
            if not running:
                return failed
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                batch = running.pop(future)
                outcomes = _outcomes(future)
                if isinstance(outcomes, Exception):
                    failed |= dict.fromkeys(batch, outcomes)
                else:
                    yield from zip(batch, outcomes, strict=True)
    finally:
        executor.cancel(running)


def _check(recipe: Recipe, executor: Executor) -> None:
    """Raise ExecutorError if the workers cannot run a task without jobs."""
    error = _outcomes(_submit([], recipe, executor))
    if isinstance(error, Exception):
        reason = f"{type(error).__name__}: {error}"
        raise ExecutorError(f"the executor's workers cannot translate: {reason}") from error


def _submit(batch: Sequence[Job], recipe: Recipe, executor: Executor) -> Future[list[Outcome]]:
    """Submit the unpickling of a call of `translate_batch`.

    Otherwise a Dask worker that lacks this module would end instead of reporting that. The random
    bytes at the end make tasks different: Dask runs equal ones once.
    """
    return executor.submit(pickle.loads, pickle.dumps(_Call(batch, recipe)) + os.urandom(16))


class _Call(NamedTuple):
    """Arguments of `translate_batch`. Unpickling them calls it."""

    batch: Sequence[Job]
    recipe: Recipe

    def __reduce__(self) -> tuple[Any, ...]:
        return translate_batch, tuple(self)


def translate_batch(batch: Sequence[Job], recipe: Recipe) -> list[Outcome]:
    """Translate jobs. Raises ExecutorError if the recipe is for another version of sm5vk."""
    if recipe.translator != fingerprint():
        raise ExecutorError("a worker has another version of sm5vk than the process that uses it")
    return [translate_job(job, recipe) for job in batch]


def _outcomes(future: Future[list[Outcome]]) -> list[Outcome] | Exception:
    """The result of a task that has ended, or its error. Raises ExecutorError."""
    try:
        return future.result()
    except ExecutorError:
        raise
    except CancelledError:
        reason = "the executor cancelled the work: a cluster may have lost its scheduler"
        raise ExecutorError(reason) from None
    except Exception as error:
        return error
