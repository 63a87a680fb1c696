"""Texels and numbers by the specification's rules and examples. Source: FS §3.2.2-3, §19.1."""

from typing import Any

import numpy as np
import pytest

from translate import OptionError
from translate.reference.formats import decode, encode, read_format
from translate.reference.numbers import small_float

from ..isa.test_evaluate_convert import SEEN_HALVES

Array = np.ndarray[Any, Any]
ONE = 1.0


def read(name: str, *texel: int) -> list[float]:
    """The four components of a texel's bytes, as floats."""
    parts = decode(read_format(name), np.array([texel], np.uint8))
    return [float(part.view(np.float32)[0]) for part in parts]


def write(name: str, *values: float) -> list[int]:
    """The bytes of a texel of floats."""
    parts = [np.array([v], np.float32).view(np.uint32) for v in (*values, 0, 0, 0)[:4]]
    return encode(read_format(name), parts)[0].tolist()


@pytest.mark.parametrize(
    ("name", "texel", "expected"),
    [
        ("r8_unorm", (255,), [1, 0, 0, 1]),
        ("r8g8_snorm", (0x80, 0x7F), [-1, 1, 0, 1]),
        ("r8_snorm", (0x81,), [-1, 0, 0, 1]),
        ("r16_unorm", (0xFF, 0xFF), [1, 0, 0, 1]),
        ("b8g8r8a8_unorm", (255, 0, 51, 0), [np.float32(0.2), 0, 1, 0]),
        ("b8g8r8x8_unorm", (255, 0, 0, 7), [0, 0, 1, 1]),
        ("r10g10b10a2_unorm", (0xFF, 0x03, 0, 0xC0), [1, 0, 0, 1]),
        ("b5g6r5_unorm", (0x1F, 0xF8), [1, 0, 1, 1]),
        ("b5g5r5a1_unorm", (0xE0, 0x83), [0, 1, 0, 1]),
        ("r16_float", (0x00, 0x3C), [1, 0, 0, 1]),
        ("r16_float", (0x01, 0x80), [-(2.0**-24), 0, 0, 1]),
        ("r16_float", (0xFF, 0x7B), [65504, 0, 0, 1]),
        ("r11g11b10_float", (0xC0, 0x03, 0, 0), [1, 0, 0, 1]),
        ("r11g11b10_float", (0, 0, 0, 0x78), [0, 0, 1, 1]),
        ("r11g11b10_float", (0xBF, 0x07, 0, 0), [65024, 0, 0, 1]),
        ("r9g9b9e5_sharedexp", (1, 0, 0, 24 << 3), [1, 0, 0, 1]),
        ("r8g8b8a8_unorm_srgb", (255, 0, 0, 51), [1, 0, 0, np.float32(0.2)]),
        ("r32g32_float", (0, 0, 128, 63, 0, 0, 0, 64), [1, 2, 0, 1]),
        ("d16_unorm", (0xFF, 0xFF), [1, 0, 0, 1]),
    ],
)
def test_reading(name: str, texel: tuple[int, ...], expected: list[float]) -> None:
    assert read(name, *texel) == expected


def test_srgb_is_linear_below_its_knee_and_a_power_above() -> None:
    low, high = read("r8g8b8a8_unorm_srgb", 10, 188, 0, 0)[:2]
    assert low == pytest.approx(10 / 255 / 12.92, rel=1e-6)
    assert high == pytest.approx(0.5029, abs=1e-4)  # half the light, as in published tables


def test_integers_are_extended_by_their_sign() -> None:
    texel = np.array([[0xFF, 0x80]], np.uint8)
    assert [int(v[0]) for v in decode(read_format("r8g8_sint"), texel)] == [
        *(0xFFFFFFFF, 0xFFFFFF80, 0, 1)
    ]
    assert [int(v[0]) for v in decode(read_format("r8g8_uint"), texel)] == [255, 128, 0, 1]


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        ("r8_unorm", (0.5,), [128]),
        ("r8_unorm", (np.nan,), [0]),
        ("r8_unorm", (7,), [255]),
        ("r8_unorm", (-7,), [0]),
        ("r8_snorm", (-7,), [0x81]),
        ("r8_snorm", (np.nan,), [0]),
        ("r8_snorm", (-0.5,), [0xC0]),
        ("r10g10b10a2_unorm", (1, 0, 1, 1), [0xFF, 0x03, 0xF0, 0xFF]),
        ("b8g8r8a8_unorm", (1, 0, 0, 1), [0, 0, 255, 255]),
        ("r16_float", (1e9,), [0xFF, 0x7B]),
        ("r16_float", (np.inf,), [0x00, 0x7C]),
        ("r11g11b10_float", (1, -5, 1), [0xC0, 0x03, 0, 0x78]),
    ],
)
def test_writing(name: str, values: tuple[float, ...], expected: list[int]) -> None:
    assert write(name, *values) == expected


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("r8_uint", 300, [255]),
        ("r8_sint", 2**32 - 300, [0x80]),
        ("r8_sint", 300, [127]),
        ("r16_uint", 0xFFFFFFFF, [0xFF, 0xFF]),
    ],
)
def test_integers_are_clamped(name: str, value: int, expected: list[int]) -> None:
    parts = [np.array([value], np.uint32)] * 4
    assert encode(read_format(name), parts)[0].tolist() == expected


@pytest.mark.parametrize(("bits", "expected"), SEEN_HALVES)
def test_rounding_to_half_is_toward_zero(bits: int, expected: int) -> None:
    assert int(small_float(np.array([bits], np.uint32), 16)[0]) == expected


@pytest.mark.parametrize("name", ["r8_unorm", "r8_snorm", "r16_float", "r10g10b10a2_unorm"])
def test_every_code_comes_back(name: str) -> None:
    """Storing a loaded texel gives its bits; the most negative snorm code becomes the next one."""
    texel_format = read_format(name)
    size = texel_format.texel_bytes
    codes = np.arange(1 << min(8 * size, 16), dtype=np.uint64)
    texels = codes.view(np.uint8).reshape(-1, 8)[:, :size]
    back = encode(texel_format, decode(texel_format, texels))
    same = (back == texels).all(axis=1)
    if name == "r16_float":  # NaNs stay NaNs, of any bits
        same |= (codes & 0x7C00 == 0x7C00) & (codes & 0x3FF != 0)
    assert np.flatnonzero(~same).tolist() == ([0x80] if name == "r8_snorm" else [])


def test_no_such_format() -> None:
    with pytest.raises(OptionError, match="'r8_complex'"):
        read_format("r8_complex")
