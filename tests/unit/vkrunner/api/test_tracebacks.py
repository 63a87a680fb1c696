"""Tracebacks of a caller's mistakes: the caller's line alone. A fault of ours keeps its frames."""

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import translate
import vkrunner

SHADERS = Path(__file__).parents[4] / "shaders"
SAXPY = SHADERS / "saxpy.dxbc"
FLOATS = np.zeros(4, np.float32)


def recorded(device: vkrunner.Device) -> None:
    with device.record() as work:
        work.dispatch(device.kernel(SAXPY), 1, x=FLOATS, y=np.zeros(4), Params={"a": 1})


def empty(device: vkrunner.Device) -> vkrunner.Result:
    return device.kernel(SAXPY).dispatch(0, x=FLOATS, y=FLOATS, Params={"a": 1, "count": 1})


MISTAKES: dict[str, Callable[[vkrunner.Device], Any]] = {
    "no such file": lambda device: device.kernel(SHADERS / "saxpy.dxb"),
    "listing": lambda device: device.kernel("cs_5_0\ndcl_temps 1\nmov r0.x, nothing\nret\n"),
    "dtype": lambda device: device.kernel(SAXPY).dispatch(1, x=np.zeros(4)),
    "groups": lambda device: device.kernel(SAXPY).dispatch(65536),
    "async": lambda device: device.kernel(SAXPY).dispatch_async(1, z=FLOATS),
    "recorded": recorded,
    "threads": lambda device: device.kernel(SAXPY).groups_for(FLOATS),  # type: ignore[arg-type]
    "sampler": lambda device: device.sampler("cubic"),  # type: ignore[arg-type]
    "name of a device": lambda device: vkrunner.open_device("no such device"),
    "page": lambda device: device.kernel(translate.to_spirv(translate.load(SAXPY))).page(),
    "page of a report": lambda device: empty(device).violations.page(),
    "texture": lambda device: device.texture(FLOATS, format="r8_unorm"),
}


def frames(error: BaseException) -> list[str]:
    return [frame.filename for frame in traceback.extract_tb(error.__traceback__)]


@pytest.mark.parametrize("mistake", MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_shown_at_the_callers_line(device: vkrunner.Device, mistake: Any) -> None:
    with pytest.raises((vkrunner.RunnerError, translate.TranslateError, OSError)) as caught:
        mistake(device)
    assert {*frames(caught.value)} == {__file__}


def test_a_missing_file_is_named_first(device: vkrunner.Device) -> None:
    with pytest.raises(FileNotFoundError, match=r"^\S*saxpy\.dxb: .*did you mean \S*saxpy\.dxbc\?"):
        device.kernel(SHADERS / "saxpy.dxb")


@pytest.mark.parametrize("kind", [translate.VerifyError, KeyError])
def test_a_fault_inside_keeps_its_frames(device: vkrunner.Device, kind: type[Exception]) -> None:
    class Faulty:
        def __fspath__(self) -> str:
            raise kind("planted")

    with pytest.raises(kind, match="planted") as caught:
        device.kernel(Faulty())
    inner = [name for name in frames(caught.value) if name != __file__]
    assert len(inner) > 1, inner
