"""Run jobs in this process or in several processes, and survive the death of any of these."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice

from translate.bulk.job import Job, Outcome, Recipe, Refusal, translate_job
from translate.pool import SafeSpawnContext, start_worker

Done = tuple[Job, Outcome]

_AHEAD = 4  # jobs submitted ahead for each process, to keep it busy
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
    pool = ProcessPoolExecutor(count, SafeSpawnContext(), start_worker)
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
