"""The project's kernels, from container and listing, compared with NumPy and hashlib."""

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import translate
from checks.corpus.case import Array, groups_for
from checks.corpus.floats import saxpy

SHADERS = Path(__file__).parents[2] / "shaders"
BIN = np.dtype([("count", "<u4"), ("brightest", "<u4")])
KEPT = np.dtype([("position", "<f4", 2), ("index", "<u4")])
PIXEL = np.dtype([("iterations", "<u4"), ("z", "<f4", 2)])
STEMS = {
    path.relative_to(SHADERS).with_suffix("").as_posix()
    for folder in (".", "images", "frame")
    for form in ("dxbc", "asm")
    for path in (SHADERS / folder).glob(f"*.{form}")
}


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


@pytest.mark.parametrize("stem", sorted(STEMS))
def test_container_and_listing_give_the_same_words(stem: str) -> None:
    """The listings here print literals in hexadecimal: nothing is rounded."""
    container, listing = (
        translate.to_spirv(translate.load(SHADERS / f"{stem}.{form}")) for form in ("dxbc", "asm")
    )
    np.testing.assert_array_equal(container.words, listing.words)
    assert container.interface.to_dict() == listing.interface.to_dict()


@pytest.mark.parametrize("size", [1, 63, 64, 65, 1000, 1_000_000])
def test_saxpy(device: Any, form: str, size: int) -> None:
    rng = np.random.default_rng(size)
    case = saxpy("sizes", rng.normal(size=size), rng.normal(size=size), 2.5, size)
    case.run(device, device.kernel(SHADERS / f"saxpy.{form}"))


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


# Messages with every kind of padding, and many of one length
@pytest.mark.parametrize(
    ("length", "count"),
    [(length, 5) for length in (0, 1, 2, 3, 4, 55, 56, 63, 64, 65, 119, 120, 1000)]
    + [(13, count) for count in (1, 64, 65, 50_000)],
)
def test_sha256(sha256: Any, length: int, count: int) -> None:
    check_sha256(sha256, length, count)


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


@pytest.mark.parametrize(
    "shape", [(1, 1, 1), (16, 16, 16), (17, 3, 40), (5, 100, 0), (130, 70, 90)]
)
def test_matrix_multiply(device: Any, form: str, shape: tuple[int, int, int]) -> None:
    """Small integers, whose products and sums are exact in any order."""
    rows, columns, inner = shape
    rng = np.random.default_rng(inner)
    a = rng.integers(-50, 50, (rows, inner)).astype(np.float32)
    b = rng.integers(-50, 50, (inner, columns)).astype(np.float32)
    groups = (-(-columns // 16), -(-rows // 16), 1)
    params = {"rows": rows, "columns": columns, "inner": inner}
    result = device.kernel(SHADERS / f"matrix_multiply.{form}").dispatch(
        groups, a=a, b=b, c=np.full((rows, columns), np.nan, np.float32), Params=params
    )
    np.testing.assert_array_equal(result.c, a @ b)


@pytest.mark.parametrize("count", [1, 2047, 2048, 2049, 100_000])
def test_reduce(device: Any, form: str, count: int) -> None:
    values = np.random.default_rng(count).integers(-(2**31), 2**31, count, np.int32)
    starts = np.arange(0, count, 2048)
    kernel = device.kernel(SHADERS / f"reduce.{form}")
    summaries = np.zeros(len(starts), kernel.interface["summaries"].dtype)
    result = kernel.dispatch(
        len(starts), values=values, summaries=summaries, Params={"count": count}
    ).summaries
    np.testing.assert_array_equal(result["least"], np.minimum.reduceat(values, starts))
    np.testing.assert_array_equal(result["greatest"], np.maximum.reduceat(values, starts))
    np.testing.assert_array_equal(result["sum"], np.add.reduceat(values, starts, dtype=np.int32))


@pytest.mark.parametrize("shape", [(1, 1), (9, 17), (64, 8)])
def test_invert_image(device: Any, form: str, shape: tuple[int, int]) -> None:
    """Threads beyond the edges write nothing."""
    rgba = np.random.default_rng(1).integers(0, 256, (*shape, 4), np.uint8)
    image = device.texture(rgba.view(np.uint32)[..., 0])
    groups = (-(-shape[1] // 8), -(-shape[0] // 8), 1)
    device.kernel(SHADERS / f"invert_image.{form}").dispatch(groups, image=image)
    inverted = image.read().view(np.uint8).reshape(rgba.shape)
    np.testing.assert_array_equal(inverted[..., :3], 255 - rgba[..., :3])
    np.testing.assert_array_equal(inverted[..., 3], rgba[..., 3])
