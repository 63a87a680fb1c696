"""Physical devices: their properties as a DeviceInfo; creation of the VkDevice; features."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import fields
from functools import partial
from struct import Struct
from typing import Any

from translate import FloatControl
from translate.dataclass import dataclass, replace
from vkrunner.info.device_info import (
    DeviceFeatures,
    DeviceInfo,
    DeviceLimits,
    checks_of,
    costly_features,
)
from vkrunner.info.faults import faulty_features, known_faults
from vkrunner.info.names import (
    BALLOT,
    COMPUTE,
    FEATURE_EXTENSIONS,
    INDEPENDENCE,
    NON_SEMANTIC_EXTENSION,
    feature_name,
    features_of_extensions,
    float_controls_of,
    has_non_semantic_info,
    limits_of,
)
from vkrunner.vulkan.loader import vk
from vkrunner.vulkan.loader.deletion import Deletions

MINIMUM_VERSION = vk.version(1, 1)
_VERSION_1_2, _VERSION_1_3 = vk.version(1, 2), vk.version(1, 3)
FLOAT_CONTROLS_EXTENSION = "VK_KHR_shader_float_controls"
_PORTABILITY_SUBSET = "VK_KHR_portability_subset"  # must be enabled on devices that offer it
DEVICE_TYPES = ("other", "integrated", "discrete", "virtual", "cpu")
# VkPipelineCacheHeaderVersionOne: its size, version 1, vendor, device, pipelineCacheUUID
HEADER = Struct("<4I16s")
_DRIVER_EXTENSION = "VK_KHR_driver_properties"


@dataclass(frozen=True, slots=True)
class FeatureGroup:
    """Features in one struct of the features chain; core from `core_since` on.

    From `until` on another struct has these features.
    """

    struct: str
    extension: str = ""
    core_since: int | None = None
    until: int | None = None

    def is_core(self, api_version: int) -> bool:
        """Whether every device of this version knows the struct."""
        return self.core_since is not None and api_version >= self.core_since

    def is_used(self, api_version: int, offered: Collection[str]) -> bool:
        """Whether the chain has the struct, for a device of this version with these extensions."""
        if self.until is not None and api_version >= self.until:
            return False
        return self.is_core(api_version) or self.extension in offered


FEATURE_GROUPS = (
    FeatureGroup("VkPhysicalDeviceRobustness2FeaturesEXT", "VK_EXT_robustness2"),
    FeatureGroup("VkPhysicalDeviceVulkan12Features", core_since=_VERSION_1_2),
    FeatureGroup(
        "VkPhysicalDeviceDescriptorIndexingFeatures",
        "VK_EXT_descriptor_indexing",
        until=_VERSION_1_2,
    ),
    FeatureGroup(
        "VkPhysicalDeviceShaderFloat16Int8Features",
        "VK_KHR_shader_float16_int8",
        until=_VERSION_1_2,
    ),
    FeatureGroup(
        "VkPhysicalDeviceImageRobustnessFeatures",
        "VK_EXT_image_robustness",
        core_since=_VERSION_1_3,
    ),
    FeatureGroup("VkPhysicalDevice4444FormatsFeaturesEXT", "VK_EXT_4444_formats"),
    FeatureGroup("VkPhysicalDevicePipelineRobustnessFeaturesEXT", "VK_EXT_pipeline_robustness"),
)


def feature_fields(struct: Any) -> dict[str, str]:
    """Name in DeviceFeatures -> field, for the features of a struct that this project uses."""
    kind = vk.ffi().typeof(struct)
    names = [name for name, _ in (kind.item if kind.kind == "pointer" else kind).fields]
    ours = {feature_name(name): name for name in names}
    return {f.name: ours[f.name] for f in fields(DeviceFeatures) if f.name in ours}


def needed_extensions(api_version: int, offered: frozenset[str]) -> list[str]:
    """The extensions to enable: offered by the device, used, and not core in its version."""
    used = [
        group.extension
        for group in FEATURE_GROUPS
        if group.is_used(api_version, offered) and not group.is_core(api_version)
    ]
    if api_version < _VERSION_1_2:
        used += [FLOAT_CONTROLS_EXTENSION, *FEATURE_EXTENSIONS.values()]
    if api_version < _VERSION_1_3:
        used.append(NON_SEMANTIC_EXTENSION)
    return [name for name in (*used, _PORTABILITY_SUBSET) if name in offered]


def version_text(number: int) -> str:
    """A Vulkan version as text, such as 1.3."""
    return f"{number >> 22 & 127}.{number >> 12 & 1023}.{number & 4095}"


def describe(physical: vk.Handle, index: int, instance_version: int) -> DeviceInfo:
    """The DeviceInfo of a physical device; `instance_version` is the instance's apiVersion."""
    basic = vk.struct("VkPhysicalDeviceProperties")
    vk.lib().vkGetPhysicalDeviceProperties(physical, basic)
    extensions = device_extensions(physical)
    api = min(int(basic.apiVersion), instance_version)
    family = compute_family(physical)
    features = _features(physical, api, extensions, family is not None and family[1] > 0)
    driver, driver_version, limits, controls = _properties(
        physical, api, extensions, features.float16
    )
    version = driver_version or version_text(basic.driverVersion)
    lacking = dict.fromkeys(faulty_features(driver, version) + costly_features(driver), False)
    kind = dict(enumerate(DEVICE_TYPES)).get(int(basic.deviceType), "other")
    return DeviceInfo(
        index=index,
        name=vk.text(basic.deviceName),
        type=kind,
        driver=driver,
        driver_version=version,
        api_version=version_text(api),
        memory_bytes=_local_bytes(physical),
        features=replace(features, **lacking),
        limits=limits,
        float_controls=controls,
        extensions=extensions,
        missing=_missing(api, family),
        known_faults=known_faults(driver, version),
        is_cpu=kind == "cpu",
        buffer_checks=checks_of(driver),
    )


