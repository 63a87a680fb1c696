"""Ctrl-C at each line of a function: nothing is lost, and nothing hangs."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from pathlib import Path
from time import sleep
from types import CodeType, FrameType, ModuleType
from typing import Any

import numpy as np
import pytest

import vkrunner
from checks.driver import Driver
from checks.running.processes import run
from vkrunner import Device
from vkrunner.api import opening
from vkrunner.dispatch import context
from vkrunner.vulkan.device import logical, pool
from vkrunner.vulkan.loader import deletion, instance


def lines_of(file: str) -> list[int]:
    """The lines of a module's functions."""
    found: set[int] = set()
    codes = [compile(Path(file).read_text(encoding="utf-8"), file, "exec")]
    while codes:
        inner = [c for c in codes.pop().co_consts if isinstance(c, CodeType)]
        found.update(line for code in inner for _, _, line in code.co_lines() if line)
        codes += inner
    return sorted(found)


def interrupted_at(file: str, line: int, act: Callable[[], object]) -> bool:
    """Whether the act came to a line of a module, where Ctrl-C ended it."""

    def local(frame: FrameType, event: str, _argument: object) -> Any:
        if event == "line" and frame.f_lineno == line:
            sys.settrace(None)
            raise KeyboardInterrupt
        return local

    def trace(frame: FrameType, _event: str, _argument: object) -> Any:
        return local if frame.f_code.co_filename == file else None

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        act()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return False


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
        before, hits = driver.memory_bytes, 0
        for line in lines_of(pool.__file__):
            if interrupted_at(pool.__file__, line, use):
                hits += 1
                gc.collect()
                use()
        assert hits > 20
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
    file, hits = str(module.__file__), 0
    for line in lines_of(file):
        hits += interrupted_at(file, line, lambda: vkrunner.open_device(device.info.index).close())
        gc.collect()
        for _ in range(1000):  # another thread may destroy them
            if driver.objects["Device"] or driver.objects["Instance"]:
                sleep(0.01)
        assert driver.objects["Device"] == driver.objects["Instance"] == 0, line
    assert hits > 5
    assert ignored <= {KeyboardInterrupt}


# Ctrl-C on one line while a device is closed in the main thread
ENDING = """
from vkrunner.vulkan.loader import deletion
from tests.running.test_interrupted_lines import interrupted_at

for line in map(int, words):
    interrupted_at(deletion.__file__, line, vkrunner.open_device(index).close)
"""


@pytest.mark.slow(reason="processes that open devices")
def test_the_process_ends_after_an_interrupted_closing(device: Device) -> None:
    run(device, ENDING, *(str(line) for line in lines_of(str(deletion.__file__))))
