"""Arrays with fewer components than the shader stores: a warning, as the others are lost."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vkrunner import Device, FeatureError, Kernel, WrongTypeError

SHADERS = Path(__file__).parents[4] / "shaders"
BLUR = SHADERS / "gaussian_blur.dxbc"  # RWTexture2D<float4> blurred
PARAMS = {"direction": (1, 0), "radius": 0, "weights": [1.0] * 16}
PICTURE = np.full((2, 4, 4), 0.5, np.float32)
LOST = (
    r"^u0 \(blurred\) is float4, the array has 1 component: the others are lost; .*"
    r"formats=\{'blurred': 'r32_float'\}.*--format blurred=r32_float"
)


def given(blurred: Any) -> dict[str, Any]:
    return {"image": PICTURE, "Params": PARAMS, "blurred": blurred}


def recorded(kernel: Kernel, device: Device) -> Any:
    with device.record() as work:
        work.dispatch(kernel, (1, 2), **given(np.zeros((2, 4), np.float32)))


CALLS: dict[str, Callable[[Kernel, Device], Any]] = {
    "dispatch": lambda kernel, _: kernel.dispatch((1, 2), **given(np.zeros((2, 4), np.float32))),
    "async": lambda kernel, _: kernel.dispatch_async((1, 2), **given(PICTURE[..., 0])).result(),
    "bindings": lambda kernel, _: kernel.dispatch((1, 2), bindings=given(PICTURE[..., 0])),
    "recorded": recorded,
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_lost_components_are_named_at_the_callers_line(device: Device, call: Any) -> None:
    with pytest.warns(RuntimeWarning, match=LOST) as caught:
        call(device.kernel(BLUR), device)
    lines, first = inspect.getsourcelines(call)
    assert [warning.filename for warning in caught] == [__file__]
    assert first <= caught[0].lineno < first + len(lines)


def test_a_loop_of_dispatches_warns_once(device: Device) -> None:
    kernel = device.kernel(BLUR)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")  # Python's own choice
        for height in range(2, 5):
            kernel.dispatch((1, 2), **given(np.zeros((height, 4), np.float32)))
    assert len(caught) == 1


def test_typed_buffers(device: Device) -> None:
    text = (
        "// Resource Bindings:\n//\n// Name Type Format Dim Bind Count\n"
        "// ---- ---- ------ --- ---- -----\n"
        "// pairs UAV uint2 buf u0 1\n"
        "cs_5_0\ndcl_uav_typed_buffer (uint,uint,uint,uint) u0\ndcl_temps 1\n"
        "dcl_thread_group 1, 1, 1\nstore_uav_typed u0.xyzw, l(0, 0, 0, 0), l(5, 6, 7, 8)\nret\n"
    )
    with pytest.warns(RuntimeWarning, match=r"^u0 \(pairs\) is uint2, the array has 1 component"):
        result = device.kernel(text).dispatch(1, pairs=np.zeros(2, np.uint32))
    assert result.pairs.tolist() == [5, 0]


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_a_chosen_format_loses_nothing_unsaid(device: Device) -> None:
    one = np.zeros((2, 4), np.float32)
    kernel = device.kernel(BLUR)
    for whole in (PICTURE, PICTURE.astype(np.float16), device.texture(one, "r32_float"), None):
        kernel.dispatch((1, 2), **given(whole))
    chosen = device.kernel(BLUR, formats={"blurred": "r32_float"})
    assert np.array_equal(chosen.dispatch((1, 2), **given(one)).blurred, PICTURE[..., 0])
    kernel.dispatch((1, 2), **{**given(PICTURE), "image": one})  # it only reads it


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_a_listing_without_declarations_of_hlsl(device: Device) -> None:
    text = (
        "cs_5_0\ndcl_uav_typed_texture2d (float,float,float,float) u0\ndcl_temps 1\n"
        "dcl_thread_group 1, 1, 1\n"
        "store_uav_typed u0.xyzw, l(0, 0, 0, 0), l(1.0, 2.0, 3.0, 4.0)\nret\n"
    )
    result = device.kernel(text).dispatch(1, u0=np.zeros((1, 1), np.float32))
    assert result.u0.tolist() == [[1.0]]


def test_three_components_need_a_fourth(device: Device) -> None:
    """No device is known that stores texels of three."""
    three = np.zeros((2, 4, 3), np.float32)
    advice = "pass an array with a fourth component$"
    with pytest.warns(RuntimeWarning, match=advice), suppress(FeatureError):
        device.kernel(BLUR).dispatch((1, 2), **given(three))


def test_a_whole_result_is_no_array(device: Device) -> None:
    kernel = device.kernel(BLUR)
    result = kernel.dispatch((1, 2), **given(PICTURE))
    with pytest.raises(WrongTypeError, match=r"image.*result\.blurred"):
        kernel.dispatch((1, 2), **given(PICTURE) | {"image": result})
