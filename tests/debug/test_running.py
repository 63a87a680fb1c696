"""Modules with debug information give the results of those without."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

HERE = Path(__file__).parent


@pytest.mark.parametrize("target", ["vulkan1.1", "vulkan1.2"])
@pytest.mark.parametrize("shader", ["called.O3", "called.Od"])
def test_results_are_the_same(device: Any, shader: str, target: str) -> None:
    if device.info.type != "reference" and not device.features.non_semantic_info:
        pytest.skip("the driver lacks VK_KHR_shader_non_semantic_info")
    kernel = device.kernel(
        HERE / f"{shader}.dxbc", debug_info=True, debug_lines=True, target=target
    )
    steps = np.random.default_rng(5).integers(0, 6, (32, 5), np.uint32)
    result = kernel.dispatch(1, steps=steps, states=np.zeros(32, np.uint32))
    assert (result.states == simulated(steps)).all()


def simulated(steps: np.ndarray[Any, Any]) -> list[int]:
    """The results of hlsl/called.hlsl."""
    states: list[int] = []
    for thread, row in enumerate(steps.tolist()):
        state = [*range(8)]
        for n, step in enumerate(row):
            if step == 0:
                state[n] += 3
            elif step == 1:
                state[n] ^= n
            elif step == 2:
                state[n + 1] = state[n]
            else:
                state[0] += step
        states.append(state[thread & 7])
    return states
