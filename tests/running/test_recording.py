"""Recordings: their results in repeated submissions, with new data, several in flight.

All tests run with synchronisation validation.
"""

import gc
import io
from typing import Any

import numpy as np
import pytest

from checks.running.shaders import ADD, APPEND, NEXT, NEXT_TEXEL
from vkrunner import (
    ArgumentError,
    ClosedError,
    Device,
    FeatureError,
    InvalidValueError,
    MissingError,
    ShapeError,
    UnknownNameError,
    WrongDeviceError,
    WrongTypeError,
)
from vkrunner.dispatch.future import MOST_IN_FLIGHT
from vkrunner.vulkan.encode.step_commands import report_bytes


def numbers(*values: int) -> np.ndarray[Any, np.dtype[np.uint32]]:
    return np.array(values, np.uint32)


def test_steps_run_in_their_order(either: Device) -> None:
    following = either.kernel(NEXT)
    a, b = either.buffer(numbers(1, 2, 3)), either.buffer(numbers(0, 0, 0))
    with either.record() as work:
        for _ in range(3):
            work.dispatch(following, 3, t0=a, u0=b)
            last = work.dispatch(following, 3, t0=b, u0=a)
    expected = numbers(1, 2, 3)
    for _ in range(6):
        expected = 3 * expected + 1
    result = work.submit().result(last)
    np.testing.assert_array_equal(result.u0, expected)
    np.testing.assert_array_equal(a.read(), expected)


def test_every_submission_begins_with_the_recorded_arrays(either: Device) -> None:
    kernel, total = either.kernel(ADD), either.buffer(numbers(0))
    array = numbers(1, 2)
    with either.record() as work:
        own = work.dispatch(kernel, 2, u0=array, cb0=10)
        shared = work.dispatch(kernel, 1, u0=total, cb0=1)
    array[:] = 99
    for turn in range(1, 4):
        future = work.submit()
        assert future.result(own).u0.tolist() == [11, 12]
        assert future.result(shared).u0[0] == turn
        assert future.done()
    assert future.result(own)["u0"] is future.result(own).u0


def test_updates_are_for_one_submission(either: Device) -> None:
    kernel = either.kernel(NEXT)
    with either.record() as work:
        step = work.dispatch(kernel, 2, t0=numbers(1, 2), u0=numbers(0, 0))
    found = [work.submit().result().u0.tolist()]
    found.append(work.submit({step: {"t0": numbers(5, 6)}}).result().u0.tolist())
    found.append(work.submit({step: {"t0": numbers(9, 7, 8)[1:]}}).result(step).u0.tolist())
    found.append(work.submit({}).result().u0.tolist())
    assert found == [[4, 7], [16, 19], [22, 25], [4, 7]]


def test_a_source_of_a_copy_in_another_byte_order(either: Device) -> None:
    buffer = either.buffer(np.zeros(4, np.uint32))
    with either.record() as work:
        step = work.copy(np.arange(4, dtype=np.uint32), buffer)
    work.submit({step: {"source": np.arange(4, 8).astype(">u4")}}).wait()
    assert buffer.read().tolist() == [4, 5, 6, 7]
    work.submit({step: {"source": np.arange(16, dtype="u4")[::4]}}).wait()
    assert buffer.read().tolist() == [0, 4, 8, 12]
    work.submit().wait()
    assert buffer.read().tolist() == [0, 1, 2, 3]


def test_constants_that_do_not_fit_end_no_submission(either: Device) -> None:
    """They are checked before any step runs, and the next submission is as recorded."""
    kernel, total = either.kernel(ADD), either.buffer(np.zeros(1, np.uint32))
    with either.record() as work:
        work.dispatch(kernel, 1, u0=total, cb0=1)
        step = work.dispatch(kernel, 1, u0=total, cb0=2)
    work.submit({step: {"cb0": 20}}).wait()
    assert total.read()[0] == 21
    for _ in range(2):
        with pytest.raises(WrongTypeError, match="cb0"):
            work.submit({step: {"cb0": "x"}})
    assert total.read()[0] == 21
    work.submit().wait()
    assert total.read()[0] == 24


