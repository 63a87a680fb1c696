"""Out-of-bounds accesses that a device makes safe itself, by its robustness features."""

from __future__ import annotations

from translate.dataclass import dataclass
from translate.ir.memory import Resource
from translate.ir.tables import View

# Bytes of the largest view with bounds that can be left to the device: indices are limited so that
# neither an address after the view's end nor the longest access there reaches 2^32.
LARGEST_VIEW = (1 << 32) - (1 << 13)


@dataclass(frozen=True, slots=True)
class Robustness:
    """The features of a device, and known faults of its driver.

    `buffers`: robustBufferAccess, `images`: robustImageAccess (VK_EXT_image_robustness),
    `exact_buffers`: robustBufferAccess2 (VK_EXT_robustness2).

    The driver's robustness is broken for array and 3D images if `slices_fail`, for UAVs of images
    if `image_uavs_fail`.
    """

    buffers: bool = False
    images: bool = False
    exact_buffers: bool = False
    slices_fail: bool = False
    image_uavs_fail: bool = False

    def fails(self, resource: Resource) -> bool:
        """Whether the driver is known to break Vulkan's promise for a resource like this."""
        if not resource.is_image:
            return False
        has_slices = resource.shape.arrayed or resource.shape.axes == 3
        return (self.slices_fail and has_slices) or (self.image_uavs_fail and resource.is_uav)

    def reads(self, resource: Resource) -> bool:
        """Whether out-of-bounds reads are harmless; their results may be any numbers.

        Vulkan does not define an index past the length of an array in a block, as constant buffers
        are declared. SwiftShader crashes if threads index different buffers of an array.
        """
        has_feature = self.buffers or self.exact_buffers
        return has_feature and resource.is_buffer and not resource.is_array

    def bounds(self, resource: Resource, view: View) -> bool:
        """Whether out-of-bounds reads give 0, except for an alpha that the format lacks, and
        out-of-bounds writes are dropped.

        The device knows neither the end of a view range nor D3D's rule for missing samples. The
        feature does not cover missing mips. Some drivers take another thread's descriptor of an
        array.
        """
        if view.windowed or resource.is_array or self.fails(resource):
            return False
        if resource.is_image:
            return self.images and not resource.shape.multisampled
        return self.exact_buffers and resource.is_buffer


NONE = Robustness()
