"""Known faults of drivers: their names, effects and remedies, and the drivers known to have them.

The package `probes` detects faults that a shader can show safely. A fault that crashes the process,
or that has no remedy, is looked up by the driver's name and version. docs/drivers.md has a section
on each fault.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias, get_args

from translate.dataclass import dataclass

if TYPE_CHECKING:
    from translate.interface import Binding

Remedy: TypeAlias = Literal["worked around", "refused", "tolerated", "none"]
"""`worked around`: kernels give right results. `refused`: an error names the fault. `tolerated`:
results differ within the precision that Vulkan allows. `none`: results may be silently wrong.
"""

Topic: TypeAlias = Literal[
    "buffers",
    "floats",
    "loops",
    "barriers",
    "ranges",
    "textures",
    "minima",
    "halves",
    "sines",
    "integers",
    "powers",
]
"""Parts of programs that a fault concerns, or functions that a device may have
(`Options.exact_functions`). Buffers and floats are those of every program."""

TOPICS: frozenset[Topic] = frozenset(get_args(Topic))


class Faults(Protocol):
    """Returns the names of a device's faults; the first call for a topic may run probes.

    Faults that only probes find are those that concern `topics`.
    """

    def __call__(self, topics: AbstractSet[Topic] = TOPICS, /) -> Sequence[str]: ...


_VERSION = re.compile(r"\d{1,9}(?:\.\d{1,9})*")


@dataclass(frozen=True, slots=True)
class Drivers:
    """Versions of a driver from `since` on and lower than `below`; without these, all versions.

    `name` is Vulkan's `driverName`.
    """

    name: str
    below: tuple[int, ...] | None = None
    since: tuple[int, ...] = ()

    def include(self, name: str, version: str) -> bool:
        """Whether a driver is one of these, by its `driverName` and the text in `driverInfo`."""
        if name != self.name or (self.below is None and not self.since):
            return name == self.name
        found = _VERSION.search(version)
        if found is None:
            return False
        number = tuple(map(int, found[0].split(".")))
        return self.since <= number and (self.below is None or number < self.below)


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault.

    `effect` is a sentence about wrong results. `advice`, for a fault without a remedy, tells users
    how to avoid it. `drivers` are known to have the fault and need no probe; on these drivers the
    runner treats `features` as missing. `robust_access` is the name in `Options.robust_access` that
    kernels on a device with the fault do not use. `case` is the path of the fault's test in
    `conformance` if that is not `drivers/NAME`. A fault has no test there if that could do harm.
    `concerns` says, for a fault without a remedy, whether a shader with a binding can show it.
    """

    name: str
    effect: str
    remedy: Remedy
    advice: str = ""
    drivers: tuple[Drivers, ...] = ()
    features: tuple[str, ...] = ()
    robust_access: str = ""
    case: str = ""
    concerns: Callable[[Binding], bool] = lambda binding: True

    @property
    def test(self) -> str:
        """The path of the fault's test within `conformance`, without a suffix."""
        return self.case or f"drivers/{self.name}"


LAVAPIPE, SWIFTSHADER, RADV, NVIDIA = "llvmpipe", "SwiftShader driver", "radv", "NVIDIA"
HONEYKRISP = "Honeykrisp"
_MESA_22 = Drivers(LAVAPIPE, below=(25,))  # tried: 22.3, which is faulty, and 25.0, which is not
_MESA_26 = Drivers(LAVAPIPE, since=(26,))  # tried: 26.1 and 26.2
_MESA_26_1 = Drivers(LAVAPIPE, since=(25, 1), below=(26, 2))  # tried: 26.1; 25.0 and 26.2 are right


def _stores_floats(binding: Binding) -> bool:
    return binding.written and binding.component == "float"


def _samples_cubes(binding: Binding) -> bool:
    return (binding.dimension or "").startswith("cube") and bool(binding.samplers)


def _is_sampler(binding: Binding) -> bool:
    return binding.kind == "sampler"


_ELSEWHERE = "run such shaders on another device, such as the reference machine"

