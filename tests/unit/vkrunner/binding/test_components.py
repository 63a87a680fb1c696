"""Arrays with other components than the HLSL declares: a warning, as numbers are lost or unseen."""

import inspect
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vkrunner import Device, FeatureError, FormatError, Kernel, WrongTypeError

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


def doubled(device: Device, count: int, formats: Any = None) -> Kernel:
    """o[i] = s[i], in typed buffers of `count` components as HLSL declares them."""
    component = f"float{count if count > 1 else ''}"
    text = (
        "// Resource Bindings:\n//\n// Name Type Format Dim Bind Count\n"
        "// ---- ---- ------ --- ---- -----\n"
        f"// s texture {component} buf t0 1\n// o UAV {component} buf u0 1\n"
        "cs_5_0\ndcl_resource_buffer (float,float,float,float) t0\n"
        "dcl_uav_typed_buffer (float,float,float,float) u0\ndcl_input vThreadID.x\ndcl_temps 1\n"
        "dcl_thread_group 1, 1, 1\nld r0.xyzw, vThreadID.xxxx, t0.xyzw\n"
        "add r0.xyzw, r0.xyzw, r0.xyzw\nstore_uav_typed u0.xyzw, vThreadID.xxxx, r0.xyzw\nret\n"
    )
    return device.kernel(text, formats=formats or {})


ROWS = np.arange(16, dtype=np.float32).reshape(4, 4)


def test_rows_of_which_the_shader_uses_the_first_number(device: Device) -> None:
    message = r"^t0 \(s\) is float.* rows? of 4 .*array\.ravel\(\).*formats=\{'s': 'r32_float'\}"
    with pytest.warns(RuntimeWarning, match=message) as caught:
        o = doubled(device, 1).dispatch(16, s=ROWS, o=np.zeros(16, np.float32)).o
    assert len(caught) == 1
    assert o.tolist() == [0, 8, 16, 24] + [0] * 12  # D3D's result: an element for each row
    with pytest.warns(RuntimeWarning, match=r"^u0 \(o\) is float.*--format o=r32_float"):
        doubled(device, 1).dispatch(4, s=ROWS.ravel(), o=np.zeros((4, 4), np.float32))
    pairs = r"^t0 \(s\) is float2.*first 2.*array\.reshape\(-1, 2\).*'r32g32_float'"
    with pytest.warns(RuntimeWarning, match=pairs):
        doubled(device, 2).dispatch(8, s=ROWS, o=np.zeros((8, 2), np.float32))


def test_rows_of_a_buffer_without_a_format(device: Device) -> None:
    kernel, o = doubled(device, 1), np.zeros(16, np.float32)
    with device.buffer(ROWS) as buffer:
        with pytest.warns(RuntimeWarning, match=r"buffer\.view\(format='r32_float'\)"):
            kernel.dispatch(16, s=buffer, o=o)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            result = kernel.dispatch(16, s=buffer.view(format="r32_float"), o=o)
    assert np.array_equal(result.o, 2 * ROWS.ravel())


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_rows_that_are_meant(device: Device) -> None:
    numbers = doubled(device, 1, {"s": "r32_float", "o": "r32_float"})
    assert np.array_equal(numbers.dispatch(16, s=ROWS, o=np.zeros_like(ROWS)).o, 2 * ROWS)
    rows = doubled(device, 1, {"s": "r32g32b32a32_float"})
    assert rows.dispatch(4, s=ROWS, o=np.zeros(4, np.float32)).o.tolist() == [0, 8, 16, 24]
    column = ROWS.reshape(16, 1)
    assert np.array_equal(doubled(device, 1).dispatch(16, s=column, o=column).o, 2 * column)
    for count in (3, 4):  # three components have a fourth
        assert np.array_equal(doubled(device, count).dispatch(4, s=ROWS, o=ROWS).o, 2 * ROWS)


def test_texels_of_another_type_that_the_shader_only_writes(device: Device) -> None:
    with pytest.raises(FormatError, match=r"^u0 \(o\) is written as float, but r32_uint is uint"):
        doubled(device, 1).dispatch(1, s=ROWS[0], o=np.zeros(4, np.uint32))
