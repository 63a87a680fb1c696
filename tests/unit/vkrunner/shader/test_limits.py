"""Limits and features are checked before anything is created: one error, with figure and limit.

The driver is made to report smaller limits than its own, so that tests reach them on any device.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import translate
import vkrunner
from checks.driver import Driver
from tests.conftest import needs
from vkrunner import Device, errors
from vkrunner.vulkan.loader import vk

DATA = Path(__file__).parents[1] / "data"
Narrow = Callable[..., Device]
MAINTENANCE_3, ROBUSTNESS_2 = 1000168000, 1000286000  # VkStructureType


def chained(top: Any, number: int, name: str) -> Iterator[Any]:
    """The structures of a type in another one's pNext chain."""
    link = top.pNext
    while link != vk.ffi().NULL:
        base = vk.ffi().cast("VkBaseOutStructure*", link)
        if base.sType == number:
            yield vk.ffi().cast(f"{name}*", base)
        link = base.pNext


@pytest.fixture
def narrow(device: Device, driver: Driver) -> Iterator[Narrow]:
    """Opens a device with these limits and without these features, by Vulkan's names."""
    with ExitStack() as opened:

        def change(*without: str, **limits: Any) -> Device:
            narrow_driver(driver, {*without}, limits)
            return opened.enter_context(vkrunner.open_device(device.info.index))

        yield change


def narrow_driver(driver: Driver, without: set[str], limits: dict[str, Any]) -> None:
    """Make the driver report less than it has."""
    allocation = limits.pop("maxMemoryAllocationSize", None)

    def properties(function: Callable[..., None], physical: Any, top: Any) -> None:
        function(physical, top)
        for name, value in limits.items():
            setattr(top.properties.limits, name, value)
        for found in chained(top, MAINTENANCE_3, "VkPhysicalDeviceMaintenance3Properties"):
            found.maxMemoryAllocationSize = allocation or found.maxMemoryAllocationSize

    def features(function: Callable[..., None], physical: Any, top: Any) -> None:
        function(physical, top)
        further = chained(top, ROBUSTNESS_2, "VkPhysicalDeviceRobustness2FeaturesEXT")
        for found in (top.features, *further):
            for name in without & {*dir(found)}:
                setattr(found, name, 0)

    def families(function: Callable[..., None], physical: Any, count: Any, rows: Any) -> None:
        function(physical, count, rows)
        for row in range(count[0] if rows != vk.ffi().NULL and "timestamps" in without else 0):
            rows[row].timestampValidBits = 0

    driver.replace("vkGetPhysicalDeviceProperties2", properties)
    driver.replace("vkGetPhysicalDeviceFeatures2", features)
    driver.replace("vkGetPhysicalDeviceQueueFamilyProperties", families)


def saxpy(device: Device, groups: Any = 1, **changes: Any) -> vkrunner.Result:
    ones = np.ones(100, np.float32)
    given: dict[str, Any] = {"x": ones, "y": ones, "Params": {"a": 1, "count": 100}}
    return device.kernel(DATA / "saxpy.dxbc").dispatch(groups, **{**given, **changes})


@pytest.mark.parametrize(
    ("shader", "limits", "message"),
    [
        ("shared", {"maxComputeWorkGroupSize": (1024, 64, 64)}, None),
        ("shared", {"maxComputeWorkGroupSize": (255, 64, 64)}, r"a thread group of \(256, 1, 1\)"),
        ("shared", {"maxComputeWorkGroupInvocations": 128}, "256 threads in a group.* allows 128"),
        ("shared", {"maxComputeSharedMemorySize": 1000}, "16384 bytes of group-shared memory"),
        ("spaces", {"maxBoundDescriptorSets": 3}, None),
        ("saxpy", {"maxPerStageDescriptorStorageBuffers": 1}, "2 storage buffers; .* allows 1"),
        ("saxpy", {"maxPerStageDescriptorUniformBuffers": 0}, "1 constant buffers"),
        ("sizes", {"maxPerStageDescriptorSampledImages": 0}, "1 typed buffers"),
        ("sizes", {"maxPerStageDescriptorStorageImages": 0}, "1 typed UAVs"),
        ("saxpy", {"maxPerStageResources": 2}, "3 resources"),
    ],
)
def test_limits_of_shaders(
    narrow: Narrow, shader: str, limits: dict[str, Any], message: str | None
) -> None:
    own = narrow(**limits)
    with pytest.raises(errors.LimitError, match=message) if message else nullcontext():
        own.kernel(DATA / f"{shader}.dxbc")


