"""The device that tests run on.

The plugin opens it: by the configuration it is lavapipe, `SM5VK_DEVICE` chooses another one.
`SM5VK_VALIDATION=1` turns the validation layer on; its messages fail the tests that cause them.
"""

import gc
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import settings

import vkrunner
from tests.vulkan_only import reason

# pytest reads them from this file only
pytest_plugins = ("pytester", "tests.extras", "tests.slow", "tests.shares", "checks.driver")

# Tests run without the cache; the cache's own tests have their own folders.
os.environ["SM5VK_CACHE"] = "0"

# Commands that tests run do not say which results may be wrong on the device, nor do tests.
os.environ["PYTHONWARNINGS"] = "ignore:results may be wrong:RuntimeWarning"

# A shell's background jobs ignore Ctrl-C, and the tests' processes would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples in every run; other commands search for new ones.
settings.register_profile("suite", derandomize=True, deadline=None)
settings.load_profile("suite")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """On the reference machine leave out the tests of Vulkan itself."""
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
    """The reference machine as a device, in addition to the session's device."""
    with vkrunner.open_device("reference") as opened:
        assert isinstance(opened, vkrunner.ReferenceDevice)
        yield opened


@contextmanager
def needs(device: vkrunner.Device, *features: str) -> Iterator[None]:
    """A block that needs these features of the device.

    If the device has all of them, the block has to succeed. If it lacks some, the block has to
    raise a FeatureError that names one of these.
    """
    lacking = [name for name in features if not getattr(device.features, name)]
    if not lacking:
        yield
        return
    with pytest.raises(vkrunner.FeatureError, match="|".join(lacking)):
        yield


def pytest_collection_finish() -> None:
    _leave_out_existing_objects()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    yield
    if nextitem is None or nextitem.path != item.path:
        _leave_out_existing_objects()


def _leave_out_existing_objects() -> None:
    """Leave tens of thousands of tests and their reports out of the garbage collector's work."""
    gc.collect()
    gc.freeze()
