"""A Dask cluster gives the same bytes, whichever workers are lost."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import translate
from tests.unit.bulk.shaders import RECIPE, Deadly, contents, make_cache, refused
from translate.bulk import ExecutorError, Recipe, Row, find_inputs, translate_files
from vkrunner.__main__ import main

OPTIONS = translate.Options()
COUNT = 120


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with local_cluster() as made:
        yield made


def local_cluster(workers: int = 2) -> Any:
    from distributed import LocalCluster  # here: it takes a second, in each worker

    options: dict[str, Any] = {"dashboard_address": ":0", "host": "127.0.0.1"}
    return LocalCluster(n_workers=workers, threads_per_worker=1, **options)


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


@pytest.mark.slow(reason="a Dask cluster")
def test_a_client_is_an_executor(cluster: Any, tmp_path: Path) -> None:
    """Also one that runs equal calls once, which is Dask's default."""
    from distributed import Client

    make_cache(tmp_path / "cache", 9)
    inputs = find_inputs([str(tmp_path / "cache")])
    translate_files(inputs, tmp_path / "here", RECIPE)
    with Client(cluster.scheduler_address, set_as_default=False) as client:
        for name in ("there", "again"):
            translate_files(inputs, tmp_path / name, RECIPE, executor=client.get_executor())
            assert contents(tmp_path / name) == contents(tmp_path / "here")


@pytest.mark.slow(reason="a Dask cluster")
def test_the_command(cluster: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_cache(tmp_path / "cache", 9)
    translate_files(find_inputs([str(tmp_path / "cache")]), tmp_path / "here", Recipe(OPTIONS))
    words = ["translate", str(tmp_path / "cache"), "--output-dir", str(tmp_path / "there")]
    assert main([*words, "--dask", cluster.scheduler_address]) == 0
    assert contents(tmp_path / "there") == contents(tmp_path / "here")
    capsys.readouterr()
    assert main([*words, "--dask", "nowhere://here"]) == 2
    assert capsys.readouterr().err.startswith("sm5vk: error: no Dask scheduler at nowhere://here")


@pytest.mark.slow(reason="a Dask client that waits for a scheduler")
def test_no_scheduler(tmp_path: Path) -> None:
    make_cache(tmp_path / "cache", 1)
    inputs = find_inputs([str(tmp_path / "cache")])
    with pytest.raises(ExecutorError, match=r"no Dask scheduler at 127\.0\.0\.1:1"):
        translate_files(inputs, tmp_path / "out", RECIPE, cluster="127.0.0.1:1")


@pytest.mark.slow(reason="a Dask cluster")
def test_a_worker_with_another_version(cluster: Any, tmp_path: Path) -> None:
    make_cache(tmp_path / "cache", 1)
    recipe = Recipe(OPTIONS, translator="another")
    inputs = find_inputs([str(tmp_path / "cache")])
    with pytest.raises(ExecutorError, match="another version of sm5vk"):
        translate_files(inputs, tmp_path / "out", recipe, cluster=cluster.scheduler_address)


@pytest.mark.slow(reason="a Dask cluster")
def test_a_worker_that_lacks_this_project(tmp_path: Path) -> None:
    """It has another package of the same name."""
    make_cache(tmp_path / "cache", 9)
    (tmp_path / "path" / "translate").mkdir(parents=True)
    (tmp_path / "path" / "translate" / "__init__.py").touch()
    # An editable installation of the project would find the modules that the package lacks.
    missing = 'raise ModuleNotFoundError("No module named translate.bulk")\n'
    (tmp_path / "path" / "translate" / "bulk.py").write_text(missing)
    inputs = find_inputs([str(tmp_path / "cache")])
    with local_cluster(0) as cluster:
        words = [sys.executable, "-P", "-m", "distributed.cli.dask_worker"]
        worker = subprocess.Popen(
            [*words, cluster.scheduler_address, "--no-nanny", "--no-dashboard"],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(tmp_path / "path")},
            stderr=subprocess.DEVNULL,
        )
        try:
            with pytest.raises(ExecutorError, match=r"ModuleNotFoundError.*translate\.bulk"):
                translate_files(inputs, tmp_path / "out", RECIPE, cluster=cluster.scheduler_address)
        finally:
            worker.terminate()
            worker.wait()


@pytest.mark.thorough(reason="a Dask cluster")
def test_a_shader_that_kills_workers_is_refused(tmp_path: Path) -> None:
    import dask

    make_cache(tmp_path / "cache", 4)
    inputs = find_inputs([str(tmp_path / "cache")])
    inputs.insert(3, Deadly("deadly", inputs[0].path))
    with dask.config.set({"distributed.scheduler.allowed-failures": 0}), local_cluster() as cluster:
        report = translate_files(
            inputs, tmp_path / "out", RECIPE, cluster=cluster.scheduler_address
        )
    assert report.translated == 4
    assert [(row.name, row.reason) for row in report.refused] == [
        ("deadly", "its worker failed, also with no other shader: KilledWorker")
    ]