RANGE = """cs_5_1
dcl_uav_raw U0[0:{}], space=0
dcl_thread_group 1, 1, 1
store_raw U0[0].x, l(0), l(7)
ret
"""


def test_longest_array(narrow: Narrow) -> None:
    """No heap of D3D12 has more descriptors, whatever the device allows."""
    largest = 2**32 - 1
    own = narrow(maxPerStageDescriptorStorageBuffers=largest, maxPerStageResources=largest)
    with pytest.raises(errors.LimitError, match=r"1000001.*1000000"):
        own.kernel(RANGE.format(1_000_000))


@pytest.mark.parametrize(("most", "register"), [(1, "u1"), (2**32 - 1, "u1000000")])
def test_descriptors_of_an_unbounded_array(narrow: Narrow, most: int, register: str) -> None:
    """Those below the last one count too."""
    own = narrow(maxPerStageResources=most, maxPerStageDescriptorStorageBuffers=most)
    kernel, count = own.kernel(RANGE.format("*")), int(register[1:]) + 1
    with pytest.raises(errors.LimitError, match=rf"{count}.*{min(most, 1_000_000)}"):
        kernel.dispatch(1, bindings={register: np.zeros(1, np.uint32)})


def test_sets_of_a_finished_module(narrow: Narrow) -> None:
    """Its bindings are fixed; the runner chooses those of other shaders."""
    module = translate.to_spirv(translate.load(DATA / "spaces.dxbc"))
    with pytest.raises(errors.LimitError, match=r"4.*3"):
        narrow(maxBoundDescriptorSets=3).kernel(module)


SAMPLERS = (Path(__file__).parent / "data/limits_samplers.asm").read_text("utf-8")


def test_samplers(narrow: Narrow) -> None:
    narrow(maxPerStageDescriptorSamplers=2).kernel(SAMPLERS)
    with pytest.raises(errors.LimitError, match=r"2.*1"):
        narrow(maxPerStageDescriptorSamplers=1).kernel(SAMPLERS)


def test_size_of_a_texture(narrow: Narrow) -> None:
    """Also as an argument, before memory is allocated."""
    texels = np.zeros((64, 64), np.float32)
    own = narrow(maxMemoryAllocationSize=64 * 64 * 4 - 1)
    with pytest.raises(errors.LimitError, match="16383"):
        own.texture(texels)
    result = np.zeros((1, 4), np.float32)
    with pytest.raises(errors.LimitError, match="16383"):
        own.kernel(SAMPLERS).dispatch(1, t0=texels, u0=result)
    own = narrow(maxMemoryAllocationSize=1 << 30)
    assert own.kernel(SAMPLERS).dispatch(1, t0=texels, u0=result).u0.tolist() == [[0, 0, 0, 2]]


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"maxStorageBufferRange": 399}, r"t0 \(x\): 400 bytes; .* allows 399"),
        ({"maxUniformBufferRange": 15}, r"cb0 \(Params\): 16 bytes; .* allows 15"),
        ({"maxMemoryAllocationSize": 300}, "a buffer of 400 bytes"),
        ({"maxComputeWorkGroupCount": (7, 9, 9)}, "8 groups in x: .* allows 7"),
    ],
)
def test_limits_of_dispatches(narrow: Narrow, limits: dict[str, Any], message: str) -> None:
    with pytest.raises(errors.LimitError, match=message):
        saxpy(narrow(**limits), 8)


def test_elements_of_typed_buffers(narrow: Narrow) -> None:
    own = narrow(maxTexelBufferElements=4)
    kernel = own.kernel(DATA / "typed.dxbc")
    with pytest.raises(errors.LimitError, match=r"t0 \(source\): 5.*4") as caught:
        kernel.dispatch(1, t0=np.zeros(5, "f4"), u0=np.zeros(1, "u4"), u1=np.zeros((1, 4), "f4"))
    assert any("sm5vk.map_chunks" in note for note in caught.value.__notes__)


