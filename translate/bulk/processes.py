"""Jobs in this process, or in several processes, any of which may die."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice

from translate.bulk.job import Job, Outcome, Recipe, Refusal, translate_job

Done = tuple[Job, Outcome]

_AHEAD = 4  # jobs handed out for each process, so that none waits for the next one
DIED = Refusal("the process that translated it died, alone with it too", lasting=False)


def in_process(jobs: Iterable[Job], recipe: Recipe) -> Iterator[Done]:
    """One job after the other, here."""
    for job in jobs:
        yield job, translate_job(job, recipe)


def in_processes(jobs: Iterable[Job], recipe: Recipe, count: int) -> Iterator[Done]:
    """Jobs in `count` processes, each given as it ends.

    When a process dies, it is unknown whose job it was: each job that was handed out is done
    once more, alone. One that kills its process then is refused.
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
    """Give what ends; return the jobs that were handed out when a process died."""
    taken: dict[str, Job] = {}
    futures: dict[Future[Outcome], Job] = {}
    pool = ProcessPoolExecutor(count, multiprocessing.get_context("spawn"), _start)
    try:
        wanted = count * _AHEAD
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
    finally:
        pool.shutdown(cancel_futures=True)


def _start() -> None:
    """In a new process: an interrupt is its parent's matter, and it does not outlive that."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
