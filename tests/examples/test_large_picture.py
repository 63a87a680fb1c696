"""A picture in bands has the edges of the whole picture: on devices, and with a worker lost."""

import os
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from shaders.examples import large_picture as example
from vkrunner import Device

from .edges import edges_of

HEIGHT, WIDTH = 75, 40


@pytest.fixture
def picture(tmp_path: Path) -> Any:
    made = example.FileArray.create(tmp_path / "picture.npy", (HEIGHT, WIDTH, 4), np.uint8)
    made[:] = np.random.default_rng(6).integers(0, 256, made.shape, np.uint8)
    return made


@pytest.fixture
def edges(tmp_path: Path) -> Any:
    return example.FileArray.create(tmp_path / "edges.npy", (HEIGHT, WIDTH), np.float32)


def check(found: Any, device: Device, picture: Any) -> None:
    """Compare with NumPy and, to the bit, with the edges of the whole picture in one dispatch."""
    np.testing.assert_allclose(found, edges_of(picture[:]), rtol=1e-5, atol=5e-6)
    np.testing.assert_array_equal(found, example.EdgeFilter.on(device).edges(picture[:]))


@pytest.mark.parametrize(("rows", "devices"), [(1, 1), (20, 1), (None, 1), (8, 2)])
def test_bands(device: Any, picture: Any, edges: Any, rows: int | None, devices: int) -> None:
    filters = [example.EdgeFilter.on(device) for _ in range(devices)]
    example.edges_on_devices(filters, picture, edges, rows=rows)
    check(edges[:], device, picture)


def test_blocks(device: Any, picture: Any) -> None:
    found = example.lazy_edges(picture, device.name, rows=20).compute(scheduler="synchronous")
    check(found, device, picture)


class Deadly(example.FileArray):
    """A file that kills the first process that reads its middle."""

    def __getitem__(self, index: Any) -> Any:
        killed = self.path.with_name("killed")
        if isinstance(index, tuple) and index[0].start == 40 and not killed.exists():
            killed.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().__getitem__(index)


@pytest.mark.slow(reason="a Dask cluster")
def test_a_lost_worker(vulkan_device: Any, picture: Any, edges: Any) -> None:
    from distributed import Client, LocalCluster  # here: it takes a second, in each worker

    options: dict[str, Any] = {"dashboard_address": ":0", "host": "127.0.0.1"}
    name = vulkan_device.name
    with LocalCluster(n_workers=2, threads_per_worker=1, **options) as cluster, Client(cluster):
        example.lazy_edges(Deadly(picture.path), name, rows=8).store(edges, lock=False)
    assert picture.path.with_name("killed").exists()
    check(edges[:], vulkan_device, picture)


def test_the_drawing(tmp_path: Path) -> None:
    """The picture is drawn in bands; the last one is shorter."""
    drawn = example.FileArray.create(tmp_path / "drawn.npy", (300, 20, 4), np.uint8)
    example.draw(drawn)
    y, x = np.mgrid[:300, :20]
    np.testing.assert_array_equal(drawn[..., 0], (x * x + y * y) // 32 % 256)
    assert (drawn[..., 3] == 255).all()
