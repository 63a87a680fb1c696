"""Futures of single dispatches, dispatches of as many groups as a buffer says, profiles."""

from __future__ import annotations

import gc
import io
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from threading import Event
from typing import Any

import numpy as np
import pytest

from tests.running.conftest import opened
from tests.running.shaders import ADD, NEXT, SPIN, spun
from tests.running.starts import in_time, starter
from vkrunner import ArgumentError, Device, DispatchTimeout, Future
from vkrunner.recording import MOST_IN_FLIGHT
from vkrunner.submission import Submission as DeviceSubmission
from vkrunner.vulkan import submissions
from vkrunner.vulkan.command_list import Input

NOT_READY = 1  # VkResult


def test_several_dispatches_in_flight(either: Device) -> None:
    kernel = either.kernel(NEXT)
    arrays = [np.array([n, n + 1], np.uint32) for n in range(5)]
    futures = [kernel.dispatch_async(2, t0=x, u0=np.zeros(2, "u4")) for x in arrays]
    for x, future in reversed([*zip(arrays, futures, strict=True)]):
        np.testing.assert_array_equal(future.result().u0, 3 * x + 1)
        assert future.done()
        future.wait()
        assert future.result() is future.result()
        with pytest.raises(ArgumentError, match="a single dispatch has no steps"):
            future.result(1)


def test_arrays_were_read_when_it_returns(either: Device) -> None:
    kernel, array = either.kernel(ADD), np.array([1], np.uint32)
    future = kernel.dispatch_async(1, u0=array, cb0=1)
    array[0] = 50
    assert future.result().u0[0] == 2
    assert array[0] == 50


def test_a_wait_that_ends_too_early(own: Device) -> None:
    kernel = own.kernel(SPIN)
    future = kernel.dispatch_async(300, u0=np.zeros(1, np.uint32), cb0=60000)
    assert not future.done()
    with pytest.raises(DispatchTimeout, match=r"did not end its work in 0\.001 s"):
        future.wait(timeout=0.001)
    with pytest.raises(ArgumentError, match="a timeout is a positive number"):
        future.wait(timeout=0)
    other = kernel.dispatch(1, u0=np.zeros(1, np.uint32), cb0=3)
    assert other.u0[0] == spun(3), "the device is not spoilt"
    assert future.result(timeout=60).u0[0] == spun(60000)


