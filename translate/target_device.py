"""TargetDevice: the properties of a device that passes and SPIR-V emission depend on."""

from __future__ import annotations

from collections.abc import Set
from enum import Enum, auto

from translate.dataclass import dataclass
from translate.ir.robustness import Robustness
from translate.options import Options

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
    """

    features: Set[str] = frozenset()
    float_modes: Set[str] = frozenset()
    faults: Set[str] = frozenset()
    tests_bits: bool = False

    @property
    def flush(self) -> Flush:
        """How denormals are flushed."""
        if "denorm_flush_to_zero_32" in self.float_modes:
            return Flush.MODE
        if self.tests_bits:
            return Flush.BITS
        return Flush.PRODUCT if _KEEPS_SIGNS in self.float_modes else Flush.COMPARISON

    @property
    def robustness(self) -> Robustness:
        """The results of accesses out of bounds that the device promises."""
        return Robustness(
            buffers="robust_buffer_access" in self.features,
            images="robust_image_access" in self.features,
            exact_buffers="robust_buffer_access2" in self.features,
            slices_fail="slices_outside" in self.faults,
            image_uavs_fail="small_uavs_outside" in self.faults,
        )


ANY_DEVICE = TargetDevice()  # a device that offers nothing and has no fault


def device_of(options: Options) -> TargetDevice:
    """The device that options describe."""
    return TargetDevice(
        features=options.robust_access,
        float_modes=options.float_controls,
        faults=options.workarounds,
        tests_bits=options.denormal_test == "bits",
    )