# OpArrayLength with a NonUniform pointer returns one thread's size to all threads.
ARRAY_LENGTH_NON_UNIFORM = "array_length_non_uniform"
# OpArrayLength in a branch uses the index of a thread that is not in the branch.
ARRAY_LENGTH_IN_BRANCH = "array_length_in_branch"
# Other accesses in a branch use the index of such a thread too.
RANGE_INDEX_IN_BRANCH = "range_index_in_branch"
# A query of an indexed typed UAV's size crashes the process, unless the driver knows that threads
# have the same index.
UAV_RANGE_SIZE = "uav_range_size"
# Out-of-bounds accesses break the promises of the device's robust access features.
IMAGES_OUTSIDE = "images_outside"
SLICES_OUTSIDE = "slices_outside"
SMALL_UAVS_OUTSIDE = "small_uavs_outside"
BUFFERS_OUTSIDE = "buffers_outside"
BUFFER_LOADS_OUTSIDE = "buffer_loads_outside"
# Texel fetches from the first mips of a view read another mip.
MIPS_OF_VIEWS = "mips_of_views"
# The driver's folding of sums and products with zeros breaks IEEE 754.
FLOAT_ZEROS = "float_zeros"
# OpSelect of a one and a zero with unlike signs gives a zero with the wrong sign.
SELECT_SIGNED_ZERO = "select_signed_zero"
# A minimum or maximum of a constant -0.0 and another number is 0.0 instead of -0.0.
NEGATIVE_ZERO_LIMITS = "negative_zero_limits"
# The total number of groups of a dispatch is computed in 32 bits.
GROUP_COUNT = "group_count"
# Texels with components of 5 and 6 bits are rounded to bytes.
SMALL_TEXELS = "small_texels"
# Gathers filter, or return NaNs, if the sampler is anisotropic.
ANISOTROPIC_GATHERS = "anisotropic_gathers"
# Minima and maxima of two mips are means.
REDUCED_MIPS = "reduced_mips"
# OpMemoryBarrier waits for threads, like OpControlBarrier.
MEMORY_BARRIERS = "memory_barriers"

# With this fault, samples at special operands are not D3D's: `probes.samples` need not run.
SAMPLE_COORDINATES = "sample_coordinates"

# Values computed in a loop change for threads that left the loop before others.
LOOP_VALUES = "loop_values"
# The driver ends a loop although no thread leaves it.
LOOP_LIMIT = "loop_limit"

