"""Compress a picture to BC1, an eighth of the bytes of RGBA, and measure the loss.

    python shaders/examples/block_compression.py [--device D] [--picture FILE] [--save PICTURE]

Pillow decodes the blocks, from the DDS file that `--dds` writes. The result is compared with that
of Pillow's own compressor.
"""

from __future__ import annotations

import argparse
import io
import struct
from pathlib import Path
from typing import Any

import numpy as np
from harbour import harbour
from PIL import Image  # pip install pillow

import sm5vk

Array = np.ndarray[Any, Any]

SHADERS = Path(__file__).parents[1] / "images"
BLOCKS_PER_GROUP = 8  # along each axis, of bc1_encode.hlsl
DETAIL = (0.72, 0.07, 0.2)  # left edge, upper edge and width, as shares of the picture's width


def compress(device: sm5vk.Device, picture: Array) -> Array:
    """The BC1 blocks, u8[rows, columns, 8], of a picture u8[height, width, 4].

    A block has 4x4 texels; the picture's last row and column are repeated to fill the last blocks.
    """
    rows, columns = (-(-length // 4) for length in picture.shape[:2])
    result = device.kernel(SHADERS / "bc1_encode.dxbc").dispatch(
        (-(-columns // BLOCKS_PER_GROUP), -(-rows // BLOCKS_PER_GROUP), 1),
        image=device.texture(picture, format="r8g8b8a8_unorm"),
        blocks=np.zeros((rows, columns, 2), np.uint32),
    )
    return result.blocks.view(np.uint8)


def dds_file(blocks: Array, width: int, height: int) -> bytes:
    """A DDS file with BC1 blocks, which other programs can read."""
    caps, size, pixel_format, linear_size = 0x1, 0x6, 0x1000, 0x80000
    header = struct.pack("<4s7I44x", b"DDS ", 124, caps | size | pixel_format | linear_size, height,
                         width, blocks.nbytes, 0, 0)  # fmt: skip
    four_letters, texture = 0x4, 0x1000
    header += struct.pack("<2I4s20xI16x", 32, four_letters, b"DXT1", texture)
    return header + blocks.tobytes()


def decode(file: bytes) -> Array:
    """The picture in a DDS file, decoded by Pillow: u8[height, width, 3]."""
    with Image.open(io.BytesIO(file)) as image:
        return np.asarray(image.convert("RGB"))


def compress_by_pillow(picture: Array) -> bytes:
    """The DDS file that Pillow makes from a picture."""
    file = io.BytesIO()
    Image.fromarray(picture[..., :3]).save(file, "DDS", pixel_format="DXT1")
    return file.getvalue()


def psnr(picture: Array, other: Array) -> float:
    """The peak signal-to-noise ratio of two pictures of bytes in dB; infinite if they are equal."""
    error = np.square(picture[..., :3].astype(np.float64) - other[..., :3]).mean()
    return float(10 * np.log10(255**2 / error)) if error else float("inf")


def save_picture(path: Path, before: Array, decoded: Array) -> None:
    """Draw both pictures and their difference, in full and enlarged."""
    from matplotlib.figure import Figure

    difference = 128 + 4 * (decoded.astype(np.int16) - before[..., :3])
    height, width = before.shape[:2]
    left, top, across = (round(width * part) for part in DETAIL)
    detail = np.s_[top : top + across * height // width, left : left + across]
    figure = Figure(figsize=(8.4, 4.5), layout="constrained")
    pictures = {
        "RGBA, 32 bits for a texel": before[..., :3],
        f"BC1, 4 bits: {psnr(before, decoded):.1f} dB": decoded,
        "difference, four times": difference.clip(0, 255).astype(np.uint8),
    }
    for (whole, part), (title, image) in zip(
        figure.subplots(2, 3).T, pictures.items(), strict=True
    ):
        whole.imshow(image, interpolation="lanczos")
        whole.set_title(title, fontsize=10)
        part.imshow(image[detail], interpolation="nearest")
        for axes in (whole, part):
            axes.set_axis_off()
    drawn = io.BytesIO()
    figure.savefig(drawn, dpi=90)
    Image.open(drawn).convert("RGB").quantize(128).save(path, optimize=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="compresses a picture to BC1")
    parser.add_argument("--device", help="a part of its name, its index, or reference")
    parser.add_argument("--picture", type=Path, help="a picture to use in place of the harbour")
    parser.add_argument("--width", type=int, default=512, help="the harbour's width in pixels")
    parser.add_argument("--dds", type=Path, metavar="FILE", help="write the blocks to this file")
    parser.add_argument(
        "--save", type=Path, metavar="PICTURE", help="draw both pictures in this file"
    )
    options = parser.parse_args()
    if options.picture:
        with Image.open(options.picture) as image:
            before = np.asarray(image.convert("RGBA"))
    else:
        before = harbour(options.width)
    height, width = before.shape[:2]
    with sm5vk.open_device(options.device) as device:
        blocks = compress(device, before)
        print(f"{width} x {height} pixels on {device.name}")
    file = dds_file(blocks, width, height)
    decoded = decode(file)
    by_pillow = psnr(before, decode(compress_by_pillow(before)))
    print(f"{before.nbytes} bytes became {blocks.nbytes}")
    print(f"PSNR {psnr(before, decoded):.2f} dB; of Pillow's compressor {by_pillow:.2f} dB")
    if options.dds:
        options.dds.write_bytes(file)
    if options.save:
        save_picture(options.save, before, decoded)


if __name__ == "__main__":
    main()
