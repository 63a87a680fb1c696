"""For folders whose tests run on the Vulkan device and on the reference machine."""

from typing import Any

import pytest


@pytest.fixture(params=["vulkan", "reference"])
def device(request: pytest.FixtureRequest, device: Any, machine: Any) -> Any:
    """The session's device, then the reference machine."""
    return device if request.param == "vulkan" else machine
