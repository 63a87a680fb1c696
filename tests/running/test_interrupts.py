"""Ctrl-C at any moment: the device is usable afterwards, and work in flight goes on."""

from __future__ import annotations

import random
import signal
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.running.conftest import opened
from tests.running.shaders import ADD, NEXT, SPIN, spun
from vkrunner import Device

TURNS = 40
LONGEST_S = 0.004  # after which a call is interrupted: most take less

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


def interrupted(seconds: float, call: Callable[[], object]) -> bool:
    """Whether a call took longer, and was ended by KeyboardInterrupt."""

    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        try:
            signal.setitimer(signal.ITIMER_REAL, seconds)
            call()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except KeyboardInterrupt:
        return True
    finally:
        signal.signal(signal.SIGALRM, before)
    return False


@pytest.mark.parametrize("kind", ["shared", "staged", "written"])
def test_at_random_moments(device: Device, kind: str) -> None:
    with opened(kind, device, validation=False) as own:  # one object may be left undestroyed
        check_random_moments(own)


def check_random_moments(own: Device) -> None:
    chance = random.Random(11)
    add, following = own.kernel(ADD), own.kernel(NEXT)
    buffer, texture = own.buffer(np.zeros(64, "u4")), own.texture(np.zeros((8, 8), np.float32))
    zeros, x = np.zeros(64, np.uint32), np.arange(64, dtype=np.uint32)
    with own.record() as recording:
        step = recording.dispatch(following, 64, t0=buffer, u0=zeros)

    calls: list[Callable[[], object]] = [
        lambda: add.dispatch(64, u0=zeros, cb0=1),
        lambda: add.dispatch(64, u0=own.buffer(zeros), cb0=1),
        lambda: add.dispatch_async(64, u0=zeros, cb0=1).result(),
        lambda: recording.submit().result(step),
        lambda: own.buffer(x).read(),
        lambda: buffer.write(zeros),
        lambda: texture.write(np.ones((8, 8), np.float32)),
        lambda: own.texture(np.ones((8, 8), np.float32)).close(),
    ]
    found = 0
    for turn in range(TURNS * len(calls)):
        found += interrupted(chance.uniform(1e-5, LONGEST_S), calls[turn % len(calls)])
        if turn % len(calls) == 0:
            buffer.write(x + turn)
            assert add.dispatch(64, u0=zeros, cb0=turn).u0.tolist() == [turn] * 64
            np.testing.assert_array_equal(recording.submit().result(step).u0, 3 * (x + turn) + 1)
            texture.write(np.full((8, 8), turn, np.float32))
            assert (texture.read() == turn).all()
    assert found


@pytest.mark.parametrize("call", ["dispatch", "wait", "read", "write"])
def test_work_goes_on(own: Device, call: str) -> None:
    """A call is interrupted that waits for the device; the next one waits for the same work."""
    spin, state = own.kernel(SPIN), own.buffer(np.zeros(1, np.uint32))
    spin.dispatch(1, u0=state, cb0=0)  # the driver compiles
    future = spin.dispatch_async(60, u0=state, cb0=60000) if call != "dispatch" else None
    calls: dict[str, Callable[[], object]] = {
        "dispatch": lambda: spin.dispatch(60, u0=state, cb0=60000),
        "wait": lambda: future and future.wait(),
        "read": state.read,
        "write": lambda: state.write(np.ones(1, np.uint32)),
    }
    if not interrupted(0.02, calls[call]):
        pytest.skip(f"{own.name} is too fast")
    other = own.kernel(ADD).dispatch(1, u0=np.zeros(1, np.uint32), cb0=7, timeout=600)
    assert other.u0[0] == 7
    assert state.read()[0] == spun(60000)
    if future is not None:
        assert future.done()
