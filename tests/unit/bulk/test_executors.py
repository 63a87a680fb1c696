"""Any executor gives the same files, and what fails in it loses nothing else."""

import multiprocessing
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import pytest

import translate
from tests.unit.bulk.shaders import RECIPE, Deadly, contents, make_cache, refused
from translate.bulk import ExecutorError, Input, Recipe, Row, find_inputs, translate_files

COUNT = 20
MOST_TASKS = 256  # at a time


def spawned() -> Executor:
    return ProcessPoolExecutor(2, multiprocessing.get_context("spawn"))


@pytest.fixture
def inputs(tmp_path: Path) -> list[Input]:
    make_cache(tmp_path / "cache", COUNT)
    (tmp_path / "cache" / "bad").write_bytes(refused())
    return find_inputs([str(tmp_path / "cache")])


class Counting(ThreadPoolExecutor):
    """One thread, and the numbers of tasks that were waiting or running, and that were started."""

    def __init__(self) -> None:
        super().__init__(1)
        self.now = self.most = self.started = 0
        self.may_go_on = Event()  # after the first task
        self.may_go_on.set()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        def task() -> Any:
            self.started += 1
            assert self.started == 1 or self.may_go_on.wait(60)
            return fn(*args, **kwargs)

        self.now += 1
        self.most = max(self.most, self.now)
        future = super().submit(task)
        future.add_done_callback(self.ended)
        return future

    def ended(self, _: Future[Any]) -> None:
        self.now -= 1


@pytest.mark.parametrize("make", [lambda: ThreadPoolExecutor(4), spawned])
def test_results_are_the_same(
    inputs: list[Input], out: Path, tmp_path: Path, make: Callable[[], Executor]
) -> None:
    expected = translate_files(inputs, tmp_path / "expected", RECIPE)
    with make() as executor:
        report = translate_files(inputs, out, RECIPE, executor=executor)
        assert executor.submit(abs, -3).result() == 3
        again = translate_files(inputs, out, RECIPE, executor=executor)
    assert [(r.name, r.status, r.message) for r in report.rows] == [
        (r.name, r.status, r.message) for r in expected.rows
    ]
    assert all(row.kept for row in again.rows)
    assert contents(out) == contents(tmp_path / "expected")


def test_few_tasks_wait_at_a_time(out: Path, tmp_path: Path) -> None:
    count = 2 * MOST_TASKS + 41  # in tasks of two
    make_cache(tmp_path, count)
    with Counting() as executor:
        report = translate_files(find_inputs([str(tmp_path)]), out, RECIPE, executor=executor)
    assert report.translated == count
    assert executor.started == -(-count // 2)
    assert MOST_TASKS // 2 < executor.most <= MOST_TASKS


def test_an_interrupt_ends_waiting_tasks_and_keeps_files(inputs: list[Input], out: Path) -> None:
    def interrupt(row: Row) -> None:
        executor.may_go_on.set()
        raise KeyboardInterrupt

    with Counting() as executor:
        executor.may_go_on.clear()
        with pytest.raises(KeyboardInterrupt):
            translate_files(inputs, out, RECIPE, executor=executor, progress=interrupt)
        assert executor.submit(abs, -3).result() == 3
    assert executor.started < COUNT
    report = translate_files(inputs, out, RECIPE)
    assert sum(row.kept for row in report.rows) == 1
    assert len(report.rows) == COUNT + 1


@pytest.mark.slow(reason="processes that end")
def test_a_pool_that_breaks(inputs: list[Input], out: Path) -> None:
    """Own processes find the shader that breaks it, and translate the others."""
    deadly = Deadly("0/deadly", inputs[0].path)
    with spawned() as executor, pytest.warns(RuntimeWarning, match="own processes continue"):
        report = translate_files([deadly, *inputs], out, RECIPE, executor=executor)
    reasons = {row.name: row.reason or "" for row in report.refused}
    assert reasons.keys() == {"0/deadly", "bad"}
    assert reasons["0/deadly"].startswith("its worker failed")
    assert report.translated == COUNT
    again = translate_files(inputs, out, RECIPE)
    assert all(row.kept for row in again.rows)


class Failing(Executor):
    """Every third call raises an error."""

    def __init__(self) -> None:
        self.calls = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        made: Future[Any] = Future()
        self.calls += 1
        if self.calls % 3:
            made.set_result(fn(*args, **kwargs))
        else:
            made.set_exception(OSError("a worker went away"))
        return made


def test_failures_that_do_not_last(inputs: list[Input], out: Path) -> None:
    report = translate_files(inputs, out, RECIPE, executor=Failing())
    assert (report.translated, len(report.refused)) == (COUNT, 1)


class Cancelling(Executor):
    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        made: Future[Any] = Future()
        made.cancel()
        made.set_running_or_notify_cancel()
        return made


class Absent(Executor):
    """Its workers lack this project."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        made: Future[Any] = Future()
        made.set_exception(ModuleNotFoundError("No module named 'translate'"))
        return made


def test_an_executor_that_cannot_be_used(inputs: list[Input], out: Path) -> None:
    """It refuses no shader: the next run translates them all."""
    ended = ThreadPoolExecutor(1)
    ended.shutdown()
    for executor, message in (
        (Cancelling(), "the executor cancelled the work"),
        (Absent(), "cannot translate: ModuleNotFoundError: No module named 'translate'"),
        (ended, "takes no work: cannot schedule new futures after shutdown"),
    ):
        with pytest.raises(ExecutorError, match=message):
            translate_files(inputs, out, RECIPE, executor=executor)
    report = translate_files(inputs, out, RECIPE)
    assert (report.translated, len(report.refused)) == (COUNT, 1)
    assert not any(row.kept for row in report.rows)


@pytest.mark.parametrize("executor", [None, ThreadPoolExecutor(1)])
def test_another_version(inputs: list[Input], out: Path, executor: Executor | None) -> None:
    recipe = Recipe(RECIPE.options, translator="another")
    with pytest.raises(ExecutorError, match="another version of sm5vk"):
        translate_files(inputs, out, recipe, executor=executor)
    assert not list(out.rglob("*.spv"))


def test_an_executor_and_a_cluster(inputs: list[Input], out: Path) -> None:
    with pytest.raises(translate.OptionError, match="do not go together"):
        translate_files(inputs, out, RECIPE, executor=Cancelling(), cluster="tcp://127.0.0.1:1")
