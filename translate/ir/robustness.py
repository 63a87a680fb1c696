"""The results of Vulkan's robust accesses out of bounds, by the device's features."""

from __future__ import annotations

from dataclasses import dataclass

from translate.ir.memory import Resource
from translate.ir.tables import View

# Bytes of the largest view whose bounds can be left to the device: an index is cut so that neither
# an address after the view's end nor the longest access there reaches 2^32.
LARGEST_VIEW = (1 << 32) - (1 << 13)


@dataclass(frozen=True, slots=True)
class Robustness:
    """`buffers`: robustBufferAccess, `images`: robustImageAccess (VK_EXT_image_robustness),
    `exact_buffers`: robustBufferAccess2 (VK_EXT_robustness2)."""

    buffers: bool = False
    images: bool = False
    exact_buffers: bool = False

    def reads(self, resource: Resource) -> bool:
        """Whether a read outside gives some number and does no more.

        Vulkan says nothing of an index past the length of an array in a block, as constant buffers
        are declared.
        """
        return (self.buffers or self.exact_buffers) and resource.is_buffer

    def bounds(self, resource: Resource, view: View) -> bool:
        """Whether reads outside give 0, but for an alpha that the format lacks, and what is written
        there is dropped.

        The device knows neither where a window ends nor D3D's rule of samples that are not there.
        Of mips that are not there the feature says nothing. Drivers are known that take another
        thread's descriptor of an array of buffers.
        """
        if view.windowed:
            return False
        if resource.is_image:
            return self.images and not resource.shape.multisampled
        return self.exact_buffers and resource.is_buffer and not resource.is_array


NONE = Robustness()
