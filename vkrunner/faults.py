"""Known faults of drivers: their names, effects and remedies, and the drivers known to have them.

`probes` tries a device for the faults that a shader can show safely. A fault that crashes the
process is known by the driver's name and version, and so is one without a remedy. docs/drivers.md
has a section for each.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

Remedy: TypeAlias = Literal["worked around", "refused", "none"]
"""Kernels give right results; an error names the fault; results may be wrong in silence."""

Faults: TypeAlias = Callable[[], Sequence[str]]
"""Names of a device's faults; asking may try the device."""

_VERSION = re.compile(r"\d+(?:\.\d+)*")


@dataclass(frozen=True, slots=True)
class Drivers:
    """Versions of a driver: all, or those below one. `name` is its `driverName`."""

    name: str
    below: tuple[int, ...] | None = None

    def include(self, name: str, version: str) -> bool:
        """Whether a driver of this name and version, in its own words, is one of them."""
        if name != self.name or self.below is None:
            return name == self.name
        found = _VERSION.search(version)
        return found is not None and tuple(map(int, found[0].split("."))) < self.below


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault.

    `effect` is a sentence about results, `advice` one about the user's ways out; only a fault
    without a remedy has advice. `drivers` have the fault for certain, without a probe. `features`
    are those that the runner treats as missing on these drivers. Kernels on a device with the fault
    do not rely on `robust_access` (a name of `Options.robust_access`).
    """

    name: str
    effect: str
    remedy: Remedy
    advice: str = ""
    drivers: tuple[Drivers, ...] = ()
    features: tuple[str, ...] = ()
    robust_access: str = ""


LAVAPIPE, SWIFTSHADER = "llvmpipe", "SwiftShader driver"

# OpArrayLength through a NonUniform pointer gives one thread's size to others.
ARRAY_LENGTH_NON_UNIFORM = "array_length_non_uniform"
# OpArrayLength in a branch takes the index of a thread that is not in the branch.
ARRAY_LENGTH_IN_BRANCH = "array_length_in_branch"
# Accesses outside of resources that do not give what the device's robust accesses promise
IMAGES_OUTSIDE = "images_outside"
SLICES_OUTSIDE = "slices_outside"
SMALL_UAVS_OUTSIDE = "small_uavs_outside"
BUFFERS_OUTSIDE = "buffers_outside"
BUFFER_LOADS_OUTSIDE = "buffer_loads_outside"
# Texel fetches from a view take its first mips for another.
MIPS_OF_VIEWS = "mips_of_views"
# Sums and products with a zero that the driver finds are not those of IEEE 754.
FLOAT_ZEROS = "float_zeros"
# A choice between a one and a zero of unlike signs gives a zero of the wrong sign.
SELECT_SIGNED_ZERO = "select_signed_zero"
# The number of all groups of a dispatch is counted in 32 bits.
GROUP_COUNT = "group_count"
# Samples of 5 and 6 bits are of texels that were made bytes.
SMALL_TEXELS = "small_texels"

# What a loop does not carry is computed again for threads that have left it.
LOOP_VALUES = "loop_values"
# Loops end although no thread leaves them.
LOOP_LIMIT = "loop_limit"

_ROWS = (
    Fault(
        LOOP_VALUES,
        "values that are loaded in a loop are wrong after it in threads that left it early",
        "worked around",
    ),
    Fault(
        LOOP_LIMIT,
        "loops end after 65,535 rounds of a thread's loops; such a dispatch is an error",
        "refused",
    ),
    Fault(
        ARRAY_LENGTH_NON_UNIFORM,
        "threads that choose different buffers of an array get the size of one of them",
        "worked around",
        drivers=(Drivers(SWIFTSHADER),),  # its probe would end the process
    ),
    Fault(
        ARRAY_LENGTH_IN_BRANCH,
        "the size of a buffer of an array is wrong in a branch that not all threads take",
        "worked around",
    ),
    Fault(
        FLOAT_ZEROS,
        "sums and products with zeros that the driver finds are wrong for -0, infinities and NaNs",
        "worked around",
        drivers=(Drivers(LAVAPIPE),),
    ),
    Fault(
        SELECT_SIGNED_ZERO,
        "a value that is -1.0 or 0.0, or 1.0 or -0.0, by the way taken is a zero of the wrong sign",
        "worked around",
        drivers=(Drivers(LAVAPIPE),),
    ),
    Fault(
        "non_uniform_images",
        "textures and typed buffers that threads choose differently have one thread's size",
        "refused",
        drivers=(Drivers(SWIFTSHADER),),
        features=(
            *("sampled_image_non_uniform_indexing", "storage_image_non_uniform_indexing"),
            "uniform_texel_buffer_non_uniform_indexing",
            "storage_texel_buffer_non_uniform_indexing",
        ),
    ),
    Fault(
        "compressed_textures_zero",
        "compute shaders read zeros from compressed textures",
        "refused",
        drivers=(Drivers(SWIFTSHADER),),
        features=("texture_compression_bc",),
    ),
    Fault(
        "robust_loads_crash",
        "loads outside of a buffer that threads choose differently may end the process",
        "worked around",
        drivers=(Drivers(SWIFTSHADER),),
        features=("robust_buffer_access",),
    ),
    Fault(
        IMAGES_OUTSIDE,
        "accesses outside of a texture reach texels, although the driver offers robustImageAccess",
        "worked around",
        robust_access="robust_image_access",
    ),
    Fault(
        SLICES_OUTSIDE,
        "accesses to any slice of an array of one slice, or of a 3D texture of depth 1, reach"
        " slice 0",
        "worked around",
    ),
    Fault(
        SMALL_UAVS_OUTSIDE,
        "loads outside of a texture UAV with texels of 8 or 16 bits give other numbers than 0",
        "worked around",
        drivers=(Drivers(SWIFTSHADER),),  # which numbers depends on what ran before
    ),
    Fault(
        BUFFER_LOADS_OUTSIDE,
        "loads outside of a buffer fail, although the driver offers robustBufferAccess",
        "worked around",
        robust_access="robust_buffer_access",
    ),
    Fault(
        BUFFERS_OUTSIDE,
        "accesses outside of a view reach its buffer, although the driver offers"
        " robustBufferAccess2",
        "worked around",
        robust_access="robust_buffer_access2",
    ),
    Fault(
        MIPS_OF_VIEWS,
        "loads from the first mips of a view that begins at a later mip give another mip",
        "worked around",
    ),
    Fault(
        SMALL_TEXELS,
        "samples of b5g6r5_unorm and b5g5r5a1_unorm are those of texels rounded to bytes",
        "worked around",
        drivers=(Drivers(LAVAPIPE),),
    ),
    Fault(
        GROUP_COUNT,
        "of 2^32 groups of a dispatch or more, as many run as the remainder says, or it never ends",
        "refused",
        drivers=(Drivers(LAVAPIPE), Drivers(SWIFTSHADER)),
    ),
)

FAULTS: Mapping[str, Fault] = {row.name: row for row in _ROWS}

# Drivers whose devices share threads: work that does not end on one keeps the others waiting.
SHARED_THREADS = (SWIFTSHADER,)


def no_faults() -> tuple[str, ...]:
    """`Faults` of a device without any."""
    return ()


def known_faults(driver: str, version: str) -> tuple[str, ...]:
    """Names of the faults that are known of a driver without a probe."""
    return tuple(
        row.name for row in _ROWS if any(one.include(driver, version) for one in row.drivers)
    )


def faulty_features(driver: str, version: str) -> tuple[str, ...]:
    """Fields of DeviceFeatures that the driver offers and fails in."""
    return tuple(name for fault in known_faults(driver, version) for name in FAULTS[fault].features)


def in_order(names: set[str]) -> tuple[str, ...]:
    """Names of faults in the table's order."""
    return tuple(name for name in FAULTS if name in names)