def test_updates_of_constants_and_of_outputs(either: Device) -> None:
    kernel = either.kernel(ADD)
    with either.record() as work:
        first = work.dispatch(kernel, 1, u0=numbers(1), cb0=2)
        second = work.dispatch(kernel, 1, u0=numbers(10), cb0=20)
    updates: list[Any] = [
        {},
        {first: {"cb0": 3}, second: {"u0": numbers(100), "cb0": numbers(5)}},
        {second: {"cb0": bytes([7, 0, 0, 0])}},
        {first: {"u0": np.array([4], ">u4")}},
    ]
    found: list[tuple[int, int]] = []
    for update in updates:
        future = work.submit(update)
        found.append((int(future.result(first).u0[0]), int(future.result(second).u0[0])))
    assert found == [(3, 30), (4, 105), (3, 17), (6, 30)]


def test_updates_that_do_not_fit(either: Device) -> None:
    kernel, buffer = either.kernel(NEXT), either.buffer(numbers(0, 0))
    with either.record() as work:
        step = work.dispatch(kernel, 2, t0=numbers(1, 2), u0=buffer)
        clear = work.clear(buffer)
    with either.record() as other:
        foreign = other.clear(buffer)
    for updates, message in (
        ({step: {"t0": numbers(1)}}, r"t0 was recorded with an array of uint32\[2\]"),
        ({step: {"t0": np.zeros(2, "f4")}}, r"not float32\[2\]"),
        ({step: {"t0": [1, 2]}}, "t0 takes a NumPy array or bytes, not list"),
        ({step: {"u0": numbers(1, 2)}}, "u0 was not recorded with an array: it stays bound"),
        ({step: {"t7": numbers(1, 2)}}, "no resource 't7'"),
        ({clear: {"t0": numbers(1, 2)}}, "a clear has no array 't0'"),
        ({foreign: {}}, "is not a step of this recording"),
    ):
        with pytest.raises(ArgumentError, match=message):
            work.submit(updates)
    work.submit().wait()
    assert buffer.read().tolist() == [0, 0]


def test_several_in_flight_with_data_of_their_own(either: Device) -> None:
    kernel = either.kernel(NEXT)
    count = 2 * MOST_IN_FLIGHT + 3
    with either.record() as work:
        step = work.dispatch(kernel, 2, t0=numbers(0, 0), u0=numbers(0, 0))
    futures = [work.submit({step: {"t0": numbers(n, n + 1)}}) for n in range(count)]
    found = [future.result().u0.tolist() for future in reversed(futures)]
    assert found == [[3 * n + 1, 3 * n + 4] for n in reversed(range(count))]


def test_submissions_follow_each_other(either: Device) -> None:
    kernel = either.kernel(ADD)
    buffer = either.buffer(numbers(0))
    with either.record() as plus:
        plus.dispatch(kernel, 1, u0=buffer, cb0=3)
        plus.dispatch(kernel, 1, u0=numbers(0), cb0=1)  # no one asks for its result
    with either.record() as copies:
        copies.copy(buffer, either.buffer(numbers(0)))
        copies.clear(buffer, 7)
    for _ in range(3 * MOST_IN_FLIGHT):
        for work in (plus, copies, plus):
            work.submit()
    assert buffer.read()[0] == 10, "reading waits for work in flight"
    for _ in range(3 * MOST_IN_FLIGHT):
        plus.submit()
    assert buffer.read()[0] == 10 + 9 * MOST_IN_FLIGHT


def test_copies_between_buffers(either: Device) -> None:
    source, target = either.buffer(numbers(*range(8))), either.buffer(np.zeros(8, np.uint32))
    with either.record() as work:
        work.copy(source.view(2, 3), target.view(5, 3))
        work.copy(target.view(5, 2, stride=4), target.view(0, 2, stride=4))
        step = work.copy(numbers(77), target.view(4, 1))
    work.submit().wait()
    assert target.read().tolist() == [2, 3, 0, 0, 77, 2, 3, 4]
    work.submit({step: {"source": numbers(78)}}).wait()
    assert target.read()[4] == 78
    work.submit().wait()
    assert target.read()[4] == 77


