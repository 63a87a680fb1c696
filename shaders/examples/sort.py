"""Sort a million pairs of key and value on the device, by a bitonic sort of many passes.

    python shaders/examples/sort.py [--device D] [--count N] [--save stages.png]

Each pass compares pairs at one distance, in a dispatch over the same buffer, which stays on the
device. Passes with short distances share a dispatch: they run in group-shared memory, 512 pairs in
a group, so that a million pairs take 78 dispatches in place of 210. All of them are recorded once,
after the upload; each sort submits that recording with other keys.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import sm5vk

Array = np.ndarray[Any, Any]

SHADERS = Path(__file__).parents[1]
PAIR = np.dtype([("key", "<u4"), ("value", "<u4")])
TILE = 512  # pairs that a group of bitonic_tile.hlsl sorts
STEP_GROUP = 128  # threads of a group of bitonic_sort.hlsl, two pairs each
LAST_KEY = 0xFFFFFFFF
TIMEOUT_S = 600.0  # for all passes together, long enough for slow devices

Pass = tuple[str, int, dict[str, int]]  # kernel, groups, Params


def passes(count: int, tile: int = TILE) -> Iterator[Pass]:
    """The passes that sort `count` pairs, a power of two; with `tile` 1 each is a dispatch."""
    step_groups = -(-count // 2 // STEP_GROUP)
    if tile > 1:
        last = min(tile, count)
        yield "bitonic_tile", -(-count // tile), {"first_block": 2, "last_block": last}
    block = 2 * tile
    while block <= count:
        distance = block // 2
        while distance >= tile:
            yield "bitonic_sort", step_groups, {"block": block, "distance": distance}
            distance //= 2
        if tile > 1:
            yield "bitonic_tile", count // tile, {"first_block": block, "last_block": block}
        block *= 2


def padded(keys: Array, full: int) -> Array:
    """Pairs of keys and their positions, padded with the greatest key."""
    pairs = np.full(full, LAST_KEY, np.uint32).repeat(2).view(PAIR)
    pairs["key"][: len(keys)] = keys
    pairs["value"] = np.arange(full)
    return pairs


class Sorter:
    """A sort of up to `capacity` keys on a device, recorded once; `tile` as in `passes`."""

    def __init__(self, device: sm5vk.Device, capacity: int, tile: int = TILE):
        self._full = 1 << max(capacity - 1, 0).bit_length()
        nothing = padded(np.zeros(0, np.uint32), self._full)
        self._pairs = device.buffer(nothing)
        kernels = {
            name: device.kernel(SHADERS / f"{name}.dxbc")
            for name in ("bitonic_sort", "bitonic_tile")
        }
        with device.record() as self._work:
            self._upload = self._work.copy(nothing, self._pairs)
            for name, groups, params in passes(self._full, tile):
                self._work.dispatch(kernels[name], groups, pairs=self._pairs, Params=params)

    def sort(self, keys: Array) -> Array:
        """Keys in ascending order with their former positions: structures of `key` and `value`."""
        pairs = padded(keys, self._full)
        self._work.submit({self._upload: {"source": pairs}}).wait(TIMEOUT_S)
        return self._pairs.read()[: len(keys)]


def stages(device: sm5vk.Device, keys: Array) -> Array:
    """The keys before the first and after each pass: u32[passes + 1, keys], a power of two."""
    kernel = device.kernel(SHADERS / "bitonic_sort.dxbc")
    pairs = device.buffer(padded(keys, len(keys)))
    rows = [keys]
    for _, groups, params in passes(len(keys), tile=1):
        kernel.dispatch(groups, pairs=pairs, Params=params)
        rows.append(pairs.read()["key"])
    return np.array(rows)


def save_picture(path: Path, rows: Array) -> None:
    """Draw the stages from top to bottom, with keys as colours."""
    from matplotlib import colormaps  # pip install matplotlib
    from PIL import Image

    shares = rows / rows.max()
    colours = (colormaps["viridis"](shares)[..., :3] * 255).astype(np.uint8)
    picture = Image.fromarray(colours.repeat(8, axis=0).repeat(2, axis=1))
    picture.save(path, optimize=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="sorts in many passes over one buffer")
    parser.add_argument("--device", help="a part of its name, its index, or reference")
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--save", type=Path, metavar="PICTURE", help="draw 256 keys in this file")
    options = parser.parse_args()
    rng = np.random.default_rng(3)
    keys = rng.integers(0, 2**32, options.count, np.uint32)
    with sm5vk.open_device(options.device) as device:
        pairs = Sorter(device, len(keys)).sort(keys)
        rows = stages(device, rng.permutation(256).astype(np.uint32))
        full = 1 << max(len(keys) - 1, 0).bit_length()
        together, single = len(list(passes(full))), len(list(passes(full, tile=1)))
        ordered = bool(np.all(pairs["key"][:-1] <= pairs["key"][1:]))
        print(f"{len(keys)} keys on {device.name}: {together} dispatches instead of {single}")
        print(f"in order: {ordered}; the least is {pairs['key'][0]}, from {pairs['value'][0]}")
    if options.save:
        save_picture(options.save, rows)


if __name__ == "__main__":
    main()
