"""cs_5_1: ranges indexed by constants, by uniform and by non-uniform values; spaces."""

from typing import Any

import numpy as np
import pytest

import translate
import vkrunner
from translate.options import INDEXING_FEATURES

from ..conftest import needs
from .shaders import Array, numbered, shader

PICKS = ("constant", "uniform", "divergent")
PICKED = {"constant": [2] * 4, "uniform": [1] * 4, "divergent": [0, 1, 2, 3]}
UNIFORM = {"uniform_index": 1}
# By the device's features, or by a switch on every device
OPTIONS: dict[str, dict[str, Any]] = {
    "by the device": {},
    "by a switch": {"missing_indexing": INDEXING_FEATURES},
}


def given(kernel: Any, **values: Any) -> dict[str, Any]:
    """The values for the registers that fxc kept in the shader."""
    values = {"Params": UNIFORM, **values}
    return {name: value for name, value in values.items() if name in kernel.interface}


@pytest.fixture(params=OPTIONS)
def dispatch(request: pytest.FixtureRequest, device: Any) -> Any:
    """A function that dispatches a shader with the values that it has."""

    def run(name: str, **values: Any) -> Any:
        kernel = device.kernel(shader(name), **OPTIONS[request.param])
        return kernel.dispatch(1, **given(kernel, **values))

    return run


@pytest.mark.parametrize("pick", PICKS)
def test_images_and_samplers(device: Any, dispatch: Any, pick: str) -> None:
    """Loads and samples; sampler 0 wraps, 1 clamps, which differ at u = 1.25."""
    images = [numbered((1, 4, 4)) + 100 * n for n in range(4)]
    more, seen = numbered((1, 1, 4)), np.zeros((8, 4), "f4")
    samplers = [device.sampler("point", "wrap"), device.sampler("point", "clamp")]
    result = dispatch(f"images_{pick}", images=images, more=more, states=samplers, seen=seen)
    for n, k in enumerate(PICKED[pick]):
        np.testing.assert_array_equal(result.seen[2 * n], images[k][0, 1] + more[0, 0])
        np.testing.assert_array_equal(result.seen[2 * n + 1], images[k][0, (1, 3)[k & 1]])


@pytest.mark.parametrize("pick", PICKS)
def test_uav_textures(dispatch: Any, pick: str) -> None:
    """Register 3 does not exist: stores to it are dropped."""
    result = dispatch(f"targets_{pick}", targets=[np.zeros((1, 4), np.uint32) for _ in range(3)])
    expected = np.zeros((4, 4), np.uint32)
    for n, k in enumerate(PICKED[pick]):
        expected[k, n] = 100 + n
    np.testing.assert_array_equal([t[0] for t in result.targets], expected[:3])


@pytest.mark.parametrize("pick", PICKS)
def test_buffers_and_constants(dispatch: Any, pick: str) -> None:
    """One component: fxc forgets NonUniformResourceIndex where it loads whole vectors."""
    lists = [numbered((4, 4)) + 100 * n for n in range(3)]
    factors: list[Array] = [np.full(4, 2, "f4"), np.full(4, 3, "f4")]
    seen = np.zeros((4, 4), "f4")
    result = dispatch(f"lists_{pick}", lists=lists, factors=factors, seen=seen)
    for n, k in enumerate(PICKED[pick]):
        expected = lists[k][n, 0] * factors[k & 1] if k < 3 else np.zeros(4)
        np.testing.assert_array_equal(result.seen[n], expected)


@pytest.mark.parametrize("pick", PICKS)
def test_typed_buffers(dispatch: Any, pick: str) -> None:
    """The two buffers have different formats."""
    texels = [np.arange(10, 14, dtype=np.uint32), np.arange(20, 24, dtype=np.uint8)]
    result = dispatch(f"texels_{pick}", texels=texels, seen=np.zeros((4, 4), "f4"))
    expected = [[texels[k][n] if k < 2 else 0] * 4 for n, k in enumerate(PICKED[pick])]
    np.testing.assert_array_equal(result.seen, expected)


def test_a_single_resource_is_passed_by_its_register(device: Any) -> None:
    kernel = device.kernel(shader("images_constant"))
    images = [numbered((1, 4, 4)) + 100 * n for n in range(4)]
    keys = [("t", 1, 2 + n) for n in range(1, 4)]
    with needs(device, "null_descriptor"):  # t2 is left out
        values = given(kernel, more=np.zeros((1, 1, 4), "f4"), seen=np.zeros((8, 4), "f4"))
        result = kernel.dispatch(1, bindings=dict(zip(keys, images[1:], strict=True)), **values)
        np.testing.assert_array_equal(result.seen[0], images[2][0, 1])
    named = {"t4_space1": images[2], ("t", 1, 4): images[2]}
    with pytest.raises(vkrunner.DuplicateError):
        kernel.dispatch(1, bindings=named, more=None, seen=np.zeros((8, 4), "f4"))


