"""The errors of the runner, and the command line's exit code for each.

Source of the result names: Vulkan specification, "Return Codes".
"""

from __future__ import annotations

from typing import Any

RESULT_NAMES = {
    0: "VK_SUCCESS",
    1: "VK_NOT_READY",
    2: "VK_TIMEOUT",
    3: "VK_EVENT_SET",
    4: "VK_EVENT_RESET",
    5: "VK_INCOMPLETE",
    -1: "VK_ERROR_OUT_OF_HOST_MEMORY",
    -2: "VK_ERROR_OUT_OF_DEVICE_MEMORY",
    -3: "VK_ERROR_INITIALIZATION_FAILED",
    -4: "VK_ERROR_DEVICE_LOST",
    -5: "VK_ERROR_MEMORY_MAP_FAILED",
    -6: "VK_ERROR_LAYER_NOT_PRESENT",
    -7: "VK_ERROR_EXTENSION_NOT_PRESENT",
    -8: "VK_ERROR_FEATURE_NOT_PRESENT",
    -9: "VK_ERROR_INCOMPATIBLE_DRIVER",
    -10: "VK_ERROR_TOO_MANY_OBJECTS",
    -11: "VK_ERROR_FORMAT_NOT_SUPPORTED",
    -12: "VK_ERROR_FRAGMENTED_POOL",
    -13: "VK_ERROR_UNKNOWN",
    -1000069000: "VK_ERROR_OUT_OF_POOL_MEMORY",
    -1000072003: "VK_ERROR_INVALID_EXTERNAL_HANDLE",
    -1000161000: "VK_ERROR_FRAGMENTATION",
    -1000257000: "VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS",
    1000297000: "VK_PIPELINE_COMPILE_REQUIRED",
}


# VkResult -> what it means for the caller
_ADVICE = {
    -1: "the host has no memory left",
    -2: "the device has no memory left: close buffers and textures, or use smaller ones",
    -4: "the device was lost, as when a shader runs too long: close it and open it anew",
}


class RunnerError(Exception):
    """Base of everything that the runner raises on purpose.

    Attributes
    ----------
    exit_code : int
        What the command line exits with.
    """

    exit_code = 2


class ArgumentError(RunnerError):
    """A dispatch, a buffer or a view was asked for with values that do not fit."""


class LimitError(RunnerError):
    """Something exceeds a limit of D3D or of the device; the message has figure and limit."""


class FeatureError(RunnerError):
    """The device lacks a feature that is needed.

    Attributes
    ----------
    exit_code : int
        What the command line exits with.
    """

    exit_code = 3


class NoDeviceError(RunnerError):
    """No Vulkan loader, no driver, or none that was asked for.

    Attributes
    ----------
    exit_code : int
        What the command line exits with.
    """

    exit_code = 3


class DispatchTimeout(RunnerError):
    """The work did not end in time; the device cannot be used any more and can be reopened.

    Attributes
    ----------
    exit_code : int
        What the command line exits with.
    """

    exit_code = 3


class AbortError(RunnerError):
    """A shader ended its dispatch by `abort`.

    Attributes
    ----------
    exit_code : int
        What the command line exits with.
    thread : tuple of int
        A thread that aborted: its place in the dispatch (SV_DispatchThreadID), x, y and z.
    instruction : int or None
        Where it aborted: which instruction, from 0, declarations left out.
    line : int or None
        The listing's line; None for a container.
    hlsl_file : str or None
        The file of the HLSL, with debug information.
    hlsl_line : int or None
        The line of the HLSL, likewise.
    count : int
        How many threads aborted.
    result : Result
        What the dispatch left, messages too.
    """

    exit_code = 1

    def __init__(
        self,
        text: str,
        *,
        thread: tuple[int, int, int],
        instruction: int | None,
        line: int | None,
        hlsl_file: str | None,
        hlsl_line: int | None,
        count: int,
        result: Any,
    ):
        super().__init__(text)
        self.thread = thread
        self.instruction = instruction
        self.line = line
        self.hlsl_file = hlsl_file
        self.hlsl_line = hlsl_line
        self.count = count
        self.result = result


class LoopLimitError(RunnerError):
    """The driver ended a loop that no thread had left, so that results are wrong (`loop_limit`).

    Attributes
    ----------
    exit_code : int
        What the command line exits with.
    instruction : int or None
        The loop: which instruction, from 0, declarations left out.
    line : int or None
        The listing's line; None for a container.
    hlsl_file : str or None
        The file of the HLSL, with debug information.
    hlsl_line : int or None
        The line of the HLSL, likewise.
    """

    exit_code = 3

    def __init__(
        self,
        text: str,
        *,
        instruction: int | None,
        line: int | None,
        hlsl_file: str | None,
        hlsl_line: int | None,
    ):
        super().__init__(text)
        self.instruction = instruction
        self.line = line
        self.hlsl_file = hlsl_file
        self.hlsl_line = hlsl_line


class VulkanError(RunnerError):
    """The driver refused a call.

    Attributes
    ----------
    exit_code : int
        What the command line exits with.
    call : str
        The function of Vulkan.
    result : int
        Its VkResult.
    """

    exit_code = 3

    def __init__(self, call: str, result: int, wanted: str = ""):
        name = RESULT_NAMES.get(result, f"VkResult {result}")
        parts = [f"{call} failed: {name}", wanted, _ADVICE.get(result, "")]
        super().__init__("; ".join(part for part in parts if part))
        self.call = call
        self.result = result


class DeviceLostError(VulkanError):
    """The device was lost during the work; open it again."""


class OutOfMemoryError(VulkanError):
    """Neither the device nor the host has that much memory left."""


_SPECIAL: dict[int, type[VulkanError]] = {
    -1: OutOfMemoryError,
    -2: OutOfMemoryError,
    -4: DeviceLostError,
}


def vulkan_error(call: str, result: int) -> VulkanError:
    """The error for a VkResult that `call` returned."""
    return _SPECIAL.get(result, VulkanError)(call, result)
