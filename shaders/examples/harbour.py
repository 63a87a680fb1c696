"""Draw the picture that other examples use: a harbour in the evening.

It has soft gradients, hard and curved edges, fine lines, text and noise.

    python shaders/examples/harbour.py --save harbour.png [--width 512]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont  # pip install pillow

Array = np.ndarray[Any, Any]

FINER = 3
BAND = 256  # rows that are painted at a time, so that large pictures need little memory
HORIZON = 0.62
SUN = (0.47, 0.3)
SEED = 11
HILLS = (
    (0.4, 0.16, (121, 98, 128)),  # the highest part of the outline, its roughness, the colour
    (0.5, 0.1, (82, 74, 104)),
    (0.57, 0.06, (50, 58, 74)),
)


def harbour(
    width: int = 512,
    height: int | None = None,
    finer: int = FINER,
    track: Callable[[Sequence[slice]], Iterable[slice]] = iter,
) -> Array:
    """The picture: u8[height, width, 4], alpha 255. The height is three quarters of the width.

    Shapes are drawn `finer` times larger and then reduced, which smooths their edges. `track`
    iterates over the bands of the picture; tqdm, for instance, shows the progress.
    """
    height = width * 3 // 4 if height is None else height
    bands = [slice(top, min(top + BAND, height)) for top in range(0, height, BAND)]
    picture = np.full((height, width, 4), 255, np.uint8)
    for rows in track(bands):
        picture[rows, :, :3] = background(width, height, rows)
    large = Image.fromarray(picture).convert("RGB")
    large = large.resize((finer * width, finer * height), Image.Resampling.BICUBIC)
    draw_shapes(ImageDraw.Draw(large), finer * width, finer * height)
    shapes = np.asarray(large.reduce(finer))
    random = np.random.default_rng(SEED)
    for rows in bands:
        grain = random.normal(0, 2.5, (rows.stop - rows.start, width, 1))
        picture[rows, :, :3] = np.round(shapes[rows] + grain).clip(0, 255)
    return picture


def background(width: int, height: int, rows: slice) -> Array:
    """Sky, mountains and water in some rows of the picture: u8[rows, width, 3]."""
    x = np.arange(width, dtype=np.float32)[None] / width
    y = np.arange(rows.start, rows.stop, dtype=np.float32)[:, None] / height
    distance = np.hypot(x - SUN[0], (y - SUN[1]) * 0.75)
    glow = np.exp(-9 * distance)[..., None]
    high, low = colour(38, 52, 105), colour(236, 150, 106)
    scene = high + (low - high) * (y[..., None] / HORIZON) ** 1.5 + colour(90, 80, 20) * glow
    scene = np.where(distance[..., None] < 0.035, colour(255, 238, 190), scene)
    woods = texture(x, y)[..., None]
    for top, rough, rock in HILLS:
        slope = (y - top - rough * ridge(x, int(1000 * top)))[..., None]
        scene = np.where(
            slope > 0, colour(*rock) + 90 * (slope - 0.03) + 160 * rough * woods, scene
        )
    if y[-1] > HORIZON:
        scene = np.where(y[..., None] > HORIZON, water(x, y), scene)
    return np.round(scene).clip(0, 255).astype(np.uint8)


def colour(*rgb: int) -> Array:
    return np.array(rgb, np.float32)


def ridge(x: Array, seed: int) -> Array:
    """The outline of mountains: a sum of waves of decreasing length, from about -1 to 1."""
    phases = np.random.default_rng(seed).uniform(0, 6.28, 7)
    parts = [np.sin(x * 5.1 * 2**n + phase) / 1.75**n for n, phase in enumerate(phases)]
    return sum(parts, np.zeros_like(x)) / 2


def texture(x: Array, y: Array) -> Array:
    """Woods and rocks: products of waves, from -1 to 1."""
    return np.sin(310 * x + 9 * np.sin(47 * y)) * np.sin(270 * y + 11 * np.sin(39 * x))


def water(x: Array, y: Array) -> Array:
    """Waves, longer in the foreground, that reflect the sun: [height, width, 3]."""
    near = (y - HORIZON).clip(1e-3, None) / (1 - HORIZON)
    waves = np.sin(60 / (near + 0.25) + 2.5 * np.sin(14 * x + 40 * near) + 30 * x * near)
    path = np.exp(-(((x - SUN[0]) / (0.03 + 0.1 * near)) ** 2)) * (0.45 + 0.55 * np.sign(waves))
    deep, bright = colour(22, 50, 78), colour(205, 128, 108)
    mixed = bright + (deep - bright) * np.sqrt(near)[..., None]
    return mixed + 13 * waves[..., None] + colour(185, 150, 80) * path[..., None]


def draw_shapes(draw: ImageDraw.ImageDraw, width: int, height: int) -> None:
    """The lighthouse on its rock, the boat, and a board with text."""

    def at(*points: tuple[float, float]) -> list[tuple[float, float]]:
        return [(x * width, y * height) for x, y in points]

    def line(points: list[tuple[float, float]], ink: str, thickness: float) -> None:
        draw.line(points, ink, max(round(thickness * width), 1))

    # The rock, the tower with slanted stripes, its gallery, lamp and roof
    draw.polygon(
        at((0.6, 0.8), (0.68, 0.7), (0.78, 0.67), (0.93, 0.7), (1, 0.76), (1, 0.86)), "#2b2b33"
    )
    draw.polygon(at((0.68, 0.7), (0.78, 0.67), (0.93, 0.7), (0.84, 0.73)), "#5a5350")
    for n in range(7):
        y0, y1 = 0.24 + n * 0.065, 0.24 + (n + 1) * 0.065
        x0, x1 = 0.04 + 0.004 * n, 0.04 + 0.004 * (n + 1)
        corners = at(
            (0.81 - x0, y0), (0.81 + x0, y0 + 0.02), (0.81 + x1, y1 + 0.02), (0.81 - x1, y1)
        )
        draw.polygon(corners, "#c8372d" if n % 2 == 0 else "#f1ece0")
    draw.polygon(at((0.75, 0.225), (0.87, 0.225), (0.86, 0.255), (0.76, 0.255)), "#33323c")
    draw.rectangle(at((0.78, 0.15), (0.84, 0.225)), "#ffe79a", "#33323c", max(width // 200, 1))
    draw.polygon(at((0.765, 0.15), (0.81, 0.085), (0.855, 0.15)), "#a32b25")
    for n in range(13):
        line(at((0.75 + 0.01 * n, 0.195), (0.75 + 0.01 * n, 0.225)), "#1d1c22", 0.0015)
    line(at((0.75, 0.195), (0.87, 0.195)), "#1d1c22", 0.0015)
    for x, y in ((0.8, 0.36), (0.805, 0.5), (0.81, 0.62)):
        draw.ellipse(at((x - 0.009, y - 0.016), (x + 0.009, y + 0.016)), "#27313f")

    # The boat: hull, sails, mast and ropes
    draw.polygon(at((0.1, 0.72), (0.44, 0.71), (0.4, 0.79), (0.15, 0.79)), "#1f3b5c")
    draw.polygon(at((0.1, 0.72), (0.44, 0.71), (0.438, 0.722), (0.104, 0.732)), "#e9e3d4")
    draw.polygon(at((0.262, 0.2), (0.262, 0.69), (0.4, 0.67)), "#f4efe2")
    draw.polygon(at((0.248, 0.26), (0.248, 0.69), (0.12, 0.69)), "#d9663b")
    for n in range(1, 5):
        line(at((0.262, 0.2 + 0.098 * n), (0.262 + 0.0276 * n, 0.2 + 0.094 * n)), "#b9b09a", 0.001)
    line(at((0.255, 0.16), (0.255, 0.72)), "#4b3324", 0.006)
    for x in (0.1, 0.15, 0.34, 0.44):
        line(at((0.255, 0.165), (x, 0.715)), "#241d1a", 0.0012)
    draw.polygon(at((0.255, 0.16), (0.3, 0.172), (0.255, 0.19)), "#2f8f4e")

    # Text, large and small, dark on bright and bright on dark
    def text(x: float, y: float, size: float, words: str, ink: str) -> None:
        font = ImageFont.load_default(max(size * min(height, 0.75 * width), 1))
        draw.text((x * width, y * height), words, ink, font, anchor="mm")

    text(0.27, 0.76, 0.036, "ALBATROSS", "#f2efe6")
    draw.rectangle(at((0.56, 0.85), (0.97, 0.97)), "#efe6cf", "#4b3324", max(width // 150, 1))
    text(0.765, 0.887, 0.05, "Harbour Kitchen", "#7a1f1a")
    text(0.765, 0.94, 0.03, "fish and chips · ice cream · 8 to 22 h", "#1d2530")


def main() -> None:
    parser = argparse.ArgumentParser(description="draws the picture that other examples use")
    parser.add_argument("--save", type=Path, metavar="PICTURE", required=True)
    parser.add_argument("--width", type=int, default=512, help="the width in pixels")
    options = parser.parse_args()
    Image.fromarray(harbour(options.width)).convert("RGB").save(options.save)


if __name__ == "__main__":
    main()
