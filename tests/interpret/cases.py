"""The shaders that are interpreted, in every run or with --slow, and those that are left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from ..slow import share

T = TypeVar("T")

# Shaders whose loops have as many rounds as a dword of a random buffer
ENDLESS = ("loop_sum", "sha256")
# Shaders that, with seed 0, sample so near a texel's edge that rounding selects the texel
BETWEEN_TEXELS = {"sample_cubearray": 1}
# Shaders with out-of-bounds accesses on any resources: options that leave these to the device are
# checked only before the guards
LEAVING = (
    *("bounds", "count_in_circle", "equalise", "gaussian_blur", "grey_histogram"),
    *("histogram_image", "mix_tracks", "moving_average", "particles_step", "prefix_sum", "ranges"),
    *("reduce", "sobel", "textures_typed"),
)


def parameters(cases: Sequence[T], name: Callable[[T], str], every: int) -> list[Any]:
    """Cases for `parametrize`: each `every`-th always, the rest with --slow and --thorough."""
    return share(cases, name, every, "every shader of the corpus, many random programs")


def stem(path: Path) -> str:
    """A shader's name, without the profile and the optimisation."""
    return path.name.partition(".")[0]