def test_ranges_take_lists(device: Any) -> None:
    kernel = device.kernel(shader("targets_constant"))
    image = np.zeros((1, 4), np.uint32)
    with pytest.raises(vkrunner.WrongTypeError):
        kernel.dispatch(1, **given(kernel, targets=image))
    with pytest.raises(vkrunner.ShapeError, match=r"3.*4"):
        kernel.dispatch(1, **given(kernel, targets=[image] * 4))


def test_elements_that_are_null(device: Any) -> None:
    with needs(device, "null_descriptor"):
        kernel = device.kernel(shader("targets_constant"))
        texture = device.texture((1, 4), "r32_uint")
        result = kernel.dispatch(1, **given(kernel, targets=[None, None, texture]))
        assert result.targets[:2] == [None, None]
        np.testing.assert_array_equal(result.targets[2], [[100, 101, 102, 103]])
        result = kernel.dispatch(1, **given(kernel, targets=[np.zeros((1, 4), "u4")]))
        assert result.targets[0].tolist() == [[0] * 4]
        assert result.targets[1:] == [None, None]


@pytest.mark.parametrize("count", [6, 3, 1])
def test_unbounded_images_are_as_many_as_are_bound(device: Any, count: int) -> None:
    """Constant indices need no device feature; past the list nothing is bound."""
    kernel = device.kernel(shader("unbounded_images"))
    images = [np.full((1, 1), 10 + n, np.float32) for n in range(count)]
    values = given(kernel, images=images, lists=[np.zeros(1, "u4")], seen=np.zeros(3, "f4"))
    result = kernel.dispatch(1, **values)
    assert result.seen.tolist() == [10 + n if n < count else 0 for n in (0, 2, 5)]


def test_unbounded_buffers_and_their_counters(device: Any) -> None:
    kernel = device.kernel(shader("unbounded_lists"))
    lists = [np.array([5 + n], np.uint32) for n in range(4)]
    counted = [device.buffer(np.zeros(3, np.uint32), counter=n) for n in range(2)]
    result = kernel.dispatch(6, lists=lists, counted=counted, seen=np.full(6, 9, np.float32))
    assert result.seen.tolist() == [5, 6, 7, 8, 0, 0]
    assert [c.tolist() for c in result.counted] == [[7, 0, 0], [0, 8, 0]]
    assert dict(result.counters) == {"u0_space3[0]": 1, "u0_space3[1]": 2}


def test_nothing_bound_to_an_unbounded_array(device: Any) -> None:
    with needs(device, "null_descriptor"):
        kernel = device.kernel(shader("unbounded_lists"))
        result = kernel.dispatch(2, lists=[], counted=None, seen=np.full(2, 9, np.float32))
        assert result.seen.tolist() == [0, 0]


@pytest.mark.parametrize("guards", ["d3d", "report", "robustness2", "off"])
@pytest.mark.parametrize("name", ["images", "targets", "lists", "texels"])
def test_constant_indices_need_nothing_of_the_device(name: str, guards: str) -> None:
    """This holds without folding too: the guards see the constant."""
    program = translate.load(shader(f"{name}_constant"))
    module = translate.to_spirv(program, translate.Options(guards=guards, optimize=False))
    assert not [f for f in module.interface.features if f.endswith("_indexing")]


def test_lengths_are_of_unbounded_ranges() -> None:
    program = translate.load(shader("unbounded_images"))
    assert "runtime_descriptor_array" in translate.to_spirv(program).interface.features
    lengths = {"t0_space1": 4}
    interface = translate.to_spirv(program, translate.Options(array_lengths=lengths)).interface
    assert interface["images"].count == 4
    assert "runtime_descriptor_array" not in interface.features
    for wrong in ({"t0_space1": 0}, {"u0": 2}, {"t9": 1}):
        with pytest.raises(translate.OptionError, match=r"array_lengths.*1"):
            translate.to_spirv(program, translate.Options(array_lengths=wrong))


def test_a_finished_module_with_an_unbounded_range(device: Any) -> None:
    module = translate.to_spirv(translate.load(shader("unbounded_images")))
    with needs(device, "runtime_descriptor_array"):
        kernel = device.kernel(module)
        images = [np.full((1, 1), 10 + n, np.float32) for n in range(6)]
        values = given(kernel, images=images, seen=np.zeros(3, "f4"))
        assert kernel.dispatch(1, **values).seen.tolist() == [10, 12, 15]
