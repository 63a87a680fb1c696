"""Repeated dispatches: what is cached of them affects only their time."""

import gc
import sys
import weakref
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest

from checks.driver import Driver
from checks.running.devices import opened
from checks.running.shaders import ADD, APPEND, NEXT, NEXT_TEXEL
from vkrunner import (
    ClosedError,
    Device,
    DuplicateError,
    InvalidValueError,
    LimitError,
    MissingError,
    UnknownNameError,
    WrongTypeError,
)


def test_each_time_with_the_arrays_of_that_time(either: Device) -> None:
    kernel = either.kernel(NEXT)
    generator = np.random.default_rng(7)
    for count in (5, 3, 5, 5, 3):
        x, y = generator.integers(0, 1000, (2, count), dtype=np.uint32)
        before = y.copy()
        result = kernel.dispatch(count - 1, t0=x, u0=y)
        np.testing.assert_array_equal(result.u0, [*(3 * x[:-1] + 1), before[-1]])
        np.testing.assert_array_equal(y, before)


MOST_CALLS = 35


def python_calls(act: Callable[[], object]) -> int:
    """The Python functions that an act calls, itself left out."""
    names: list[str] = []

    def note(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call":
            names.append(frame.f_code.co_qualname)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        act()
    finally:
        sys.setprofile(before)
    return len(names) - 1


@pytest.mark.parametrize("stays", [True, False])
def test_a_repetition_calls_few_functions(own: Device, stays: bool) -> None:
    """A dispatch takes as long as its Python code, and that as long as its calls."""
    kernel = own.kernel(Path("shaders/saxpy.dxbc"))
    arrays = [np.ones(64, np.float32), np.ones(64, np.float32)]
    x, y = map(own.buffer, arrays) if stays else arrays
    constants = {"a": 2, "count": 64}  # an integer for a float

    def dispatch() -> None:
        kernel.dispatch(1, x=x, y=y, Params=constants)

    dispatch()
    assert min(python_calls(dispatch) for _ in range(20)) <= MOST_CALLS


@pytest.mark.parametrize("way", ["bindings", "both", "bytes", "bytearray", "memoryview", "groups"])
def test_other_ways_to_pass_arguments_are_repetitions(own: Device, way: str) -> None:
    """A few more functions merge the mappings, and convert bytes and NumPy's integers."""
    kernel = own.kernel(Path("shaders/saxpy.dxbc"))
    x, y = np.full(64, 3, np.float32), np.ones(64, np.float32)
    made: dict[str, Any] = {"bytes": x.tobytes(), "bytearray": bytearray(x), "memoryview": x.data}
    given: Any = {"x": made.get(way, x), "y": y, "Params": {"a": 2.0, "count": 64}}
    groups: Any = (np.int64(1), np.uint8(1)) if way == "groups" else 1

    def dispatch() -> Any:
        if way == "both":
            constants = {("cb", 0, 0): given["Params"]}
            return kernel.dispatch(1, bindings=constants, x=given["x"], y=y)
        if way == "bindings":
            return kernel.dispatch(1, bindings=given)
        return kernel.dispatch(groups, **given)

    dispatch()
    assert dispatch().y.tolist() == [7] * 64
    assert min(python_calls(dispatch) for _ in range(20)) <= MOST_CALLS + 4


def test_other_ways_take_the_data_of_each_time(either: Device) -> None:
    kernel = either.kernel(NEXT)
    for count in (3, 2, 3, 3, 2):
        numbers = np.arange(count, dtype=np.uint32) + count
        expected = (3 * numbers + 1).tolist()
        zeros = np.zeros(count, np.uint32)
        for t0 in (numbers.tobytes(), bytearray(numbers), numbers.data, memoryview(bytes(numbers))):
            assert kernel.dispatch(count, t0=t0, u0=zeros).u0.tolist() == expected
        found = kernel.dispatch(count, u0=zeros, bindings={("t", 0, 0): numbers})
        assert found.u0.tolist() == expected
        for groups in (np.int64(count), (np.uint8(count), 1), [np.int16(count)]):
            assert kernel.dispatch(groups, t0=numbers, u0=zeros).u0.tolist() == expected


def test_results_of_bytes_are_bytes(either: Device) -> None:
    kernel = either.kernel(ADD)
    for n in range(3):
        u0 = np.array([n, 5], np.uint32).tobytes()
        found = kernel.dispatch(1, u0=u0, cb0=np.uint32(2).tobytes()).u0
        assert found.dtype == np.uint8
        assert found.view(np.uint32).tolist() == [n + 2, 5]


def test_a_name_in_both_mappings(either: Device) -> None:
    kernel = either.kernel(ADD)
    zeros = np.zeros(1, np.uint32)
    for _ in range(2):
        kernel.dispatch(1, u0=zeros, bindings={"cb0": 1})
        for key in ("u0", ("u", 0, 0)):
            with pytest.raises(DuplicateError, match="u0"):
                kernel.dispatch(1, u0=zeros, cb0=1, bindings={key: zeros})


def test_results_are_never_overwritten(either: Device) -> None:
    kernel = either.kernel(ADD)
    results = [kernel.dispatch(2, u0=np.array([n, 0], "u4"), cb0=n) for n in range(4)]
    assert [r.u0.tolist() for r in results] == [[2 * n, n] for n in range(4)]


def test_any_strides_byte_order_and_kind_of_array(either: Device) -> None:
    kernel = either.kernel(NEXT)
    base = np.arange(24, dtype=np.uint32)
    other = base.astype(">u4")
    cases: list[Any] = [base[::2], base[::2] * 2, other[12:], np.arange(24, dtype="u4")[::-2]]
    read_only = base[:12].copy()
    read_only.flags.writeable = False
    for array in (*cases, read_only, base.reshape(2, 12)[1], memoryview(base[:12]).tobytes()):
        values = np.frombuffer(array, "u4") if isinstance(array, bytes) else array
        result = kernel.dispatch(12, t0=array, u0=np.zeros(12, "u4"))
        np.testing.assert_array_equal(result.u0, 3 * values.astype("u4") + 1)


def test_constants_change_their_kind(either: Device) -> None:
    kernel = either.kernel(ADD)
    zeros = np.zeros(1, np.uint32)
    given: list[Any] = [5, 5, np.uint32(6), np.array([7], "u4"), bytes([8, 0, 0, 0]), None, 9]
    found = [int(kernel.dispatch(1, u0=zeros, cb0=value).u0[0]) for value in given]
    assert found == [5, 5, 6, 7, 8, 0, 9]


def test_numbers_in_a_dict_change_their_kind(either: Device) -> None:
    """A float takes each integer that it represents."""
    kernel = either.kernel(Path("shaders/saxpy.dxbc"))
    one, most = np.ones(1, np.float32), 2**24
    for a in (2.5, 2, True, np.float32(3), most, -most, np.inf):
        result = kernel.dispatch(1, x=one, y=0 * one, Params={"a": a, "count": 1})
        assert result.y[0] == a
    for a in (most + 1, -most - 1, 1e39, "2"):
        with pytest.raises(WrongTypeError, match=r"Params.*: a (is|takes a) float"):
            kernel.dispatch(1, x=one, y=one, Params={"a": a, "count": 1})


@pytest.mark.parametrize("groups", [1.0, True, "1", -1, (1, 1.0), None, np.ones(2)])
def test_groups_are_checked_each_time(either: Device, groups: Any) -> None:
    kernel = either.kernel(ADD)
    zeros = np.zeros(1, np.uint32)
    for plain in (1, (1, 1), [1]):
        assert kernel.dispatch(plain, u0=zeros, cb0=3).u0[0] == 3
    with pytest.raises(InvalidValueError):
        kernel.dispatch(groups, u0=zeros, cb0=3)
    with pytest.raises(LimitError, match=r"65536.*x"):
        kernel.dispatch(65536, u0=zeros, cb0=3)


def test_errors_are_raised_each_time(either: Device) -> None:
    kernel = either.kernel(ADD)
    zeros = np.zeros(1, np.uint32)
    for _ in range(2):
        assert kernel.dispatch(1, u0=zeros, cb0=1).u0[0] == 1
        with pytest.raises(InvalidValueError):
            kernel.dispatch(1, u0=zeros, cb0=1, timeout=0)
        with pytest.raises(UnknownNameError, match="'t9'"):
            kernel.dispatch(1, u0=zeros, cb0=1, t9=zeros)
        with pytest.raises(MissingError, match="cb0"):
            kernel.dispatch(1, u0=zeros)
        with pytest.raises(WrongTypeError):
            kernel.dispatch(1, u0=np.zeros((1, 3), np.uint16), cb0=1)


def test_buffers_and_their_views(either: Device) -> None:
    kernel = either.kernel(ADD)
    buffer = either.buffer(np.zeros(128, np.uint32))
    for first in (0, 64, 0, 64, 64):
        kernel.dispatch(2, u0=buffer.view(first, 64), cb0=1)
    result = kernel.dispatch(1, u0=buffer, cb0=10)
    expected = np.zeros(128, np.uint32)
    expected[:2], expected[64:66] = 2, 3
    expected[0] += 10
    np.testing.assert_array_equal(result.u0, expected)
    kernel.dispatch(1, u0=buffer, cb0=10)
    assert result.u0[0] == 22, "a buffer on the device is read on request"


def test_one_kernel_two_buffers(either: Device) -> None:
    kernel = either.kernel(ADD)
    buffers = [either.buffer(np.zeros(1, np.uint32)) for _ in range(3)]
    for turn in range(6):
        kernel.dispatch(1, u0=buffers[turn % 3], cb0=turn)
    assert [int(b.read()[0]) for b in buffers] == [0 + 3, 1 + 4, 2 + 5]


def test_a_closed_buffer_is_refused_where_it_worked(either: Device) -> None:
    kernel = either.kernel(ADD)
    buffer = either.buffer(np.zeros(1, np.uint32))
    for _ in range(2):
        kernel.dispatch(1, u0=buffer, cb0=1)
    buffer.close()
    with pytest.raises(ClosedError):
        kernel.dispatch(1, u0=buffer, cb0=1)
    kernel.close()
    with pytest.raises(ClosedError):
        kernel.dispatch(1, u0=buffer, cb0=1)


def test_counters_start_again(either: Device) -> None:
    kernel = either.kernel(APPEND)
    for count in (3, 2, 3, 3):
        result = kernel.dispatch(count, u0=np.full(4, 9, np.uint32))
        assert result.counters["u0"] == count
        assert sorted(result.u0[:count].tolist()) == list(range(count))
    kept = either.buffer(np.zeros(8, np.uint32), counter=1)
    for _ in range(3):
        result = kernel.dispatch(2, u0=kept)
    assert result.counters["u0"] == kept.counter == 7


def test_textures_and_arrays_of_texels(either: Device) -> None:
    kernel = either.kernel(NEXT_TEXEL)
    for value in (1, 5, 5):
        texels = np.full((2, 3), value, np.uint32)
        result = kernel.dispatch((3, 1), t0=texels, u0=texels)
        np.testing.assert_array_equal(result.u0, [[value + 1] * 3, [value] * 3])
    texture = either.texture(np.zeros((2, 3), np.uint32))
    for _ in range(2):
        result = kernel.dispatch((3, 2), t0=np.full((2, 3), 6, np.uint32), u0=texture)
    np.testing.assert_array_equal(result.u0, np.full((2, 3), 7))


def test_reports_begin_empty(either: Device) -> None:
    kernel = either.kernel(NEXT, guards="report")
    for count, wrong in ((3, 2), (5, 0), (3, 2), (5, 0)):
        result = kernel.dispatch(5, t0=np.zeros(count, "u4"), u0=np.zeros(5, "u4"))
        assert result.violations.total == wrong


def test_nothing_keeps_a_buffer_alive(either: Device) -> None:
    kernel = either.kernel(ADD)
    buffer = either.buffer(np.zeros(1, np.uint32))
    for _ in range(3):
        kernel.dispatch(1, u0=buffer, cb0=1)
    gone = weakref.ref(buffer)
    del buffer
    gc.collect()
    assert gone() is None


def test_many_kinds_of_dispatches(device: Device, driver: Driver) -> None:
    """The number of cached dispatches is limited."""
    with opened("shared", device, validation=False) as own:
        kernel, fences = own.kernel(NEXT), list[int]()
        for counts in (range(1, 300), range(300, 600), range(1, 300)):
            for count in counts:
                x = np.arange(count, dtype="u4")
                result = kernel.dispatch(count, t0=x, u0=np.zeros(count, "u4"))
                np.testing.assert_array_equal(result.u0, 3 * x + 1)
            fences.append(driver.objects["Fence"])
        assert fences == [fences[0]] * 3


@pytest.mark.slow(reason="dispatches of many threads")
def test_large_dispatches(device: Device, driver: Driver) -> None:
    """The memory cached for their repetition is bounded."""
    with opened("shared", device, validation=False) as own:
        kernel = own.kernel(NEXT)
        for more in range(24):
            x = np.arange((6 << 20) + (more << 16), dtype="u4")
            result = kernel.dispatch(1, t0=x, u0=x)
            assert result.u0[:2].tolist() == [1, 1]
            assert driver.memory_bytes < 900 << 20
