"""Vulkan profiles for tests, as `vulkaninfo --json` writes them: Khronos' profiles schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

PROPERTIES: dict[str, Any] = {
    "VkPhysicalDeviceProperties": {
        "deviceName": "a card",
        "apiVersion": 4206796,
        "limits": {
            "maxComputeWorkGroupCount": [65535, 65535, 65535],
            "maxComputeWorkGroupSize": [1024, 1024, 64],
            "maxComputeWorkGroupInvocations": 1024,
            "maxComputeSharedMemorySize": 49152,
            "maxSamplerLodBias": 15.99,
            "timestampPeriod": 10.0,
        },
    },
    "VkPhysicalDeviceFloatControlsProperties": {
        "denormBehaviorIndependence": "VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_ALL",
        "shaderDenormFlushToZeroFloat32": True,
        "shaderDenormPreserveFloat64": True,
        "shaderRoundingModeRTEFloat32": True,
        "shaderRoundingModeRTEFloat64": False,
    },
    "VkPhysicalDeviceSubgroupProperties": {
        "supportedOperations": ["VK_SUBGROUP_FEATURE_BASIC_BIT", "VK_SUBGROUP_FEATURE_BALLOT_BIT"],
        "supportedStages": ["VK_SHADER_STAGE_COMPUTE_BIT"],
    },
    "VkPhysicalDeviceDriverProperties": {"driverName": "a driver", "driverInfo": "1.2"},
}
FEATURES: dict[str, Any] = {
    "VkPhysicalDeviceFeatures": {
        "shaderFloat64": True,
        "shaderInt64": False,
        "shaderStorageBufferArrayDynamicIndexing": True,
        "shaderStorageImageWriteWithoutFormat": True,
    },
    "VkPhysicalDeviceVulkan12Features": {"runtimeDescriptorArray": True, "drawIndirectCount": True},
    "VkPhysicalDeviceRobustness2FeaturesEXT": {"nullDescriptor": True},
}
CARD = {
    "$schema": "https://schema.khronos.org/vulkan/profiles-0.8-latest.json#",
    "capabilities": {
        "device": {
            "extensions": {"VK_EXT_robustness2": 1},
            "features": FEATURES,
            "properties": PROPERTIES,
            "formats": {},
        }
    },
    "profiles": {
        "VP_VULKANINFO_a_card": {
            "version": 1,
            "api-version": "1.3.204",
            "label": "a card",
            "capabilities": ["device"],
        }
    },
}


def write(folder: Path, profile: Any) -> Path:
    """A file with the profile."""
    path = folder / "profile.json"
    path.write_text(json.dumps(profile))
    return path
