"""TargetDevice: the properties of a device that passes and SPIR-V emission depend on.

Robustness: out-of-bounds accesses that a device makes safe itself.
"""

from __future__ import annotations

from collections.abc import Set
from enum import Enum, auto
from typing import TypeAlias

from translate.dataclass import dataclass
from translate.ir.memory import Resource
from translate.ir.tables import View
from translate.options import Options

# Bytes of the largest view with bounds that can be left to the device: indices are limited so that
# neither an address after the view's end nor the longest access there reaches 2^32.
LARGEST_VIEW = (1 << 32) - (1 << 13)
# Whether a device keeps a promise, or the specialization constant that says so
Promise: TypeAlias = bool | str


@dataclass(frozen=True, slots=True)
class Robustness:
    """The features of a device, and known faults of its driver.

    `buffers`: robustBufferAccess, `images`: robustImageAccess (VK_EXT_image_robustness),
    `exact_buffers`: robustBufferAccess2 (VK_EXT_robustness2).

    The driver's robustness is broken for array and 3D images if `slices_fail`, for UAVs of images
    if `image_uavs_fail`. `specialized`: a specialization constant stands for each feature that is
    False here.
    """

    buffers: bool = False
    images: bool = False
    exact_buffers: bool = False
    slices_fail: bool = False
    image_uavs_fail: bool = False
    specialized: bool = False

    def fails(self, resource: Resource) -> bool:
        """Whether the driver is known to break Vulkan's promise for a resource like this."""
        if not resource.is_image:
            return False
        has_slices = resource.shape.arrayed or resource.shape.axes == 3
        return (self.slices_fail and has_slices) or (self.image_uavs_fail and resource.is_uav)

    @property
    def replaces_checks(self) -> bool:
        """Whether the device may make whole checks itself."""
        return self.exact_buffers or self.images or self.specialized

    def reads(self, resource: Resource) -> Promise:
        """Whether out-of-bounds reads are harmless; their results may be any numbers.

        Vulkan does not define an index past the length of an array in a block, as constant buffers
        are declared. SwiftShader crashes if threads index different buffers of an array.
        """
        if not resource.is_buffer or resource.is_array:
            return False
        return self._has(self.buffers or self.exact_buffers, "robust_buffer_access")

    def bounds(self, resource: Resource, view: View) -> Promise:
        """Whether out-of-bounds reads give 0, except for an alpha that the format lacks, and
        out-of-bounds writes are dropped.

        The device knows neither the end of a view range nor D3D's rule for missing samples. The
        feature does not cover missing mips. Some drivers take another thread's descriptor of an
        array.
        """
        if view.windowed or resource.is_array or self.fails(resource):
            return False
        if resource.is_image:
            if resource.shape.multisampled:
                return False
            return self._has(self.images, "robust_image_access")
        return resource.is_buffer and self._has(self.exact_buffers, "robust_buffer_access2")

    def _has(self, feature: bool, name: str) -> Promise:
        return name if self.specialized and not feature else feature


NONE = Robustness()


_FLUSHES = "denorm_flush_to_zero_32"
_KEEPS_SIGNS = "signed_zero_inf_nan_preserve_32"


class Flush(Enum):
    """The fastest way on a device to replace a denormal by a zero of the same sign."""

    MODE = auto()  # the device flushes each result by itself, in the mode DenormFlushToZero
    COMPARISON = auto()  # a comparison of floats, one instruction of a GPU, and a choice
    PRODUCT = auto()  # a comparison, and a product with 0 or 1, of which the sign is kept
    BITS = auto()  # a test of the exponent's bits, one instruction of a CPU

    __hash__ = object.__hash__


@dataclass(frozen=True, slots=True)
class TargetDevice:
    """The device that a module is for.

    `features`: robust accesses that the device offers (`Options.robust_access`).
    `float_modes`: the execution modes for floats that it offers (`Options.float_controls`).
    `faults`: the faults of its driver that the module works around (`Options.workarounds`).
    `tests_bits`: whether testing bits for denormals is faster than comparing floats
    (`Options.denormal_test`).
    `exact`: functions with D3D's results (`Options.exact_functions`).
    `specialized`: whether specialization constants tell what else it offers (`Options.specialize`).
    """

    features: Set[str] = frozenset()
    float_modes: Set[str] = frozenset()
    faults: Set[str] = frozenset()
    tests_bits: bool = False
    exact: Set[str] = frozenset()
    specialized: bool = False

    @property
    def flush(self) -> Flush:
        """How denormals are flushed."""
        if _FLUSHES in self.float_modes:
            return Flush.MODE
        if self.tests_bits:
            return Flush.BITS
        return Flush.PRODUCT if _KEEPS_SIGNS in self.float_modes else Flush.COMPARISON

    @property
    def keeps_sines(self) -> bool:
        """Whether angles need no reduction: the device was tried without modes for denormals."""
        keeps = _FLUSHES not in self.float_modes and "denorm_preserve_32" in self.float_modes
        return "sines" in self.exact and not keeps

    @property
    def robustness(self) -> Robustness:
        """The results of accesses out of bounds that the device promises."""
        return Robustness(
            buffers="robust_buffer_access" in self.features,
            images="robust_image_access" in self.features,
            exact_buffers="robust_buffer_access2" in self.features,
            slices_fail="slices_outside" in self.faults,
            image_uavs_fail="small_uavs_outside" in self.faults,
            specialized=self.specialized,
        )


ANY_DEVICE = TargetDevice()  # a device that offers nothing and has no fault


def device_of(options: Options) -> TargetDevice:
    """The device that options describe."""
    return TargetDevice(
        features=options.robust_access,
        float_modes=options.float_controls,
        faults=options.workarounds,
        tests_bits=options.denormal_test == "bits",
        exact=options.exact_functions,
        specialized=options.specialize,
    )
