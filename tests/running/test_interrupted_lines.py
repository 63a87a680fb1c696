"""Ctrl-C at each line of a function: nothing is lost, and nothing hangs."""

import gc
import sys
from collections.abc import Callable
from types import FrameType, ModuleType
from typing import Any

import numpy as np
import pytest

import vkrunner
from checks.driver import Driver
from vkrunner import Device
from vkrunner.api import opening
from vkrunner.dispatch import context
from vkrunner.vulkan.device import logical, pool
from vkrunner.vulkan.loader import deletion, instance


def interrupted(file: str, act: Callable[[], object], after: Callable[[], object]) -> int:
    """The number of a module's lines that an act comes to; Ctrl-C ends it once at each."""
    seen, tried = set[int](), {0}

    def local(frame: FrameType, event: str, _argument: object) -> Any:
        if event == "line":
            seen.add(frame.f_lineno)
            if frame.f_lineno == line:
                sys.settrace(None)
                raise KeyboardInterrupt
        return local

    def trace(frame: FrameType, _event: str, _argument: object) -> Any:
        return local if frame.f_code.co_filename == file else None

    before, line = sys.gettrace(), 0  # first at none
    while line is not None:
        sys.settrace(trace)
        try:
            act()
        except KeyboardInterrupt:
            pass
        finally:
            sys.settrace(before)
        after()
        tried.add(line)
        line = min(seen - tried, default=None)
    return len(tried) - 1


LONG = pytest.mark.thorough(reason="a device is opened for each line")


@pytest.mark.slow(reason="a call for each line of the pool")
@pytest.mark.parametrize(
    ("nbytes", "staged"),
    [
        (1000, False),
        (300 << 10, True),
        pytest.param(1000, True, marks=LONG),
        pytest.param(300 << 10, False, marks=LONG),
    ],
)
def test_interrupted_calls_lose_no_memory(
    device: Device, driver: Driver, nbytes: int, staged: bool
) -> None:
    """Buffers are made and closed, with Ctrl-C at each line of the pool."""
    with vkrunner.open_device(device.info.index, staged=staged) as own:
        own.buffer(np.zeros(nbytes, np.uint8)).close()

        def use() -> None:
            buffers = [own.buffer(np.zeros(nbytes, np.uint8)) for _ in range(40)]
            for buffer in buffers:
                buffer.close()
            own.buffer(4).close()

        use()
        gc.collect()
        own.buffer(4).close()
        before = driver.memory_bytes

        def again() -> None:
            gc.collect()
            use()

        assert interrupted(pool.__file__, use, again) > 20
        gc.collect()
        own.buffer(4).close()
        assert driver.memory_bytes <= before + (1 << 20)


@pytest.mark.slow(reason="a device is opened for each line")
@pytest.mark.parametrize(
    "module",
    [
        *(opening, deletion),
        *(pytest.param(module, marks=LONG) for module in (instance, context, logical)),
    ],
)
def test_opening_and_closing(
    device: Device, driver: Driver, module: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is left of a device whose opening or closing was interrupted."""
    ignored: set[type[BaseException]] = set()
    monkeypatch.setattr(sys, "unraisablehook", lambda about: ignored.add(about.exc_type))

    def nothing_is_left() -> None:
        gc.collect()
        assert driver.objects["Device"] == driver.objects["Instance"] == 0

    def act() -> None:
        vkrunner.open_device(device.info.index).close()

    assert interrupted(str(module.__file__), act, nothing_is_left) > 5
    assert ignored <= {KeyboardInterrupt}
