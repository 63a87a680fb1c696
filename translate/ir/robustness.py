"""What Vulkan's robust accesses give where an address is outside, by the device's features."""

from __future__ import annotations

from dataclasses import dataclass

from translate.ir.memory import Resource
from translate.ir.tables import View


@dataclass(frozen=True, slots=True)
class Robustness:
    """`buffers`: robustBufferAccess, `images`: robustImageAccess (VK_EXT_image_robustness)."""

    buffers: bool = False
    images: bool = False

    def reads(self, resource: Resource) -> bool:
        """Whether a read outside gives some number and does no more.

        Vulkan says nothing of an index past the length of an array in a block, as constant buffers
        are declared.
        """
        return self.buffers and resource.is_buffer

    def bounds(self, resource: Resource, view: View) -> bool:
        """Whether coordinates outside give 0, but for an alpha that the format lacks, and a store
        is dropped.

        The device knows neither where a window ends nor D3D's rule of samples that are not there.
        Of mips that are not there the feature says nothing.
        """
        known_to_device = not (view.windowed or resource.shape.multisampled)
        return self.images and resource.is_image and known_to_device


NONE = Robustness()
