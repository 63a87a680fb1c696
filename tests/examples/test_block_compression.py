"""BC1 blocks, decoded by imagecodecs and Pillow, compared with a plain encoder in NumPy."""

import io
from typing import Any

import imagecodecs
import numpy as np
import pytest
from PIL import Image

from shaders.examples import block_compression as example
from shaders.examples.harbour import harbour

Array = np.ndarray[Any, Any]

LEVELS = np.array([31, 63, 31])
RNG = np.random.default_rng(9)
LEAST_GAINS = {"harbour": 1, "smooth": 0.3, "noise": 0.1}  # in dB, by the search for better ends


def tiles(colours: Array) -> Array:
    """A picture with one block for each entry of u8[rows, columns, 3 or 4 by 4 by 3]."""
    rows, columns = colours.shape[:2]
    texels = np.broadcast_to(colours.reshape(rows, columns, -1, 1, 3), (rows, columns, 16, 1, 3))
    texels = texels.reshape(rows, columns, 4, 4, 3).swapaxes(1, 2).reshape(4 * rows, 4 * columns, 3)
    return np.concatenate([texels, np.full_like(texels[..., :1], 255)], axis=-1)


def blocks_of(picture: Array) -> Array:
    """The blocks of a picture whose sides are multiples of four, f64[blocks, 16 texels, 3]."""
    height, width = picture.shape[:2]
    parts = picture[..., :3].reshape(height // 4, 4, width // 4, 4, 3).swapaxes(1, 2)
    return parts.reshape(-1, 16, 3).astype(np.float64)


def decoded(blocks: Array) -> Array:
    """u8[height, width, 4]"""
    rows, columns = blocks.shape[:2]
    return imagecodecs.bcn_decode(blocks.tobytes(), 1, shape=(4 * rows, 4 * columns, 4))


def block_errors(picture: Array, other: Array) -> Array:
    """The length of the difference between each block and the picture's, [blocks]."""
    return np.sqrt(np.square(blocks_of(picture) - blocks_of(other)).sum(axis=(1, 2)))


def plainly_encoded(picture: Array) -> Array:
    """The blocks decoded, u8, if the rounded ends of the principal axis were the endpoints.

    There is no search for better endpoints.
    """
    texels = blocks_of(picture) / 255
    middle = texels.mean(axis=1, keepdims=True)
    offsets = texels - middle
    axis = np.linalg.eigh(offsets.swapaxes(1, 2) @ offsets).eigenvectors[:, :, -1:]
    along = offsets @ axis
    ends = middle + np.stack([along.min(axis=1), along.max(axis=1)], axis=1) * axis.swapaxes(1, 2)
    low, high = np.moveaxis(np.round(ends.clip(0, 1) * LEVELS) / LEVELS, 1, 0)[:, :, None]
    colours = low + (high - low) * (np.arange(4) / 3)[:, None]
    distances = np.square(texels[:, :, None] - colours[:, None]).sum(axis=-1)
    chosen = np.take_along_axis(colours, distances.argmin(axis=-1)[..., None], axis=1)
    height, width = picture.shape[:2]
    tiled = chosen.reshape(height // 4, width // 4, 4, 4, 3).swapaxes(1, 2)
    return np.round(255 * tiled.reshape(height, width, 3)).astype(np.uint8)


def pictures() -> dict[str, Array]:
    """Pictures by name, 64 texels wide."""
    y, x = np.mgrid[0:32, 0:64]
    smooth = np.stack([2 * x + 90, 250 - 3 * y, x + 2 * y, x], axis=-1).astype(np.uint8)
    greys = np.arange(256, dtype=np.uint8).reshape(16, 16, 1).repeat(3, axis=2)
    one = np.concatenate([greys, RNG.integers(0, 256, (8, 16, 3), np.uint8)])
    # Of 5:6:5 bits, the first blocks of one colour
    codes = RNG.integers(0, LEVELS + 1, (12, 16, 2, 3))
    codes[:3, :, 1] = codes[:3, :, 0]
    return {
        "harbour": harbour(64),
        "smooth": smooth,
        "noise": RNG.integers(0, 256, (32, 64, 4), np.uint8),
        "one colour": tiles(one[:, :, None]),
        "two colours": two_colours(RNG.integers(0, 256, (8, 16, 2, 3))),
        "exact colours": two_colours(np.round(codes * 255 / LEVELS)),
    }


def two_colours(colours: Array) -> Array:
    """Blocks whose texels have one of two colours, [rows, columns, 2, 3]."""
    steps = RNG.integers(0, 2, (*colours.shape[:2], 16, 1))
    return tiles(np.take_along_axis(colours, steps, 2).astype(np.uint8))


PICTURES = pictures()
_blocks: dict[str, dict[str, Array]] = {}


@pytest.fixture
def blocks(device: Any) -> dict[str, Array]:
    """The encoded blocks of each picture, from one dispatch for all."""
    if device.name not in _blocks:
        rows = example.compress(device, np.concatenate(list(PICTURES.values())))
        ends = np.cumsum([len(picture) // 4 for picture in PICTURES.values()])
        _blocks[device.name] = dict(zip(PICTURES, np.split(rows, ends[:-1]), strict=True))
    return _blocks[device.name]


@pytest.mark.parametrize("name", PICTURES)
def test_no_block_is_worse_than_plainly_encoded(blocks: dict[str, Array], name: str) -> None:
    """Only the decoders' rounding of components may make a block worse."""
    picture, after = PICTURES[name], decoded(blocks[name])
    plain = plainly_encoded(picture)
    errors = block_errors(picture, after) - block_errors(picture, plain)
    assert errors.max() <= np.sqrt(16 * 3)
    least = example.psnr(picture, plain) + LEAST_GAINS.get(name, 0)
    assert example.psnr(picture, after) >= least


def test_better_than_pillow(blocks: dict[str, Array]) -> None:
    picture = PICTURES["harbour"]
    theirs = example.decode(example.compress_by_pillow(picture))
    assert example.psnr(picture, decoded(blocks["harbour"])) > example.psnr(picture, theirs) + 2


def test_one_colour_is_nearer_than_half_a_step(blocks: dict[str, Array]) -> None:
    """Half of a third of a step, plus decoders' rounding: 255 / 31 / 6 + 1 and 255 / 63 / 6 + 1."""
    after = decoded(blocks["one colour"])
    difference = abs(after.astype(np.int16) - PICTURES["one colour"]).reshape(-1, 4).max(axis=0)
    assert (difference <= [2, 1, 2, 0]).all()
    black = blocks["one colour"][0, 0]
    assert not black.any()


def test_colours_that_the_format_has_come_back(blocks: dict[str, Array]) -> None:
    np.testing.assert_array_equal(decoded(blocks["exact colours"]), PICTURES["exact colours"])


@pytest.mark.parametrize("name", PICTURES)
def test_every_block_has_four_colours_or_one(blocks: dict[str, Array], name: str) -> None:
    """With color0 <= color1 an index of 3 is transparent black."""
    words = blocks[name].view("<u2").reshape(-1, 4)
    one = words[:, 0] == words[:, 1]
    assert (words[:, 0] >= words[:, 1]).all()
    assert (words[one, 2:] == 0).all()
    assert (decoded(blocks[name])[..., 3] == 255).all()


@pytest.mark.parametrize(("height", "width"), [(1, 1), (6, 35)])
def test_pictures_of_any_size(device: Any, height: int, width: int) -> None:
    """The last row and column are repeated; Pillow drops the texels beyond the size."""
    picture = RNG.integers(0, 256, (height, width, 4), np.uint8)
    whole = np.pad(picture, [(0, -height % 4), (0, -width % 4), (0, 0)], mode="edge")
    blocks = example.compress(device, picture)
    assert blocks.shape == (-(-height // 4), -(-width // 4), 8)
    np.testing.assert_array_equal(blocks, example.compress(device, whole))
    shown = example.decode(example.dds_file(blocks, width, height))
    assert abs(shown.astype(np.int16) - decoded(blocks)[:height, :width, :3]).max() <= 1


def test_dds_file(blocks: dict[str, Array]) -> None:
    """Two libraries read the file."""
    height, width = PICTURES["harbour"].shape[:2]
    file = example.dds_file(blocks["harbour"], width, height)
    expected = decoded(blocks["harbour"])
    np.testing.assert_array_equal(imagecodecs.dds_decode(file), expected)
    with Image.open(io.BytesIO(file)) as image:
        assert (image.format, image.size) == ("DDS", (width, height))
    assert abs(example.decode(file).astype(np.int16) - expected[..., :3]).max() <= 1
