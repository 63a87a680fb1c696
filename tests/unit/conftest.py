"""The reference machine as a device, beside the Vulkan device that all tests have."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import vkrunner


@pytest.fixture(scope="session")
def machine() -> Iterator[vkrunner.ReferenceDevice]:
    with vkrunner.open_device("reference") as opened:
        assert isinstance(opened, vkrunner.ReferenceDevice)
        yield opened
