"""After a translation, also a failed one, garbage collection is as it was before."""

import gc
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import translate
from translate import gc_pause
from translate.gc_pause import gc_paused


@pytest.fixture(params=[True, False])
def was_on(request: pytest.FixtureRequest) -> Iterator[bool]:
    before = gc.isenabled()
    (gc.enable if request.param else gc.disable)()
    yield request.param
    (gc.enable if before else gc.disable)()


def test_paused_within_and_restored_after(was_on: bool) -> None:
    with gc_paused():
        assert not gc.isenabled()
        with gc_paused():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled() is was_on


@pytest.mark.parametrize("listing", ["dcl_thread_group 1, 1, 1\nret\n", "nonsense\n"])
def test_restored_after_a_translation(was_on: bool, listing: str) -> None:
    try:
        translate.to_spirv(translate.load("cs_5_0\n" + listing))
    except translate.TranslateError:
        assert "nonsense" in listing
    assert gc.isenabled() is was_on


def at_line(wanted: int, act: Callable[[], object]) -> Any:
    """A trace function that acts before so many lines of `gc_pause.py` have run."""
    left = [wanted]

    def trace(frame: Any, event: str, _: object) -> Any:
        if event == "line" and frame.f_code.co_filename == gc_pause.__file__:
            left[0] -= 1
            if left[0] == 0:
                act()
        return trace

    return trace


@pytest.mark.parametrize("line", range(1, 12))
def test_restored_after_two_threads(was_on: bool, line: int) -> None:
    """One ends its pause before a line of the other's runs."""
    one, other = gc_paused(), gc_paused()
    one.__enter__()
    ends = [lambda: one.__exit__(None, None, None)]
    before = sys.gettrace()
    sys.settrace(at_line(line, lambda: ends.pop()()))
    try:
        with other:
            pass
    finally:
        sys.settrace(before)
    for end in ends:
        end()
    assert gc.isenabled() is was_on
