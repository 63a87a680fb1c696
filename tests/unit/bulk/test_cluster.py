"""A Dask cluster gives the same bytes, whichever workers are lost."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import translate
from tests.unit.bulk.shaders import container, contents, make_cache, refused
from translate.bulk import Recipe, Row, find_inputs, translate_files
from translate.bulk.cluster import ClusterError, on_cluster
from translate.bulk.processes import Job

RECIPE = Recipe(translate.Options(), interfaces=True)
COUNT = 400


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with local_cluster() as made:
        yield made


def local_cluster() -> Any:
    from distributed import LocalCluster  # here: it takes a second, in each worker

    options: dict[str, Any] = {"dashboard_address": ":0", "host": "127.0.0.1"}
    return LocalCluster(n_workers=2, threads_per_worker=1, **options)


def pids(cluster: Any) -> list[int]:
    return [nanny.process.pid for nanny in cluster.workers.values() if nanny.process]


@pytest.mark.slow(reason="a Dask cluster")
def test_results_are_the_same_with_a_worker_lost(cluster: Any, tmp_path: Path) -> None:
    cache, here, there = tmp_path / "cache", tmp_path / "here", tmp_path / "there"
    make_cache(cache, COUNT)
    (cache / "bad").write_bytes(refused())
    inputs = find_inputs([str(cache)])
    local = translate_files(inputs, here, RECIPE)
    killed: list[int] = []

    def kill(row: Row) -> None:
        if not killed:
            killed.append(pids(cluster)[0])
            os.kill(killed[0], signal.SIGKILL)

    report = translate_files(
        inputs, there, RECIPE, cluster=cluster.scheduler_address, progress=kill
    )
    assert killed
    assert contents(there) == contents(here)
    assert [(r.name, r.status, r.message) for r in report.rows] == [
        (r.name, r.status, r.message) for r in local.rows
    ]


def test_no_scheduler() -> None:
    with pytest.raises(ClusterError, match=r"no Dask scheduler at 127\.0\.0\.1:1"):
        list(on_cluster([Job("a", b"")], RECIPE, "127.0.0.1:1", patience_s=0.3))


@pytest.mark.slow(reason="a Dask cluster")
def test_a_worker_with_another_version(cluster: Any) -> None:
    recipe = Recipe(RECIPE.options, translator="another")
    with pytest.raises(ClusterError, match="another version of sm5vk"):
        list(on_cluster([Job("a", b"")], recipe, cluster.scheduler_address))


class Deadly(bytes):
    """Bytes that end the process that reads them as a shader."""

    def __bytes__(self) -> bytes:
        os._exit(1)


@pytest.mark.thorough(reason="a Dask cluster")
def test_a_shader_that_kills_workers_is_refused() -> None:
    import dask

    jobs = [Job(str(value), container(value)) for value in range(4)]
    jobs.insert(3, Job("deadly", Deadly()))
    with dask.config.set({"distributed.scheduler.allowed-failures": 0}), local_cluster() as cluster:
        done = {j.digest: o for j, o in on_cluster(jobs, RECIPE, cluster.scheduler_address)}
    assert len(done) == 5
    refusal = done.pop("deadly").refusal
    assert refusal is not None
    assert "its worker died" in refusal.message
    assert all(outcome.refusal is None for outcome in done.values())
