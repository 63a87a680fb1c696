"""The particles, step by step in NumPy, which rounds as the kernels do: results are equal."""

from typing import Any

import numpy as np
import pytest

from shaders.examples import particles as example
from vkrunner import ReferenceDevice

Array = np.ndarray[Any, Any]


def pcg(x: Array) -> Array:
    state = x * np.uint32(747796405) + np.uint32(2891336453)
    word = ((state >> ((state >> np.uint32(28)) + np.uint32(4))) ^ state) * np.uint32(277803737)
    return (word >> np.uint32(22)) ^ word


def born(ids: Array, size: tuple[int, int]) -> Array:
    """Positions, f32[n, 2]."""
    x = pcg(ids)
    bits = np.stack([x, pcg(x)], axis=-1) >> np.uint32(8)
    return bits.astype(np.float32) * np.float32(2**-24) * np.array(size, np.float32)


def velocity(field: Array, positions: Array) -> Array:
    at = positions * np.float32(1 / 8)
    weight = at - np.floor(at)
    x, y = at.astype(np.int64).T
    a, b, c, d = field[y, x], field[y, x + 1], field[y + 1, x], field[y + 1, x + 1]
    top = a + (b - a) * weight[:, :1]
    bottom = c + (d - c) * weight[:, :1]
    return top + (bottom - top) * weight[:, 1:]


def simulate(field: Array, size: tuple[int, int], steps: int, births: int, lifetime: int) -> Any:
    """(ids, ages, positions, traces) after so many steps."""
    ids, ages = np.zeros(0, np.uint32), np.zeros(0, np.uint32)
    positions = np.zeros((0, 2), np.float32)
    traces = np.zeros(size[::-1], np.uint32)
    for step in range(steps):
        new = np.arange(step * births, (step + 1) * births, dtype=np.uint32)
        ids, ages = np.append(ids, new), np.append(ages, np.zeros(births, np.uint32)) + 1
        positions = np.concatenate([positions, born(new, size)])
        positions += velocity(field, positions)
        inside = ((positions >= 0) & (positions < np.array(size, np.float32))).all(axis=1)
        lives = inside & (ages <= lifetime)
        ids, ages, positions = ids[lives], ages[lives].astype(np.uint32), positions[lives]
        x, y = positions.astype(np.int64).T
        np.add.at(traces, (y, x), 1)
    return ids, ages, positions, traces


@pytest.mark.parametrize(
    ("size", "steps", "births", "lifetime"),
    [((40, 24), 6, 10, 3), ((64, 64), 3, 0, 9), ((8, 8), 5, 1, 100), ((150, 90), 12, 130, 7)],
)
def test_steps(device: Any, size: tuple[int, int], steps: int, births: int, lifetime: int) -> None:
    field = example.whirls(*size)
    particles = example.Particles(device, field, size, births=births, lifetime=lifetime)
    for _ in range(steps):
        particles.step()
    check(particles, simulate(field, size, steps, births, lifetime))


def test_the_picture(device: Any) -> None:
    steps = 3 if isinstance(device, ReferenceDevice) else 150
    size = (example.WIDTH, example.HEIGHT)
    births, lifetime = example.BORN_PER_STEP, example.LIFETIME
    expected = simulate(example.whirls(*size), size, steps, births, lifetime)
    check(example.simulate(device, steps), expected)


def check(particles: Any, expected: Any) -> None:
    ids, ages, positions, traces = expected
    living = np.sort(particles.read(), order="id")
    np.testing.assert_array_equal(living["id"], ids)
    np.testing.assert_array_equal(living["age"], ages)
    np.testing.assert_array_equal(living["position"], positions)
    np.testing.assert_array_equal(particles.traces(), traces)
