"""Run jobs on a Dask cluster, which may gain and lose workers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from translate.bulk.processes import Job, Outcome, Recipe, Refusal, translate_job
from translate.errors import TranslateError

_BATCH = 16  # jobs in a task; a task costs the scheduler about a millisecond
_AHEAD = 4  # tasks submitted ahead for each worker thread
_LOST = Refusal("its worker died, also with no other shader to translate", lasting=False)


class ClusterError(TranslateError):
    """The cluster cannot be reached, or its workers cannot translate."""


def on_cluster(
    jobs: Iterable[Job], recipe: Recipe, address: str, *, patience_s: float = 10.0
) -> Iterator[tuple[Job, Outcome]]:
    """Run jobs on the cluster with its scheduler at `address`; yield each as it ends.

    Other workers take over the jobs of a lost worker. A job that kills several workers is refused.
    Raises ClusterError for a failure of the cluster, or if the scheduler does not answer within
    `patience_s` seconds.
    """
    distributed = _import()
    try:
        client = distributed.Client(address, timeout=patience_s, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ClusterError(f"no Dask scheduler at {address}: {error}") from None
    with client:
        yield from _run(distributed, client, iter(jobs), recipe)


def translate_batch(jobs: Sequence[Job], recipe: Recipe) -> list[Outcome]:
    """The Dask task: translate a batch of jobs."""
    return [translate_job(job, recipe) for job in jobs]


def _import() -> Any:
    try:
        import distributed
    except ImportError:
        raise ClusterError("--dask needs Dask: pip install distributed") from None
    return distributed


def _run(
    distributed: Any, client: Any, jobs: Iterator[Job], recipe: Recipe
) -> Iterator[tuple[Job, Outcome]]:
    """Run the jobs; at the end, repeat those whose workers died, one by one.

    A job whose workers die again is refused.
    """
    suspects: list[Job] = []
    yield from _spread(distributed, client, _batches(jobs), recipe, suspects)
    for job in suspects:
        guilty: list[Job] = []
        yield from _spread(distributed, client, iter([[job]]), recipe, guilty)
        if guilty:
            yield job, Outcome({}, refusal=_LOST)


def _spread(
    distributed: Any,
    client: Any,
    batches: Iterator[list[Job]],
    recipe: Recipe,
    suspects: list[Job],
) -> Iterator[tuple[Job, Outcome]]:
    """Yield finished jobs; append to `suspects` those whose workers died even for the job alone."""
    running: dict[Any, list[Job]] = {}

    def submit(batch: list[Job]) -> Any:
        future = client.submit(translate_batch, batch, recipe, pure=False)
        running[future] = batch
        return future

    ahead = _AHEAD * max(sum(client.nthreads().values()), 1)
    first = [submit(batch) for batch in islice(batches, ahead)]
    ended = distributed.as_completed(first, loop=client.loop)
    for future in ended:
        batch = running.pop(future)
        outcomes = _outcomes(distributed, future)
        singly = [[job] for job in batch] if outcomes is None and len(batch) > 1 else []
        for part in (*singly, *islice(batches, 1)):
            ended.add(submit(part))
        if outcomes is not None:
            yield from zip(batch, outcomes, strict=True)
        elif not singly:
            suspects += batch


def _batches(jobs: Iterator[Job]) -> Iterator[list[Job]]:
    while batch := list(islice(jobs, _BATCH)):
        yield batch


def _outcomes(distributed: Any, future: Any) -> list[Outcome] | None:
    """The result of a task; None if its workers died."""
    if future.status == "cancelled":
        raise ClusterError("the Dask scheduler cancelled the work")
    error = future.exception()
    if error is None:
        return future.result()
    if isinstance(error, distributed.KilledWorker):
        return None
    raise ClusterError(f"a Dask worker failed: {error}")