_ROWS = (
    Fault(
        LOOP_VALUES,
        "values loaded in a loop are wrong after the loop for threads that left it before others",
        "worked around",
    ),
    Fault(
        LOOP_LIMIT,
        "the driver ends a thread's loops after 65,535 iterations in total, which is an error",
        "refused",
    ),
    Fault(
        MEMORY_BARRIERS,
        "threads do not continue after a memory barrier that not all threads of their group reach",
        "worked around",
        drivers=(_MESA_22,),
    ),
    Fault(
        "fourth_constant_buffer",
        "a branch on a value of the fourth constant buffer may crash the process",
        "worked around",
        drivers=(_MESA_22,),
    ),
    Fault(
        "deep_conditions",
        "conditions nested more than 80 deep are ignored, or crash the process",
        "worked around",
        drivers=(Drivers(LAVAPIPE),),
    ),
    Fault(
        "long_bodies",
        "shaders of many loops in a row take many seconds to compile",
        "worked around",
        drivers=(_MESA_22,),
    ),
    Fault(
        "min_max_zeros",
        "the minimum or maximum of 0.0 and -0.0 may be either of the two",
        "tolerated",
        drivers=(Drivers(LAVAPIPE),),
        case="floats/min_max",
    ),
    Fault(
        "slow_min_max",
        "minima and maxima of floats take three instructions",
        "worked around",
        drivers=(Drivers(HONEYKRISP),),
        case="floats/min_max",
    ),
    Fault(
        SAMPLE_COORDINATES,
        "samples at NaN, infinite and very large coordinates read other texels than in D3D",
        "worked around",
        drivers=(Drivers(LAVAPIPE), Drivers(SWIFTSHADER)),
    ),
    Fault(
        "anisotropic_levels",
        "an anisotropic sampler blurs samples at a given level of detail",
        "refused",
        drivers=(_MESA_22,),
        features=("sampler_anisotropy",),
    ),
    Fault(
        ANISOTROPIC_GATHERS,
        "gathers with an anisotropic sampler return no texels",
        "worked around",
        drivers=(Drivers(LAVAPIPE, since=(25,)),),  # tried: 25.0, 26.1 and 26.2
    ),
    Fault(
        REDUCED_MIPS,
        "a sampler's minimum or maximum of two mips is their mean",
        "refused",
        drivers=(Drivers(LAVAPIPE),),
    ),
    Fault(
        "mirrored_edges",
        "a point filter with an offset may choose the other texel exactly between two texels, where"
        " the texture is mirrored",
        "tolerated",
        drivers=(Drivers(LAVAPIPE), Drivers(SWIFTSHADER)),
    ),
    Fault(
        "compressed_textures_in_bytes",
        "decoded texels of BC1 to BC5 are off by up to 2/255",
        "tolerated",
        drivers=(Drivers(LAVAPIPE),),
    ),
    Fault(
        "unsigned_to_float",
        "conversion of unsigned integers of 2^31 or more to floats rounds twice",
        "worked around",
        drivers=(Drivers(SWIFTSHADER),),
        case="conversions/from_integers",
    ),
    Fault(
        "half_conversions",
        "conversion of infinities, NaNs and large numbers to 16-bit floats is wrong",
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
        "when threads index different buffers of an array, all get the size of one buffer",
        "worked around",
        drivers=(Drivers(SWIFTSHADER),),  # its probe would end the process
    ),
    Fault(
        ARRAY_LENGTH_IN_BRANCH,
        "the size of a buffer in an array is wrong in a branch that not all threads take",
        "worked around",
    ),
    Fault(
        FLOAT_ZEROS,
        "the driver folds sums and products with zeros wrongly for -0, infinities and NaNs",
        "worked around",
        drivers=(Drivers(LAVAPIPE),),
    ),
    Fault(
        SELECT_SIGNED_ZERO,
        "a choice between -1.0 and 0.0, or 1.0 and -0.0, gives a zero with the wrong sign",
        "worked around",
        drivers=(Drivers(LAVAPIPE),),
    ),
    Fault(
        NEGATIVE_ZERO_LIMITS,
        "the minimum or maximum of a constant -0.0 and another number is 0.0 instead of -0.0",
        "worked around",
        drivers=(_MESA_26,),
    ),
    Fault(
        "non_uniform_images",
        "when threads index different textures or typed buffers of an array, all get one size",
        "worked around",
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
        "out-of-bounds loads may crash the process when threads index different buffers",
        "worked around",
        drivers=(Drivers(SWIFTSHADER),),
        features=("robust_buffer_access",),
    ),
    Fault(
        IMAGES_OUTSIDE,
        "out-of-bounds accesses to a texture reach texels, although the driver offers"
        " robustImageAccess",
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
        "out-of-bounds loads from a texture UAV with texels of 8 or 16 bits do not give 0",
        "worked around",
        drivers=(Drivers(SWIFTSHADER),),  # no probe: the numbers depend on earlier work
        case="bounds/small_uav",
    ),
    Fault(
        BUFFER_LOADS_OUTSIDE,
        "out-of-bounds loads from a buffer fail, although the driver offers robustBufferAccess",
        "worked around",
        robust_access="robust_buffer_access",
        case="bounds/load_uav",
    ),
    Fault(
        BUFFERS_OUTSIDE,
        "accesses outside of a view reach the rest of its buffer, although the driver offers"
        " robustBufferAccess2",
        "worked around",
        robust_access="robust_buffer_access2",
        case="bounds/views",
    ),
    Fault(
        MIPS_OF_VIEWS,
        "loads from the first mips of a view that begins at a later mip read another mip",
        "worked around",
    ),
    Fault(
        SMALL_TEXELS,
        "texels of b5g6r5_unorm and b5g5r5a1_unorm are rounded to bytes",
        "worked around",
        drivers=(Drivers(LAVAPIPE), Drivers(NVIDIA)),
    ),
    Fault(
        GROUP_COUNT,
        "a dispatch of 2^32 groups or more runs only the remainder modulo 2^32, or never ends",
        "refused",
        drivers=(Drivers(LAVAPIPE), Drivers(SWIFTSHADER)),
    ),
    Fault(
        RANGE_INDEX_IN_BRANCH,
        "a branch that not all threads take uses the resource that another thread indexes",
        "worked around",
    ),
    Fault(
        UAV_RANGE_SIZE,
        "the size of a typed UAV whose index may differ between threads crashes the process",
        "worked around",
        drivers=(_MESA_26,),  # its probe would crash
    ),
    Fault(
        "descriptors_in_loops",
        "accesses in a loop that no thread is in end the process",
        "worked around",
        drivers=(_MESA_26_1,),
    ),
    Fault(
        "double_denormals",
        "denormal doubles count as zeros, also as results",
        "tolerated",
        drivers=(_MESA_26,),
    ),
    Fault(
        "special_small_floats",
        "infinities and NaNs become other numbers when stored as floats of 16, 11 or 10 bits",
        "none",
        _ELSEWHERE,
        drivers=(Drivers(SWIFTSHADER),),
        concerns=_stores_floats,
    ),
    Fault(
        "constant_min_max",
        "the minimum or maximum of two integer constants is wrong after a branch",
        "worked around",
        drivers=(Drivers(SWIFTSHADER),),
    ),
    Fault(
        "cube_edges",
        "linear filters read zeros beyond the edges of a cube's faces",
        "none",
        _ELSEWHERE,
        drivers=(Drivers(SWIFTSHADER),),
        concerns=_samples_cubes,
    ),
    Fault(
        "cube_faces",
        "a direction exactly between two faces of a cube selects the wrong face",
        "none",
        _ELSEWHERE,
        drivers=(Drivers(SWIFTSHADER),),
        concerns=_samples_cubes,
    ),
    Fault(
        "mirrored_gathers",
        "gathers with the address mode mirror_once return mirrored texels in reverse order",
        "none",
        _ELSEWHERE,
        drivers=(Drivers(SWIFTSHADER),),
        concerns=_is_sampler,
    ),
    Fault(
        "mip_ties",
        "a point filter between mips may choose the other mip exactly halfway between two",
        "tolerated",
        drivers=(Drivers(LAVAPIPE), Drivers(SWIFTSHADER)),
    ),
    Fault(
        "fused_half_conversions",
        "the rounding of precise sums and products before conversion to 16-bit floats is left out",
        "worked around",
        drivers=(Drivers(RADV),),
    ),
)

