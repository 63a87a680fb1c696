"""`abort`: the dispatch ends with an error that names a thread; other threads continue."""

from typing import Any

import numpy as np
import pytest

import vkrunner

from .listings import BODIES, shader

WORDS = np.zeros(8, np.uint32)
STORE = ("ishl r1.x, vThreadID.x, l(2)", "store_raw u0.x, r1.x, l(1)")


def aborting(thread: str) -> str:
    return shader(
        'printf "before %u", vThreadID.x',
        f"ieq r0.x, vThreadID.x, l({thread})",
        "if_nz r0.x",
        "abort",
        'printf "never"',
        "endif",
        *STORE,
    )


def test_the_error_names_thread_and_line(device: Any) -> None:
    kernel = device.kernel(aborting("5"))
    with pytest.raises(vkrunner.AbortError) as caught:
        kernel.dispatch(1, u0=WORDS)
    error = caught.value
    assert str(error) == "the shader aborted in thread (5, 0, 0), line 10 (instruction 3)"
    assert (error.thread, error.line, error.instruction) == ((5, 0, 0), 10, 3)
    assert (error.count, error.exit_code, error.hlsl_file, error.hlsl_line) == (1, 1, None, None)
    np.testing.assert_array_equal(error.result.u0, [1, 1, 1, 1, 1, 0, 1, 1])
    assert [m.text for m in error.result.messages] == [f"before {n}" for n in range(8)]


@pytest.mark.parametrize(
    ("count", "others"), [(2, "so did 1 other thread"), (3, "so did 2 other threads")]
)
def test_the_error_counts_the_other_threads(device: Any, count: int, others: str) -> None:
    few = [f"ult r0.x, vThreadID.x, l({count})", "if_nz r0.x", "abort", "endif"]
    with pytest.raises(vkrunner.AbortError, match=f"; {others}$"):
        device.kernel(shader(*few, *STORE)).dispatch(1, u0=WORDS)


def test_a_kernel_is_usable_after_an_abort(device: Any) -> None:
    load = "ld_raw_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r0.x, l(32), u0.xxxx"
    kernel = device.kernel(shader(load, "if_nz r0.x", "abort", "endif", *STORE))
    good, bad = np.zeros(9, np.uint32), np.zeros(9, np.uint32)
    bad[8] = 3  # a value that no thread writes
    for _ in range(2):
        np.testing.assert_array_equal(kernel.dispatch(1, u0=good).u0, [1] * 8 + [0])
        with pytest.raises(vkrunner.AbortError, match="so did 7 other threads") as caught:
            kernel.dispatch(1, u0=bad)
        assert caught.value.count == 8
        assert caught.value.thread in [(n, 0, 0) for n in range(8)]
        np.testing.assert_array_equal(caught.value.result.u0, bad)


def test_an_abort_in_a_subroutine_ends_its_callers(device: Any) -> None:
    """It is told in a register of its own, whatever the shader's registers hold."""
    listing = shader(*BODIES["callers"].splitlines())
    for options in ({}, {"max_inlined": 0}):
        with pytest.raises(vkrunner.AbortError) as caught:
            device.kernel(listing, **options).dispatch(1, u0=WORDS)
        assert (caught.value.thread, caught.value.count) == ((1, 0, 0), 1)
        np.testing.assert_array_equal(caught.value.result.u0, [1, 0, 1, 1, 1, 1, 1, 1])
        expected = [(0, "called"), *((0, text) for text in ("0 back", "1 back", "after"))]
        expected += [(1, "0 back")]
        rest = ("0 back", "1 back", "after")
        expected += [(thread, text) for thread in range(2, 8) for text in rest]
        found = caught.value.result.messages
        assert [(m.thread[0], m.text) for m in found] == expected


def test_before_a_barrier(device: Any) -> None:
    """The rest of the group continues."""
    listing = shader(
        "ieq r0.x, vThreadID.x, l(3)",
        "if_nz r0.x",
        "abort",
        "endif",
        "ishl r1.x, vThreadID.x, l(2)",
        "store_raw g0.x, r1.x, l(1)",
        "sync_g_t",
        "store_raw u0.x, r1.x, l(1)",
        more=("dcl_tgsm_raw g0, 32",),
    )
    with pytest.raises(vkrunner.AbortError) as caught:
        device.kernel(listing).dispatch(1, u0=WORDS)
    assert caught.value.thread == (3, 0, 0)


def test_results_of_a_recording_raise_when_asked_for(device: Any) -> None:
    good, bad = device.kernel(shader(*STORE)), device.kernel(aborting("2"))
    with device.record() as work:
        first = work.dispatch(good, 1, u0=WORDS)
        second = work.dispatch(bad, 1, u0=WORDS)
    future = work.submit()
    future.wait()
    np.testing.assert_array_equal(future.result(first).u0, np.ones(8))
    for _ in range(2):
        with pytest.raises(vkrunner.AbortError, match=r"thread \(2, 0, 0\)"):
            future.result(second)
    pending = bad.dispatch_async(1, u0=WORDS)
    with pytest.raises(vkrunner.AbortError, match=r"thread \(2, 0, 0\)"):
        pending.result()


def test_an_abort_without_room_for_messages(device: Any) -> None:
    kernel = device.kernel(aborting("5"), message_capacity=0)
    with pytest.raises(vkrunner.AbortError, match=r"thread \(5, 0, 0\)") as caught:
        kernel.dispatch(1, u0=WORDS)
    assert (len(caught.value.result.messages), caught.value.result.messages.total) == (0, 8)
