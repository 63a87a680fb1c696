"""DXGI names to SPIR-V's image formats, by the numbers of the specification's table (§3.11)."""

import pytest

from translate.spirv.images import image_format, is_extended

NUMBERS = {
    "r32g32b32a32_float": 1, "r16g16b16a16_float": 2, "r32_float": 3, "r8g8b8a8_unorm": 4,
    "r8g8b8a8_snorm": 5, "r32g32_float": 6, "r16g16_float": 7, "r11g11b10_float": 8,
    "r16_float": 9, "r16g16b16a16_unorm": 10, "r10g10b10a2_unorm": 11, "r16g16_unorm": 12,
    "r8g8_unorm": 13, "r16_unorm": 14, "r8_unorm": 15, "r16g16b16a16_snorm": 16,
    "r16g16_snorm": 17, "r8g8_snorm": 18, "r16_snorm": 19, "r8_snorm": 20,
    "r32g32b32a32_sint": 21, "r16g16b16a16_sint": 22, "r8g8b8a8_sint": 23, "r32_sint": 24,
    "r32g32_sint": 25, "r16g16_sint": 26, "r8g8_sint": 27, "r16_sint": 28, "r8_sint": 29,
    "r32g32b32a32_uint": 30, "r16g16b16a16_uint": 31, "r8g8b8a8_uint": 32, "r32_uint": 33,
    "r10g10b10a2_uint": 34, "r32g32_uint": 35, "r16g16_uint": 36, "r8g8_uint": 37,
    "r16_uint": 38, "r8_uint": 39,
    "a8_unorm": 15,  # R8, which holds the alpha
}  # fmt: skip
# The formats of the Shader capability; others need StorageImageExtendedFormats
BASIC = {1, 2, 3, 4, 5, 21, 22, 23, 24, 30, 31, 32, 33}


@pytest.mark.parametrize("name", NUMBERS)
def test_format(name: str) -> None:
    number = image_format(name)
    assert number == NUMBERS[name]
    assert is_extended(number) == (number not in BASIC)


@pytest.mark.parametrize(
    "name",
    [
        *("b8g8r8a8_unorm", "r32g32b32_float", "d32_float", "", "r7_uint"),
        *("b5g6r5_unorm", "b4g4r4a4_unorm", "b8g8r8x8_unorm", "bc1_unorm", "r8g8_b8g8_unorm"),
    ],
)
def test_formats_that_spirv_lacks_are_unknown(name: str) -> None:
    assert image_format(name) == 0
    assert not is_extended(0)
