"""Devices for tests that repeat, record, map and share between threads."""

from collections.abc import Iterator
from typing import Any, Literal

import pytest

import vkrunner
from checks.driver import Driver
from checks.running.devices import opened


def devices(*kinds: str, scope: Literal["function", "module"] = "module") -> Any:
    """A fixture of devices of these kinds: shared, staged or written memory, or the reference."""

    @pytest.fixture(scope=scope, params=kinds)
    def made(request: pytest.FixtureRequest, device: vkrunner.Device) -> Iterator[vkrunner.Device]:
        with opened(request.param, device) as own:
            yield own

    return made


VULKAN = ("shared", "staged", "written")
either = devices(*VULKAN, "reference")
own = devices(*VULKAN, scope="function")  # for one test, which may make it unusable


@pytest.fixture(params=VULKAN)
def driven(
    request: pytest.FixtureRequest, device: vkrunner.Device, driver: Driver
) -> Iterator[vkrunner.Device]:
    """A Vulkan device for one test, whose driver functions the test can replace."""
    with opened(request.param, device) as opened_device:
        yield opened_device
        driver.restore()
