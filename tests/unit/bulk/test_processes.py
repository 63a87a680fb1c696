"""Several processes, which may be killed at any time."""

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.unit.bulk.shaders import RECIPE, Deadly, contents, make_cache
from translate.bulk import Row, find_inputs, translate_files
from translate.bulk.manifest import NAME

COUNT = 60
PATIENCE_S = 60.0


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cache")
    make_cache(folder, COUNT)
    return folder


@pytest.fixture(scope="module")
def expected(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The outputs for the cache by a single process."""
    folder = tmp_path_factory.mktemp("expected")
    translate_files(find_inputs([str(cache)]), folder, RECIPE)
    return contents(folder)


def test_results_are_the_same(cache: Path, expected: dict[str, bytes], tmp_path: Path) -> None:
    report = translate_files(find_inputs([str(cache)]), tmp_path, RECIPE, processes=3)
    assert report.translated == COUNT
    assert contents(tmp_path) == expected


@pytest.mark.slow(reason="processes that are killed")
def test_a_kill_loses_nothing(cache: Path, expected: dict[str, bytes], tmp_path: Path) -> None:
    killed: list[int] = []

    def kill(row: Row) -> None:
        children = multiprocessing.active_children()
        if len(killed) < 2 and children and children[0].pid not in killed:
            assert children[0].pid is not None
            killed.append(children[0].pid)
            os.kill(children[0].pid, signal.SIGKILL)

    inputs = find_inputs([str(cache)])
    report = translate_files(inputs, tmp_path, RECIPE, processes=2, progress=kill)
    assert len(killed) == 2
    assert report.translated == len(report.rows) == COUNT
    assert contents(tmp_path) == expected


@pytest.mark.slow(reason="processes that are killed")
def test_a_shader_that_kills_its_process_is_refused(cache: Path, tmp_path: Path) -> None:
    """A later run tries it again."""
    inputs = find_inputs([str(cache)])
    deadly = Deadly("0/deadly", inputs[0].path)
    report = translate_files([*inputs[:9], deadly], tmp_path, RECIPE, processes=2)
    assert (report.translated, [row.name for row in report.refused]) == (9, [deadly.name])
    assert "its worker failed" in (report.refused[0].reason or "")
    again = translate_files([*inputs[:9], deadly], tmp_path, RECIPE, processes=2)
    assert [row.name for row in again.rows if not row.kept] == [deadly.name]


@pytest.mark.slow(reason="processes that are killed")
def test_a_killed_run_is_continued_and_leaves_no_process(
    cache: Path, expected: dict[str, bytes], tmp_path: Path
) -> None:
    words = [sys.executable, "-m", "vkrunner", "translate", str(cache), "-j", "2"]
    words += ["--output-dir", str(tmp_path), "--interfaces"]
    root = Path(__file__).parents[3]
    started = subprocess.Popen(words, cwd=root, start_new_session=True)
    wait_until(lambda: (tmp_path / NAME).exists() and (tmp_path / NAME).stat().st_size > 0)
    os.kill(started.pid, signal.SIGKILL)
    started.wait(PATIENCE_S)
    wait_until(lambda: not group_is_there(started.pid))
    report = translate_files(find_inputs([str(cache)]), tmp_path, RECIPE)
    assert report.translated == COUNT
    assert any(row.kept for row in report.rows)
    made = {name: data for name, data in contents(tmp_path).items() if name in expected}
    assert made == expected


def wait_until(condition: Any) -> None:
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end, "it does not come"
        time.sleep(0.02)


def group_is_there(leader: int) -> bool:
    try:
        os.killpg(leader, 0)
    except ProcessLookupError:
        return False
    return True