@pytest.mark.parametrize("groups", [(65536, 1, 1), (1, 65536, 1), (1, 1, 65536), 2**32])
def test_more_groups_than_d3d_allows(device: Device, groups: Any) -> None:
    with pytest.raises(errors.LimitError, match=r"[xyz]: D3D.*65535") as caught:
        saxpy(device, groups)
    assert any("sm5vk.map_chunks" in note for note in caught.value.__notes__)


def test_groups_that_a_driver_miscounts(device: Device) -> None:
    """2^32 - 16 groups of a dispatch are the most. They would take minutes, and are not run.

    Of those that are refused, drivers would run 196,607, four or none.
    """
    if "group_count" not in device.faults:
        pytest.skip("the driver counts all groups of D3D's limits")
    kernel, x = device.kernel(DATA / "saxpy.dxbc"), np.ones(1, np.float32)
    given: dict[str, Any] = {"x": x, "y": x, "Params": {"a": 1, "count": 1}}
    for groups in ((65535, 65535, 65535), (1300, 2501, 1321), (32768, 32768, 4)):
        with pytest.raises(errors.LimitError, match=r"32 bits.*group_count"):
            kernel.dispatch(groups, **given)
        with device.record() as work, pytest.raises(errors.LimitError):
            work.dispatch(kernel, groups, **given)
    with device.record() as work:
        work.dispatch(kernel, (6960, 4859, 127), **given)  # 2^32 - 16
    assert kernel.dispatch((65535, 0, 65535), **given).y[0] == 1


@pytest.mark.parametrize("groups", [-1, (1, -1, 1), 1.5, "3", None, (), (1, 1, 1, 1), (1, True)])
def test_invalid_numbers_of_groups(device: Device, groups: Any) -> None:
    way_out = r"kernel.groups_for\(width, height\) counts them$"
    with pytest.raises(errors.InvalidValueError, match=f"up to three whole numbers.*: {way_out}"):
        saxpy(device, groups)


def test_the_most_groups_in_x_and_the_longest_timeout(device: Device) -> None:
    saxpy(device, (np.int64(65535),), Params={"a": 1, "count": 0}, timeout=float("inf"))


@pytest.mark.parametrize("timeout", [0, -1, float("nan")])
def test_invalid_timeouts(device: Device, timeout: float) -> None:
    with pytest.raises(errors.InvalidValueError):
        saxpy(device, timeout=timeout)


@pytest.mark.parametrize("missing", [None, np.zeros(0, np.float32)])
def test_null_without_null_descriptors(narrow: Narrow, missing: Any) -> None:
    """The shader gets a size of 0 for the buffer that is bound in its place."""
    own = narrow("nullDescriptor")
    assert saxpy(own, x=missing).y.tolist() == [1] * 100
    assert saxpy(own, x=missing, y=missing).counters == {}


def test_typed_null_without_null_descriptors(narrow: Narrow) -> None:
    own = narrow("nullDescriptor")
    seen = np.ones((1, 4), np.float32)
    result = own.kernel(DATA / "typed.dxbc").dispatch(1, source=None, target=None, seen=seen)
    assert result.seen.tolist() == [[0, 0, 0, 0]]


def test_null_counters_need_a_feature(narrow: Narrow) -> None:
    own = narrow("nullDescriptor")
    kernel = own.kernel(DATA / "append.dxbc")
    with pytest.raises(errors.FeatureError, match=r"u0.counter.*null_descriptor"):
        kernel.dispatch(1, numbers=np.zeros(1, np.uint32), even=None)


@pytest.mark.parametrize("limit", [8, 15])
def test_windows_need_push_constants(narrow: Narrow, limit: int) -> None:
    own = narrow("nullDescriptor", maxPushConstantsSize=limit)
    saxpy(own, x=None)
    with pytest.raises(errors.LimitError, match=f"16 bytes of push constants, .* allows {limit}"):
        saxpy(own, x=None, y=None)


@pytest.mark.parametrize("first", [1, 63, 64, 65, 129])
def test_views_between_what_the_device_aligns(narrow: Narrow, first: int) -> None:
    own = narrow(minStorageBufferOffsetAlignment=256)
    y = own.buffer(np.zeros(150, np.float32))
    saxpy(own, 2, y=y.view(first_element=first, num_elements=20))
    assert np.flatnonzero(y.read()).tolist() == list(range(first, first + 20))


