"""Block compression: BC1 to BC7, and the formats in which two texels share red and blue.

BC6H and BC7 are exact (FS §19.5.2). BC1 to BC5 are exact on the reference machine; a device may
differ by the specification's tolerance, and llvmpipe differs by one byte more (docs/drivers.md).
"""

from contextlib import AbstractContextManager
from typing import Any

import numpy as np
import pytest

import vkrunner

from ..conftest import needs
from ..textures.shaders import Array, shader
from ..textures.test_loads import load
from ..textures.test_sampling import PLACE
from ..textures.test_sampling import run as sample
from .blocks import (
    BC6H_MODES,
    BC7_MODES,
    BLOCK_BYTES,
    bc6h_blocks,
    bc7_blocks,
    bytes_by_library,
    decode_bc6h,
    decode_bc7,
    decode_exactly,
    edge_blocks,
    ends_of,
    random_blocks,
)
from .packed import linear
from .reading import OUTSIDE, gather_all, load_all, places_of
from .test_packed import is_exact

COLORS = ("bc1_unorm", "bc2_unorm", "bc3_unorm")
ABSOLUTE = {"bc4_unorm": 1 / 65535, "bc5_unorm": 1 / 65535,
            "bc4_snorm": 1 / 32767, "bc5_snorm": 1 / 32767}  # fmt: skip
CLOSE = 2e-7
LAVAPIPE_STEPS = 2  # of a byte


def compressed(device: Any) -> AbstractContextManager[None]:
    """For code that needs block compression; a device without it refuses to make the texture."""
    return needs(device, "texture_compression_bc")


def in_rows(values: Array, rows: int) -> Array:
    """[blocks, 16, n] as an image with so many rows of blocks, [height, width, n]."""
    parts = values.reshape(rows, -1, 4, 4, values.shape[-1])
    return parts.transpose(0, 2, 1, 3, 4).reshape(4 * rows, -1, values.shape[-1])


