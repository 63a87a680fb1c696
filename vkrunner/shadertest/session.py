"""Many tests on several devices: in this process, or in several that take a file at a time."""

from __future__ import annotations

import multiprocessing
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from vkrunner import Device, RunnerError, open_device
from vkrunner.shadertest.cursor import Line, ShaderTestError, Token
from vkrunner.shadertest.execute import run_case
from vkrunner.shadertest.outcome import DEVICE, ERROR, Failure, Outcome, failure_of
from vkrunner.shadertest.records import ShaderTest
from vkrunner.shadertest.selection import Predicate
from vkrunner.shadertest.syntax import read_file

Wish = str | int | None  # what `open_device` takes
Around = Callable[[Device], AbstractContextManager[object]]


@dataclass(frozen=True, slots=True)
class Job:
    """Tests of one file, by their names, on one device."""

    path: str
    names: tuple[str, ...]
    device: Wish


def read_tests(
    files: Sequence[Path], chosen: Predicate | None = None
) -> tuple[list[ShaderTest], list[Outcome]]:
    """The tests that are chosen, and what came of files that cannot be read."""
    tests: list[ShaderTest] = []
    bad: list[Outcome] = []
    for path in files:
        try:
            test = read_file(path)
        except (ShaderTestError, OSError) as error:
            bad.append(unreadable(path, error))
            continue
        cases = tuple(
            case for case in test.cases if chosen is None or chosen(f"{path}::{case.name}")
        )
        if cases:
            tests.append(ShaderTest(path, cases))
    return tests, bad


def unreadable(path: Path, error: ShaderTestError | OSError) -> Outcome:
    """The outcome of a file that cannot be read."""
    failure = failure_of(error, Token("", Line(str(path), 1, ""), 0))
    line = failure.where.line or 1
    return Outcome(str(path), "", "", ERROR, line, (failure,))


def jobs_of(tests: Sequence[ShaderTest], devices: Sequence[Wish]) -> list[Job]:
    """A job for each file and device."""
    return [
        Job(str(test.path), tuple(case.name for case in test.cases), device)
        for device in devices
        for test in tests
    ]


def run_jobs(
    jobs: Sequence[Job], processes: int, around: Around = nullcontext
) -> Iterator[list[Outcome]]:
    """The outcomes of each job, as they come.

    Where `processes` is 1 they run in this one, each test within a `with` of `around`.
    """
    if processes <= 1 or len(jobs) <= 1:
        devices = _Devices(around)
        try:
            for job in jobs:
                yield devices.run(job)
        finally:
            devices.close()
        return
    yield from _run_parallel(jobs, min(processes, len(jobs)))


def _run_parallel(jobs: Sequence[Job], processes: int) -> Iterator[list[Outcome]]:
    """Where a process dies, with a driver perhaps, what it left is run again, one job at a time."""
    left: list[Job] = []
    with _pool(processes) as pool:
        futures = {pool.submit(_run_here, job): job for job in jobs}
        for future in as_completed(futures):
            try:
                yield future.result()
            except BrokenProcessPool:
                left.append(futures[future])
    for job in left:
        yield _run_alone(job)


def _run_alone(job: Job) -> list[Outcome]:
    with _pool(1) as pool:
        future: Future[list[Outcome]] = pool.submit(_run_here, job)
        try:
            return future.result()
        except BrokenProcessPool:
            return [_crashed(job, name) for name in job.names]


def _crashed(job: Job, name: str) -> Outcome:
    where = Token("", Line(job.path, 1, ""), 0).where
    message = "the process ended while a test of this file ran: a fault of the driver, perhaps"
    device = str(job.device or "")
    return Outcome(job.path, name, device, ERROR, 1, (Failure(message, where, code=DEVICE),))


def _pool(processes: int) -> ProcessPoolExecutor:
    # A forked process would share the driver's state.
    return ProcessPoolExecutor(processes, multiprocessing.get_context("spawn"))


class _Devices:
    """Open devices of a process, kept from job to job."""

    def __init__(self, around: Around = nullcontext) -> None:
        self._around = around
        self._open: dict[Wish, Device] = {}

    def run(self, job: Job) -> list[Outcome]:
        try:
            test = read_file(Path(job.path))
        except (ShaderTestError, OSError) as error:
            return [unreadable(Path(job.path), error)]
        found: list[Outcome] = []
        for case in test.cases:
            if case.name in job.names:
                try:
                    device = self._device(job.device)
                except RunnerError as error:
                    failure = failure_of(error, case.token)
                    name = str(job.device or "")
                    found.append(Outcome(job.path, case.name, name, ERROR, 1, (failure,)))
                    continue
                with self._around(device):
                    found.append(run_case(device, case))
                if found[-1].code == DEVICE:  # it may be of no more use
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
