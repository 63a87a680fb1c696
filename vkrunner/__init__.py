"""Runs translated compute shaders on Vulkan devices: NumPy arrays in, NumPy arrays out.

with vkrunner.open_device() as device:
    kernel = device.kernel("saxpy.dxbc")
    result = kernel.dispatch((64, 1, 1), x=x, y=y, Params={"a": 2.0, "count": 4096})
"""

from __future__ import annotations

from vkrunner.buffers import Buffer, BufferView
from vkrunner.choose import devices
from vkrunner.device import Device, open_device
from vkrunner.errors import (
    ArgumentError,
    DeviceLostError,
    DispatchTimeout,
    FeatureError,
    LimitError,
    NoDeviceError,
    OutOfMemoryError,
    RunnerError,
    VulkanError,
)
from vkrunner.instance import clear_validation_messages, validation_messages
from vkrunner.kernel import Kernel
from vkrunner.records import DeviceFeatures, DeviceInfo, DeviceLimits
from vkrunner.reference_device import ReferenceDevice, ReferenceKernel, ReferenceResult
from vkrunner.report import Violation, Violations
from vkrunner.result import Result
from vkrunner.samplers import Sampler
from vkrunner.textures import Texture, TextureView

__all__ = [
    "ArgumentError",
    "Buffer",
    "BufferView",
    "Device",
    "DeviceFeatures",
    "DeviceInfo",
    "DeviceLimits",
    "DeviceLostError",
    "DispatchTimeout",
    "FeatureError",
    "Kernel",
    "LimitError",
    "NoDeviceError",
    "OutOfMemoryError",
    "ReferenceDevice",
    "ReferenceKernel",
    "ReferenceResult",
    "Result",
    "RunnerError",
    "Sampler",
    "Texture",
    "TextureView",
    "Violation",
    "Violations",
    "VulkanError",
    "clear_validation_messages",
    "devices",
    "open_device",
    "validation_messages",
]
