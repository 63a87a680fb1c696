"""Sobel's edges of a picture, by sums over shifted arrays in double precision."""

from typing import Any

import numpy as np


def edges_of(picture: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The gradient of the luminance; texels at the border repeat beyond it."""
    wide = np.pad(picture[..., :3] / 255 @ (0.299, 0.587, 0.114), 1, mode="edge")
    smooth = wide[:-2] + 2 * wide[1:-1] + wide[2:]
    across = wide[:, :-2] + 2 * wide[:, 1:-1] + wide[:, 2:]
    return np.hypot(smooth[:, 2:] - smooth[:, :-2], across[2:] - across[:-2])
