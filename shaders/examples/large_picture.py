"""Find the edges of a picture that is larger than a device, or than memory, from file to file.

    python shaders/examples/large_picture.py [--device D]... [--size 2048] [--save bands.png]
    python shaders/examples/large_picture.py --workers 2

The picture is processed in bands of rows, on each named device, or in the processes of a Dask
cluster. A row of edges depends on the rows above and below it: each band has a halo of one row on
either side, so that the bands have no seams.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import sm5vk

Array = np.ndarray[Any, Any]

SHADERS = Path(__file__).parents[1]
TILE = 16  # rows and columns of a group of sobel.hlsl
BAND_ROWS = 256  # rows of a Dask task


class FileArray:
    """An array in a .npy file that each process opens for itself, with slices to read and write."""

    def __init__(self, path: Path):
        array = np.load(path, mmap_mode="r")
        self.path, self.shape, self.dtype, self.ndim = path, array.shape, array.dtype, array.ndim

    @classmethod
    def create(cls, path: Path, shape: tuple[int, ...], dtype: Any) -> FileArray:
        np.lib.format.open_memmap(path, "w+", dtype, shape)
        return cls(path)

    def __getitem__(self, index: Any) -> Array:
        return np.load(self.path, mmap_mode="r")[index]

    def __setitem__(self, index: Any, values: Array) -> None:
        np.load(self.path, mmap_mode="r+")[index] = values


@dataclass(frozen=True)
class EdgeFilter:
    """The shader on a device, with a sampler of that device, which repeats the edges."""

    kernel: sm5vk.Kernel
    sampler: sm5vk.Sampler

    @classmethod
    def on(cls, device: sm5vk.Device) -> EdgeFilter:
        kernel = device.kernel(SHADERS / "sobel.dxbc", formats={"t0": "r8g8b8a8_unorm"})
        return cls(kernel, device.sampler("point", "clamp"))

    def edges(self, picture: Array) -> Array:
        """The edges of a whole picture, u8[height, width, 4] to f32[height, width]."""
        gradient = np.zeros(picture.shape[:2], np.float32)
        groups = groups_of(*gradient.shape)
        arguments = {"image": picture, "gradient": gradient, "edges": self.sampler}
        return self.kernel.dispatch(groups, **arguments).gradient


def groups_of(height: int, width: int) -> tuple[int, int]:
    return -(-width // TILE), -(-height // TILE)


def edges_on_devices(
    filters: Sequence[EdgeFilter], picture: Any, edges: Any, **options: Any
) -> None:
    """Fill `edges` in bands, each on the next free device; `options` are those of map_chunks."""
    samplers = {one.kernel: one.sampler for one in filters}
    sm5vk.map_chunks(
        list(samplers),
        inputs={"image": picture},
        outputs={"gradient": edges},
        arguments=lambda chunk: {"edges": samplers[chunk.kernel]},
        groups=lambda chunk: groups_of(chunk.rows, picture.shape[1]),
        **{"halo": 1, **options},
    )


@cache
def filter_of_process(device: str | None) -> EdgeFilter:
    """The filter of this process; each process of a cluster makes it once."""
    return EdgeFilter.on(sm5vk.open_device(device))


def edges_of_block(block: Array, device: str | None) -> Array:
    return filter_of_process(device).edges(block)


def lazy_edges(picture: Any, device: str | None = None, rows: int = BAND_ROWS) -> Any:
    """The edges as a Dask array; Dask chooses the process that computes a block."""
    import dask.array as da  # pip install distributed

    blocks = da.from_array(picture, chunks=(rows, -1, -1), asarray=True)
    return da.map_overlap(
        edges_of_block,
        blocks,
        device=device,
        depth={0: 1},
        boundary="none",
        drop_axis=2,
        dtype=np.float32,
        meta=np.empty((0, 0), np.float32),
    )


def edges_on_workers(picture: FileArray, edges: FileArray, device: str | None, count: int) -> None:
    """Fill `edges` with processes that each open the device and write to the file."""
    from distributed import Client, LocalCluster

    cluster = LocalCluster(n_workers=count, threads_per_worker=1, dashboard_address=":0")
    with cluster, Client(cluster):
        lazy_edges(picture, device).store(edges, lock=False)


def draw(picture: Any) -> None:
    """Fill a picture, u8[height, width, 4], band by band, with rings of decreasing width."""
    height, width = picture.shape[:2]
    x = np.arange(width, dtype=np.uint32)
    for top in range(0, height, BAND_ROWS):
        y = np.arange(top, min(top + BAND_ROWS, height), dtype=np.uint32)[:, None]
        distance = x * x + y * y
        channels = [distance >> shift & 255 for shift in (5, 6, 7)]
        picture[top : top + BAND_ROWS] = np.stack([*channels, np.full_like(distance, 255)], -1)


def save_picture(path: Path, edge_filter: EdgeFilter, size: int = 208) -> None:
    """Draw a small picture, and its edges in four bands: with seams, and with a halo without."""
    from PIL import Image  # pip install pillow

    small = np.zeros((size, size, 4), np.uint8)
    draw(small)
    panels = [small[..., :3]]
    for halo in (0, 1):
        edges = np.zeros((size, size), np.float32)
        edges_on_devices([edge_filter], small, edges, rows=size // 4, halo=halo)
        grey = np.round(255 * (1 - np.sqrt(edges / edges.max()))).astype(np.uint8)
        panels.append(grey[..., None].repeat(3, axis=-1))
    Image.fromarray(np.concatenate(panels, axis=1)).save(path, optimize=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="finds the edges of a picture, band by band")
    parser.add_argument("--device", action="append", help="a device to use (repeatable)")
    parser.add_argument("--workers", type=int, help="the processes of a local Dask cluster")
    parser.add_argument("--size", type=int, default=2048, help="the number of rows and columns")
    parser.add_argument("--progress", action="store_true", help="show a progress bar")
    parser.add_argument("--save", type=Path, metavar="PICTURE", help="draw bands in this file")
    options = parser.parse_args()
    names = options.device or [None]
    with ExitStack() as opened:
        devices = [opened.enter_context(sm5vk.open_device(name)) for name in names]
        filters = [EdgeFilter.on(device) for device in devices]
        folder = Path(opened.enter_context(tempfile.TemporaryDirectory()))
        shape = options.size, options.size
        picture = FileArray.create(folder / "picture.npy", (*shape, 4), np.uint8)
        edges = FileArray.create(folder / "edges.npy", shape, np.float32)
        draw(picture)
        if options.workers:
            edges_on_workers(picture, edges, names[0], options.workers)
        else:
            edges_on_devices(filters, picture, edges, progress=options.progress)
        where = ", ".join(device.name for device in devices)
        print(f"{options.size} x {options.size} pixels on {where}")
        print(f"the steepest edge is {edges[:].max():.3f}")
        if options.save:
            save_picture(options.save, filters[0])


if __name__ == "__main__":
    main()
