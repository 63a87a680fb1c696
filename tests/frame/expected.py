"""The results of the frame's passes, by NumPy."""

import numpy as np

from . import inputs as frame
from .inputs import Array, Inputs


def light_margins(inputs: Inputs) -> Array:
    """How far each light reaches into each tile's frustum, f64[rows, columns, LIGHTS].

    The least of six lengths in world units, negative where the light does not reach the tile.
    """
    ones = np.ones((frame.LIGHTS, 1))
    world = np.concatenate([inputs.lights["position"].astype(float), ones], axis=1)
    x, y, z = (world @ frame.WORLD_TO_VIEW.T.astype(float))[:, :3].T
    radius = inputs.lights["radius"].astype(float)
    rows, columns = tile_shape()
    margins = np.zeros((rows, columns, frame.LIGHTS))
    for row, column in np.ndindex(rows, columns):
        nearest, farthest = tile_depths(inputs.depth, row, column)
        left, right = (column_tangent(i * frame.TILE) for i in (column, column + 1))
        top, bottom = (row_tangent(i * frame.TILE) for i in (row, row + 1))
        margins[row, column] = np.min(
            [
                z + radius - nearest,
                farthest - (z - radius),
                radius - (x - z * right) / np.hypot(1, right),
                radius - (z * left - x) / np.hypot(1, left),
                radius - (y - z * top) / np.hypot(1, top),
                radius - (z * bottom - y) / np.hypot(1, bottom),
            ],
            axis=0,
        )
    return margins


def tile_shape() -> tuple[int, int]:
    return -(-frame.HEIGHT // frame.TILE), -(-frame.WIDTH // frame.TILE)


def tile_depths(depth: Array, row: int, column: int) -> tuple[float, float]:
    """The least and greatest distance from the eye's plane within a tile."""
    tile = frame.TILE
    part = depth[row * tile :][:tile, column * tile :][:, :tile].astype(float)
    z = frame.NEAR * frame.FAR / (frame.FAR - part * (frame.FAR - frame.NEAR))
    return z.min(), z.max()


def column_tangent(column: int) -> float:
    return (column * 2 / frame.WIDTH - 1) * float(frame.TANGENTS[0])


def row_tangent(row: int) -> float:
    """Rows go down, the axis goes up."""
    return (1 - row * 2 / frame.HEIGHT) * float(frame.TANGENTS[1])


def tile_lists(margins: Array) -> tuple[Array, Array]:
    """(counts, u32[rows, columns]; each tile's list of lights, u32[rows, columns, places])."""
    rows, columns = tile_shape()
    counts = np.zeros((rows, columns), np.uint32)
    lists = np.zeros((rows, columns, frame.MAX_PER_TILE), np.uint32)
    for tile in np.ndindex(rows, columns):
        reaching = np.flatnonzero(margins[tile] > 0)[: frame.MAX_PER_TILE]
        counts[tile] = len(reaching)
        lists[tile][: len(reaching)] = reaching
    return counts, lists


def places(scene: Array) -> Array:
    """The position of each pixel's luminance on the curve, f32 from 0 to below 1."""
    red, green, blue = np.moveaxis(scene[..., :3].astype(np.float32), -1, 0)
    luminance = red * np.float32(0.2126) + green * np.float32(0.7152)
    luminance = luminance + blue * np.float32(0.0722)
    steps = luminance.view(np.int32) - np.float32(2**-10).view(np.int32)
    octaves = steps.astype(np.float32) * np.float32(2**-23)
    return np.clip(octaves, 0, np.float32(15.99999)) / np.float32(16)


def histogram(scene: Array) -> Array:
    bins = (places(scene) * frame.BINS).astype(int)
    return np.bincount(bins.ravel(), minlength=frame.BINS).astype(np.uint32)


def tone_curve(counts: Array) -> Array:
    shares = np.cumsum(counts) / counts.sum()
    plain = np.arange(frame.BINS) / (frame.BINS - 1)
    return plain + frame.EQUALISATION * (shares - plain)


def picture(scene: Array, curve: Array) -> Array:
    """In 255ths, not yet rounded."""
    texels = np.arange(frame.BINS) + 0.5
    grey = np.interp(places(scene) * float(frame.BINS), texels, curve)
    colours = scene[..., :3].astype(float)
    brightest = np.maximum(colours.max(axis=-1), 2**-10)
    mapped = np.ones(scene.shape)
    mapped[..., :3] = colours / brightest[..., None] * grey[..., None]
    return mapped.clip(0, 1) * 255


def particles() -> Array:
    """The living particles after all steps, by their ids, rounded as in the kernels."""
    living = np.zeros(0, frame.PARTICLE)
    seconds, bounce = np.float32(frame.STEP["seconds"]), np.float32(frame.STEP["bounce"])
    gravity = np.array(frame.STEP["gravity"], np.float32)
    for step in range(frame.STEPS):
        living = np.append(living, born(step * frame.EMITTED))
        living["velocity"] += gravity * seconds
        living["position"] += living["velocity"] * seconds
        living["age"] += seconds
        living = living[living["age"] <= np.float32(frame.STEP["lifetime"])]
        below = living["position"][:, 1] < 0
        for vectors in (living["position"], living["velocity"]):
            vectors[below, 1] = -vectors[below, 1] * bounce
    return living


def born(first: int) -> Array:
    new = np.zeros(frame.EMITTED, frame.PARTICLE)
    new["id"] = random = np.arange(first, first + frame.EMITTED, dtype=np.uint32)
    for name, axes in (("position", (0, 2)), ("velocity", (0, 1, 2))):
        for axis in axes:
            random = pcg(random)
            new[name][:, axis] = spread(random)
    new["position"][:, 1] = 1
    new["velocity"][:, 1] += 2
    return new


def pcg(x: Array) -> Array:
    state = x * np.uint32(747796405) + np.uint32(2891336453)
    word = ((state >> ((state >> np.uint32(28)) + np.uint32(4))) ^ state) * np.uint32(277803737)
    return (word >> np.uint32(22)) ^ word


def spread(random: Array) -> Array:
    """From -1 to below 1."""
    return (random >> np.uint32(8)).astype(np.float32) * np.float32(2**-23) - np.float32(1)


def sorted_pairs(pairs: Array) -> Array:
    return pairs[np.argsort(pairs["key"], kind="stable")]


def spectrum(waves: Array) -> Array:
    """f64[LENGTH, LENGTH, 2]"""
    values = np.fft.fft2(waves[..., 0] + 1j * waves[..., 1])
    return np.stack([values.real, values.imag], axis=-1)
