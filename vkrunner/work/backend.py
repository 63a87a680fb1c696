"""Backend makes objects and encodes steps for a device; `vulkan` and `reference` implement it.

The public face (`Device`, `Kernel`, `Recording`, `Buffer`, ...) is the same over both.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from vkrunner.info.faults import Faults
from vkrunner.resources.device_objects import DevicePipeline, ObjectMaker
from vkrunner.shader.shader import Shader
from vkrunner.work.context import Context
from vkrunner.work.executable import Executable
from vkrunner.work.steps import Step


class Backend(ObjectMaker, Protocol):
    """A device. Many threads may use it."""

    @property
    def context(self) -> Context: ...

    @property
    def build(self) -> bytes:
        """Identifies the device and the build of its driver, as far as Vulkan does."""
        ...

    @property
    def is_compiling(self) -> bool:
        """Whether the driver compiles a pipeline now."""
        ...

    def make_pipeline(
        self, shader: Shader, options: Mapping[str, Any], faults: Faults
    ) -> DevicePipeline:
        """A shader made ready for a device with these faults.

        Raises TranslateError, LimitError or FeatureError, and as `faults`.
        """
        ...

    def encode(self, steps: Mapping[Any, Step], *, timed: bool, is_recorded: bool) -> Executable:
        """Encode steps, which are run in their order.

        `is_recorded`: a submission may leave arrays out. Raises LimitError or FeatureError.
        """
        ...

    def close(self) -> None:
        """Wait for work in flight and free everything; harmless a second time."""
        ...
