"""Selects tests by paths and by the expression of `-k`, and runs them on several devices.

The runs are in this process or in several processes.
"""

from __future__ import annotations

import glob
import os
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from translate.dataclass import dataclass
from translate.errors import escaped
from translate.files import files_below, matching
from vkrunner import ArgumentError, Device, FileError, InvalidValueError, RunnerError, open_device
from vkrunner.shadertest.cases import SUFFIX, Case, ShaderTest
from vkrunner.shadertest.cursor import ShaderTestError, start_of
from vkrunner.shadertest.execute import run_case
from vkrunner.shadertest.file_reader import read_file
from vkrunner.shadertest.outcome import DEVICE, Failure, Outcome, failure_of

if TYPE_CHECKING:
    from concurrent.futures import Future

Predicate = Callable[[str], bool]
Operator = tuple[str, Callable[[Iterable[bool]], bool]]

_TOKEN = re.compile(r"[()]|[^\s()]+")
_MAX_DEPTH = 50
_OPERATORS: tuple[Operator, ...] = (("or", any), ("and", all))
_KEYWORDS = ("and", "or", "not", "(", ")")
Wish = str | int | None  # the argument of `open_device`
_CRASH = "the driver ended the process"
Around = Callable[[Device], AbstractContextManager[object]]


def find_files(paths: Sequence[str]) -> list[Path]:
    """The shader tests at these files, globs and anywhere below these folders, each once.

    Raises ArgumentError for a path that does not exist, or that has no shader tests.
    """
    found: dict[Path, None] = {}
    for path in paths:
        files = _files(path)
        if not files:
            is_missing = not os.path.exists(path) and not glob.has_magic(path)
            reason = "no such file or folder" if is_missing else f"no {SUFFIX} file"
            file, _, name = path.partition("::")
            hint = f"; {escaped(file)} -k {escaped(name)} runs one test" if name else ""
            raise FileError(f"{escaped(path)}: {reason}{hint}")
        found.update(dict.fromkeys(files))
    return list(found)


def _files(path: str) -> list[Path]:
    if os.path.isdir(path):
        return sorted(_below(path))
    if os.path.exists(path):
        return [Path(path)]
    found = map(Path, matching(path))
    return sorted(path for path in found if path.suffix == SUFFIX and path.is_file())


def _below(folder: str) -> Iterator[Path]:
    """The tests below a folder, without those of virtual environments: sm5vk itself has some."""
    paths = files_below(folder, lambda path: not os.path.exists(f"{path}/pyvenv.cfg"))
    yield from (Path(path) for path in paths if path.endswith(SUFFIX))


def parse_expression(text: str) -> Predicate:
    """Parse `-k`: parts of a test's `path::name`, joined by and, or, not, and ( ).

    Case does not matter. Adjacent words are one part, with their blanks. Raises ArgumentError.
    """
    words = _TOKEN.findall(text)
    parser = _Expression(words, text)
    found = parser.joined(_OPERATORS)
    if words:
        raise parser.error()
    return lambda identity: found(identity.lower())


class _Expression:
    """A recursive descent parser over the remaining words."""

    def __init__(self, words: list[str], text: str):
        self._words = words
        self._text = text
        self._depth = 0

    def joined(self, operators: Sequence[Operator]) -> Predicate:
        """Parse operands joined by the first operator; the later operators bind tighter."""
        if not operators:
            return self._operand()
        (word, combine), *tighter = operators
        operands = [self.joined(tighter)]
        while self._accept(word):
            operands.append(self.joined(tighter))
        return lambda identity: combine(operand(identity) for operand in operands)

    def _operand(self) -> Predicate:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise InvalidValueError(f"-k nests deeper than {_MAX_DEPTH} levels")
        found = self._unlimited()
        self._depth -= 1
        return found

    def _unlimited(self) -> Predicate:
        if self._accept("not"):
            inner = self._operand()
            return lambda identity: not inner(identity)
        if self._accept("("):
            inner = self.joined(_OPERATORS)
            if not self._accept(")"):
                raise self.error()
            return inner
        parts: list[str] = []
        while self._words and self._words[0].lower() not in _KEYWORDS:
            parts.append(self._words.pop(0).lower())
        if not parts:
            raise self.error()
        part = " ".join(parts)
        return lambda identity: part in identity

    def error(self) -> ArgumentError:
        at = f"at {self._words[0]!r}" if self._words else "at its end"
        return InvalidValueError(f"-k {self._text!r} is not an expression: wrong {at}")

    def _accept(self, word: str) -> bool:
        found = bool(self._words) and self._words[0].lower() == word
        if found:
            self._words.pop(0)
        return found