def test_copies_that_do_not_fit(either: Device) -> None:
    buffer, texture = either.buffer(numbers(1, 2, 3)), either.texture((2, 2), "r32_uint")
    other = either.texture((2, 3), "r32_uint")
    floats = either.texture((2, 2), "r32_float")
    with either.record() as work:
        for source, target, message in (
            (buffer, buffer.view(0, 2), "the target has 8 bytes, the source 12"),
            (buffer.view(0, 2), buffer.view(1, 2), "source and target overlap"),
            (buffer, texture, "a buffer is copied to a buffer, a texture to a texture"),
            (texture, other, "the textures differ"),
            (texture, floats, "the textures differ"),
            (texture, texture, "source and target overlap"),
            (numbers(1), buffer, "the target has 12 bytes, the array 4"),
            (numbers(1), texture, "the target has 16 bytes, the array 4"),
            ([1], buffer, "the source of a copy takes a NumPy array"),
            (buffer, numbers(1), "a buffer or a texture that stays on the device is needed"),
        ):
            with pytest.raises(ArgumentError, match=message):
                work.copy(source, target)
        work.clear(buffer, 5)
    work.submit().wait()
    assert buffer.read().tolist() == [5, 5, 5]


@pytest.mark.parametrize(
    ("dtype", "value"),
    [("u4", 2**32 - 1), ("i4", -3), ("f4", 1.5), ("f4", 2), ("u1", 7), ("i2", -2), ("f2", 0.5)],
)
def test_clears_to_a_value(either: Device, dtype: str, value: float) -> None:
    buffer = either.buffer(np.ones(9, dtype))
    with either.record() as work:
        work.clear(buffer, value)
    work.submit().wait()
    np.testing.assert_array_equal(buffer.read(), np.full(9, value, dtype))


def test_clears_of_views_and_structures(either: Device) -> None:
    buffer = either.buffer(np.arange(8, dtype=np.uint32))
    records = either.buffer(np.ones(3, np.dtype([("a", "f4"), ("b", "u4")])))
    with either.record() as work:
        work.clear(buffer.view(2, 3), 9)
        work.clear(records)
        with pytest.raises(WrongTypeError):
            work.clear(records, 1)
        with pytest.raises(WrongTypeError, match=r"uint32.*-1"):
            work.clear(buffer, -1)
        with pytest.raises(WrongTypeError, match=r"uint32.*1\.5"):
            work.clear(buffer, 1.5)
        with pytest.raises(InvalidValueError):
            work.clear(either.buffer(np.zeros(9, "u1")).view(1, 4), 1)
    work.submit().wait()
    assert buffer.read().tolist() == [0, 1, 9, 9, 9, 5, 6, 7]
    assert not records.read()["a"].any()


def test_textures(either: Device) -> None:
    kernel = either.kernel(NEXT_TEXEL)
    a, b = (either.texture(np.full((2, 3), n, np.uint32)) for n in (1, 2))
    layers = either.texture(np.zeros((2, 2, 3), np.uint32), dimension="2darray")
    with either.record() as work:
        try:
            work.dispatch(kernel, (3, 2), t0=a, u0=b)
        except FeatureError:
            pytest.skip("the device has no such textures")
        work.copy(b, layers.view(first_slice=1, num_slices=1, dimension="2d"))
        work.clear(a, 40)
        last = work.dispatch(kernel, (2, 1), t0=a, u0=b)
        step = work.copy(np.full((2, 3), 5, np.uint32), a)
    for given in (5, 6):
        future = work.submit({step: {"source": np.full((2, 3), given, np.uint32)}})
        np.testing.assert_array_equal(future.result(last).u0[0], [41, 41, b.read()[0, 2]])
        np.testing.assert_array_equal(a.read(), np.full((2, 3), given))
    np.testing.assert_array_equal(layers.read(), [np.zeros((2, 3)), np.full((2, 3), 6)])


