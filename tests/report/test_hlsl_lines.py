"""Reports name the HLSL line of shaders with debug information."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

DATA = Path(__file__).parents[1] / "unit" / "dxbc" / "data" / "debug"


@pytest.mark.filterwarnings("ignore::translate.errors.ListingWarning")  # the listing has six digits
@pytest.mark.parametrize("form", ["dxbc", "asm"])
@pytest.mark.parametrize("optimisation", ["Od", "O3"])
def test_the_line_within_an_included_function(device: Any, optimisation: str, form: str) -> None:
    source = (DATA / "neighbours.hlsli").read_text().splitlines()
    kernel = device.kernel(DATA / f"debug_lines_{optimisation}.{form}", guards="report")
    samples = np.arange(70, dtype=np.float32)
    result = kernel.dispatch(2, samples=samples, means=samples, Params={"count": 70})
    assert {v.thread[0] for v in result.violations} == {0, 69}
    for violation in result.violations:
        assert violation.hlsl_line is not None
        assert "samples[" in source[violation.hlsl_line - 1]
        assert str(violation).startswith(f"neighbours.hlsli:{violation.hlsl_line}, ")
    assert "neighbours.hlsli:9" in result.violations.table()


def test_none_without_debug_information(device: Any) -> None:
    shader = Path(__file__).parents[2] / "shaders" / "moving_average.dxbc"
    result = device.kernel(shader, guards="report").dispatch(
        1, samples=np.ones(3, np.float32), means=np.ones(3, np.float32), Params={"count": 3}
    )
    assert [v.hlsl_line for v in result.violations] == [None, None]
    assert result.violations.table().splitlines()[0].split()[0] == "instruction"
