"""The robustness of pipelines: only what their modules rely on, on drivers that let them choose."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vkrunner
from checks.driver import Driver, has_another_name, renaming
from tests.conftest import needs
from vkrunner.vulkan.loader import vk

from ..probes.test_robust_accesses import LOAD
from ..shader.test_limits import ROBUSTNESS_2, chained

EXTENSION = b"VK_EXT_pipeline_robustness"
FEATURES, CREATE = 1000068001, 1000068000  # VkStructureType
DISABLED, ROBUST, ROBUST_2 = 1, 2, 3  # VkPipelineRobustness(Buffer|Image)BehaviorEXT
LOADS, BUFFERS = ("robust_buffer_access",), ("robust_buffer_access", "robust_buffer_access2")
IMAGES = ("robust_image_access",)
Pipelines = list[tuple[int, int, int] | None]  # robustness of storage, uniform buffers, and images


@pytest.fixture
def pipelines(device: vkrunner.Device, driver: Driver) -> Pipelines:
    """Those of devices that offer the extension. A driver without it does not get to know."""
    found: Pipelines = []
    hidden = EXTENSION.decode() not in device.info.extensions

    def listed(
        function: Callable[..., int], physical: Any, layer: Any, count: Any, rows: Any
    ) -> int:
        if hidden and rows != vk.ffi().NULL:
            rows[count[0] - 1].extensionName = EXTENSION
            count[0] -= 1
        result = function(physical, layer, count, rows)
        count[0] += hidden
        return result

    def offered(function: Callable[..., None], physical: Any, top: Any) -> None:
        function(physical, top)
        for row in chained(top, FEATURES, "VkPhysicalDevicePipelineRobustnessFeaturesEXT"):
            row.pipelineRobustness = 1

    def opened(function: Callable[..., int], physical: Any, info: Any, *rest: Any) -> int:
        names = [
            vk.text(info.ppEnabledExtensionNames[n]) for n in range(info.enabledExtensionCount)
        ]
        assert EXTENSION.decode() in names
        (row,) = chained(info, FEATURES, "VkPhysicalDevicePipelineRobustnessFeaturesEXT")
        assert row.pipelineRobustness
        if not hidden:
            return function(physical, info, *rest)
        names.remove(EXTENSION.decode())
        before = vk.ffi().cast("VkBaseOutStructure*", info)
        while before.pNext != row:
            before = before.pNext
        before.pNext = vk.ffi().cast("VkBaseOutStructure*", row).pNext
        kept = [vk.ffi().new("char[]", name.encode()) for name in names]
        array = vk.ffi().new("char*[]", kept)
        info.ppEnabledExtensionNames, info.enabledExtensionCount = array, len(kept)
        return function(physical, info, *rest)

    def made(
        function: Callable[..., int], handle: Any, cache: Any, n: int, info: Any, *r: Any
    ) -> int:
        rows = [*chained(info, CREATE, "VkPipelineRobustnessCreateInfoEXT")]
        found.extend((row.storageBuffers, row.uniformBuffers, row.images) for row in rows)
        found.extend([] if rows else [None])
        if hidden:
            info.pNext = vk.ffi().NULL
        return function(handle, cache, n, info, *r)

    driver.replace("vkEnumerateDeviceExtensionProperties", listed)
    driver.replace("vkGetPhysicalDeviceFeatures2", offered)
    driver.replace("vkCreateDevice", opened)
    driver.replace("vkCreateComputePipelines", made)
    return found


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"robust_access": ()}, (DISABLED, DISABLED)),
        ({"robust_access": LOADS}, (ROBUST, DISABLED)),
        ({"robust_access": BUFFERS}, (ROBUST_2, DISABLED)),
        ({"robust_access": IMAGES}, (DISABLED, ROBUST)),
        ({"robust_access": (), "guards": "report"}, (DISABLED, DISABLED)),
        ({"guards": "robustness2"}, (ROBUST_2, ROBUST_2)),
        ({"guards": "off"}, (DISABLED, DISABLED)),
    ],
)
def test_a_pipeline_has_what_its_module_relies_on(
    device: vkrunner.Device,
    pipelines: Pipelines,
    options: dict[str, Any],
    expected: tuple[int, int],
) -> None:
    relied_on = options.get("robust_access", ())
    if options.get("guards") == "robustness2":
        relied_on = (*BUFFERS, *IMAGES, "robust_image_access2")
    texels = np.arange(9, dtype=np.uint32).reshape(3, 3)
    with vkrunner.open_device(device.info.index, validation=False) as own:
        assert own.features.pipeline_robustness
        pipelines.clear()
        with needs(device, *relied_on):
            kernel = own.kernel(LOAD.format(""), **options)
            found = kernel.dispatch(3, t0=texels, u0=np.zeros(3, np.uint32))
            assert found.u0.tolist() == [0, 1, 2]
            buffers, images = expected
            assert pipelines == [(buffers, buffers, images)]


def test_a_driver_without_the_choice(device: vkrunner.Device, driver: Driver) -> None:
    """Its devices decide for all pipelines."""
    found: list[bool] = []

    def offered(function: Callable[..., None], physical: Any, top: Any) -> None:
        function(physical, top)
        for row in chained(top, FEATURES, "VkPhysicalDevicePipelineRobustnessFeaturesEXT"):
            row.pipelineRobustness = 0

    def made(
        function: Callable[..., int], handle: Any, cache: Any, n: int, info: Any, *r: Any
    ) -> int:
        found.append(info.pNext == vk.ffi().NULL)
        return function(handle, cache, n, info, *r)

    driver.replace("vkGetPhysicalDeviceFeatures2", offered)
    driver.replace("vkCreateComputePipelines", made)
    with vkrunner.open_device(device.info.index) as own:
        own.kernel(LOAD.format("")).dispatch(3, t0=np.zeros((3, 3), "u4"), u0=np.zeros(3, "u4"))
    assert found
    assert all(found)


@pytest.mark.parametrize(
    ("name", "where", "has_nulls"),
    [
        ("NVK", "code", False),  # it would check all buffers for the sake of null ones
        ("Honeykrisp", "code", True),
        ("radv", "hardware", True),
        ("turnip Mesa driver", "hardware", True),
        ("other", None, True),
    ],
)
def test_modules_check_buffers_where_drivers_do_it_in_code(
    device: vkrunner.Device,
    driver: Driver,
    pipelines: Pipelines,
    name: str,
    where: str | None,
    has_nulls: bool,
) -> None:
    asked: list[bool] = []

    def opened(function: Callable[..., int], physical: Any, info: Any, *rest: Any) -> int:
        rows = chained(info, ROBUSTNESS_2, "VkPhysicalDeviceRobustness2FeaturesEXT")
        asked.extend(bool(row.nullDescriptor) for row in rows)
        return function(physical, info, *rest)

    driver.wrap("vkCreateDevice", opened)
    driver.replace("vkGetPhysicalDeviceProperties", has_another_name)
    driver.replace("vkGetPhysicalDeviceProperties2", renaming(name.encode()))
    with vkrunner.open_device(device.info.index, validation=False) as own:
        assert own.info.buffer_checks == own.info.to_dict()["buffer_checks"] == where
        assert own.features.null_descriptor == (has_nulls and device.features.null_descriptor)
        assert set(asked) <= {own.features.null_descriptor}
        names = vkrunner.options_for(own, LOAD.format("")).robust_access
        relied_on = own.features.robust_access.difference(BUFFERS if where == "code" else ())
        assert names == relied_on
        pipelines.clear()
        kernel = own.kernel(LOAD.format(""))
        texels = np.arange(1, 10, dtype=np.uint32).reshape(3, 3)
        assert kernel.dispatch(9, t0=texels, u0=np.zeros(2, "u4")).u0.tolist() == [1, 2]
        behavior = ROBUST_2 if {*BUFFERS} <= names else ROBUST if {*LOADS} <= names else DISABLED
        images = ROBUST if {*IMAGES} <= names else DISABLED
        assert pipelines == [(behavior, behavior, images)]
        kernel.dispatch(9, t0=texels, u0=None)
        with needs(own, "null_descriptor"):
            assert kernel.dispatch(3, t0=None, u0=np.ones(3, "u4")).u0.tolist() == [0, 0, 0]


@pytest.mark.parametrize("name", ["NVK", "Honeykrisp"])
def test_modules_rely_on_devices_whose_pipelines_have_no_choice(
    device: vkrunner.Device, driver: Driver, name: str
) -> None:
    """Their drivers check buffers anyway."""

    def offered(function: Callable[..., None], physical: Any, top: Any) -> None:
        function(physical, top)
        for row in chained(top, FEATURES, "VkPhysicalDevicePipelineRobustnessFeaturesEXT"):
            row.pipelineRobustness = 0

    driver.replace("vkGetPhysicalDeviceFeatures2", offered)
    driver.replace("vkGetPhysicalDeviceProperties", has_another_name)
    driver.replace("vkGetPhysicalDeviceProperties2", renaming(name.encode()))
    with vkrunner.open_device(device.info.index, validation=False) as own:
        names = vkrunner.options_for(own, LOAD.format("")).robust_access
        assert names == own.features.robust_access
