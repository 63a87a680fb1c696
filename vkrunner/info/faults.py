"""Known faults of drivers: their names, effects and remedies, and the drivers known to have them.

`probes` tries a device for the faults that a shader can show safely. A fault that crashes the
process is known by the driver's name and version, and so is one without a remedy. docs/drivers.md
has a section for each.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Literal, TypeAlias

Remedy: TypeAlias = Literal["worked around", "refused", "tolerated", "none"]
"""Kernels give right results; an error names the fault; results differ within a precision that
Vulkan allows; results may be wrong in silence.
"""

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
    do not rely on `robust_access` (a name of `Options.robust_access`). `case` is the fault's test
    in `conformance` where it is not `drivers/NAME`.
    """

    name: str
    effect: str
    remedy: Remedy
    advice: str = ""
    drivers: tuple[Drivers, ...] = ()
    features: tuple[str, ...] = ()
    robust_access: str = ""
    case: str = ""

    @property
    def test(self) -> str:
        """The path of its test within `conformance`, without a suffix."""
        return self.case or f"drivers/{self.name}"


LAVAPIPE, SWIFTSHADER, RADV = "llvmpipe", "SwiftShader driver", "radv"
_MESA_22 = Drivers(LAVAPIPE, below=(25,))  # 25.0 is the next version that was tried

_ELSEWHERE = "run such shaders on another device, such as the reference machine"

# OpArrayLength through a NonUniform pointer gives one thread's size to others.
ARRAY_LENGTH_NON_UNIFORM = "array_length_non_uniform"
# OpArrayLength in a branch takes the index of a thread that is not in the branch.
ARRAY_LENGTH_IN_BRANCH = "array_length_in_branch"
# Other accesses in a branch do as well.
RANGE_INDEX_IN_BRANCH = "range_index_in_branch"
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
# OpMemoryBarrier waits for threads, like OpControlBarrier.
MEMORY_BARRIERS = "memory_barriers"

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
        MEMORY_BARRIERS,
        "threads are lost after a memory barrier that not all threads of a group reach",
        "worked around",
        drivers=(_MESA_22,),
    ),
    Fault(
        "fourth_constant_buffer",
        "a branch on the fourth constant buffer may end the process",
        "worked around",
        drivers=(_MESA_22,),
    ),
    Fault(
        "deep_conditions",
        "conditions within more than 80 others are ignored, or end the process",
        "worked around",
        drivers=(Drivers(LAVAPIPE),),
    ),
    Fault(
        "min_max_zeros",
        "a minimum or maximum of 0.0 and -0.0 may be either",
        "tolerated",
        drivers=(Drivers(LAVAPIPE),),
        case="floats/min_max",
    ),
    Fault(
        "sample_coordinates",
        "samples at NaN, infinite and very large coordinates take other texels than in D3D",
        "worked around",
        drivers=(Drivers(LAVAPIPE),),
    ),
    Fault(
        "mirrored_edges",
        "a point filter with offsets takes the other texel at a mirrored edge between two",
        "tolerated",
        drivers=(Drivers(LAVAPIPE), Drivers(SWIFTSHADER)),
    ),
    Fault(
        "compressed_textures_in_bytes",
        "texels of BC1 to BC5 differ by up to two steps of a byte",
        "tolerated",
        drivers=(Drivers(LAVAPIPE),),
    ),
    Fault(
        "unsigned_to_float",
        "integers from 2^31 on become floats that are rounded twice",
        "worked around",
        drivers=(Drivers(SWIFTSHADER),),
        case="conversions/from_integers",
    ),
    Fault(
        "half_conversions",
        "infinities, NaNs and large numbers become wrong halves",
        "worked around",
        drivers=(Drivers(SWIFTSHADER),),
        case="conversions/to_half",
    ),
    Fault(
        "special_values",
        "exponentials, logarithms and sines of NaN, zeros and negative numbers are wrong",
        "worked around",
        drivers=(Drivers(SWIFTSHADER),),
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
        case="textures/compressed",
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
        case="bounds/image_2d",
    ),
    Fault(
        SLICES_OUTSIDE,
        "accesses to any slice of an array of one slice, or of a 3D texture of depth 1, reach"
        " slice 0",
        "worked around",
        case="bounds/one_slice",
    ),
    Fault(
        SMALL_UAVS_OUTSIDE,
        "loads outside of a texture UAV with texels of 8 or 16 bits give other numbers than 0",
        "worked around",
        drivers=(Drivers(SWIFTSHADER),),  # which numbers depends on what ran before
        case="bounds/small_uav",
    ),
    Fault(
        BUFFER_LOADS_OUTSIDE,
        "loads outside of a buffer fail, although the driver offers robustBufferAccess",
        "worked around",
        robust_access="robust_buffer_access",
        case="bounds/load_uav",
    ),
    Fault(
        BUFFERS_OUTSIDE,
        "accesses outside of a view reach its buffer, although the driver offers"
        " robustBufferAccess2",
        "worked around",
        robust_access="robust_buffer_access2",
        case="bounds/views",
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
    Fault(
        RANGE_INDEX_IN_BRANCH,
        "a branch that not all threads take uses a resource that another thread chose",
        "worked around",
    ),
    Fault(
        "special_small_floats",
        "infinities and NaNs that are stored as 16, 11 or 10 bits become other numbers",
        "none",
        _ELSEWHERE,
        drivers=(Drivers(SWIFTSHADER),),
    ),
    Fault(
        "constant_min_max",
        "a minimum or maximum of two integer constants is lost after a branch",
        "worked around",
        drivers=(Drivers(SWIFTSHADER),),
    ),
    Fault(
        "cube_edges",
        "linear filters read zeros beyond the edges of a cube's faces",
        "none",
        _ELSEWHERE,
        drivers=(Drivers(SWIFTSHADER),),
    ),
    Fault(
        "cube_faces",
        "a direction between two faces of a cube takes the wrong one",
        "none",
        _ELSEWHERE,
        drivers=(Drivers(SWIFTSHADER),),
    ),
    Fault(
        "mirrored_gathers",
        "gathers have mirrored texels in reverse order with the address mode mirror_once",
        "none",
        _ELSEWHERE,
        drivers=(Drivers(SWIFTSHADER),),
    ),
    Fault(
        "mip_ties",
        "a point filter between mips takes the other mip halfway between two",
        "tolerated",
        drivers=(Drivers(LAVAPIPE), Drivers(SWIFTSHADER)),
    ),
    Fault(
        "fused_half_conversions",
        "precise sums and products that are converted to halves are rounded once",
        "worked around",
        drivers=(Drivers(RADV),),
    ),
)

FAULTS: Mapping[str, Fault] = {row.name: row for row in _ROWS}

# Drivers whose devices share threads: work that does not end on one delays the others.
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


def in_order(names: AbstractSet[str]) -> tuple[str, ...]:
    """Names of faults in the table's order."""
    return tuple(name for name in FAULTS if name in names)


def with_remedy(names: Sequence[str], remedy: Remedy) -> list[Fault]:
    """Those of the named faults that have this remedy."""
    return [FAULTS[name] for name in names if FAULTS[name].remedy == remedy]


def notice(device: str, names: Sequence[str]) -> str | None:
    """A line about results of a device that may be wrong; None where none may."""
    effects: dict[str, list[str]] = {}
    for row in with_remedy(names, "none"):
        effects.setdefault(row.advice, []).append(f"{row.effect} ({row.name})")
    if not effects:
        return None
    parts = [f"{'; '.join(found)}: {advice}" for advice, found in effects.items()]
    return f"results may be wrong on {device}: {'; '.join(parts)}"