@dataclass(frozen=True, slots=True)
class Job:
    """The tests of one file on one device."""

    test: ShaderTest
    device: Wish


def read_tests(
    files: Sequence[Path], chosen: Predicate | None = None, allowed: Sequence[Path] = ()
) -> tuple[list[ShaderTest], list[Outcome]]:
    """The selected tests, and outcomes for files that cannot be read."""
    tests: list[ShaderTest] = []
    bad: list[Outcome] = []
    for path in files:
        try:
            test = read_file(path, allowed=allowed)
        except (ShaderTestError, OSError) as error:
            failure = failure_of(error, start_of(str(path)))
            bad.append(Outcome(str(path), "", "", failure.where.line or 1, (failure,)))
            continue
        cases = tuple(
            case for case in test.cases if chosen is None or chosen(f"{path}::{case.name}")
        )
        if cases:
            tests.append(ShaderTest(path, cases))
    return tests, bad


def run_jobs(
    jobs: Sequence[Job], processes: int, around: Around = nullcontext, *, apart: bool = False
) -> Iterator[list[Outcome]]:
    """Yield the outcomes of each job, in the order in which jobs end.

    With one process, the tests run in this process, each within a `with` of `around`. With `apart`
    they run in another process, so that a crash fails only its test.
    """
    if not apart and (processes <= 1 or len(jobs) <= 1):
        devices = _Devices(around)
        try:
            for job in jobs:
                yield devices.run(job)
        finally:
            devices.close()
        return
    if jobs:
        yield from _run_parallel(jobs, min(processes, len(jobs)))


def _run_parallel(jobs: Sequence[Job], processes: int) -> Iterator[list[Outcome]]:
    """Run jobs in processes. If a process dies, perhaps by its driver, another runs its jobs.

    With one process, the first lost job ended it: its cases run again, each by itself, and the one
    that ends its process fails. With several processes, any lost job may have ended them: all lost
    jobs run again, in one process.
    """
    from concurrent.futures import as_completed  # these take as long as a small test
    from concurrent.futures.process import BrokenProcessPool

    from translate.pool import worker_pool

    broken: set[Future[list[Outcome]]] = set()
    with worker_pool(processes) as pool:
        futures: dict[Future[list[Outcome]], Job] = {
            pool.submit(_run_here, job): job for job in jobs
        }
        for future in as_completed(futures):
            try:
                yield future.result()
            except BrokenProcessPool:
                broken.add(future)
    lost = [job for future, job in futures.items() if future in broken]
    if processes == 1 and lost:
        yield _each_case(lost.pop(0))
    if lost:
        yield from _run_parallel(lost, 1)


def _each_case(job: Job) -> list[Outcome]:
    """The outcomes of a job's cases, of which one ends its process; all fail if none does alone."""
    if len(job.test.cases) == 1:
        return [_crash(job, job.test.cases[0])]
    jobs = [Job(ShaderTest(job.test.path, (case,)), job.device) for case in job.test.cases]
    found = [outcome for outcomes in _run_parallel(jobs, 1) for outcome in outcomes]
    if not any(_is_crash(outcome) for outcome in found):
        return [_crash(job, case) for case in job.test.cases]
    return found


def _crash(job: Job, case: Case) -> Outcome:
    return _not_run(job, case, Failure.at(case.token, _CRASH, code=DEVICE))


def _is_crash(outcome: Outcome) -> bool:
    return any(failure.message == _CRASH for failure in outcome.failures)


def _not_run(job: Job, case: Case, failure: Failure) -> Outcome:
    line = case.token.line
    return Outcome(line.file, case.name, str(job.device or ""), line.number, (failure,))


class _Devices:
    """The open devices of a process, kept from job to job."""

    def __init__(self, around: Around = nullcontext) -> None:
        self._around = around
        self._open: dict[Wish, Device] = {}

    def run(self, job: Job) -> list[Outcome]:
        return [self._outcome(job, case) for case in job.test.cases]

    def _outcome(self, job: Job, case: Case) -> Outcome:
        try:
            device = self._device(job.device)
        except RunnerError as error:
            return _not_run(job, case, failure_of(error, case.token))
        with self._around(device):
            found = run_case(device, case)
        if found.code == DEVICE:  # the device may be unusable
            self._open.pop(job.device).close()
        return found

    def _device(self, wish: Wish) -> Device:
        if wish not in self._open:
            with warnings.catch_warnings():  # the command has printed them
                warnings.simplefilter("ignore", RuntimeWarning)
                self._open[wish] = open_device(wish)
        return self._open[wish]

    def close(self) -> None:
        for device in self._open.values():
            device.close()
        self._open.clear()


_devices = _Devices()


def _run_here(job: Job) -> list[Outcome]:
    return _devices.run(job)
