"""Backend: makes objects and encodes steps for a device; `vulkan` and `reference` implement it.

Both backends have the same public classes (`Device`, `Kernel`, `Recording`, `Buffer`, ...).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from vkrunner.info.tried import Tried
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
        """A text that identifies the device and the build of its driver, as far as Vulkan does."""
        ...

    @property
    def is_compiling(self) -> bool:
        """Whether the driver is compiling a pipeline at this moment."""
        ...

    def make_pipeline(
        self, shader: Shader, options: Mapping[str, Any], tried: Tried
    ) -> DevicePipeline:
        """Prepare a shader for a device of which these facts are known.

        Raises TranslateError, LimitError or FeatureError, and the errors of `tried`.
        """
        ...

    def encode(self, steps: Mapping[Any, Step], *, timed: bool, is_recorded: bool) -> Executable:
        """Encode steps, which run in their order.

        With `is_recorded`, a submission may keep the recorded arrays. Raises LimitError or
        FeatureError.
        """
        ...

    def close(self) -> None:
        """Wait for work in flight and free everything. A second call does nothing."""
        ...
