"""The project's kernels, from container and listing, compared with NumPy and hashlib."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import translate

from ..corpus.case import Array, groups_for
from ..corpus.floats import saxpy

SHADERS = Path(__file__).parents[2] / "shaders"
BIN = np.dtype([("count", "<u4"), ("brightest", "<u4")])
PAIR = np.dtype([("key", "<u4"), ("value", "<u4")])
KEPT = np.dtype([("position", "<f4", 2), ("index", "<u4")])
PIXEL = np.dtype([("iterations", "<u4"), ("z", "<f4", 2)])
STEMS = sorted(
    path.relative_to(SHADERS).with_suffix("").as_posix()
    for pattern in ("*.hlsl", "images/*.hlsl")
    for path in SHADERS.glob(pattern)
)
SIZES = (1, 63, 64, 65, 1000, 1_000_000)


@pytest.fixture(scope="module", params=["dxbc", "asm"])
def form(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def sha256(device: Any, form: str) -> Any:
    """One kernel for all messages: a driver compiles its 64 rounds slowly."""
    return device.kernel(SHADERS / f"sha256.{form}")


@pytest.mark.parametrize("folder", [SHADERS, SHADERS / "images"], ids=lambda path: path.name)
def test_every_shader_has_its_three_files(folder: Path) -> None:
    stems = {path.stem for path in folder.glob("*.hlsl")}
    assert stems
    for form in ("dxbc", "asm"):
        assert {path.stem for path in folder.glob(f"*.{form}")} == stems


@pytest.mark.parametrize("stem", STEMS)
def test_container_and_listing_give_the_same_words(stem: str) -> None:
    """The listings here print literals in hexadecimal: nothing is rounded."""
    container, listing = (
        translate.to_spirv(translate.load(SHADERS / f"{stem}.{form}")) for form in ("dxbc", "asm")
    )
    np.testing.assert_array_equal(container.words, listing.words)
    assert container.interface.to_dict() == listing.interface.to_dict()


@pytest.mark.parametrize("size", SIZES)
def test_saxpy(device: Any, form: str, size: int) -> None:
    rng = np.random.default_rng(size)
    case = saxpy("sizes", rng.normal(size=size), rng.normal(size=size), 2.5, size)
    case.run(device, device.kernel(SHADERS / f"saxpy.{form}"))


def test_no_groups_do_nothing(device: Any, form: str) -> None:
    x, y = np.ones(4, np.float32), np.arange(4, dtype=np.float32)
    kernel = device.kernel(SHADERS / f"saxpy.{form}")
    result = kernel.dispatch((0, 1, 1), t0=x, u0=y, cb0={"a": 2.0, "count": 4})
    np.testing.assert_array_equal(result.u0, y)


@pytest.mark.parametrize("nothing", [None, np.zeros(0, np.float32)], ids=["null", "empty"])
def test_nothing_bound_reads_zero(device: Any, form: str, nothing: Array | None) -> None:
    y = np.arange(100, dtype=np.float32)
    kernel = device.kernel(SHADERS / f"saxpy.{form}")
    arguments = {"t0": nothing, "u0": y, "cb0": {"a": 2.0, "count": 100}}
    np.testing.assert_array_equal(kernel.dispatch((2, 1, 1), **arguments).u0, y)


@pytest.mark.parametrize(("width", "height"), [(0, 0), (1, 1), (17, 5), (16, 16), (256, 255)])
@pytest.mark.parametrize("unorm", [False, True])
def test_histogram_image(device: Any, form: str, width: int, height: int, unorm: bool) -> None:
    rgba = np.random.default_rng(width).integers(0, 256, (width * height + 3, 4), np.uint8)
    rgb = rgba[: width * height, :3].astype(np.int64)
    luminance = rgb @ (299, 587, 114)
    bins = luminance * 64 // 256000
    expected = np.zeros(64, BIN)
    expected["count"] = np.histogram(bins, 64, (0, 64))[0]
    np.maximum.at(expected["brightest"], bins, luminance.astype(np.uint32))
    pixels = (rgba / np.float32(255)).astype(np.float32)
    if unorm:
        pixels = device.buffer(rgba).view(format="r8g8b8a8_unorm")
    groups = (-(-max(width, 1) // 16), -(-max(height, 1) // 16), 1)
    kernel = device.kernel(SHADERS / f"histogram_image.{form}")
    params = {"width": width, "height": height}
    result = kernel.dispatch(groups, t0=pixels, u0=np.zeros(64, BIN), cb0=params)
    np.testing.assert_array_equal(result.u0, expected)


@pytest.mark.parametrize("size", [1, 255, 256, 257, 70_000, 1_000_000])
def test_prefix_sum(device: Any, form: str, size: int) -> None:
    values = np.random.default_rng(size).integers(0, 2**32, size, np.uint32)
    actual = prefix_sum(device.kernel(SHADERS / f"prefix_sum.{form}"), values)
    np.testing.assert_array_equal(actual, np.cumsum(values, dtype=np.uint32))


def prefix_sum(kernel: Any, values: Array) -> Array:
    """Scan the groups, then their totals, then add to each group the sum of those before it."""
    groups = groups_for(len(values), 256)
    outputs = {"u0": np.zeros_like(values), "u1": np.zeros(groups[0], np.uint32)}
    params = {"count": len(values), "add_offsets": 0}
    unused = np.zeros(1, np.uint32)
    first = kernel.dispatch(groups, t0=values, t1=unused, cb0=params, **outputs)
    if groups[0] == 1:
        return first.u0
    totals = prefix_sum(kernel, first.u1)
    params["add_offsets"] = 1
    return kernel.dispatch(groups, t0=values, t1=totals, cb0=params, **outputs).u0


@pytest.mark.parametrize("size", [1, 2, 3, 128, 1000, 100_000])
def test_bitonic_sort(device: Any, form: str, size: int) -> None:
    rng = np.random.default_rng(size)
    full = 1 << (size - 1).bit_length()
    pairs = np.full(2 * full, 0xFFFFFFFF, np.uint32).view(PAIR)
    # Few keys, so that the value decides ties.
    pairs["key"][:size] = rng.integers(0, max(size // 4, 2), size)
    pairs["value"][:size] = rng.permutation(size)
    kernel = device.kernel(SHADERS / f"bitonic_sort.{form}")
    buffer = device.buffer(pairs)
    block = 2
    while block <= full:
        distance = block // 2
        while distance:
            params = {"block": block, "distance": distance}
            kernel.dispatch(groups_for(full // 2, 128), u0=buffer, cb0=params)
            distance //= 2
        block *= 2
    np.testing.assert_array_equal(buffer.read(), np.sort(pairs, order=("key", "value")))


@pytest.mark.parametrize("length", [0, 1, 2, 3, 4, 55, 56, 63, 64, 65, 119, 120, 1000])
def test_sha256_of_every_kind_of_padding(sha256: Any, length: int) -> None:
    check_sha256(sha256, length, 5)


@pytest.mark.parametrize("count", [1, 64, 65, 50_000])
def test_sha256_of_many(sha256: Any, count: int) -> None:
    check_sha256(sha256, 13, count)


def check_sha256(kernel: Any, length: int, count: int) -> None:
    step = -(-length // 4) * 4
    data = np.random.default_rng(length).integers(0, 256, (count, max(step, 4)), np.uint8)
    digests = [hashlib.sha256(row[:length].tobytes()).digest() for row in data]
    params = {"count": count, "length": length, "words_per_message": data.shape[1] // 4}
    outputs = np.zeros((count, 32), np.uint8)
    result = kernel.dispatch(groups_for(count, 64), t0=data, u0=outputs, cb0=params)
    assert result.u0.tobytes() == b"".join(digests)


@pytest.mark.parametrize("count", [0, 1, 64, 65, 1000, 1_000_000])
def test_compact(device: Any, form: str, count: int) -> None:
    rng = np.random.default_rng(count)
    # Eighths: the squares and their sum are exact, so the comparison is too.
    points = (rng.integers(-80, 80, (max(count, 1), 2)) / 8).astype(np.float32)
    centre, radius = np.array([1.5, -0.5], np.float32), 5.0
    inside = np.flatnonzero(((points[:count] - centre) ** 2).sum(axis=1) <= radius**2)
    result = device.kernel(SHADERS / f"compact.{form}").dispatch(
        groups_for(max(count, 1), 64),
        t0=points,
        u0=device.buffer(np.zeros(len(points), KEPT), counter=0),
        u1=device.buffer(np.zeros(1, np.uint32), counter=0),
        cb0={"centre": centre, "radius": radius, "count": count},
    )
    assert result.counters == {"u0": len(inside), "u1": count - len(inside)}
    kept = np.sort(result.u0[: len(inside)], order="index")
    np.testing.assert_array_equal(kept["index"], inside)
    np.testing.assert_array_equal(kept["position"], points[inside])
    assert not result.u0[len(inside) :].view(np.uint32).any()


@pytest.mark.parametrize("count", [1, 2, 64, 1000])
def test_moving_average(device: Any, form: str, count: int) -> None:
    """Reads past both ends give 0 and are reported: two of them, whatever the length."""
    samples = np.arange(1, count + 1, dtype=np.float32)
    padded = np.pad(samples, 1)
    expected = (padded[1:-1] + padded[:-2] + padded[2:]) * np.float32(1 / 3)
    kernel = device.kernel(SHADERS / f"moving_average.{form}", guards="report")
    result = kernel.dispatch(-(-count // 64), t0=samples, u0=samples, cb0={"count": count})
    np.testing.assert_array_equal(result.u0, expected)
    reported = {(v.thread[0], v.index) for v in result.violations}
    assert reported == {(0, 0xFFFFFFFF), (count - 1, count)}


@pytest.mark.parametrize(("width", "height"), [(1, 1), (8, 8), (17, 9), (320, 200)])
def test_mandelbrot(device: Any, form: str, width: int, height: int) -> None:
    corner, step = np.array([-2.1, -1.3], np.float32), np.float32(0.0131)
    expected = mandelbrot(corner, step, 60, width, height)
    params = {"corner": corner, "step": step, "limit": 60, "width": width, "height": height}
    kernel = device.kernel(SHADERS / f"mandelbrot.{form}")
    groups = (-(-width // 8), -(-height // 8), 1)
    result = kernel.dispatch(groups, u0=np.zeros(width * height, PIXEL), cb0=params)
    np.testing.assert_array_equal(result.u0, expected)


def mandelbrot(corner: Array, step: np.float32, limit: int, width: int, height: int) -> Array:
    """Float32, each operation rounded in the order of the HLSL, which marks all `precise`."""
    y, x = np.divmod(np.arange(width * height), max(width, 1))
    cx = corner[0] + step * x.astype(np.float32)
    cy = corner[1] + step * y.astype(np.float32)
    out = np.zeros(width * height, PIXEL)
    zx, zy, live = np.zeros_like(cx), np.zeros_like(cy), np.ones(len(cx), bool)
    for _ in range(limit):
        xx, yy, xy = zx * zx, zy * zy, zx * zy
        live = live & ~(xx + yy > 4)
        zx = np.where(live, xx - yy + cx, zx)
        zy = np.where(live, xy + xy + cy, zy)
        out["iterations"] += live
    out["z"][:, 0], out["z"][:, 1] = zx, zy
    return out
