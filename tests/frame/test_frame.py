"""The frame on the Vulkan device and on the reference machine, compared with NumPy."""

import numpy as np
import pytest

import vkrunner

from . import expected
from . import inputs as frame
from .inputs import Array, Inputs, make_inputs
from .program import run

Outputs = dict[str, Array]


@pytest.fixture(scope="module")
def inputs() -> Inputs:
    return make_inputs()


@pytest.fixture(
    scope="module", params=["vulkan-dxbc", "vulkan-asm", "reference-dxbc", "reference-asm"]
)
def outputs(
    request: pytest.FixtureRequest,
    device: vkrunner.Device,
    machine: vkrunner.ReferenceDevice,
    inputs: Inputs,
) -> Outputs:
    where, form = request.param.split("-")
    return run(device if where == "vulkan" else machine, inputs, form)


def test_light_culling(inputs: Inputs, outputs: Outputs) -> None:
    margins = expected.light_margins(inputs)
    assert abs(margins).min() > 1e-4, "a light so near a tile's edge is decided by rounding"
    counts, lists = expected.tile_lists(margins)
    assert counts.min() < 8
    assert (np.count_nonzero(margins > 0, axis=-1) > frame.MAX_PER_TILE).any(), "none is full"
    np.testing.assert_array_equal(outputs["tile_counts"], counts)
    np.testing.assert_array_equal(outputs["tile_lights"], lists.ravel())


def test_tone_mapping(inputs: Inputs, outputs: Outputs) -> None:
    counts = expected.histogram(inputs.scene)
    assert counts[0] > 1
    assert counts[-1] > 1
    np.testing.assert_array_equal(outputs["histogram"], counts)
    curve = expected.tone_curve(counts)
    np.testing.assert_allclose(outputs["curve"], curve, rtol=0, atol=1e-6)
    # 0.6 of a step for the store (FS §3.2.3.6), and 2^-9 of a texel's distance, because samplers'
    # weights have 8 bits
    slope = 255 * np.diff(curve).max()
    difference = abs(outputs["picture"] - expected.picture(inputs.scene, curve))
    assert difference.max() < 0.6 + slope / 2**9 + 0.01


def test_particles(outputs: Outputs) -> None:
    living = expected.particles()
    assert 0 < len(living) < frame.STEPS * frame.EMITTED
    np.testing.assert_array_equal(outputs["alive"], [len(living)])
    np.testing.assert_array_equal(outputs["particles"], living)
    before_the_last_step = 500  # of four steps and the new ones: the fifth step removed the first
    np.testing.assert_array_equal(outputs["arguments"], [-(-before_the_last_step // 64), 1, 1])


def test_radix_sort(inputs: Inputs, outputs: Outputs) -> None:
    np.testing.assert_array_equal(outputs["sorted"], expected.sorted_pairs(inputs.pairs))


def test_fft(inputs: Inputs, outputs: Outputs) -> None:
    """Errors grow with the eight stages: some units in the last place of the largest number."""
    spectrum = expected.spectrum(inputs.waves)
    tolerance = 16 * np.finfo(np.float32).eps
    largest = abs(spectrum).max()
    np.testing.assert_allclose(outputs["spectrum"], spectrum, rtol=0, atol=tolerance * largest)
    largest = abs(inputs.waves).max()
    again = outputs["waves_again"]
    np.testing.assert_allclose(again, inputs.waves, rtol=0, atol=tolerance * largest)