def loaded(device: Any, name: str, blocks: Array, rows: int = 4) -> Array:
    """The texels of a texture with so many rows of blocks."""
    texture = device.texture(blocks.reshape(rows, -1, blocks.shape[1]), name)
    return load_all(device, texture, (4 * rows, 4 * len(blocks) // rows))


def tolerance(device: Any, name: str, blocks: Array, rows: int) -> Array:
    """The error that a device may have: FS §19.5.2."""
    apart = in_rows(np.repeat(ends_of(name, blocks)[:, None], 16, axis=1), rows)
    allowed = ABSOLUTE.get(name, 1 / 255) + 0.03 * apart + CLOSE
    if "llvmpipe" in device.info.driver:
        allowed = np.maximum(allowed, LAVAPIPE_STEPS / (127 if "snorm" in name else 255))
    return allowed


@pytest.mark.parametrize("name", BLOCK_BYTES)
def test_bc1_to_bc5(device: Any, name: str) -> None:
    nbytes = BLOCK_BYTES[name]
    blocks = np.concatenate([random_blocks(432, nbytes), edge_blocks(nbytes)])
    expected = in_rows(decode_exactly(name, blocks), 8)
    with compressed(device):
        texture = device.texture(blocks.reshape(8, -1, nbytes), name)
        found = load_all(device, texture, expected.shape[:2])
        if is_exact(device):
            np.testing.assert_array_equal(found, expected.astype(np.float32))
        assert (np.abs(found - expected) <= tolerance(device, name, blocks, 8)).all()
        np.testing.assert_array_equal(texture.read(), blocks.reshape(8, -1, nbytes))


@pytest.mark.parametrize("name", [name for name in BLOCK_BYTES if "snorm" not in name])
def test_the_fractions_are_those_of_a_library(name: str) -> None:
    """The library rounds to a byte, or interpolates before it widens: FS §19.5.2 permits both."""
    blocks = random_blocks(256, BLOCK_BYTES[name], 1)
    ours, theirs = decode_exactly(name, blocks), bytes_by_library(name, blocks)
    assert np.abs(ours[..., : theirs.shape[-1]] - theirs).max() <= 1 / 255 + CLOSE


@pytest.mark.parametrize("name", [*COLORS, "bc7_unorm"])
def test_srgb(device: Any, name: str) -> None:
    """Colours become linear after decompression, alpha stays."""
    if name == "bc7_unorm":
        blocks = np.concatenate([bc7_blocks(mode, 16) for mode in BC7_MODES])[:128]
        expected = decode_bc7(blocks)
    else:
        blocks = random_blocks(128, BLOCK_BYTES[name], 2)
        expected = decode_exactly(name, blocks)
    expected[..., :3] = linear(expected[..., :3])
    expected = in_rows(expected, 4)
    with compressed(device):
        found = loaded(device, f"{name}_srgb", blocks)
        if is_exact(device):
            np.testing.assert_array_equal(found, expected.astype(np.float32))
        # An error of one or two bytes before a curve of slope 2.27 at most; BC7 has whole bytes
        close = 2e-3 if name == "bc7_unorm" else 2.27 * LAVAPIPE_STEPS / 255
        np.testing.assert_allclose(found, expected, rtol=0, atol=close)


@pytest.mark.parametrize("mode", BC7_MODES)
def test_bc7(device: Any, mode: int) -> None:
    blocks = bc7_blocks(mode)
    expected = in_rows(decode_bc7(blocks), 4)
    assert expected.any() == (mode < 8)
    with compressed(device):
        found = loaded(device, "bc7_unorm", blocks)
        np.testing.assert_allclose(found, expected, rtol=0, atol=CLOSE)


@pytest.mark.parametrize("signed", [False, True], ids=["uf16", "sf16"])
@pytest.mark.parametrize("mode", BC6H_MODES)
def test_bc6h(device: Any, mode: int, signed: bool) -> None:
    blocks = bc6h_blocks(mode)
    expected = in_rows(decode_bc6h(blocks, signed=signed), 4)
    assert expected[..., :3].any() == (mode not in (19, 23, 27, 31)), "four modes are reserved"
    with compressed(device):
        found = loaded(device, "bc6h_sf16" if signed else "bc6h_uf16", blocks)
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("dimension", ["2d", "2darray", "3d"])
def test_mips_that_end_within_a_block(device: Any, dimension: str) -> None:
    """20 by 12 texels, then 10 by 6, 5 by 3, 2 by 1: the last blocks are partly outside."""
    outer = {"2d": (), "2darray": (3,), "3d": (4,)}[dimension]
    extents = [(12, 20), (6, 10), (3, 5), (1, 2), (1, 1)]
    levels: list[Array] = []
    texels: list[Array] = []
    for mip, (height, width) in enumerate(extents):
        slices = (max(1, outer[0] >> mip),) if dimension == "3d" else outer
        shape = (*slices, -(-height // 4), -(-width // 4))
        blocks = random_blocks(int(np.prod(shape)), 16, 30 + mip)
        blocks[:, 0] = blocks[:, 0] & 0x80 | 0x40  # BC7's mode 6
        levels.append(blocks.reshape(*shape, 16))
        decoded = decode_bc7(blocks).reshape(-1, shape[-2] * shape[-1], 16, 4)
        images = [in_rows(part, shape[-2])[:height, :width] for part in decoded]
        texels.append(np.stack(images).reshape(*slices, height, width, 4))
    with compressed(device):
        texture = device.texture(levels[0], "bc7_unorm", dimension, levels[1:])
        assert (texture.mips, texture.shape) == (5, levels[0].shape)
        for mip, expected in enumerate(texels):
            np.testing.assert_array_equal(texture.read(mip), levels[mip])
            found = load_all(device, texture, expected.shape[:-1], mip, dimension)
            np.testing.assert_allclose(found, expected, rtol=0, atol=CLOSE)
        if dimension == "2darray":
            one = texture.view(2, dimension="2d")
            found = load_all(device, one, (3, 5))
            np.testing.assert_allclose(found, texels[2][0], rtol=0, atol=CLOSE)
            texture.write(levels[2][::-1].copy(), 2)
            np.testing.assert_array_equal(texture.read(2), levels[2][::-1])
            np.testing.assert_array_equal(one.read(), levels[2][2])


def test_an_array_and_a_recording(device: Any) -> None:
    """Blocks that are passed with each submission, and blocks that are copied."""
    blocks = [bc7_blocks(6, 8).reshape(2, 4, 16)[order] for order in ([0, 1], [1, 0])]
    texels = [in_rows(decode_bc7(b.reshape(-1, 16)), 2) for b in blocks]
    places, seen = places_of((8, 16)), np.zeros((128, 4), np.float32)
    with compressed(device):
        kernel = device.kernel(shader("load_2d"), formats={"t0": "bc7_unorm"})
        for one, expected in zip(blocks, texels, strict=True):
            found = kernel.dispatch(4, source=one, places=places, seen=seen).seen
            np.testing.assert_allclose(found, expected.reshape(-1, 4), rtol=0, atol=CLOSE)
        texture = device.texture((2, 4), "bc7_unorm")
        other = device.texture((2, 4), "bc7_unorm")
        target = device.buffer(seen)
        with device.record() as work:
            copy = work.copy(blocks[0], texture)
            work.copy(texture, other)
            work.dispatch(kernel, 4, source=other, places=places, seen=target)
        for one, expected in zip(blocks, texels, strict=True):
            work.submit({copy: {"source": one}}).wait()
            found = target.read()
            np.testing.assert_allclose(found, expected.reshape(-1, 4), rtol=0, atol=CLOSE)


@pytest.mark.parametrize(
    ("name", "components"), [("bc4_unorm", 1), ("bc5_snorm", 2), ("bc6h_uf16", 3), ("bc3_unorm", 4)]
)
def test_outside(device: Any, name: str, components: int) -> None:
    nbytes = 8 if name == "bc4_unorm" else 16
    with compressed(device):
        texture = device.texture(random_blocks(1, nbytes).reshape(1, 1, nbytes), name)
        found = load(device, "load_2d", texture, OUTSIDE)
        np.testing.assert_array_equal(found, [(0, 0, 0, float(components < 4))] * 3)


def test_cubes(device: Any) -> None:
    """A point in the middle of each face."""
    blocks = bc7_blocks(6, 6).reshape(6, 1, 1, 16)
    texels = decode_bc7(blocks.reshape(-1, 16)).reshape(6, 4, 4, 4)
    axes = np.array([(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)])
    places = np.zeros(6, PLACE)
    places["at"][:, :3] = axes + 0.25 * (axes == 0)  # within a texel, not between two
    with compressed(device):
        source = device.texture(blocks, "bc7_unorm", "cube")
        found = sample(device, "cube", source, places, device.sampler("point"))["level"]
        for face in range(6):
            distance = np.abs(texels[face] - found[face]).max(axis=-1)
            assert distance.min() <= CLOSE, face
        assert len(np.unique(found, axis=0)) == 6


@pytest.mark.parametrize("name", ["bc1_unorm", "bc7_unorm"])
def test_a_linear_filter(device: Any, name: str) -> None:
    """Decompression comes first: a corner of four texels is their mean."""
    blocks = random_blocks(4, 16 if name == "bc7_unorm" else 8, 9)
    blocks[:, 0] = 0x40 if name == "bc7_unorm" else 0xFF
    shape = (2, 2, blocks.shape[1])
    places = np.zeros(32, PLACE)
    places["at"][:, :2] = (places_of((5, 7))[:32, :2] + 1) / 8
    with compressed(device):
        texture = device.texture(blocks.reshape(shape), name)
        texels = load_all(device, texture, (8, 8)).astype(np.float64)
        found = sample(device, "2d", texture, places, device.sampler("linear"))["level"]
        for n in range(32):
            x, y = n % 7, n // 7
            mean = texels[y : y + 2, x : x + 2].mean(axis=(0, 1))
            # Eight bits of weight: FS §7.18; llvmpipe filters bytes
            np.testing.assert_allclose(found[n], mean, rtol=0, atol=1.5 / 255)


# --- two texels that share red and blue -----------------------------------------------------------

SHARED = {"r8g8_b8g8_unorm": (0, 1, 2, 3), "g8r8_g8b8_unorm": (1, 0, 3, 2)}


def shared(name: str, blocks: Array, width: int) -> Array:
    """[..., height, width, 4] from u8[..., height, blocks, 4]: FS §19.4."""
    red, first, blue, second = (blocks[..., place] / 255 for place in SHARED[name])
    pairs = [np.stack([red, green, blue, np.ones_like(red)], axis=-1) for green in (first, second)]
    texels = np.stack(pairs, axis=-2)
    return texels.reshape(*blocks.shape[:-2], -1, 4)[..., :width, :]


@pytest.mark.parametrize("name", SHARED)
def test_shared_components(device: Any, name: str) -> None:
    """Also mips of odd widths; all bytes are read back, also those of texels outside of a mip."""
    widths, rng = (12, 6, 3, 1), np.random.default_rng(4)
    levels = [
        rng.integers(0, 256, (3, max(1, 5 >> mip), -(-width // 2), 4)).astype(np.uint8)
        for mip, width in enumerate(widths)
    ]
    texture = device.texture(levels[0], name, "2darray", levels[1:])
    for mip, width in enumerate(widths):
        expected = shared(name, levels[mip], width)
        found = load_all(device, texture, expected.shape[:-1], mip, "2darray")
        np.testing.assert_allclose(found, expected, rtol=0, atol=CLOSE)
        np.testing.assert_array_equal(texture.read(mip), levels[mip])


@pytest.mark.parametrize("name", SHARED)
def test_shared_components_are_gathered_and_replaced(device: Any, name: str) -> None:
    blocks = np.random.default_rng(5).integers(0, 256, (4, 8, 4)).astype(np.uint8)
    texture = device.texture((4, 8), name)
    with device.record() as work:
        step = work.copy(blocks, texture)
    work.submit().wait()
    found = gather_all(device, texture, 4, 16)
    np.testing.assert_allclose(found, shared(name, blocks, 16), rtol=0, atol=CLOSE)
    other = blocks[::-1].copy()
    work.submit({step: {"source": other}}).wait()
    np.testing.assert_array_equal(texture.read(), other)
    texture.write(blocks)
    np.testing.assert_array_equal(texture.read(), blocks)


def test_the_row_of_a_1d_texture(device: Any) -> None:
    blocks = np.random.default_rng(6).integers(0, 256, (7, 4)).astype(np.uint8)
    texture = device.texture(blocks, "g8r8_g8b8_unorm", "1d")
    found = load_all(device, texture, (14,), dimension="1d")
    expected = shared("g8r8_g8b8_unorm", blocks, 14)
    np.testing.assert_allclose(found, expected, rtol=0, atol=CLOSE)


@pytest.mark.parametrize(
    ("array", "format", "message"),
    [
        (np.zeros((2, 2, 16), "u1"), "bc1_unorm", "block of bc1_unorm has 8 bytes, the array's 16"),
        (np.zeros((2, 2), "u8"), "bc7_unorm", "block of bc7_unorm has 16 bytes, the array's 8"),
        (np.zeros((2, 4), "u1"), "b5g6r5_unorm", "a texel of b5g6r5_unorm has 2 bytes"),
    ],
)
def test_arrays_that_do_not_fit(device: Any, array: Array, format: str, message: str) -> None:
    with pytest.raises(vkrunner.ShapeError, match=message):
        device.texture(array, format)


def test_any_dtype_of_the_right_size(device: Any) -> None:
    blocks = random_blocks(6, 8).view("<u8").reshape(2, 3)
    with compressed(device):
        texture = device.texture(blocks, "bc4_unorm", mips=3)
        np.testing.assert_array_equal(texture.read(), blocks)
        assert texture.read(1).shape == (1, 2)
        assert not texture.read(2).any()
