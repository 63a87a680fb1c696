"""Messages in results: their contents, their order, and the number that found no room."""

import pickle
from typing import Any

import numpy as np
import pytest

import vkrunner

from .listings import BODIES, EACH, LOAD, shader

WORDS = np.zeros(4, np.uint32)


def test_ten_thousand_threads(device: Any) -> None:
    found = device.kernel(EACH).dispatch(100, u0=WORDS).messages
    assert [m.text for m in found] == [f"thread {n} of 10000" for n in range(10000)]
    assert [m.thread for m in found] == [(n, 0, 0) for n in range(10000)]
    assert [m.group for m in found] == [(n // 100, 0, 0) for n in range(10000)]
    assert [m.values for m in found] == [(n, 10000) for n in range(10000)]
    assert (found.total, found.lost) == (10000, 0)


@pytest.mark.parametrize("capacity", [0, 1, 4097, 9999, 10000, 10001])
def test_those_that_find_no_room_are_counted(device: Any, capacity: int) -> None:
    kernel = device.kernel(EACH, message_capacity=capacity)
    kept = min(capacity, 10000)
    for _ in range(2):  # a repeated dispatch starts again at 0
        found = kernel.dispatch(100, u0=WORDS).messages
        assert (len(found), found.total, found.lost) == (kept, 10000, 10000 - kept)
        assert len({m.text for m in found}) == kept
        assert {m.text for m in found} <= {f"thread {n} of 10000" for n in range(10000)}


def test_text_beyond_64_mi_characters_is_left_out(device: Any) -> None:
    """Or a short shader would take gigabytes of the host's memory."""
    long = "y" * (1 << 20)
    kernel = device.kernel(shader(f'printf "{long}%u", vThreadID.x', threads=66))
    found = kernel.dispatch(1, u0=WORDS).messages
    assert [m.thread[0] for m in found] == list(range(63))
    assert all(m.text == f"{long}{m.thread[0]}" for m in found)
    assert (found.total, found.lost, found.too_long) == (66, 3, 3)


@pytest.mark.parametrize("capacity", [-1, 1.5, True, "many", None])
def test_a_capacity_is_a_number(device: Any, capacity: Any) -> None:
    with pytest.raises(vkrunner.InvalidValueError, match="message_capacity"):
        device.kernel(EACH, message_capacity=capacity)


def test_threads_in_three_dimensions_and_fields_of_a_message(device: Any) -> None:
    listing = shader('errorf "%u %u %u", vThreadID.x, vThreadID.y, vThreadID.z', threads=2)
    found = device.kernel(listing).dispatch((2, 2, 2), u0=WORDS).messages
    places = [(x, y, z) for z in range(2) for y in range(2) for x in range(4)]
    assert [m.thread for m in found] == places
    assert [m.text for m in found] == ["{} {} {}".format(*place) for place in places]
    assert [m.group for m in found] == [(x // 2, y, z) for x, y, z in places]
    first = found[0]
    assert (first.name, first.is_error, first.format) == ("errorf", True, "%u %u %u")
    assert (first.instruction, first.line) == (0, 7)
    assert (first.hlsl_file, first.hlsl_line, str(first)) == (None, None, first.text)


def test_inactive_threads_send_no_messages(device: Any) -> None:
    listing = shader(*BODIES["inactive threads"].splitlines())
    expected: list[tuple[int, str]] = []
    for thread in range(8):
        if thread % 2:
            expected.append((thread, f"odd {thread}"))
            if thread < 4:
                continue
        else:
            expected += [(thread, f"round {n}") for n in range(thread)]
        said = {5: ["five"], 6: ["six", "six or other"]}.get(thread, ["six or other"])
        expected += [(thread, text) for text in said]
    found = device.kernel(listing).dispatch(1, u0=WORDS).messages
    assert [(m.thread[0], m.text) for m in found] == expected


def test_arguments_keep_their_bits(device: Any) -> None:
    """Denormals, NaNs and signs: the message has the register's bits."""
    bits = [0x00000001, 0x80000000, 0x7F800001, 0xFFFFFFFF, 0x3F800000]
    body = [f'mov r0.x, l(0x{one:08x})\nprintf "%08x %x", r0.x, -r0.x' for one in bits]
    found = device.kernel(shader(*body, threads=1)).dispatch(1, u0=WORDS).messages
    assert [m.text for m in found] == [f"{b:08x} {b ^ 0x80000000:x}" for b in bits]


@pytest.mark.parametrize("guards", ["d3d", "report", "off"])
@pytest.mark.parametrize("optimize", [True, False])
def test_with_every_guard(device: Any, guards: str, *, optimize: bool) -> None:
    listing = shader(
        "ishl r0.x, vThreadID.x, l(2)",
        f"{LOAD} r0.y, r0.x, u0.xxxx",
        'printf "%u has %u", vThreadID.x, r0.y',
        "iadd r0.y, r0.y, l(1)",
        "store_raw u0.x, r0.x, r0.y",
    )
    words = np.arange(8, dtype=np.uint32) ** 2
    kernel = device.kernel(listing, guards=guards, optimize=optimize)
    result = kernel.dispatch(1, u0=words)
    assert [m.text for m in result.messages] == [f"{n} has {n * n}" for n in range(8)]
    np.testing.assert_array_equal(result.u0, words + 1)
    assert not result.violations


def test_recordings_futures_and_indirect_dispatches(device: Any) -> None:
    """Each result has its own messages."""
    kernel = device.kernel(shader(f"{LOAD} r0.x, l(0), u0.xxxx", 'printf "%u", r0.x', threads=2))
    other = device.kernel(shader('errorf "other"', threads=1))
    counts = device.buffer(np.array([3, 1, 1], np.uint32))
    kept = device.buffer(np.array([70, 0, 0, 0], np.uint32))
    with device.record() as work:
        first = work.dispatch(kernel, 1, u0=WORDS)
        second = work.dispatch_indirect(kernel, counts, u0=kept)
        third = work.dispatch(other, 1, u0=kept)
    futures = [work.submit({first: {"u0": np.array([n, 0, 0, 0], np.uint32)}}) for n in (1, 2, 3)]
    for number, future in enumerate(futures, 1):
        assert [m.text for m in future.result(first).messages] == [f"{number}"] * 2
        assert [m.text for m in future.result(second).messages] == ["70"] * 6
        assert [m.text for m in future.result(third).messages] == ["other"]
    pending = kernel.dispatch_async(2, u0=np.array([5, 0, 0, 0], np.uint32))
    assert [m.text for m in pending.result().messages] == ["5"] * 4
    assert [m.text for m in kernel.dispatch_indirect(counts, u0=kept).messages] == ["70"] * 6


def test_a_result_without_messages(device: Any) -> None:
    found = device.kernel(shader("nop")).dispatch(1, u0=WORDS).messages
    assert (list(found), found.total, found.lost) == ([], 0, 0)


def test_results_with_messages_are_pickled(device: Any) -> None:
    result = device.kernel(EACH).dispatch(1, u0=WORDS)
    copied = pickle.loads(pickle.dumps(result))
    assert list(copied.messages) == list(result.messages)
    assert copied.messages.total == 100


def test_arguments_from_constant_buffers_and_arrays(device: Any) -> None:
    listing = shader(
        "mov x0[1].x, l(11)",
        "iadd r0.x, vThreadID.x, l(1)",
        'printf "%d %g %d", cb0[r0.x + 0].y, -|cb0[0].x|, x0[r0.x + 0].x',
        threads=2,
        more=("dcl_constantbuffer CB0[3], dynamicIndexed", "dcl_indexableTemp x0[2], 4"),
    )
    constants = np.zeros((3, 4), np.uint32)
    constants[:, 1] = [100, 200, 300]
    constants[0, 0] = np.float32(2.5).view(np.uint32)
    found = device.kernel(listing).dispatch(1, u0=WORDS, cb0=constants).messages
    assert [m.text for m in found] == ["200 -2.5 11", "300 -2.5 0"]


def test_doubles_have_two_dwords(device: Any) -> None:
    listing = shader(
        "mov r0.xy, l(0, 0x40040000, 0, 0)",
        'printf "%lf %g %f", r0.xyxy, -r0.xyxy, d(1.5l, 0.0l)',
        threads=1,
    )
    (found,) = device.kernel(listing).dispatch(1, u0=WORDS).messages
    assert found.text == "2.500000 -2.5 1.500000"
    assert found.values == (2.5, -2.5, 1.5)