def test_a_recording_without_a_dispatch_has_no_result(either: Device) -> None:
    with either.record() as work:
        pass
    with pytest.raises(MissingError, match="no dispatch, so there is no result"):
        work.submit().result()


def test_counters(either: Device) -> None:
    kernel = either.kernel(APPEND)
    kept = either.buffer(np.full(8, 9, np.uint32), counter=5)
    with either.record() as work:
        work.set_counter(kept, 1)
        work.dispatch(kernel, 2, u0=kept)
        last = work.dispatch(kernel, 3, u0=kept)
        own = work.dispatch(kernel, 3, u0=np.zeros(4, np.uint32))
        with pytest.raises(MissingError):
            work.set_counter(either.buffer(4))
        with pytest.raises(InvalidValueError):
            work.set_counter(kept, -1)
    for _ in range(2):
        future = work.submit()
        assert future.result(last).counters["u0"] == 6
        assert future.result(own).counters["u0"] == 3
        assert sorted(kept.read()[1:6].tolist()) == [0, 0, 1, 1, 2]


def test_counters_are_copied(either: Device) -> None:
    """Each counter's value between the dispatches is copied to any dword of a buffer."""
    kernel = either.kernel(APPEND)
    kept = either.buffer(np.zeros(16, np.uint32), counter=3)
    counts = either.buffer(numbers(9, 9, 9))
    with either.record() as work:
        work.copy_counter(kept, counts.view(2, 1))
        work.dispatch(kernel, 2, u0=kept)
        work.copy_counter(kept, counts.view(0, 1))
        work.dispatch(kernel, 3, u0=kept)
        with pytest.raises(MissingError):
            work.copy_counter(counts, kept)
        with pytest.raises(ShapeError, match=r"12.*4"):
            work.copy_counter(kept, counts)
        with pytest.raises(WrongTypeError):
            work.copy_counter(kept, either.texture(np.zeros((1, 1), np.uint32)))  # type: ignore
    for begin in (3, 8):
        assert kept.counter == begin
        work.submit().wait()
        np.testing.assert_array_equal(counts.read(), [begin + 2, 9, begin])


def test_indirect(either: Device) -> None:
    add, following = either.kernel(ADD), either.kernel(NEXT)
    groups = either.buffer(numbers(0, 1, 1, 1, 0))
    counts = either.buffer(numbers(9, 0, 1, 1))
    with either.record() as work:
        work.dispatch(following, 1, t0=groups.view(0, 1), u0=counts.view(1, 1))  # 0 * 3 + 1
        first = work.dispatch_indirect(add, counts, 4, u0=np.zeros(4, np.uint32), cb0=5)
        work.copy(numbers(3), counts.view(1, 1))
        second = work.dispatch_indirect(add, counts, 4, u0=np.zeros(4, np.uint32), cb0=6)
    future = work.submit()
    assert future.result(first).u0.tolist() == [5, 0, 0, 0]
    assert future.result(second).u0.tolist() == [6, 6, 6, 0]


def test_results_need_a_step_where_there_are_several(either: Device) -> None:
    kernel = either.kernel(ADD)
    with either.record() as nothing:
        pass
    with either.record() as work:
        steps = [work.dispatch(kernel, 1, u0=numbers(n), cb0=1) for n in range(2)]
        clear = work.clear(either.buffer(4))
    future = work.submit()
    assert [int(future.result(step).u0[0]) for step in steps] == [1, 2]
    with pytest.raises(MissingError):
        future.result()
    with pytest.raises(UnknownNameError):
        future.result(clear)
    empty = nothing.submit()
    empty.wait()
    assert empty.duration_ns is None
    with pytest.raises(MissingError):
        empty.result()