@pytest.mark.parametrize("how", ["wait", "done"])
def test_what_is_submitted_anew_while_another_looks(
    own: Device, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """Whose fence was seen signalled may be in flight again when that is noted."""
    kernel, total = own.kernel(ADD), own.buffer(np.zeros(1, np.uint32))
    with own.record() as recording:
        recording.dispatch(kernel, 1, u0=total, cb0=1)
    first, queue, later = recording.submit(), own._backend.queue, list[Future]()
    submission = first._submission
    assert isinstance(submission, DeviceSubmission)
    work, wait, status = submission.executable._work, queue._wait, queue._status

    def resubmit() -> None:
        first.wait()
        later.append(recording.submit())

    def seen(call: Callable[..., int], *arguments: Any) -> int:
        while (result := call(*arguments)) == NOT_READY:
            pass
        monkeypatch.setattr(queue, "_wait", wait)
        monkeypatch.setattr(queue, "_status", status)
        started.append(owner.submit(resubmit))
        with suppress(TimeoutError):
            started[0].result(timeout=0.2)
        monkeypatch.setattr(queue, "_status", lambda *_: NOT_READY)
        return result

    started: list[Any] = []
    with ThreadPoolExecutor(1) as owner:
        if how == "wait":
            monkeypatch.setattr(queue, "_status", lambda *_: NOT_READY)
            monkeypatch.setattr(queue, "_wait", partial(seen, wait))
            queue.wait_for(total._memory.token, 10**10)
        else:
            monkeypatch.setattr(queue, "_status", partial(seen, status))
            assert first.done()
        started[0].result(timeout=60)
    assert later
    assert work in queue._in_flight.values()
    monkeypatch.setattr(queue, "_status", status)
    assert total.read()[0] == 2


def test_a_fence_is_not_reset_while_another_waits_for_it(
    own: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Vulkan specification, vkResetFences: "Host access to each member must be synchronized"."""
    kernel, total = own.kernel(ADD), own.buffer(np.zeros(1, np.uint32))
    with own.record() as recording:
        recording.dispatch(kernel, 1, u0=total, cb0=1)
    queue, fences, fences_reset = own._backend.queue, list[Any](), list[Any]()
    looking, go_on, wait, reset = Event(), Event(), queue._wait_until_signalled, queue._reset

    def waited(fence: Any, timeout_ns: int) -> None:
        wait(fence, timeout_ns)
        fences.append(fence.pointer)
        looking.set()
        go_on.wait(60)

    first = recording.submit()
    with ThreadPoolExecutor(1) as others, monkeypatch.context() as patch:
        patch.setattr(queue, "_wait_until_signalled", waited)
        reader = others.submit(queue.wait_for, total._memory.token, 10**10)
        assert looking.wait(60)
        patch.setattr(queue, "_wait_until_signalled", wait)
        first.wait()
        patch.setattr(queue, "_reset", lambda *of: fences_reset.append(of[2]) or reset(*of))
        recording.submit().wait()
        go_on.set()
        reader.result(timeout=60)
        for _ in range(3):
            recording.submit().wait()
    assert fences[0] not in fences_reset[:1]
    assert len(set(fences_reset)) <= 2, "both serve from then on"
    assert total.read()[0] == 5


def test_a_handler_that_submits_what_its_thread_waits_for(
    own: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A signal's handler or a finalizer, within a read: it would wait for itself."""
    kernel, total = own.kernel(ADD), own.buffer(np.zeros(1, np.uint32))
    with own.record() as recording:
        recording.dispatch(kernel, 1, u0=total, cb0=1)
    queue, later = own._backend.queue, list[Future]()
    first, wait = recording.submit(), queue._wait_until_signalled

    def waited(*arguments: Any) -> None:
        wait(*arguments)
        monkeypatch.undo()
        first.wait()
        later.append(recording.submit())

    def read() -> None:
        monkeypatch.setattr(queue, "_wait_until_signalled", waited)
        queue.wait_for(total._memory.token, 10**10)

    in_time(read)
    later[0].wait()
    assert total.read()[0] == 2


def test_ctrl_c_before_all_are_submitted(own: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their fences are reset, and nothing will signal them."""
    with own.record() as recording:
        recording.dispatch(own.kernel(ADD), 1, u0=np.zeros(1, "u4"), cb0=1)
    queue = own._backend.queue
    futures = [recording.submit() for _ in range(MOST_IN_FLIGHT)]
    for future in futures:
        future.result()

    reset = queue._reset

    def interrupted(*fences: Any) -> None:
        reset(*fences)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(queue, "_reset", interrupted)
        for _ in range(MOST_IN_FLIGHT):
            with pytest.raises(KeyboardInterrupt):
                recording.submit()
    assert in_time(recording.submit).result().u0[0] == 1


def test_ctrl_c_before_all_are_given_back(own: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their futures have the results, and no more to do with what served them."""
    with own.record() as recording:
        recording.dispatch(own.kernel(ADD), 1, u0=np.zeros(1, "u4"), cb0=1)
    futures = [recording.submit() for _ in range(MOST_IN_FLIGHT)]

    def interrupted(executable: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(recording, "give_back", interrupted)
        for future in futures:
            with pytest.raises(KeyboardInterrupt):
                future.result()
    futures.append(in_time(recording.submit))
    assert [future.result().u0[0] for future in futures] == [1] * (MOST_IN_FLIGHT + 1)


@pytest.mark.parametrize("recorded", [False, True])
def test_ctrl_c_while_results_are_given(
    own: Device, monkeypatch: pytest.MonkeyPatch, recorded: bool
) -> None:
    """What has served it serves others by then, and nobody gives it back again."""
    start = starter(own, own.kernel(ADD), recorded=recorded)
    for behind in (False, True):
        future = start(1)
        future.wait()
        home = future._submission._home
        method = home.give_back

        def interrupted(executable: Any, behind: bool = behind, method: Any = method) -> None:
            if behind:
                method(executable)
            raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr(home, "give_back", interrupted)
            with pytest.raises(KeyboardInterrupt):
                future.result()
        others = [start(100 * n) for n in range(3)]
        assert future.result().u0[0] == 1
        del future
        others += [start(100 * n) for n in range(3, 6)]
        assert [int(other.result().u0[0]) for other in others] == [100 * n for n in range(6)]


def test_ctrl_c_while_data_are_written(own: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next submission begins with what was recorded all the same."""
    kernel = own.kernel(ADD)
    with own.record() as recording:
        step = recording.dispatch(kernel, 1, u0=np.zeros(1, "u4"), cb0=1)
    assert recording.submit().result().u0[0] == 1
    restore = Input.restore

    def interrupted(there: Input) -> None:
        monkeypatch.undo()
        restore(there)
        raise KeyboardInterrupt

    monkeypatch.setattr(Input, "restore", interrupted)
    with pytest.raises(KeyboardInterrupt):
        recording.submit({step: {"cb0": 1000}})
    assert recording.submit().result().u0[0] == 1

    for there in recording._plan.idle[0].inputs[step].values():
        before = there.write

        def half(array: Any, before: Callable[[Any], None] = before) -> None:
            before(array)
            raise KeyboardInterrupt

        there.write = half
        name = "u0" if there.is_spent else "cb0"
        with pytest.raises(KeyboardInterrupt):
            recording.submit({step: {name: np.full(1, 7, "u4") if there.is_spent else 1000}})
        there.write = before
        assert recording.submit().result().u0[0] == 1, name


def test_polling_beside_a_thread_that_computes(
    own: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who loses the interpreter by looking at the fence looks but once, for a while."""
    queue = own._backend.queue
    future = own.kernel(ADD).dispatch_async(1, u0=np.zeros(1, "u4"), cb0=1)
    work = future._submission.executable._work
    now, step, looks = [10**9], [0], list[None]()

    def let_others_run() -> None:
        now[0] += step[0]

    def looks_of_a_poll(time_between_ns: int) -> int:
        step[0] = time_between_ns
        looks.clear()
        assert queue._poll(work.fence) == NOT_READY
        return len(looks)

    with monkeypatch.context() as patch:
        patch.setattr(queue, "_status", lambda *_: looks.append(None) or NOT_READY)
        patch.setattr(submissions.time, "perf_counter_ns", lambda: now[0])
        patch.setattr(submissions, "_let_others_run", let_others_run)
        short, long = submissions._POLL_NS // 4, submissions._POLL_NS + 5_000_000
        assert [looks_of_a_poll(short) for _ in range(2)] == [5, 5]
        assert looks_of_a_poll(long) == 2
        assert [looks_of_a_poll(short) for _ in range(3)] == [1, 1, 1]
        now[0] += submissions._PAUSE_NS
        assert looks_of_a_poll(short) == 5
    future.wait()


def test_futures_that_nobody_keeps(own: Device) -> None:
    kernel, total = own.kernel(ADD), own.buffer(np.zeros(1, np.uint32))
    for _ in range(40):
        kernel.dispatch_async(1, u0=total, cb0=1)
        kernel.dispatch_async(1, u0=np.zeros(1, np.uint32), cb0=1)
    assert total.read()[0] == 40
    del total
    gc.collect()
    own._backend.queue.wait_idle(10**10)
    assert own._backend.owned <= 1 + 2, "the kernel, and what is kept of two dispatches"


def test_closing_waits_and_results_stay(own: Device) -> None:
    spin, add = own.kernel(SPIN), own.kernel(ADD)
    with own.record() as work:
        step = work.dispatch(add, 1, u0=np.array([1], np.uint32), cb0=1)
    state = own.buffer(np.zeros(1, np.uint32))
    futures = [spin.dispatch_async(100, u0=np.zeros(1, np.uint32), cb0=60000)]
    futures.append(work.submit())
    resident = spin.dispatch_async(1, u0=state, cb0=5)
    own.close()
    assert futures[0].result().u0[0] == spun(60000)
    assert futures[1].result(step).u0[0] == 2
    with pytest.raises(ArgumentError, match="the device is closed"):
        _ = resident.result().u0


def test_closing_a_buffer_in_use(own: Device) -> None:
    kernel = own.kernel(SPIN)
    state = own.buffer(np.zeros(1, np.uint32))
    future = kernel.dispatch_async(100, u0=state, cb0=60000)
    state.close()
    others = [own.buffer(np.full(1, n, np.uint32)) for n in range(20)]
    future.wait()
    assert [int(other.read()[0]) for other in others] == list(range(20))


def test_as_many_groups_as_a_buffer_says(either: Device) -> None:
    kernel = either.kernel(ADD)
    groups = either.buffer(np.array([9, 2, 1, 1, 0, 1, 1], np.uint32))
    for _ in range(2):
        result = kernel.dispatch_indirect(groups, 4, u0=np.zeros(3, "u4"), cb0=5)
        assert result.u0.tolist() == [5, 5, 0]
        result = kernel.dispatch_indirect(groups, 16, u0=np.zeros(3, "u4"), cb0=5)
        assert result.u0.tolist() == [0, 0, 0]
    groups.write(np.array([0, 3, 1, 1, 0, 1, 1], np.uint32))
    assert kernel.dispatch_indirect(groups, 4, u0=np.zeros(3, "u4"), cb0=6).u0.tolist() == [6] * 3


@pytest.mark.parametrize(
    ("offset", "message"),
    [
        (20, "the groups take 12 bytes from byte 20 on, the buffer has 28"),
        (2, "at a multiple of 4 bytes, not at 2"),
        (-4, "at a multiple of 4 bytes, not at -4"),
        (1.0, "at a multiple of 4 bytes"),
    ],
)
def test_groups_that_are_not_in_the_buffer(either: Device, offset: Any, message: str) -> None:
    kernel, groups = either.kernel(ADD), either.buffer(28)
    with pytest.raises(ArgumentError, match=message):
        kernel.dispatch_indirect(groups, offset, u0=np.zeros(1, "u4"), cb0=1)


def test_groups_that_are_in_no_buffer(either: Device, machine: Any, device: Device) -> None:
    kernel = either.kernel(ADD)
    array: Any = np.zeros(3, np.uint32)
    with pytest.raises(ArgumentError, match="a buffer that stays on the device, not in a ndarray"):
        kernel.dispatch_indirect(array, u0=np.zeros(1, "u4"), cb0=1)
    for other in (machine, device):
        with pytest.raises(ArgumentError, match="belongs to another device"):
            kernel.dispatch_indirect(other.buffer(12), u0=np.zeros(1, "u4"), cb0=1)


def test_a_profile(own: Device, capsys: pytest.CaptureFixture[str]) -> None:
    add, following = own.kernel(ADD), own.kernel(NEXT)
    add.name, following.name = "add", "next"
    results: list[Any] = []
    with own.profile() as profile:
        for _ in range(3):
            results.append(add.dispatch(1, u0=np.zeros(1, "u4"), cb0=1))
        following.dispatch(1, t0=np.zeros(1, "u4"), u0=np.zeros(1, "u4"))
    add.dispatch(1, u0=np.zeros(1, "u4"), cb0=1)
    printed = capsys.readouterr().out
    assert printed == profile.table() + "\n"
    assert printed.split("\n")[0].split() == [
        *("kernel", "count", "total", "ms", "mean", "us", "min", "us", "max", "us")
    ]
    if not own.features.timestamps:
        assert profile.kernels == []
        return
    times = {row.name: row for row in profile.kernels}
    durations = [result.duration_ns for result in results]
    assert (times["add"].count, times["next"].count) == (3, 1)
    assert times["add"].total_ns == sum(durations)
    assert times["add"].min_ns == min(durations)
    assert times["add"].max_ns == max(durations)
    assert times["add"].mean_ns == sum(durations) / 3
    assert profile.total_ns == sum(row.total_ns for row in profile.kernels)
    assert "add" in printed


@pytest.mark.parametrize("kind", ["shared", "written"])
@pytest.mark.parametrize("asked", [None, True, False])
def test_which_devices_time(device: Device, kind: str, asked: bool | None) -> None:
    """By default the device where a timestamp is nearly free, else the host; False for neither."""
    with opened(kind, device, timestamps=asked) as own:
        by_host = asked is None and own.info.type == "cpu"
        by_device = asked is not False and own.features.timestamps
        kernel = own.kernel(ADD)
        for _ in range(2):  # the first, and one that is submitted as that was recorded
            before = time.perf_counter_ns()
            duration = kernel.dispatch(1, u0=np.zeros(1, np.uint32), cb0=1).duration_ns
            took = time.perf_counter_ns() - before
            assert (duration is not None) == (by_host or by_device)
            assert duration is None or duration > 0
            assert duration is None or not by_host or duration < took


@pytest.mark.parametrize("timestamps", [None, False])
def test_a_profile_times_what_is_not_timed_else(device: Device, timestamps: bool | None) -> None:
    with opened("shared", device, timestamps=timestamps) as own:
        clock = own.features.timestamps
        timed = timestamps is None and (clock or own.info.type == "cpu")
        kernel = own.kernel(ADD)
        found: list[bool] = []
        for profiled in (False, True, False):
            if profiled:
                with own.profile(io.StringIO()):
                    result = kernel.dispatch(1, u0=np.zeros(1, "u4"), cb0=1)
            else:
                result = kernel.dispatch(1, u0=np.zeros(1, "u4"), cb0=1)
            found.append(result.duration_ns is not None)
        assert found == [timed, timed or clock, timed]


def test_names_of_kernels(either: Device, tmp_path: Any) -> None:
    path = tmp_path / "add_one.asm"
    path.write_text(ADD)
    assert either.kernel(path).name == "add_one"
    assert either.kernel(ADD).name == "kernel"
