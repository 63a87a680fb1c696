"""Runs many tests on several devices, in this process or in several processes."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from translate.dataclass import dataclass
from translate.errors import message_text
from vkrunner import Device, RunnerError, open_device
from vkrunner.shadertest.cases import Case, ShaderTest
from vkrunner.shadertest.cursor import ShaderTestError, start_of
from vkrunner.shadertest.execute import run_case
from vkrunner.shadertest.file_reader import read_file
from vkrunner.shadertest.outcome import DEVICE, Failure, Outcome, failure_of
from vkrunner.shadertest.selection import Predicate

if TYPE_CHECKING:
    from concurrent.futures import Future

Wish = str | int | None  # the argument of `open_device`
_CRASH = "the driver ended the process"

Around = Callable[[Device], AbstractContextManager[object]]


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
    with worker_pool(processes, _start) as pool:
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


def _start() -> None:
    from translate.pool import start_worker

    start_worker()
    warnings.showwarning = _show_warning


def _show_warning(message: Warning | str, *_: object) -> None:
    """Print a warning to standard error, in the form of the command."""
    print(message_text(f"sm5vk: warning: {message}"), file=sys.stderr)


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
