"""Compute prefix sums of a million numbers, and improve a picture's contrast with one.

    python shaders/examples/prefix_sum.py [--device D] [--count N] [--save equalised.png]

A group sums up 256 elements; the groups' totals are summed up in the same way, level by level, and
each group adds the sum of all groups before it. The levels stay on the device. Then three kernels
equalise a picture's histogram: one counts the levels of grey, one computes the prefix sums of the
counts, and one looks up each texel.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np

import sm5vk

Array = np.ndarray[Any, Any]

SHADERS = Path(__file__).parents[1]
GROUP = 256  # elements that a group of prefix_sum.hlsl sums up
TILE = 16  # texels of a group in x and in y
LEVELS = 256


class Scanner:
    """Prefix sums on a device."""

    def __init__(self, device: sm5vk.Device):
        self._device = device
        self._kernel = device.kernel(SHADERS / "prefix_sum.dxbc")

    def scan(self, values: sm5vk.Buffer) -> sm5vk.Buffer:
        """The inclusive prefix sum of a buffer of u32[n], modulo 2**32, in a new buffer."""
        count = values.nbytes // 4
        groups = -(-count // GROUP)
        sums = self._device.buffer(np.zeros(count, np.uint32))
        totals = self._device.buffer(np.zeros(groups, np.uint32))
        self._level(values, None, sums, totals)
        if groups > 1:
            self._level(values, self.scan(totals), sums, totals)
        return sums

    def _level(
        self,
        values: sm5vk.Buffer,
        offsets: sm5vk.Buffer | None,
        sums: sm5vk.Buffer,
        totals: sm5vk.Buffer,
    ) -> None:
        """Compute each group's prefix sums; `offsets` has the sums of all groups before it."""
        count = values.nbytes // 4
        params = {"count": count, "add_offsets": int(offsets is not None)}
        self._kernel.dispatch(
            (-(-count // GROUP), 1, 1),
            values=values,
            offsets=offsets,
            sums=sums,
            totals=totals,
            Params=params,
        )


class Equaliser:
    """Histogram equalisation of grey pictures on a device."""

    def __init__(self, device: sm5vk.Device):
        self._device = device
        self._scanner = Scanner(device)
        self._count = device.kernel(SHADERS / "grey_histogram.dxbc")
        self._look_up = device.kernel(SHADERS / "equalise.dxbc")

    def equalise(self, image: Array) -> Array:
        """The picture, u8[height, width], with its levels spread as evenly as possible."""
        texture = self._device.texture(image)
        counts = self._device.buffer(np.zeros(LEVELS, np.uint32))
        groups = (-(-image.shape[1] // TILE), -(-image.shape[0] // TILE), 1)
        self._count.dispatch(groups, image=texture, counts=counts)
        sums = self._scanner.scan(counts)
        params = {"darkest": int(counts.read()[image.min()])}
        equalised = np.zeros_like(image)
        return self._look_up.dispatch(
            groups, image=texture, sums=sums, equalised=equalised, Params=params
        ).equalised


def dunes(width: int = 360, height: int = 240) -> Array:
    """Dunes in thick mist, a picture with few levels of grey: u8[height, width]."""
    y, x = np.mgrid[0:height, 0:width] / height
    picture = 0.64 - 0.1 * y
    for number, ridge in enumerate((0.45, 0.6, 0.75, 0.9)):
        crest = ridge + 0.07 * np.sin(3.1 * x * (1 + 0.3 * number) + 2.2 * number) * np.cos(1.7 * x)
        depth = np.clip(y - crest, 0, None)
        ripples = 0.012 * np.sin(90 * depth + 25 * x + 9 * np.sin(4 * x + number))
        lit = 0.58 - 0.06 * number - 0.12 * depth + ripples * np.exp(-5 * depth)
        picture = np.where(y > crest, lit, picture)
    sun = np.hypot(x - 1.1, y - 0.2) < 0.09
    return np.round(255 * np.where(sun, 0.7, picture)).astype(np.uint8)


def save_picture(path: Path, before: Array, after: Array) -> None:
    """Draw both pictures, each above its histogram and the histogram's prefix sum."""
    from matplotlib.figure import Figure  # pip install matplotlib

    figure = Figure(figsize=(6.4, 3.7), layout="constrained")
    rows = figure.subplots(2, 2, height_ratios=(2.2, 1))
    for (picture, plot), image, title in zip(
        rows.T, (before, after), ("before", "equalised"), strict=True
    ):
        picture.imshow(image, cmap="gray", vmin=0, vmax=255)
        picture.set_axis_off()
        picture.set_title(title)
        counts = np.bincount(image.ravel(), minlength=LEVELS)
        plot.fill_between(range(LEVELS), counts / counts.max(), color="#9db8d2", step="mid")
        plot.plot(np.cumsum(counts) / image.size, color="#c0392b")
        plot.set(xlim=(0, 255), ylim=(0, 1.05), yticks=(), xlabel="level of grey")
    figure.savefig(path, dpi=90)


def main() -> None:
    parser = argparse.ArgumentParser(description="computes prefix sums, and equalises a picture")
    parser.add_argument("--device", help="a part of its name, its index, or reference")
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--save", type=Path, metavar="PICTURE", help="draw both in this file")
    options = parser.parse_args()
    before = dunes()
    with sm5vk.open_device(options.device) as device:
        sums = Scanner(device).scan(device.buffer(np.arange(options.count, dtype=np.uint32)))
        after = Equaliser(device).equalise(before)
        print(
            f"0 + 1 + ... + {options.count - 1} = {sums.read()[-1]} modulo 2**32 on {device.name}"
        )
        print(f"standard deviation of the picture: {before.std():.1f}, equalised {after.std():.1f}")
    if options.save:
        save_picture(options.save, before, after)


if __name__ == "__main__":
    main()
