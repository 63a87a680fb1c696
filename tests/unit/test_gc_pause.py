"""After a translation, also a failed one, garbage collection is as it was before."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

import translate
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
