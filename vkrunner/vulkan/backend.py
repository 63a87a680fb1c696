"""VulkanBackend: the backend of a Vulkan device."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from vkrunner.shader import Shader
from vkrunner.steps import Step
from vkrunner.values.arrays import Array
from vkrunner.values.samplers import SamplerState
from vkrunner.values.texture_layout import TextureLayout
from vkrunner.vulkan.executable import VulkanExecutable
from vkrunner.vulkan.logical import LogicalDevice
from vkrunner.vulkan.probes import faults_of
from vkrunner.vulkan.samplers import SamplerObject
from vkrunner.vulkan.storage import Storage
from vkrunner.vulkan.texture import TextureImage
from vkrunner.vulkan.variants import Variants


class VulkanBackend(LogicalDevice):
    """A `LogicalDevice` with all that a `Backend` makes."""

    @property
    def faults(self) -> tuple[str, ...]:
        return faults_of(self)

    def make_buffer(self, nbytes: int) -> Storage:
        return Storage(self, nbytes)

    def make_texture(self, layout: TextureLayout, levels: Sequence[Array]) -> TextureImage:
        return TextureImage(self, layout, levels)

    def make_sampler(self, state: SamplerState) -> SamplerObject:
        return SamplerObject(self, state)

    def make_pipeline(self, shader: Shader, options: Mapping[str, Any]) -> Variants:
        return Variants(self, shader, options)

    def encode(
        self, steps: Mapping[Any, Step], *, timed: bool, is_recorded: bool
    ) -> VulkanExecutable:
        return VulkanExecutable(self, steps, timed=timed, is_recorded=is_recorded)