def test_the_end_of_a_recording(either: Device) -> None:
    kernel, buffer = either.kernel(ADD), either.buffer(numbers(0))
    with either.record() as work:
        work.dispatch(kernel, 1, u0=buffer, cb0=1)
        work.submit().wait()  # which ends the recording too
        with pytest.raises(ClosedError):
            work.dispatch(kernel, 1, u0=buffer, cb0=1)
    with pytest.raises(ClosedError):
        work.clear(buffer)
    with pytest.raises(ZeroDivisionError), either.record() as broken:
        broken.dispatch(kernel, 1, u0=buffer, cb0=1 // 0)
    with pytest.raises(ClosedError):
        broken.submit()
    work.close()
    work.close()
    with pytest.raises(ClosedError):
        work.submit()


def test_closed_resources_of_a_recording(either: Device) -> None:
    kernel, buffer = either.kernel(ADD), either.buffer(numbers(0))
    other = either.buffer(numbers(0))
    with either.record() as work:
        work.dispatch(kernel, 1, u0=buffer, cb0=1)
    with either.record() as clearing:
        clearing.clear(other)
    work.submit()
    other.close()
    work.submit().wait()
    with pytest.raises(ClosedError):
        clearing.submit()
    assert buffer.read()[0] == 2
    kernel.close()
    for _ in range(2):
        with pytest.raises(ClosedError):
            work.submit()


def test_a_recording_keeps_its_resources(either: Device) -> None:
    total = either.buffer(numbers(0))
    with either.record() as work:
        work.dispatch(either.kernel(ADD), 1, u0=total, cb0=1)
        work.copy(either.buffer(numbers(40)), total)
        work.dispatch(either.kernel(ADD), 1, u0=total, cb0=2)
    gc.collect()
    work.submit().wait()
    assert total.read()[0] == 42


def test_resources_of_another_device(either: Device, device: Device) -> None:
    foreign = device.buffer(numbers(0))
    with either.record() as work:
        with pytest.raises(WrongDeviceError):
            work.dispatch(device.kernel(ADD), 1, u0=foreign, cb0=1)
        with pytest.raises(WrongDeviceError):
            work.clear(foreign)
        with pytest.raises(WrongDeviceError):
            work.copy(numbers(1), foreign)


def test_reports(either: Device) -> None:
    kernel = either.kernel(NEXT, guards="report")
    nbytes = report_bytes(kernel.interface)
    for used in [either.buffer(np.full(nbytes // 4, 9, np.uint32)) for _ in range(4)]:
        used.close()  # a report's memory may be that of a closed object
    with either.record() as work:
        right = work.dispatch(kernel, 2, t0=numbers(1, 2), u0=numbers(0, 0))
        wrong = work.dispatch(kernel, 3, t0=numbers(1, 2), u0=numbers(0, 0, 0))
    for _ in range(2):
        future = work.submit()
        assert future.result(right).violations.total == 0
        assert [v.register for v in future.result(wrong).violations] == ["t0"]


def test_times(own: Device) -> None:
    kernel = own.kernel(ADD)
    for timestamps in (True, False):
        with own.record(timestamps=timestamps) as work:
            steps = [work.dispatch(kernel, n, u0=numbers(n), cb0=1) for n in (1, 0)]
        future = work.submit()
        times = [future.result(step).duration_ns for step in steps]
        if not (timestamps and own.features.timestamps):
            assert times == [None, None]
            assert future.duration_ns is None
            continue
        assert times[0] is not None
        assert times[0] > 0
        assert times[1] == 0, "no groups take no time"
        assert future.duration_ns == sum(t for t in times if t is not None)


def test_a_profile_counts_recordings(own: Device) -> None:
    kernel = own.kernel(ADD)
    with own.record() as work:
        for _ in range(3):
            work.dispatch(kernel, 1, u0=numbers(1), cb0=1)
    work.submit().wait()
    text = io.StringIO()
    with own.profile(text) as profile:
        for _ in range(2):
            work.submit().result(work.dispatches[0])
    work.submit().wait()
    assert [row.count for row in profile.kernels] == ([6] if own.features.timestamps else [])