FAULTS: Mapping[str, Fault] = {row.name: row for row in _ROWS}

# All devices of these drivers share threads: work that never ends on one delays the others.
SHARED_THREADS = (SWIFTSHADER,)


def no_faults(topics: AbstractSet[Topic] = TOPICS, /) -> tuple[str, ...]:
    """`Faults` for a device without faults."""
    return ()


def known_faults(driver: str, version: str) -> tuple[str, ...]:
    """Names of the faults that a driver is known to have, without probes."""
    return tuple(
        row.name for row in _ROWS if any(one.include(driver, version) for one in row.drivers)
    )


def faulty_features(driver: str, version: str) -> tuple[str, ...]:
    """Fields of DeviceFeatures that the driver offers but implements wrongly."""
    return tuple(name for fault in known_faults(driver, version) for name in FAULTS[fault].features)


def in_order(names: AbstractSet[str]) -> tuple[str, ...]:
    """Names of faults, sorted in the order of FAULTS."""
    return tuple(name for name in FAULTS if name in names)


def with_remedy(names: Sequence[str], remedy: Remedy) -> list[Fault]:
    """The named faults that have this remedy."""
    return [FAULTS[name] for name in names if FAULTS[name].remedy == remedy]


def notice(device: str, names: Sequence[str]) -> str | None:
    """A line about possible wrong results on a device; None if its faults all have remedies."""
    effects: dict[str, list[str]] = {}
    for row in with_remedy(names, "none"):
        effects.setdefault(row.advice, []).append(f"{row.effect} ({row.name})")
    if not effects:
        return None
    parts = [f"{'; '.join(found)}: {advice}" for advice, found in effects.items()]
    return f"results may be wrong on {device}: {'; '.join(parts)}"
