"""The tiled-resource forms give the same values, and a status of fully mapped."""

from typing import Any

import numpy as np

from ..conftest import needs
from .shaders import numbered, shader

SEEN = np.dtype([("value", "<f4", 4), ("mapped", "<u4")])


def test_bound_resources_are_mapped(device: Any) -> None:
    source, samples = numbered((4, 4, 4)), numbered((4, 4, 4, 4))
    depth = (np.arange(16, dtype=np.float32) / 16).reshape(4, 4)
    texels, raw, cells = numbered((8, 4)), numbered((8, 4)) + 100, numbered((8, 4)) + 200
    x, y = 2, 1
    params = {"uv": [0.5, 0.5], "lod": 0.0, "reference": 0.4, "at": [x, y], "offset": [1, -1]}
    bound = {"source": source, "samples": samples, "depth": depth, "texels": texels, "raw": raw}
    bound |= {"cells": cells, "target": numbered((4, 4), np.uint32), "seen": np.zeros(12, SEEN)}
    states = {"state": device.sampler("point")}
    states["comparing"] = device.sampler("point", comparison="less")
    with needs(device, "image_gather_extended"):
        result = device.kernel(shader("feedback")).dispatch(1, **bound, **states, Params=params)
        around = [(2, 1), (2, 2), (1, 2), (1, 1)]  # rows and columns around the middle
        moved = [(row - 1, column + 1) for row, column in around]
        expected = [
            source[y, x],
            samples[y, x, 1],
            source[2, 2],
            np.full(4, depth[2, 2] > 0.4),
            [source[at][0] for at in around],
            [source[at][0] for at in moved],
            [depth[at] > 0.4 for at in around],
            [depth[at] > 0.4 for at in moved],
            texels[x],
            raw[x],
            cells[x],
        ]
        np.testing.assert_array_equal(result.seen["value"][:11], np.array(expected, np.float32))
        assert (result.seen["value"][11].view(np.uint32) == 4 * y + x + 1).all()
        assert (result.seen["mapped"] == 1).all()
