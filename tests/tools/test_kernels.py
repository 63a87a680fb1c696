"""The kernels that are compared with GLSL by their code alone compute what the GLSL computes."""

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import translate
import vkrunner
from tools.gpus.modules import GLSL, missing_peers, of_peer

BLUR = Path(__file__).parents[2] / "tools/benchmarks/kernels/blur_halves.dxbc"
RADIUS = 6


def blurred(picture: np.ndarray[Any, Any], weights: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """A blur along rows; the texel at an edge repeats beyond it."""
    width = picture.shape[1]
    wide = np.pad(picture.astype(np.float32), ((0, 0), (RADIUS, RADIUS), (0, 0)), "edge")
    total = wide[:, RADIUS : RADIUS + width] * weights[0]
    for j in range(1, RADIUS + 1):
        before, after = (wide[:, RADIUS + d : RADIUS + d + width] for d in (-j, j))
        total += (before + after) * weights[j]
    return total.astype(np.float16)


@pytest.mark.parametrize("form", ["DXBC", GLSL])
def test_blur_halves(device: vkrunner.Device, form: str) -> None:
    """Whole numbers and powers of two, whose sums and products are exact, in halves too."""
    program = translate.load(BLUR)
    module = translate.to_spirv(program, vkrunner.options_for(device, program))
    if form == GLSL:
        made = of_peer(GLSL, BLUR)
        if made is None:
            pytest.skip("; ".join(missing_peers([GLSL])))
        module = dataclasses.replace(module, data=made.tobytes())
    kernel = device.kernel(BLUR if form == "DXBC" else module)
    picture = np.random.default_rng(1).integers(-15, 16, (5, 70, 4)).astype(np.float16)
    weights = np.array([4, 2, 1, 0.5, 1, 0.25, 0.5], np.float32)
    expected = blurred(picture, weights)
    for columns in (0, 1):
        height, width, _ = picture.shape
        constants = {"size": (width, height), "columns": columns, "weights": weights.tolist()}
        result = kernel.dispatch(
            (2, 5, 1),
            image=picture.view(np.uint32),
            blurred=np.zeros((height, width, 2), np.uint32),
            Params=constants,
        )
        np.testing.assert_array_equal(result.blurred.view(np.float16), expected)
        picture, expected = (array.swapaxes(0, 1).copy() for array in (picture, expected))
