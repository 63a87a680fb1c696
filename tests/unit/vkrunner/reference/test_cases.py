"""The tests of Vulkan devices hold for the reference device too.

These are the tests of other files whose only argument is a device, called with this one.
"""

import inspect
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

import vkrunner
from tests.unit.vkrunner.api import test_dispatch

from ....textures import (
    test_gathering,
    test_loads,
    test_ranges,
    test_sampling,
    test_sizes,
    test_uavs,
)
from ..resources import test_buffers, test_textures

MODULES = (
    *(test_buffers, test_dispatch, test_textures),
    *(test_gathering, test_loads, test_ranges, test_sampling, test_sizes, test_uavs),
)
DIFFERENT = {
    "test_arrays_in_and_out": "it has no clock",
    "test_a_finished_module_is_taken_as_it_is": "it does not run SPIR-V",
    "test_a_finished_module_with_an_unbounded_range": "it does not run SPIR-V",
    "test_a_module_for_any_format_needs_the_devices_feature": "it does not run SPIR-V",
    "test_a_texture_that_is_too_large": "its textures may be larger",
    "test_formats_that_have_no_linear_filter": "it filters every format",
    "test_a_kept_texture_that_cannot_be_compared": "it compares every format",
    "test_a_bias_beyond_the_devices": "it takes every bias",
    "test_a_border_that_vulkan_does_not_have": "it has every border",
}


def cases() -> dict[str, Callable[[Any], None]]:
    """The tests by name."""
    found: dict[str, Callable[[Any], None]] = {}
    for module in MODULES:
        for name, test in inspect.getmembers(module, inspect.isfunction):
            if name.startswith("test_") and takes_a_device(test, module):
                assert name not in found, f"two tests are called {name}"
                found[name] = test
    return found


def takes_a_device(test: Callable[..., None], module: ModuleType) -> bool:
    own = test.__module__ == module.__name__
    return own and list(inspect.signature(test).parameters) in (["device"], ["either"])


CASES = cases()


def test_differences_are_tests() -> None:
    assert set(CASES) > set(DIFFERENT)
    assert len(CASES) > 50


@pytest.mark.parametrize("name", sorted(CASES.keys() - DIFFERENT.keys()))
def test_same(machine: vkrunner.ReferenceDevice, name: str) -> None:
    CASES[name](machine)