def test_a_finished_module_has_only_its_own_windows(narrow: Narrow) -> None:
    own = narrow("nullDescriptor", minStorageBufferOffsetAlignment=256)
    program = translate.load(DATA / "saxpy.dxbc")
    module = translate.to_spirv(program, translate.Options(windows=frozenset({"t0"})))
    kernel, y = own.kernel(module), own.buffer(np.ones(8, np.float32))
    params = {"a": 1, "count": 8}
    x = own.buffer(np.arange(8, dtype=np.float32)).view(first_element=5)
    assert kernel.dispatch(1, x=x, y=y, Params=params).y.tolist() == [6, 7, 8, 1, 1, 1, 1, 1]
    assert kernel.dispatch(1, x=None, y=y, Params=params).y.tolist() == [6, 7, 8, 1, 1, 1, 1, 1]
    with pytest.raises(errors.FeatureError, match=r"u0 \(y\).*null_descriptor"):
        kernel.dispatch(1, x=x, y=None, Params=params)
    with pytest.raises(errors.LimitError, match=r"u0 \(y\).*4.*256"):
        kernel.dispatch(1, x=x, y=y.view(first_element=1), Params=params)


def test_a_shaders_features(narrow: Narrow) -> None:
    with pytest.raises(errors.FeatureError, match="float64"):
        narrow("shaderFloat64").kernel(DATA / "double.dxbc")


def test_checks_that_the_device_lacks(device: Device, narrow: Narrow) -> None:
    with needs(device, "robust_buffer_access2"):
        device.kernel(DATA / "saxpy.dxbc", guards="robustness2")
    own = narrow("robustBufferAccess2")
    with pytest.raises(errors.FeatureError, match="robust_buffer_access2"):
        own.kernel(DATA / "saxpy.dxbc", guards="robustness2")
    own.kernel(DATA / "saxpy.dxbc")


def test_features_that_no_format_changes_are_checked_first(narrow: Narrow) -> None:
    """A shader with typed buffers is translated for each dispatch, but refused before that."""
    listing = (Path(__file__).parent / "data/limits_listing.asm").read_text("utf-8")
    own = narrow("shaderStorageImageReadWithoutFormat")
    with needs(own, "float64"):
        own.kernel(listing)
    with pytest.raises(errors.FeatureError, match="float64"):
        narrow("shaderFloat64").kernel(listing)


def test_without_a_clock_only_the_host_measures(narrow: Narrow) -> None:
    """This is the default for drivers on the CPU."""
    own = narrow("timestamps")
    assert (saxpy(own).duration_ns is None) == (own.info.type != "cpu")


def test_a_target_that_is_too_new(device: Device, driver: Driver) -> None:
    def describe(function: Callable[..., None], physical: Any, properties: Any) -> None:
        function(physical, properties)
        properties.apiVersion = 1 << 22 | 1 << 12  # VK_API_VERSION_1_1

    driver.replace("vkGetPhysicalDeviceProperties", describe)
    with vkrunner.open_device(device.info.index) as own:
        own.kernel(DATA / "saxpy.dxbc", target="vulkan1.1")
        with pytest.raises(errors.FeatureError, match=r"vulkan1\.2.*1\.1\.0"):
            own.kernel(DATA / "saxpy.dxbc", target="vulkan1.2")


def test_a_format_that_the_device_does_not_take(device: Device) -> None:
    """No version of Vulkan asks a driver to store to r32g32b32, and none is known that does."""
    kernel = device.kernel(DATA / "typed.dxbc")
    seen = np.zeros((1, 4), np.float32)
    with pytest.raises(errors.FeatureError, match=r"u0 \(target\).*r32g32b32_uint"):
        kernel.dispatch(1, t0=np.zeros(1, "f4"), u0=np.zeros((1, 3), "u4"), u1=seen)


def test_unknown_options(device: Device) -> None:
    with pytest.raises(errors.UnknownNameError, match="defines"):
        device.kernel(DATA / "saxpy.dxbc", define={"N": 3})
    with pytest.raises(errors.UnknownNameError, match=r"guards, .* entry, profile, defines, "):
        device.kernel(DATA / "saxpy.dxbc", unlike_any=1)


def test_a_format_that_arrays_cannot_have_is_refused_at_once(device: Device) -> None:
    with pytest.raises(errors.UnknownNameError, match="'r8g8b8_unorm'"):
        device.kernel(DATA / "typed.dxbc", formats={"t0": "r8g8b8_unorm"})
