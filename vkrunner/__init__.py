"""Runs D3D compute shaders on Vulkan devices: NumPy arrays in, NumPy arrays out.

Modules are imported when their names are first used, so that unused parts cost nothing.

Examples
--------
>>> import numpy as np
>>> import vkrunner
>>> x, y = np.arange(4, dtype=np.float32), np.ones(4, np.float32)
>>> with vkrunner.open_device() as device:
...     kernel = device.kernel("shaders/saxpy.dxbc")
...     result = kernel.dispatch(1, x=x, y=y, Params={"a": 2.0, "count": 4})
>>> result.y
array([1., 3., 5., 7.], dtype=float32)
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vkrunner.api.chunk_workers import Chunk
    from vkrunner.api.chunks import map_chunks
    from vkrunner.api.device import Device
    from vkrunner.api.kernel import Kernel
    from vkrunner.api.opening import devices, open_device
    from vkrunner.api.porting import options_for
    from vkrunner.api.profile import KernelTimes, Profile
    from vkrunner.api.recording import Recording
    from vkrunner.api.reference_device import ReferenceDevice, ReferenceKernel
    from vkrunner.dispatch.future import DispatchFuture, Future, RecordingFuture
    from vkrunner.dispatch.result import ReferenceResult, Result
    from vkrunner.errors import (
        AbortError,
        ArgumentError,
        ClosedError,
        DeviceLostError,
        DispatchTimeout,
        DuplicateError,
        FeatureError,
        FileError,
        ForkError,
        FormatError,
        InvalidValueError,
        LimitError,
        LoopLimitError,
        MissingError,
        NoDeviceError,
        OutOfMemoryError,
        OverlapError,
        ReentryError,
        RunnerError,
        ShapeError,
        UnknownNameError,
        VulkanError,
        WrongDeviceError,
        WrongTypeError,
    )
    from vkrunner.info.device_info import DeviceFeatures, DeviceInfo, DeviceLimits
    from vkrunner.info.device_profile import load_profile
    from vkrunner.report.messages import Message, Messages
    from vkrunner.report.records import Violation, ViolationGroup
    from vkrunner.report.violations import Violations
    from vkrunner.resources.buffers import Buffer, BufferView, MapMode
    from vkrunner.resources.device_objects import Sampler
    from vkrunner.resources.textures import Texture, TextureView
    from vkrunner.shader.device_options import KernelOptions
    from vkrunner.values.samplers import AddressName, ComparisonName, FilterName
    from vkrunner.values.texture_layout import DimensionName
    from vkrunner.vulkan.loader.instance import clear_validation_messages, validation_messages

__all__ = [
    "AbortError",
    "AddressName",
    "ArgumentError",
    "Buffer",
    "BufferView",
    "Chunk",
    "ClosedError",
    "ComparisonName",
    "Device",
    "DeviceFeatures",
    "DeviceInfo",
    "DeviceLimits",
    "DeviceLostError",
    "DimensionName",
    "DispatchFuture",
    "DispatchTimeout",
    "DuplicateError",
    "FeatureError",
    "FileError",
    "FilterName",
    "ForkError",
    "FormatError",
    "Future",
    "InvalidValueError",
    "Kernel",
    "KernelOptions",
    "KernelTimes",
    "LimitError",
    "LoopLimitError",
    "MapMode",
    "Message",
    "Messages",
    "MissingError",
    "NoDeviceError",
    "OutOfMemoryError",
    "OverlapError",
    "Profile",
    "Recording",
    "RecordingFuture",
    "ReentryError",
    "ReferenceDevice",
    "ReferenceKernel",
    "ReferenceResult",
    "Result",
    "RunnerError",
    "Sampler",
    "ShapeError",
    "Texture",
    "TextureView",
    "UnknownNameError",
    "Violation",
    "ViolationGroup",
    "Violations",
    "VulkanError",
    "WrongDeviceError",
    "WrongTypeError",
    "clear_validation_messages",
    "devices",
    "load_profile",
    "map_chunks",
    "open_device",
    "options_for",
    "validation_messages",
]


def _require_own_translate() -> None:
    """Raise ImportError, with commands that help, if `import translate` finds another package.

    `pip install translate` installs an unrelated package into the same folder, over files of ours.
    """
    try:
        import translate
    except Exception:  # an unrelated package may fail in any way
        is_ours = False
    else:
        is_ours = hasattr(translate, "IMPORTED_NS")
    if not is_ours:
        raise ImportError(
            f"sm5vk's package `translate` is not there: in its place is {_place_of_translate()}."
            " Where an unrelated package was installed by `pip install translate`, it has"
            " overwritten files of sm5vk; this puts them back:\n"
            "    pip uninstall translate\n"
            "    pip install --force-reinstall --no-deps CLONE  # the folder of sm5vk's clone"
        ) from None


def _place_of_translate() -> str:
    from importlib.util import find_spec

    spec = find_spec("translate")
    if spec is None:
        return "nothing"
    if spec.origin is not None:
        return spec.origin
    return f"{next(iter(spec.submodule_search_locations or ()))}, without an __init__.py"


_require_own_translate()

_HOMES = {
    "vkrunner.resources.buffers": ("Buffer", "BufferView", "MapMode"),
    "vkrunner.api.chunk_workers": ("Chunk",),
    "vkrunner.api.chunks": ("map_chunks",),
    "vkrunner.api.device": ("Device",),
    "vkrunner.errors": (
        "AbortError",
        "ArgumentError",
        "ClosedError",
        "DeviceLostError",
        "DispatchTimeout",
        "DuplicateError",
        "FeatureError",
        "FileError",
        "ForkError",
        "FormatError",
        "InvalidValueError",
        "LimitError",
        "LoopLimitError",
        "MissingError",
        "NoDeviceError",
        "OutOfMemoryError",
        "OverlapError",
        "ReentryError",
        "RunnerError",
        "ShapeError",
        "UnknownNameError",
        "VulkanError",
        "WrongDeviceError",
        "WrongTypeError",
    ),
    "vkrunner.dispatch.future": ("DispatchFuture", "Future", "RecordingFuture"),
    "vkrunner.vulkan.loader.instance": ("clear_validation_messages", "validation_messages"),
    "vkrunner.info.device_profile": ("load_profile",),
    "vkrunner.api.kernel": ("Kernel",),
    "vkrunner.api.opening": ("devices", "open_device"),
    "vkrunner.report.messages": ("Message", "Messages"),
    "vkrunner.api.porting": ("options_for",),
    "vkrunner.api.profile": ("KernelTimes", "Profile"),
    "vkrunner.api.recording": ("Recording",),
    "vkrunner.info.device_info": ("DeviceFeatures", "DeviceInfo", "DeviceLimits"),
    "vkrunner.api.reference_device": ("ReferenceDevice", "ReferenceKernel"),
    "vkrunner.report.records": ("Violation", "ViolationGroup"),
    "vkrunner.report.violations": ("Violations",),
    "vkrunner.dispatch.result": ("ReferenceResult", "Result"),
    "vkrunner.resources.device_objects": ("Sampler",),
    "vkrunner.resources.textures": ("Texture", "TextureView"),
    "vkrunner.shader.device_options": ("KernelOptions",),
    "vkrunner.values.texture_layout": ("DimensionName",),
    "vkrunner.values.samplers": ("AddressName", "ComparisonName", "FilterName"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    home = _HOME_OF.get(name)
    if name == "testing":
        return importlib.import_module("vkrunner.testing")
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(importlib.import_module(home), name)
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "testing"])
