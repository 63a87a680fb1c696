"""Enlarge a picture with a filter that sharpens without halos, and with two filters of Pillow.

    python shaders/examples/upscale.py [--device D] [--factor 2] [--picture FILE] [--save PICTURE]

A picture is reduced and enlarged again with three filters; each result is compared with the
original.
"""

from __future__ import annotations

import argparse
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from block_compression import psnr
from harbour import harbour
from PIL import Image  # pip install pillow

import sm5vk

Array = np.ndarray[Any, Any]

SHADERS = Path(__file__).parents[1] / "images"
TAPS = 6  # in each direction, of upscale.hlsl
GROUP = 16
NARROWER = 1.15  # than the Lanczos filter
DETAIL = (0.72, 0.05, 0.2)  # left edge, upper edge and width, as shares of the picture's width


def sharp(distance: Array) -> Array:
    """The weights of texels by their distance: a Lanczos filter of three lobes, made narrower."""
    x = NARROWER * distance
    return np.where(abs(x) < 3, np.sinc(x) * np.sinc(x / 3), 0)


def bicubic(distance: Array) -> Array:
    """The Catmull-Rom cubic, which Pillow uses too."""
    x = abs(distance)
    inner = (1.5 * x - 2.5) * x * x + 1
    outer = ((-0.5 * x + 2.5) * x - 4) * x + 2
    return np.where(x < 1, inner, np.where(x < 2, outer, 0))


def taps(before: int, after: int, weights: Callable[[Array], Array]) -> Array:
    """The first texel and the weights for each of `after` pixels, from `before` texels."""
    centres = (np.arange(after) + 0.5) * before / after - 0.5
    first = np.floor(centres).astype(np.int32) - (TAPS // 2 - 1)
    values = weights(first[:, None] + np.arange(TAPS) - centres[:, None])
    line = np.zeros(after, [("first", "<i4"), ("weights", "<f4", TAPS)])
    line["first"], line["weights"] = first, values / values.sum(axis=1, keepdims=True)
    return line


def enlarge(
    device: sm5vk.Device,
    picture: Array,
    size: tuple[int, int],
    weights: Callable[[Array], Array] = sharp,
    keep_range: bool = True,
) -> Array:
    """A picture u8[..., 4] enlarged to `size`, (width, height)."""
    width, height = size
    result = device.kernel(SHADERS / "upscale.dxbc").dispatch(
        (-(-width // GROUP), -(-height // GROUP), 1),
        image=device.texture(picture, format="r8g8b8a8_unorm"),
        columns=taps(picture.shape[1], width, weights),
        rows=taps(picture.shape[0], height, weights),
        enlarged=device.texture(np.zeros((height, width, 4), np.uint8), format="r8g8b8a8_unorm"),
        Params={"keep_range": keep_range},
    )
    return result.enlarged


def ssim(picture: Array, other: Array) -> float:
    """The mean structural similarity of the luminances, 1 for equal pictures.

    As defined by Wang and others in 2004, with Gaussian windows of 11 by 11 pixels.
    """
    luminance = (0.299, 0.587, 0.114)
    a, b = (image[..., :3].astype(np.float64) @ luminance for image in (picture, other))
    c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    mean_a, mean_b = windowed(a), windowed(b)
    spread = windowed(a * a) - mean_a**2 + windowed(b * b) - mean_b**2
    together = windowed(a * b) - mean_a * mean_b
    alike = (2 * mean_a * mean_b + c1) * (2 * together + c2)
    return float((alike / ((mean_a**2 + mean_b**2 + c1) * (spread + c2))).mean())


def windowed(values: Array) -> Array:
    """Means in Gaussian windows that are inside of the picture, [height - 10, width - 10]."""
    weights = np.exp(-0.5 * (np.arange(-5, 6) / 1.5) ** 2)
    weights /= weights.sum()
    for axis in (0, 1):
        values = np.lib.stride_tricks.sliding_window_view(values, 11, axis) @ weights
    return values


def compare(device: sm5vk.Device, picture: Array, factor: int) -> dict[str, Array]:
    """A picture, reduced and enlarged again, by filter: u8[height, width, 3 or 4]."""
    height, width = picture.shape[:2]
    small = Image.fromarray(picture).reduce(factor)
    enlarged = {
        name: np.asarray(small.resize((width, height), way))
        for name, way in (
            ("bicubic", Image.Resampling.BICUBIC),
            ("Lanczos", Image.Resampling.LANCZOS),
        )
    }
    return enlarged | {"sharp": enlarge(device, np.asarray(small), (width, height))}


def save_picture(path: Path, picture: Array, enlarged: dict[str, Array]) -> None:
    """Draw a part of the picture, and the same part of the enlarged pictures."""
    from matplotlib.figure import Figure

    left, top, across = (round(picture.shape[1] * part) for part in DETAIL)
    detail = np.s_[top : top + across * 5 // 4, left : left + across]
    figure = Figure(figsize=(8.4, 3), layout="constrained")
    pictures = {"before": picture} | enlarged
    for axes, (name, image) in zip(
        figure.subplots(1, len(pictures)), pictures.items(), strict=True
    ):
        axes.imshow(image[detail], interpolation="nearest")
        axes.set_title(
            name if image is picture else f"{name}, {psnr(picture, image):.2f} dB", fontsize=10
        )
        axes.set_axis_off()
    drawn = io.BytesIO()
    figure.savefig(drawn, dpi=90)
    Image.open(drawn).convert("RGB").quantize(192).save(path, optimize=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="enlarges a picture with three filters")
    parser.add_argument("--device", help="a part of its name, its index, or reference")
    parser.add_argument("--picture", type=Path, help="a picture to use in place of the harbour")
    parser.add_argument("--width", type=int, default=512, help="the harbour's width in pixels")
    parser.add_argument("--factor", type=int, default=2, help="the factor of the reduction")
    parser.add_argument("--save", type=Path, metavar="PICTURE", help="draw details in this file")
    options = parser.parse_args()
    if options.picture:
        with Image.open(options.picture) as image:
            picture = np.asarray(image.convert("RGBA"))
    else:
        picture = harbour(options.width)
    height, width = (length - length % options.factor for length in picture.shape[:2])
    picture = picture[:height, :width]
    with sm5vk.open_device(options.device) as device:
        enlarged = compare(device, picture, options.factor)
        print(f"{width} x {height} pixels, enlarged {options.factor} times on {device.name}")
    for name, image in enlarged.items():
        print(f"{name:8} PSNR {psnr(picture, image):.2f} dB, SSIM {ssim(picture, image):.4f}")
    if options.save:
        save_picture(options.save, picture, enlarged)


if __name__ == "__main__":
    main()
