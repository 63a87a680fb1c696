"""The tests that are left out on the reference machine exist, and are few."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.vulkan_only import VULKAN_ONLY, reason

TESTS = Path(__file__).parents[1]


@pytest.mark.parametrize("place", VULKAN_ONLY)
def test_an_entry_is_there(place: str) -> None:
    path, _, function = place.partition("[")[0].partition("::")
    assert f"def {function}" in (TESTS / path).read_text(encoding="utf-8")


def test_a_test_is_found_by_its_id() -> None:
    assert reason("tests/host/test_host.py::test_saxpy[x]") == VULKAN_ONLY["host/test_host.py"]
    assert reason("tests/textures/test_uavs.py::test_numbers_of_every_format[r8_unorm-device]")
    assert reason("tests/textures/test_uavs.py::test_another") is None
