"""The sort, compared with NumPy's stable one: equal keys stay in their order."""

from typing import Any

import numpy as np
import pytest

from shaders.examples import sort as example
from vkrunner import ReferenceDevice


@pytest.mark.parametrize("size", [1, 2, 3, 511, 512, 513, 5000])
@pytest.mark.parametrize("different", [3, 2**32])
def test_sort(device: Any, size: int, different: int) -> None:
    # The greatest key, which pads the buffer, occurs among few keys and rarely among many.
    keys = 2**32 - 1 - np.random.default_rng(size).integers(0, different, size)
    check(device, keys.astype(np.uint32))


@pytest.mark.thorough(reason="a million keys")
def test_sort_of_a_million(device: Any) -> None:
    size = 3000 if isinstance(device, ReferenceDevice) else 1_000_000
    check(device, np.random.default_rng(1).integers(0, 2**32, size, np.uint32))


def check(device: Any, keys: Any) -> None:
    sorter = example.Sorter(device, len(keys))
    for some in (keys, keys[1:]):
        pairs, order = sorter.sort(some), np.argsort(some, kind="stable")
        np.testing.assert_array_equal(pairs["value"], order)
        np.testing.assert_array_equal(pairs["key"], some[order])


def test_stages(device: Any) -> None:
    """After the passes of a block size the blocks are sorted, ascending and descending in turn."""
    keys = np.random.default_rng(0).permutation(64).astype(np.uint32)
    rows = example.stages(device, keys)
    np.testing.assert_array_equal(rows[0], keys)
    np.testing.assert_array_equal(np.sort(rows), np.tile(np.arange(64), (22, 1)))
    done = 0
    for steps in range(1, 7):
        done += steps
        blocks = rows[done].reshape(-1, 2**steps)
        rises = np.where(np.arange(len(blocks)) % 2 == 0, 1, -1)[:, None]
        assert (np.diff(blocks.astype(np.int64)) * rises > 0).all()


def test_tiles_save_passes() -> None:
    assert sum(1 for _ in example.passes(2**20, tile=1)) == 20 * 21 // 2
    assert sum(1 for _ in example.passes(2**20)) == 1 + sum(k + 1 for k in range(1, 12))
