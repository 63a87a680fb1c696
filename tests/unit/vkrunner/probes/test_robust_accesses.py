"""Devices whose views show more than they should do without the robust accesses that fail."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

import translate
import vkrunner
from checks.driver import Driver, has_another_name, renaming
from translate.spirv.grammar import Decoration, Op
from vkrunner.info.faults import SWIFTSHADER

from ....corpus.spirv_words import instructions

FAULTS = {  # and the features without which there is nothing to try
    "images_outside": "robust_image_access",
    "slices_outside": "robust_image_access",
    "buffer_loads_outside": "robust_buffer_access",
    "buffers_outside": "robust_buffer_access2",
}
DROPPED = [name for name in FAULTS if name != "slices_outside"]
LOAD = (Path(__file__).parent / "data/robust_accesses_load.asm").read_text("utf-8")

RANGE = (Path(__file__).parent / "data/robust_accesses_range.asm").read_text("utf-8")


def shows_all_mips(function: Callable[..., int], handle: Any, info: Any, *rest: Any) -> int:
    """Accesses to a view reach the texels of the first mip."""
    info.subresourceRange.baseMipLevel = 0
    return function(handle, info, *rest)


def shows_more_slices(function: Callable[..., int], handle: Any, info: Any, *rest: Any) -> int:
    """Accesses to the middle one of three slices reach the next."""
    if info.subresourceRange.baseArrayLayer == 1:
        info.subresourceRange.layerCount += 1
    return function(handle, info, *rest)


def shows_more_bytes(function: Callable[..., int], handle: Any, info: Any, *rest: Any) -> int:
    info.range *= 2
    return function(handle, info, *rest)


def play(driver: Driver, fault: str) -> None:
    """A driver with the fault."""
    views = {"images_outside": shows_all_mips, "slices_outside": shows_more_slices}
    if fault in views:
        driver.replace("vkCreateImageView", views[fault])
    else:
        driver.replace("vkCreateBufferView", shows_more_bytes)


@pytest.fixture
def faulty(
    device: Any, driver: Driver, play_in_children: Any
) -> Iterator[Callable[[str], vkrunner.Device]]:
    """Opens a device with this fault."""
    with ExitStack() as opened:

        def open_faulty(fault: str) -> vkrunner.Device:
            driver.replace("vkGetPhysicalDeviceProperties", has_another_name)
            play_in_children(play, fault)
            own = opened.enter_context(vkrunner.open_device(device.info.index))
            assert own.faults  # tried
            driver.restore()
            return own

        yield open_faulty


@pytest.mark.parametrize("fault", DROPPED)
def test_kernels_do_without_the_robust_access(device: Any, faulty: Any, fault: str) -> None:
    own, feature = faulty(fault), FAULTS[fault]
    assert (fault in own.faults) == getattr(own.features, feature)
    names = vkrunner.options_for(own, LOAD.format("")).robust_access
    assert names == own.features.robust_access - {FAULTS[n] for n in own.faults if n in DROPPED}
    assert feature not in names
    interface = own.kernel(LOAD.format("")).interface
    assert feature not in interface.features
    asked = own.kernel(LOAD.format(""), robust_access=own.features.robust_access).interface
    assert (feature in asked.features) == getattr(own.features, feature)


@pytest.mark.parametrize("fault", ["images_outside", "buffers_outside"])
def test_guards_that_rely_on_it_are_refused(device: Any, faulty: Any, fault: str) -> None:
    own = faulty(fault)
    refused = fault if fault in own.faults else "robust_"  # a feature that the device lacks
    with pytest.raises(vkrunner.FeatureError, match=refused):
        own.kernel(LOAD.format(""), guards="robustness2")


def test_a_driver_that_is_known_by_its_name(device: Any, driver: Driver) -> None:
    """SwiftShader's process may end: its modules neither load outside nor ask for a size there."""
    driver.replace("vkGetPhysicalDeviceProperties", has_another_name)
    driver.replace("vkGetPhysicalDeviceProperties2", renaming(SWIFTSHADER.encode()))
    # without validation: the device keeps a feature that needs the hidden one
    with vkrunner.open_device(device.info.index, validation=False) as own:
        assert {"robust_loads_crash", "array_length_non_uniform"} <= {*own.info.known_faults}
        assert not own.features.robust_buffer_access
        for guards in ("d3d", "report"):
            options = vkrunner.options_for(own, RANGE, guards=guards)
            assert "robust_buffer_access" not in options.robust_access
            rows = instructions(translate.to_spirv(translate.load(RANGE), options).words)
            asked = {row[3] for row in rows if row[0] == Op.ArrayLength}
            assert asked.isdisjoint(row[1] for row in rows if row[2:] == (Decoration.NonUniform,))


def test_only_textures_with_slices_are_checked(device: Any, faulty: Any) -> None:
    own = faulty("slices_outside")
    has_feature = own.features.robust_image_access
    assert ("slices_outside" in own.faults) == has_feature
    assert "images_outside" not in own.faults
    slices = vkrunner.options_for(own, LOAD.format("array"))
    assert ("slices_outside" in slices.workarounds) == has_feature
    assert slices.robust_access == own.features.robust_access


def has_few_uavs(function: Callable[..., None], physical: Any, top: Any) -> None:
    function(physical, top)
    top.properties.limits.maxPerStageDescriptorStorageImages = 4
    top.properties.limits.maxPerStageDescriptorStorageBuffers = 4


def play_small(driver: Driver) -> None:
    driver.replace("vkGetPhysicalDeviceProperties2", has_few_uavs)


def test_what_a_small_device_cannot_try_is_not_relied_on(
    device: Any, driver: Driver, play_in_children: Any
) -> None:
    """The probes have more UAVs than Vulkan's smallest devices."""
    driver.replace("vkGetPhysicalDeviceProperties", has_another_name)
    driver.replace("vkGetPhysicalDeviceProperties2", has_few_uavs)
    play_in_children(play_small)
    with vkrunner.open_device(device.info.index) as own:
        options = vkrunner.options_for(own, LOAD.format("array"))
        assert options.robust_access <= {"robust_image_access"}
        assert ("slices_outside" in options.workarounds) == own.features.robust_image_access
