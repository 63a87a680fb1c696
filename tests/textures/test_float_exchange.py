"""`InterlockedExchange` on UAVs of floats: its bits and bounds, and loads and stores beside it.

D3D requires it of R32_FLOAT alone (format tables of feature level 11.0, "Atomic Exchange").
"""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import translate
import vkrunner

from ..both_devices import device  # noqa: F401
from ..listings import blocks
from .shaders import SHAPES, Array, numbered

ERRORS = (vkrunner.RunnerError, translate.TranslateError)
DIMENSIONS = ("buffer", "1d", "1darray", "2d", "2darray", "3d")
SHAPE = {**SHAPES, "buffer": (13,)}
# Numbers that arithmetic would change: denormals, quiet and signalling NaNs, zeros, infinities
SPECIAL = np.array(
    [1, 0x807FFFFF, 0x7FC12345, 0xFF800001, 0x80000000, 0, 0x7F800000, 0xBF800000], np.uint32
)

# Thread n exchanges a texel with value n. Thread 0 stores to the second texel, and loads the first.
SHADER, BESIDE = blocks(Path(__file__).with_name("float_exchange.txt")).values()


def text_of(dimension: str, shader: str = SHADER) -> str:
    declared = dimension if dimension == "buffer" else f"texture{dimension}"
    return shader.format(declared=declared)


def places_of(shape: tuple[int, ...]) -> Array:
    """u32[8, 4], x first: texels without repetition, and three places outside."""
    places = np.zeros((8, 4), np.uint32)
    places[:, 0] = np.arange(8)
    for axis in range(1, len(shape)):
        places[:, axis] = np.arange(8) % shape[::-1][axis]
    places[5, 0] = shape[-1]
    places[6, len(shape) - 1] = 2**31
    places[7, 0] = 2**32 - 1
    return places


def exchanged(before: Array, places: Array) -> tuple[Array, Array]:
    """The bits of all texels after the shader, and the old bits that it returns."""
    after, old = before.view(np.uint32).copy(), np.zeros(8, np.uint32)
    for n, place in enumerate(places):
        at = tuple(int(i) for i in place[: before.ndim][::-1])
        if all(i < most for i, most in zip(at, before.shape, strict=True)):
            old[n], after[at] = after[at], SPECIAL[n]
    return after, old


@pytest.mark.parametrize("kept", [False, True], ids=["array", "resident"])
@pytest.mark.parametrize("guards", ["d3d", "report"])
@pytest.mark.parametrize("dimension", DIMENSIONS)
def test_every_dimension(device: Any, dimension: str, guards: Any, kept: bool) -> None:  # noqa: F811
    shape = SHAPE[dimension]
    before = numbered(shape)
    before.flat[0], before.flat[1] = SPECIAL.view(np.float32)[[2, 1]]
    places = places_of(shape)
    after, old = exchanged(before, places)
    target: Any = before
    if kept and dimension == "buffer":
        target = device.buffer(before)
    elif kept:
        target = device.texture(before, dimension=dimension)
    kernel = device.kernel(text_of(dimension), guards=guards)
    given = {"t0": places, "t1": SPECIAL, "u1": np.zeros(8, np.uint32)}
    result = kernel.dispatch(1, u0=target, **given)
    np.testing.assert_array_equal(np.asarray(result.u0).view(np.uint32), after)
    np.testing.assert_array_equal(result.u1, old)
    if guards == "report":
        assert sorted(v.thread[0] for v in result.violations) == [5, 6, 7]
        assert {v.register for v in result.violations} == {"u0"}


@pytest.mark.parametrize("dimension", DIMENSIONS)
def test_loads_and_stores_of_the_same_texels(device: Any, dimension: str) -> None:  # noqa: F811
    """A load gives the texel's float, then 0, 0 and 1, as all loads of one component do."""
    before = np.zeros(SHAPE[dimension], np.float32)
    kernel = device.kernel(text_of(dimension, BESIDE))
    result = kernel.dispatch(1, u0=before, u1=np.zeros(4, np.float32))
    assert result.u1.tolist() == [2.5, 0, 0, 1]
    expected = before.copy()
    expected.flat[:2] = 2.5, -7.5
    np.testing.assert_array_equal(result.u0, expected)


def test_a_range(device: Any) -> None:  # noqa: F811
    """Each thread exchanges a texel of a texture of its own."""
    shader = (Path(__file__).parent / "float_exchange.asm").read_text("utf-8")
    first, second = np.zeros((2, 2), np.float32), np.zeros((4, 3), np.float32)
    result = device.kernel(shader).dispatch(1, u0=[first, second])
    assert [array[n, n] for n, array in enumerate(result.u0)] == [1.5, 2.5]
    assert [np.count_nonzero(array) for array in result.u0] == [1, 1]


def test_other_formats(device: Any) -> None:  # noqa: F811
    kernel = device.kernel(text_of("2d", BESIDE))
    with pytest.raises(ERRORS, match=r"u0.*(r32_float|no atomics on r16_float)"):
        kernel.dispatch(1, u0=np.zeros((2, 2), np.float16), u1=np.zeros(4, np.float32))


def test_the_view_is_one_of_integers() -> None:
    """Without an extension SPIR-V exchanges no floats; a module's user binds the bits."""
    module = translate.to_spirv(translate.load(text_of("2d")))
    assert "R32ui" in module.text()
    binding = module.interface["u0"]
    assert (binding.component, binding.vk_format) == ("float", "VK_FORMAT_R32_UINT")
