"""Which shaders are interpreted, which of them in every run of the tests, and what is left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pytest

T = TypeVar("T")

# Shaders whose loops are as long as a dword of a random buffer says
ENDLESS = ("loop_sum", "sha256")
# Shaders that with seed 0 sample a point between two texels, where rounding decides which it is
BETWEEN_TEXELS = {"sample_cubearray": 1}
# Shaders that leave memory with any resources: what the passes from the guards on do is not seen by
# options that leave such accesses to the device
LEAVING = (
    *("bounds", "count_in_circle", "equalise", "gaussian_blur", "grey_histogram"),
    *("histogram_image", "mix_tracks", "moving_average", "particles_step", "prefix_sum", "ranges"),
    *("reduce", "sobel", "textures_typed"),
)


def parameters(cases: Sequence[T], name: Callable[[T], str], every: int) -> list[Any]:
    """Cases for `parametrize`: each `every`-th always, the rest with --slow."""
    slow = pytest.mark.slow(reason="every shader of the corpus, many random programs")
    return [
        pytest.param(case, id=name(case), marks=[slow] if number % every else [])
        for number, case in enumerate(cases)
    ]


def stem(path: Path) -> str:
    """A shader's name, without the profile and the optimisation it was compiled with."""
    return path.name.partition(".")[0]