def build_of(physical: vk.Handle) -> bytes:
    """Bytes that identify the device and the build of its driver.

    They are the header of the device's pipeline caches, and the version of the driver.
    """
    properties = vk.struct("VkPhysicalDeviceProperties")
    vk.lib().vkGetPhysicalDeviceProperties(physical, properties)
    vendor, device = properties.vendorID, properties.deviceID
    header = HEADER.pack(HEADER.size, 1, vendor, device, bytes(properties.pipelineCacheUUID))
    return header + int(properties.driverVersion).to_bytes(4, "little")


def device_extensions(physical: vk.Handle) -> frozenset[str]:
    """The names of the extensions that a physical device offers."""
    rows, _owner = vk.listing(
        "vkEnumerateDeviceExtensionProperties", "VkExtensionProperties", physical, vk.ffi().NULL
    )
    return frozenset(vk.text(row.extensionName) for row in rows)


def compute_family(physical: vk.Handle) -> tuple[int, int] | None:
    """(queue family, valid timestamp bits) of a compute queue family; None if the device has none.

    It is the first family with timestamps, or else the first.
    """
    rows, _owner = vk.listing(
        "vkGetPhysicalDeviceQueueFamilyProperties", "VkQueueFamilyProperties", physical
    )
    compute = vk.constant("VK_QUEUE_COMPUTE_BIT")
    able = [(i, int(r.timestampValidBits)) for i, r in enumerate(rows) if r.queueFlags & compute]
    return max(able, key=lambda row: (row[1] > 0, -row[0])) if able else None


def create_device(
    physical: vk.Handle, info: DeviceInfo, family: int, instance_version: int, stack: Deletions
) -> vk.Handle:
    """A VkDevice with one queue and every feature of `info`; `stack` destroys it."""
    properties = vk.struct("VkPhysicalDeviceProperties")
    vk.lib().vkGetPhysicalDeviceProperties(physical, properties)
    api = min(int(properties.apiVersion), instance_version)
    features, rows = _feature_structs(api, info.extensions)
    for struct, ours, theirs in rows:
        setattr(struct, theirs, int(getattr(info.features, ours)))
    extensions = needed_extensions(api, info.extensions)
    queue = vk.struct(
        "VkDeviceQueueCreateInfo",
        queueFamilyIndex=family,
        queueCount=1,
        pQueuePriorities=vk.array("float", [1.0]),
    )
    create = vk.struct(
        "VkDeviceCreateInfo",
        pNext=features,
        queueCreateInfoCount=1,
        pQueueCreateInfos=[queue],
        enabledExtensionCount=len(extensions),
        ppEnabledExtensionNames=extensions,
    )
    device = vk.out("VkDevice")
    end = zip(vk.later(device), [vk.ffi().NULL], strict=True)
    # Ctrl-C may come right after the device is made.
    stack.callback_later(vk.lib().vkDestroyDevice, end)
    vk.call("vkCreateDevice", physical, create, vk.ffi().NULL, device)
    return device[0]


def pipeline_robustness(info: DeviceInfo, features: Collection[str]) -> Any:
    """The struct for a pipeline whose module relies on these features of the device; else null.

    All other accesses are in bounds: some drivers check them in code if the device's features are
    not disabled for the pipeline.
    """
    if not info.features.pipeline_robustness:
        return vk.ffi().NULL
    buffers, images = (_behavior(kind, features) for kind in ("BUFFER", "IMAGE"))
    return vk.struct(
        "VkPipelineRobustnessCreateInfoEXT",
        storageBuffers=buffers,
        uniformBuffers=buffers,
        images=images,
    )


