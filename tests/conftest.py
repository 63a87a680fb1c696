"""The device that tests run on, and the watch over the validation layer's messages.

`SM5VK_DEVICE` chooses another device than lavapipe, `SM5VK_VALIDATION=1` turns the layer on.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import settings

import vkrunner

# What is tested is made anew; the cache has tests of its own, with folders of their own.
os.environ["SM5VK_CACHE"] = "0"

# The same examples in every run; a search for new ones has commands of its own.
settings.register_profile("suite", derandomize=True, deadline=None)
settings.load_profile("suite")


@pytest.fixture(scope="session")
def device() -> Iterator[vkrunner.Device]:
    """One open device for all tests.

    Without a driver tests are skipped, but they fail in CI, and where the variable names a device.
    """
    wish = os.environ.get("SM5VK_DEVICE")
    try:
        opened = vkrunner.open_device(wish or "lavapipe")
    except vkrunner.NoDeviceError as error:
        if wish or os.environ.get("CI"):
            pytest.fail(f"a Vulkan device is needed here: {error}")
        pytest.skip(f"no Vulkan device: {error}")
    with opened:
        yield opened
    assert_silence()


@pytest.fixture(scope="session")
def machine() -> Iterator[vkrunner.ReferenceDevice]:
    """The reference machine as a device, beside the Vulkan device that all tests have."""
    with vkrunner.open_device("reference") as opened:
        assert isinstance(opened, vkrunner.ReferenceDevice)
        yield opened


@pytest.fixture(autouse=True)
def silent_validation() -> Iterator[None]:
    """Fail a test during which, or since the one before, the validation layer said something."""
    yield
    assert_silence()


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


def assert_silence() -> None:
    messages = vkrunner.validation_messages()
    vkrunner.clear_validation_messages()
    assert messages == []
