"""The device that tests run on.

It is the plugin's: lavapipe by the configuration, `SM5VK_DEVICE` chooses another one, and
`SM5VK_VALIDATION=1` turns the validation layer on, whose messages fail the tests that cause them.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import settings

import vkrunner
from tests.vulkan_only import reason

# pytest takes them from this file only
pytest_plugins = ("pytester", "tests.slow", "tests.driver")

# What is tested is made anew; the cache has tests of its own, with folders of their own.
os.environ["SM5VK_CACHE"] = "0"

# A shell has what it starts in the background ignore Ctrl-C, and so would the tests' programs.
signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples in every run; a search for new ones has commands of its own.
settings.register_profile("suite", derandomize=True, deadline=None)
settings.load_profile("suite")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """On the reference machine leave out what is about Vulkan itself."""
    if os.environ.get("SM5VK_DEVICE") != "reference":
        return
    for item in items:
        about = reason(item.nodeid)
        if about is not None:
            item.add_marker(pytest.mark.skip(reason=f"this is about {about}"))


@pytest.fixture(scope="session")
def device(vulkan_device: vkrunner.Device) -> vkrunner.Device:
    """One open device for all tests."""
    return vulkan_device


@pytest.fixture(scope="session")
def machine() -> Iterator[vkrunner.ReferenceDevice]:
    """The reference machine as a device, beside the Vulkan device that all tests have."""
    with vkrunner.open_device("reference") as opened:
        assert isinstance(opened, vkrunner.ReferenceDevice)
        yield opened


@contextmanager
def needs(device: vkrunner.Device, *features: str) -> Iterator[None]:
    """Around what needs these features of the device.

    Where the device has them all the block has to end well. Where it lacks some the block has to
    end in a FeatureError that names one of those: what cannot be done has to be refused.
    """
    lacking = [name for name in features if not getattr(device.features, name)]
    if not lacking:
        yield
        return
    with pytest.raises(vkrunner.FeatureError, match="|".join(lacking)):
        yield
