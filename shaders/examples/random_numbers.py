"""Compute the random numbers of NumPy's Philox generator on the device, and estimate pi with them.

    python shaders/examples/random_numbers.py [--device D] [--points N] [--save pi.png]

A counter-based generator has no state that threads would have to share: number n is a function of n
and a key. So the numbers have the same bits as those of numpy.random.Philox(key=key). They never
leave the device: a second kernel counts the points that are in the unit circle.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np

import sm5vk

Array = np.ndarray[Any, Any]

SHADERS = Path(__file__).parents[1]
BLOCK_BYTES = 32  # four numbers of 64 bits, from one thread of philox.hlsl
POINT_BYTES = 8  # two coordinates of 32 random bits
POINTS_PER_GROUP = 1024


class Philox:
    """The stream of numpy.random.Philox(key=key), computed on a device."""

    def __init__(self, device: sm5vk.Device, key: tuple[int, int]):
        self._device = device
        self._kernel = device.kernel(SHADERS / "philox.dxbc")
        self._key = np.array(key, np.uint64).view(np.uint32)
        self._next_block = 1  # NumPy counts before it draws

    def fill(self, numbers: sm5vk.Buffer) -> None:
        """Fill a buffer of whole blocks with the next numbers; they stay on the device."""
        blocks = numbers.nbytes // BLOCK_BYTES
        params = {
            "key0": self._key[:2],
            "key1": self._key[2:],
            "first_block": self._next_block,
            "blocks": blocks,
        }
        self._kernel.dispatch((-(-blocks // 64), 1, 1), numbers=numbers, Params=params)
        self._next_block += blocks

    def raw(self, count: int) -> Array:
        """The next numbers, u64[count]; the rest of the last block is dropped."""
        numbers = self._device.buffer(np.zeros(-(-count // 4) * 4, np.uint64))
        self.fill(numbers)
        return numbers.read()[:count]


def count_in_circle(device: sm5vk.Device, numbers: sm5vk.Buffer, points: int) -> Array:
    """The number of points in the unit circle, for each 1024 points of a buffer, u32[groups]."""
    kernel = device.kernel(SHADERS / "count_in_circle.dxbc")
    groups = -(-points // POINTS_PER_GROUP)
    inside = np.zeros(groups, np.uint32)
    params = {"points": points}
    return kernel.dispatch((groups, 1, 1), numbers=numbers, inside=inside, Params=params).inside


def estimate_pi(device: sm5vk.Device, points: int, key: tuple[int, int]) -> tuple[Array, Array]:
    """(number of points, estimate of pi) after each 1024 points."""
    blocks = -(-points * POINT_BYTES // BLOCK_BYTES)
    numbers = device.buffer(blocks * BLOCK_BYTES)
    Philox(device, key).fill(numbers)
    inside = np.cumsum(count_in_circle(device, numbers, points), dtype=np.int64)
    drawn = np.minimum(np.arange(1, len(inside) + 1) * POINTS_PER_GROUP, points)
    return drawn, 4 * inside / drawn


def save_plot(path: Path, drawn: Array, pi: Array) -> None:
    """Draw the estimates, and a band that contains two of three estimates."""
    from matplotlib.figure import Figure  # pip install matplotlib

    deviation = np.sqrt(np.pi * (4 - np.pi) / drawn)
    figure = Figure(figsize=(6.4, 3.6), layout="constrained")
    axes = figure.subplots()
    axes.fill_between(
        drawn, np.pi - deviation, np.pi + deviation, color="#dbe9f6", label="standard deviation"
    )
    axes.axhline(np.pi, color="black", linewidth=0.8, label="π")
    axes.plot(drawn, pi, color="#c0392b", linewidth=1.2, label="4 · inside / points")
    axes.set(xscale="log", xlim=(drawn[0], drawn[-1]), ylim=(np.pi - 0.06, np.pi + 0.06))
    axes.set(xlabel="points", title="π by Monte Carlo, with Philox 4x64-10")
    axes.legend(frameon=False)
    figure.savefig(path, dpi=100)


def main() -> None:
    parser = argparse.ArgumentParser(description="estimates pi with random numbers")
    parser.add_argument("--device", help="a part of its name, its index, or reference")
    parser.add_argument("--points", type=int, default=4_000_000)
    parser.add_argument("--key", type=int, default=2024)
    parser.add_argument("--save", type=Path, metavar="PICTURE", help="draw the plot in this file")
    options = parser.parse_args()
    with sm5vk.open_device(options.device) as device:
        drawn, pi = estimate_pi(device, options.points, (options.key, 0))
        print(f"{drawn[-1]} points on {device.name}: pi is about {pi[-1]:.5f}")
    if options.save:
        save_plot(options.save, drawn, pi)


if __name__ == "__main__":
    main()
