"""Compressed blocks, decoded and compared with other decoders (`tests/formats/blocks.py`)."""

import numpy as np
import pytest

from translate.reference.formats import BLOCKS

from ...formats.blocks import (
    BC6H_MODES,
    BC7_MODES,
    BLOCK_BYTES,
    Array,
    bc6h_blocks,
    bc7_blocks,
    decode_bc6h,
    decode_bc7,
    decode_exactly,
    edge_blocks,
    random_blocks,
)

MANY = 2000


def decoded(name: str, blocks: Array) -> Array:
    """f32[blocks, 16, the format's components]."""
    block = BLOCKS[name]
    return block.decode(blocks).view(np.float32)[..., : len(block.components)]


@pytest.mark.parametrize("name", BLOCK_BYTES)
def test_bc1_to_bc5(name: str) -> None:
    nbytes = BLOCK_BYTES[name]
    blocks = np.concatenate([random_blocks(200, nbytes), edge_blocks(nbytes)])
    found = decoded(name, blocks)
    expected = decode_exactly(name, blocks)[..., : found.shape[-1]]
    np.testing.assert_array_equal(found, expected.astype(np.float32))


@pytest.mark.parametrize("mode", BC7_MODES)
def test_bc7(mode: int) -> None:
    blocks = bc7_blocks(mode, MANY)
    expected = decode_bc7(blocks)
    assert expected.any() == (mode < 8)
    np.testing.assert_array_equal(decoded("bc7_unorm", blocks), expected.astype(np.float32))


@pytest.mark.parametrize("signed", [False, True], ids=["uf16", "sf16"])
@pytest.mark.parametrize("mode", BC6H_MODES)
def test_bc6h(mode: int, signed: bool) -> None:
    blocks = bc6h_blocks(mode, MANY)
    found = decoded("bc6h_sf16" if signed else "bc6h_uf16", blocks)
    np.testing.assert_array_equal(found, decode_bc6h(blocks, signed=signed)[..., :3])


@pytest.mark.parametrize("signed", [False, True], ids=["uf16", "sf16"])
@pytest.mark.parametrize("filler", [0x00, 0xFF])
def test_bc6h_of_extreme_endpoints(filler: int, signed: bool) -> None:
    """Endpoints of all zeros and all ones, which unquantisation treats separately."""
    blocks = np.concatenate([bc6h_blocks(mode, 16) for mode in BC6H_MODES])
    blocks[:, 1:] = filler
    blocks[::2, 9] = 0x5A
    found = decoded("bc6h_sf16" if signed else "bc6h_uf16", blocks)
    np.testing.assert_array_equal(found, decode_bc6h(blocks, signed=signed)[..., :3])


def test_texels_lie_in_rows() -> None:
    """7 by 10 texels in 2 by 3 blocks: of the last blocks the first texels are used."""
    blocks = bc7_blocks(6, 6).reshape(1, 2, 3, 1, 16)
    texels = BLOCKS["bc7_unorm"].texels(blocks, 10, 7).view(np.float32)
    assert texels.shape == (1, 7, 10, 1, 4)
    expected = decode_bc7(blocks.reshape(-1, 16)).astype(np.float32)
    for y, x in ((0, 0), (3, 4), (6, 9), (4, 3)):
        block = y // 4 * 3 + x // 4
        np.testing.assert_array_equal(texels[0, y, x, 0], expected[block, y % 4 * 4 + x % 4])
    assert [BLOCKS["bc1_unorm"].count(width, 9) for width in (1, 4, 5, 8)] == [
        *((1, 3), (1, 3), (2, 3), (2, 3))
    ]


def test_more_blocks_than_are_decoded_together() -> None:
    blocks = random_blocks(1 << 16, 8, 3).reshape(1, 256, 256, 1, 8)
    blocks[0, 255, 255] = blocks[0, 0, 0] = (255, 0, 0, 0, 0, 0, 0, 0)
    texels = BLOCKS["bc4_unorm"].texels(blocks, 1024, 1024).view(np.float32)
    assert texels.shape == (1, 1024, 1024, 1, 4)
    np.testing.assert_array_equal(texels[0, :4, :4], texels[0, -4:, -4:])
    np.testing.assert_array_equal(texels[0, -4:, -4:, 0, 0], np.ones((4, 4)))
