"""Shaders that load every texel of a texture, and that gather its four channels."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..textures.shaders import Array
from ..textures.test_gathering import GATHER, gather
from ..textures.test_loads import load

OUTSIDE = np.array([(4, 0, 0, 0), (0, 4, 0, 0), (0, 0, 1, 0)], np.int32)  # of 4 by 4 texels
SUFFIXES = {np.dtype("f4"): "", np.dtype("u4"): "_uint4", np.dtype("i4"): "_int4"}


def places_of(extents: Sequence[int], mip: int = 0) -> Array:
    """i32[n, 4], x first, then the mip: every place in `extents`, an array's shape."""
    grid = np.indices(extents).reshape(len(extents), -1)[::-1].T
    rows = np.zeros((len(grid), 4), np.int32)
    rows[:, : len(extents)] = grid
    rows[:, len(extents)] = mip
    return rows


def load_all(
    device: Any,
    source: Any,
    extents: Sequence[int],
    mip: int = 0,
    dimension: str = "2d",
    dtype: Any = np.float32,
) -> Array:
    """[*extents, 4]: the texels of a mip."""
    name = f"load_{dimension}{SUFFIXES[np.dtype(dtype)]}"
    return load(device, name, source, places_of(extents, mip), dtype).reshape(*extents, 4)


def gather_all(device: Any, source: Any, height: int, width: int) -> Array:
    """f32[height, width, 4 channels]: the texel above and left of each corner."""
    places = np.zeros(height * width, GATHER)
    places["at"][:, :2] = (places_of((height, width))[:, :2] + 1) / (width, height)
    seen = gather(device, "2d", source, places)
    # The last of the four is the texel at the first column and row of the footprint (FS §7.18.15).
    found = np.stack([seen[name][:, 3] for name in seen.dtype.names or ()], axis=1)
    return found.reshape(height, width, 4)
