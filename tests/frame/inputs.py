"""The frame's inputs: arrays from a seed, and the constants of the passes."""

from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

LIGHT = np.dtype([("position", "<f4", 3), ("radius", "<f4")])
PARTICLE = np.dtype([("position", "<f4", 3), ("age", "<f4"), ("velocity", "<f4", 3), ("id", "<u4")])
PAIR = np.dtype([("key", "<u4"), ("value", "<u4")])

# The camera stands at (1, 2, 3), turned by 90 degrees: it looks along -x, with z to its right.
WORLD_TO_VIEW = np.array([[0, 0, 1, -3], [0, 1, 0, -2], [-1, 0, 0, 1], [0, 0, 0, 1]], np.float32)
TANGENTS = np.array([0.75, 0.5], np.float32)
NEAR, FAR = 0.5, 50.0
WIDTH, HEIGHT = 100, 70  # not a whole number of tiles
TILE, MAX_PER_TILE = 16, 32
LIGHTS = 200

BINS = 256
EQUALISATION = 0.625

STEPS, EMITTED, CAPACITY = 6, 100, 1024
STEP = {
    "seconds": 0.25,
    "lifetime": 1.1,  # so that particles of the first steps have died
    "gravity": [0.0, -9.81, 0.0],
    "bounce": 0.625,
}

PAIRS, BLOCK, DIGITS, DIGIT_BITS = 5000, 256, 16, 4
LENGTH = 256


@dataclass(frozen=True)
class Inputs:
    """The arrays, in the order of the passes that read them."""

    depth: Array  # f32[HEIGHT, WIDTH]
    lights: Array  # LIGHT[LIGHTS]
    scene: Array  # f16[HEIGHT, WIDTH, 4]
    pairs: Array  # PAIR[PAIRS]
    waves: Array  # f32[LENGTH, LENGTH, 2], complex numbers
    twiddles: Array  # f32[LENGTH, 2], complex numbers


def make_inputs() -> Inputs:
    return Inputs(_depth(), _lights(), _scene(), _pairs(), _waves(), _twiddles())


def _depth() -> Array:
    """A receding floor, and a box in front of it."""
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    z = 40 - 0.5 * y + 2 * np.sin(x / 9)
    z[20:45, 30:61] = 4 + 0.01 * x[20:45, 30:61]
    return (FAR * (z - NEAR) / (z * (FAR - NEAR))).astype(np.float32)


def _lights() -> Array:
    """Lights within the field of view and beside it, in world space."""
    rng = np.random.default_rng(20)
    z = rng.uniform(1, 45, LIGHTS)
    across, up = rng.uniform(-1.2, 1.2, (2, LIGHTS)) * TANGENTS[:, None] * z
    view = np.stack([across, up, z, np.ones(LIGHTS)])
    lights = np.zeros(LIGHTS, LIGHT)
    lights["position"] = (np.linalg.inv(WORLD_TO_VIEW.astype(float)) @ view)[:3].T
    lights["radius"] = rng.uniform(0.3, 5, LIGHTS)
    return lights


def _scene() -> Array:
    """Luminances from 2^-12 to 2^8, some beyond both ends of the histogram."""
    rng = np.random.default_rng(21)
    colours = rng.uniform(0.25, 1, (HEIGHT, WIDTH, 4)) * 2 ** rng.normal(-1, 3, (HEIGHT, WIDTH, 1))
    colours[0, :5] = np.array([0, 2**-12, 2**-20, 2**7, 2**8])[:, None]
    return colours.astype(np.float16)


def _pairs() -> Array:
    """Keys of all 32 bits, each many times; a value says where its key was."""
    rng = np.random.default_rng(22)
    pairs = np.zeros(PAIRS, PAIR)
    pairs["key"] = rng.choice(rng.integers(0, 2**32, PAIRS // 4, np.uint32), PAIRS)
    pairs["value"] = np.arange(PAIRS)
    return pairs


def _waves() -> Array:
    return np.random.default_rng(23).normal(size=(LENGTH, LENGTH, 2)).astype(np.float32)


def _twiddles() -> Array:
    roots = np.exp(-2j * np.pi * np.arange(LENGTH) / LENGTH)
    return np.stack([roots.real, roots.imag], axis=-1).astype(np.float32)
