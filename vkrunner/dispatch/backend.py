"""Backend: makes objects and encodes steps for a device; `vulkan` and `reference` implement it.

Both backends have the same public classes (`Device`, `Kernel`, `Recording`, `Buffer`, ...).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from vkrunner.dispatch.context import Context
from vkrunner.dispatch.executable import Executable
from vkrunner.dispatch.steps import Step
from vkrunner.info.device_info import Tried
from vkrunner.resources.device_objects import DevicePipeline, ObjectMaker
from vkrunner.shader.shader import Shader


class Backend(ObjectMaker, Protocol):
    """An open device, with Vulkan or the reference machine. Many threads may use it."""

    @property
    def context(self) -> Context: ...

    @property
    def build(self) -> bytes:
        """Bytes that identify the device and its driver's build, as far as Vulkan reports them."""
        ...

    @property
    def is_compiling(self) -> bool:
        """Whether the driver is compiling a pipeline at this moment."""
        ...

    def make_pipeline(
        self, shader: Shader, options: Mapping[str, Any], tried: Tried
    ) -> DevicePipeline:
        """Translate a shader for the device, and prepare it for dispatches.

        `tried` tells the device's faults and exact samples. Raises TranslateError, LimitError or
        FeatureError, and the errors of `tried`.
        """
        ...

    def encode(self, steps: Mapping[Any, Step], *, timed: bool, is_recorded: bool) -> Executable:
        """Encode steps, which run in their order.

        With `is_recorded`, the arrays of the steps are kept: a submission that passes no other
        array for an input uses them again. Raises LimitError or FeatureError.
        """
        ...

    def close(self) -> None:
        """Wait for work in flight and free everything. A second call does nothing."""
        ...
