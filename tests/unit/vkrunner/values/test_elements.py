"""The numbers of texels."""

from __future__ import annotations

import pytest

from vkrunner.values.elements import element_of_format
from vkrunner.values.formats import FORMATS


@pytest.mark.parametrize(
    ("name", "one"),
    [
        ("r8_unorm", 255),
        ("r8g8b8a8_unorm", 255),
        ("r16g16_unorm", 65535),
        ("r8_snorm", 127),
        ("r16g16b16a16_snorm", 32767),
        ("r8_uint", None),
        ("r16_float", None),
        ("r10g10b10a2_unorm", None),  # one packed number
    ],
)
def test_the_integer_of_one(name: str, one: int | None) -> None:
    """FS §3.2.3: the largest integer of the component is 1.0."""
    assert {leaf.scale for leaf in element_of_format(FORMATS[name]).leaves} == {one}
