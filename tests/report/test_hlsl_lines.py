"""Reports name the HLSL line of shaders with debug information."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

SHADERS = Path(__file__).parents[2] / "shaders"
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


def test_the_report_of_a_dispatch_fits_95_columns(device: Any) -> None:
    """The instruction and an example stand below the line of the HLSL."""
    kernel = device.kernel(SHADERS / "moving_average.dxbc", guards="report")
    samples = np.arange(100, dtype=np.float32)
    result = kernel.dispatch(2, samples=samples, means=samples, Params={"count": 100})
    heading, row, line, caret, example, *_, last = result.violations.summary().splitlines()
    assert heading.split()[:4] == ["count", "threads", "HLSL", "register"]
    assert row.split()[4:6] == ["moving_average.hlsl:15", "t0"]
    marked = [line[word.start() : word.end()] for word in re.finditer(r"\^+", caret)]
    assert marked == ["samples"] * line.count("samples")
    assert example == "     = instruction 5: index -1 (4294967295) in thread 0,0,0"
    assert last == "     = instruction 8: index 100 in thread 99,0,0"
    assert max(map(len, (heading, row, line, caret, example))) <= 95


def test_none_without_debug_information(device: Any) -> None:
    result = device.kernel(SHADERS / "saxpy.dxbc", guards="report").dispatch(
        1, x=np.ones(3, np.float32), y=np.ones(4, np.float32), Params={"a": 1, "count": 4}
    )
    assert [v.hlsl_line for v in result.violations] == [None]
    assert result.violations.table().splitlines()[0].split()[0] == "instruction"
