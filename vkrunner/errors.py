"""The runner's errors, each with the command line's exit code, and its warnings.

Source of the result names: Vulkan specification, "Return Codes".
"""

from __future__ import annotations

import sys
import warnings
from functools import cache
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from translate.errors import TranslateError, VerifyError

if TYPE_CHECKING:
    import logging

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

_OWN = ("vkrunner", "translate")

# The advice of errors about forks
SPAWN = 'start processes by multiprocessing.get_context("spawn"), and open a device in each'

DIVIDE = "sm5vk.map_chunks(..., rows=) divides large arrays among several dispatches"

REENTRY = (
    "a signal handler or finalizer cannot use a device that its thread is working on: let it note"
    " what to do, and do that after the call"
)

# VkResult -> advice for the caller
_ADVICE = {
    -1: "the host has no memory left",
    -2: "the device has no memory left: close buffers and textures, or use smaller ones",
    -4: "the device was lost, perhaps because a shader ran too long: close it and open it again",
}


class RunnerError(Exception):
    """The base of all errors that the runner raises.

    Attributes
    ----------
    exit_code : int
        The command line's exit code for this error.
    """

    exit_code = 2


class ArgumentError(RunnerError):
    """An argument does not fit: of a dispatch, a buffer, a texture, a view or another call.

    Its subclasses tell the mistakes apart. Texts may change; classes stay.
    """


class MissingError(ArgumentError):
    """The call lacks something it needs: a resource, a variable, a size, a Python package."""


class UnknownNameError(ArgumentError):
    """A name is unknown: of a resource, a variable, a format, an option, a step."""


class DuplicateError(ArgumentError):
    """A resource or an option is given twice."""


class WrongTypeError(ArgumentError):
    """A value has a type, or an array a dtype, that is not taken here."""


class ShapeError(ArgumentError):
    """The shape of an array, or its size in bytes, does not fit."""


class InvalidValueError(ArgumentError):
    """A number or a word is outside the values that are allowed here."""


class FormatError(ArgumentError):
    """A format, a stride or a texture's dimension does not fit the shader or the view."""


class OverlapError(ArgumentError):
    """Two arguments share memory of which one is written."""


class WrongDeviceError(ArgumentError):
    """A buffer, a texture or a sampler belongs to another device."""


class ClosedError(ArgumentError):
    """The device, or an object of it, is closed; or a recording has ended."""


class ReentryError(ArgumentError):
    """A signal handler or finalizer called a device that its own thread was working on.

    The interrupted call goes on. A handler or finalizer may always close devices and their objects;
    it may also use a device while its thread only waits for work.
    """


class FileError(ArgumentError):
    """A file cannot be read as, or written with, the expected contents."""


class LimitError(RunnerError):
    """A value exceeds a limit of D3D or of the device; the message has the value and the limit."""


class FeatureError(RunnerError):
    """The device lacks a feature that the call needs.

    Attributes
    ----------
    exit_code : int
        The command line's exit code for this error.
    """

    exit_code = 3


class ForkError(RunnerError):
    """A forked process cannot open Vulkan devices: at the fork its parent had one open.

    Processes that `multiprocessing` starts by "spawn" can; the reference machine works everywhere.

    Attributes
    ----------
    exit_code : int
        The command line's exit code for this error.
    """

    exit_code = 3


class NoDeviceError(RunnerError):
    """Vulkan has no loader or no driver here, or no device matches the given name.

    Attributes
    ----------
    exit_code : int
        The command line's exit code for this error.
    """

    exit_code = 3


class DispatchTimeout(RunnerError):
    """The work did not end in time. The device cannot be used any more; open it again.

    Attributes
    ----------
    exit_code : int
        The command line's exit code for this error.
    fact : str
        The message without the advice at its end.
    """

    exit_code = 3

    def __init__(self, fact: str, advice: str = ""):
        super().__init__(f"{fact}{advice}")
        self.fact = fact


class AbortError(RunnerError):
    """A shader called `abort`.

    Attributes
    ----------
    exit_code : int
        The command line's exit code for this error.
    thread : tuple of int
        A thread that aborted: its SV_DispatchThreadID, x, y and z.
    instruction : int or None
        The index of its `abort` instruction, from 0, without declarations.
    line : int or None
        The line in the listing; None for a container.
    hlsl_file : str or None
        The HLSL file, if the shader has debug information.
    hlsl_line : int or None
        The line in that file.
    count : int
        The number of threads that aborted.
    result : Result
        The results of the dispatch, messages included.
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
    """The driver ended a loop that threads had not left; results are wrong (fault `loop_limit`).

    Attributes
    ----------
    exit_code : int
        The command line's exit code for this error.
    instruction : int or None
        The index of the `loop` instruction, from 0, without declarations.
    line : int or None
        The line in the listing; None for a container.
    hlsl_file : str or None
        The HLSL file, if the shader has debug information.
    hlsl_line : int or None
        The line in that file.
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
    """A call of the driver failed.

    Attributes
    ----------
    exit_code : int
        The command line's exit code for this error.
    call : str
        The name of the Vulkan function.
    result : int
        The VkResult that it returned.
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
    """The device or the host has too little memory left."""


_SPECIAL: dict[int, type[VulkanError]] = {
    -1: OutOfMemoryError,
    -2: OutOfMemoryError,
    -4: DeviceLostError,
}


_CALLERS_MISTAKES = (
    *(ArgumentError, LimitError, FeatureError, NoDeviceError, DispatchTimeout, TranslateError),
    *(FileNotFoundError, ForkError),
)


class CallersLine:
    """A `with` after which the traceback of a caller's mistake ends at the caller's line."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Drop the inner frames of an error that the caller has to mend: it names the mistake."""
        if isinstance(error, _CALLERS_MISTAKES) and not isinstance(error, VerifyError):
            error.__traceback__ = None


def vulkan_error(call: str, result: int) -> VulkanError:
    """The error for a VkResult that `call` returned."""
    return _SPECIAL.get(result, VulkanError)(call, result)


def too_large(message: str) -> LimitError:
    """The error for more elements than one dispatch takes; a note names the way out in Python."""
    error = LimitError(message)
    error.add_note(DIVIDE)
    return error


def warn(message: str | Warning) -> None:
    """Issue a warning, a RuntimeWarning by default, at the line that called this project."""
    frame, level = sys._getframe(1), 2  # pyright: ignore[reportPrivateUsage]
    while frame.f_back is not None and _is_own(frame.f_globals.get("__name__", "")):
        frame, level = frame.f_back, level + 1
    category = RuntimeWarning if isinstance(message, str) else None
    warnings.warn(message, category, stacklevel=level)


def _is_own(module: str) -> bool:
    return module.partition(".")[0] in _OWN


@cache
def logger() -> logging.Logger:
    """Asked for once: Ctrl-C in `getLogger` can leave the lock of all loggers held for ever."""
    import logging  # few programs log; it takes 4 ms

    return logging.getLogger("vkrunner")
