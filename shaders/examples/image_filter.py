"""A Gaussian blur and the edges of a picture, through textures, samplers and group-shared tiles.

    python shaders/examples/image_filter.py [--device D] [--sigma 4] [--save filtered.png]

The blur is separable: one kernel blurs the rows, then the columns, and the picture between the two
steps stays on the device. The sampler determines the colours beyond the picture's edges: "clamp",
"mirror", "wrap" or "border".
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np

import sm5vk

Array = np.ndarray[Any, Any]

SHADERS = Path(__file__).parents[1]
MAX_RADIUS = 15


def drawing(size: int = 208) -> Array:
    """A picture with soft and hard edges, fine lines and noise: u8[size, size, 4]."""
    y, x = np.mgrid[0:size, 0:size] / size
    red, green, blue = 0.25 + 0.5 * y, 0.45 + 0.3 * x, 0.75 - 0.35 * y
    disc = np.hypot(x - 0.36, y - 0.4) < 0.24
    shade = np.clip(1.15 - 2.2 * np.hypot(x - 0.3, y - 0.32), 0, 1)
    stripes = (x > 0.62) & (x < 0.92) & (y > 0.12) & (y < 0.55)
    on = np.floor(24 * (x + y * (x - 0.5))) % 2 == 0
    rings = np.hypot(x - 0.7, y - 0.8) < 0.17
    wave = 0.5 + 0.5 * np.cos(2200 * ((x - 0.7) ** 2 + (y - 0.8) ** 2))
    box = (abs(x - 0.2) < 0.13) & (abs(y - 0.82) < 0.1)
    channels = [
        np.select([disc, stripes, rings, box], [shade, on, wave, 0.95], colour)
        for colour in (red, green, blue)
    ]
    channels[1] = np.where(disc, 0.55 * shade, channels[1])
    channels[2] = np.where(disc | box, 0.15, channels[2])
    noise = np.random.default_rng(5).normal(0, 0.04, (size, size, 1)) * (y[..., None] > 0.6)
    rgb = np.stack(channels, axis=-1) + noise
    rgba = np.concatenate([rgb, np.ones((size, size, 1))], axis=-1)
    return np.round(rgba.clip(0, 1) * 255).astype(np.uint8)


def gaussian_weights(sigma: float) -> tuple[int, Array]:
    """(radius, weights of the texel itself and of the texels 1, 2, ... away on either side)."""
    radius = min(int(np.ceil(3 * sigma)), MAX_RADIUS)
    distance = np.arange(MAX_RADIUS + 1)
    weights = np.where(distance <= radius, np.exp(-(distance**2) / (2 * sigma**2)), 0)
    return radius, (weights / (2 * weights.sum() - weights[0])).astype(np.float32)


def blur(
    device: sm5vk.Device, image: sm5vk.Texture, sigma: float, address: str = "clamp"
) -> sm5vk.Texture:
    """The blurred picture, as a texture of floats; `address` is the sampler's address mode."""
    kernel = device.kernel(SHADERS / "gaussian_blur.dxbc")
    edges = device.sampler("point", address, border=0.0)
    height, width = image.shape[:2]
    radius, weights = gaussian_weights(sigma)
    rows, columns = (device.texture(np.zeros((height, width, 4), np.float32)) for _ in range(2))
    for source, target, direction, length, lines in (
        (image, rows, (1, 0), width, height),
        (rows, columns, (0, 1), height, width),
    ):
        kernel.dispatch(
            kernel.groups_for(length, lines),
            image=source,
            edges=edges,
            blurred=target,
            Params={"direction": direction, "radius": radius, "weights": weights},
        )
    return columns


def edges(device: sm5vk.Device, image: sm5vk.Texture) -> Array:
    """The length of the luminance's gradient at each texel, f32[height, width]."""
    kernel = device.kernel(SHADERS / "sobel.dxbc")
    height, width = image.shape[:2]
    result = kernel.dispatch(
        kernel.groups_for(width, height),
        image=image,
        edges=device.sampler("point", "clamp"),
        gradient=np.zeros((height, width), np.float32),
    )
    return result.gradient


def save_picture(path: Path, before: Array, blurred: Array, gradient: Array) -> None:
    """Draw the picture, the blurred picture and the edges side by side."""
    from PIL import Image  # pip install pillow

    lines = np.round(255 * (1 - np.sqrt(gradient / gradient.max())))[..., None].repeat(3, axis=-1)
    soft = np.round(255 * blurred[..., :3].clip(0, 1))
    both = np.concatenate([before[..., :3], soft, lines], axis=1).astype(np.uint8)
    picture = Image.fromarray(both).quantize(256)
    picture.save(path, optimize=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="a blur and edges, through textures and samplers")
    parser.add_argument("--device", help="a part of its name, its index, or reference")
    parser.add_argument("--sigma", type=float, default=3.0, help="the blur's sigma, up to 5 pixels")
    parser.add_argument("--save", type=Path, metavar="PICTURE", help="draw all three in this file")
    options = parser.parse_args()
    before = drawing()
    with sm5vk.open_device(options.device) as device:
        image = device.texture(before, format="r8g8b8a8_unorm")
        blurred = blur(device, image, options.sigma).read()
        gradient = edges(device, image)
        print(f"{before.shape[1]} x {before.shape[0]} pixels on {device.name}")
        print(f"contrast {np.std(before[..., :3] / 255):.3f}, {blurred[..., :3].std():.3f} blurred")
        print(f"the steepest edge is {gradient.max():.3f}")
    if options.save:
        save_picture(options.save, before, blurred, gradient)


if __name__ == "__main__":
    main()