def _behavior(kind: str, features: Collection[str]) -> int:
    names = (f"ROBUST_{kind}_ACCESS_2", f"ROBUST_{kind}_ACCESS")
    found = (name for name in names if name.lower().replace("_2", "2") in features)
    behavior = f"VK_PIPELINE_ROBUSTNESS_{kind}_BEHAVIOR_{next(found, 'DISABLED')}_EXT"
    return vk.constant(behavior)


def _feature_structs(
    api: int, extensions: frozenset[str]
) -> tuple[Any, list[tuple[Any, str, str]]]:
    """VkPhysicalDeviceFeatures2 with the chain of structs that the device knows, and rows.

    A row is one feature: its struct, its name in DeviceFeatures, and its field in the struct.
    """
    structs: list[Any] = []
    last = vk.ffi().NULL
    for group in FEATURE_GROUPS:
        if group.is_used(api, extensions):
            last = vk.struct(group.struct, pNext=last)
            structs.append(last)
    core = vk.struct("VkPhysicalDeviceFeatures2", pNext=last)
    structs.append(core.features)
    return core, [
        (struct, *names) for struct in structs for names in feature_fields(struct).items()
    ]


def _features(
    physical: vk.Handle, api: int, extensions: frozenset[str], timestamps: bool
) -> DeviceFeatures:
    if api < MINIMUM_VERSION:
        return DeviceFeatures()
    features, rows = _feature_structs(api, extensions)
    vk.lib().vkGetPhysicalDeviceFeatures2(physical, features)
    found = {ours: bool(getattr(struct, theirs)) for struct, ours, theirs in rows}
    non_semantic = has_non_semantic_info((api >> 22 & 127, api >> 12 & 1023), extensions)
    return DeviceFeatures(
        **features_of_extensions(extensions) | found,
        subgroup_ballot=_has_ballots(physical),
        timestamps=timestamps,
        non_semantic_info=non_semantic,
    )


def _has_ballots(physical: vk.Handle) -> bool:
    groups = vk.struct("VkPhysicalDeviceSubgroupProperties")
    every = vk.struct("VkPhysicalDeviceProperties2", pNext=groups)
    vk.lib().vkGetPhysicalDeviceProperties2(physical, every)
    computes = groups.supportedStages & vk.constant(COMPUTE)
    return bool(computes and groups.supportedOperations & vk.constant(BALLOT))


def _properties(
    physical: vk.Handle, api: int, extensions: frozenset[str], has_halves: bool
) -> tuple[str, str, DeviceLimits, frozenset[FloatControl]]:
    """(driver's name, driver's version, limits, float controls) of a device."""
    promoted = api >= vk.version(1, 2)
    maintenance = vk.struct("VkPhysicalDeviceMaintenance3Properties")
    driver = vk.struct("VkPhysicalDeviceDriverProperties")
    controls = vk.struct("VkPhysicalDeviceFloatControlsProperties")
    tail = maintenance
    for struct, extension in ((driver, _DRIVER_EXTENSION), (controls, FLOAT_CONTROLS_EXTENSION)):
        if promoted or extension in extensions:
            struct.pNext, tail = tail, struct
    every = vk.struct("VkPhysicalDeviceProperties2", pNext=tail)
    if api < MINIMUM_VERSION:
        vk.lib().vkGetPhysicalDeviceProperties(physical, vk.ffi().addressof(every.properties))
    else:
        vk.lib().vkGetPhysicalDeviceProperties2(physical, every)
    values = {vk.constant(INDEPENDENCE + name): name for name in ("ALL", "32_BIT_ONLY")}

    def independence(field: str) -> str:
        return values.get(int(getattr(controls, field)), "NONE")

    names = float_controls_of(partial(getattr, controls), independence, has_halves)
    limits = limits_of(
        partial(getattr, every.properties.limits), int(maintenance.maxMemoryAllocationSize)
    )
    return vk.text(driver.driverName), vk.text(driver.driverInfo), limits, names


def _local_bytes(physical: vk.Handle) -> int:
    memory = vk.struct("VkPhysicalDeviceMemoryProperties")
    vk.lib().vkGetPhysicalDeviceMemoryProperties(physical, memory)
    local = vk.constant("VK_MEMORY_HEAP_DEVICE_LOCAL_BIT")
    heaps = [memory.memoryHeaps[i] for i in range(memory.memoryHeapCount)]
    return sum(int(heap.size) for heap in heaps if heap.flags & local)


def _missing(api: int, family: tuple[int, int] | None) -> str | None:
    if api < MINIMUM_VERSION:
        return f"Vulkan 1.1 is needed, it has {version_text(api)}"
    return "it has no queue that computes" if family is None else None
