"""sobel, resample, textures_typed: cases computed from their HLSL and D3D's sampling rules."""

from typing import Any

import numpy as np

from checks.corpus.case import Array, Case, Mips, exactly

# D3D requires 8 bits of fraction in a weight (FS §7.18.8): half a step of error in u and in v.
WEIGHT_ERROR = 2 * 0.5 / 256


def sobel_cases() -> list[Case]:
    rng = np.random.default_rng(8)
    return [
        sobel("whole groups", rng.random((16, 24, 4)), (16, 24)),
        sobel("an odd size", rng.random((13, 9, 4)), (13, 9)),
        sobel("edges are larger than the source", rng.random((5, 6, 4)), (10, 12)),
        sobel("one texel", rng.random((1, 1, 4)), (1, 1)),
    ]


def sobel(name: str, source: Array, size: tuple[int, int]) -> Case:
    """Loads outside are 0, so the source has a border of zeros."""
    source = source.astype(np.float32)
    height, width = size
    padded = np.zeros((height + 2, width + 2))
    rows, columns = min(height, source.shape[0]), min(width, source.shape[1])
    luma = source[..., :3].astype(np.float64) @ np.float32([0.299, 0.587, 0.114])
    rows, columns = min(height + 1, luma.shape[0]), min(width + 1, luma.shape[1])
    padded[1 : rows + 1, 1 : columns + 1] = luma[:rows, :columns]

    def at(dx: int, dy: int) -> Array:
        return padded[1 + dy : 1 + dy + height, 1 + dx : 1 + dx + width]

    gx = sum((2 - abs(i)) * (at(1, i) - at(-1, i)) for i in (-1, 0, 1))
    gy = sum((2 - abs(i)) * (at(i, 1) - at(i, -1)) for i in (-1, 0, 1))
    expected = np.sqrt(gx * gx + gy * gy)

    def check(result: Any) -> None:
        assert (result.u0.dtype, result.u0.shape) == (np.float32, size)
        # Sums of a dozen floats below 4, each to half an ulp, and a root of 1 ulp.
        np.testing.assert_allclose(result.u0, expected, rtol=1e-6, atol=4e-6)

    groups = (-(-width // 8), -(-height // 8), 1)
    return Case(name, groups, {"t0": source, "u0": np.full(size, 9, np.float32)}, check)


def resample_cases() -> list[Case]:
    rng = np.random.default_rng(9)
    levels = [rng.random((16 >> m, 32 >> m, 4)).astype(np.float32) for m in range(4)]
    layers = rng.random((3, 8, 8)).astype(np.float32)
    return [
        resample("larger", levels, layers, (24, 40)),
        resample("smaller, not whole groups", levels, layers, (7, 11)),
        resample("one mip", levels[:1], layers, (9, 9)),
        resample("one layer, which clamps the index", levels, layers[:1], (8, 8)),
    ]


def resample(name: str, levels: list[Array], layers: Array, size: tuple[int, int]) -> Case:
    height, width = size
    y, x = np.mgrid[:height, :width]
    u, v = (x + 0.5) / width, (y + 0.5) / height
    first = bilinear(levels[0], u, v)
    expected = first + 0.5 * bilinear(levels[-1], u, v)
    layer = bilinear(layers[min(1, len(layers) - 1)], u, v)
    expected[..., 3] = layer + footprint(levels[0][..., 0], u, v).mean(axis=0)
    expected += 0.125 * first  # gradients of one texel are mip 0
    source = Mips(tuple(levels)) if len(levels) > 1 else levels[0]
    slack = WEIGHT_ERROR * (1 + 0.5 + 0.125) * 1.01  # values are below 1

    def check(result: Any) -> None:
        assert (result.u0.dtype, result.u0.shape) == (np.float32, (*size, 4))
        np.testing.assert_allclose(result.u0, expected, rtol=0, atol=slack)

    arguments = {"t0": source, "t1": layers, "u0": np.full((*size, 4), 9, np.float32)}
    return Case(name, (-(-width // 8), -(-height // 8), 1), arguments, check)


def footprint(image: Array, u: Array, v: Array) -> Array:
    """The four texels around (u, v), clamped at the edges: [4, ...] in rows (FS §7.18.8)."""
    height, width = image.shape[:2]
    left, top = np.floor(u * width - 0.5).astype(int), np.floor(v * height - 0.5).astype(int)
    columns = [np.clip(left + d, 0, width - 1) for d in (0, 1)]
    rows = [np.clip(top + d, 0, height - 1) for d in (0, 1)]
    return np.stack([image[row, column] for row in rows for column in columns]).astype(np.float64)


def bilinear(image: Array, u: Array, v: Array) -> Array:
    """The weighted mean of the four texels around (u, v)."""
    height, width = image.shape[:2]
    fx, fy = (u * width - 0.5) % 1, (v * height - 0.5) % 1
    weights = np.stack([(1 - fx) * (1 - fy), fx * (1 - fy), (1 - fx) * fy, fx * fy])
    texels = footprint(image, u, v)
    return (texels * weights.reshape(weights.shape + (1,) * (texels.ndim - weights.ndim))).sum(0)


def textures_typed_cases() -> list[Case]:
    return [
        textures_typed("all sizes fit", 64, 64, (4, 4, 4), 4),
        textures_typed("all are shorter", 10, 33, (2, 3, 2), 3),
        textures_typed("all are longer", 70, 80, (5, 6, 7), 9),
    ]


def textures_typed(
    name: str, colours: int, ramp_length: int, box: tuple[int, int, int], strip_length: int
) -> Case:
    """`box` is depth, height and width of the volumes and of the layers."""
    rng = np.random.default_rng(colours)
    palette = (rng.integers(-99, 99, (colours, 4)) / 8).astype(np.float32)
    ramp = (rng.integers(-99, 99, ramp_length) / 8).astype(np.float32)
    volume = rng.integers(0, 2**32, (*box, 4)).astype(np.uint32)
    voxels = rng.integers(0, 2**32, box).astype(np.uint32)
    z, y, x = np.mgrid[:4, :4, :4]
    flat = (x + 4 * (y + 4 * z)).ravel()
    colour = np.zeros((64, 4), np.float32)  # past the end of a format with alpha
    colour[:colours] = palette[:64]
    slope = np.zeros(64, np.float32)
    slope[:ramp_length] = ramp[:64]
    line, layers = np.full(50, 9, np.float32), np.full((*box, 2), 9, np.float32)
    strip = np.full((strip_length, 4), 9, np.float32)
    after = {"u0": (colour[:, 0] + slope)[:50], "u1": strip.copy()}
    after["u1"][:4] = colour[: min(4, strip_length)]
    inside = tuple(slice(min(4, length)) for length in box)
    after["u2"], after["u3"] = voxels.copy(), layers.copy()
    after["u2"][inside] += volume[..., 0][inside]
    cut = (slice(None), *inside)
    pairs = np.stack([colour[:, 1], flat]).reshape(2, 4, 4, 4)[cut]
    after["u3"][inside] = np.moveaxis(pairs, 0, -1)
    arguments = {
        **{"t0": palette, "t1": ramp, "t2": volume},
        **{"u0": line, "u1": strip, "u2": voxels, "u3": layers},
    }
    return Case(name, (1, 1, 1), arguments, exactly(**after))
