"""Options: the options of a translation."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from operator import index
from typing import Literal, SupportsIndex, TypedDict, get_args

from translate.choices import (
    DenormalMode,
    FloatControl,
    FormatName,
    GuardMode,
    RobustAccess,
    SamplingMode,
    SizeTables,
    Target,
    Workaround,
)
from translate.errors import TranslateError
from translate.linkage import Choice, ClassInstances

# Each with what it does, in the words of the command line's help; `passes.policy` has what it means
GUARDS: Mapping[GuardMode, str] = {
    "d3d": "explicit checks",
    "report": "the same, and every breach is reported",
    "robustness2": "rely on the device",
    "off": "none",
}
DENORMALS: tuple[DenormalMode, ...] = get_args(DenormalMode)
SAMPLING: tuple[SamplingMode, ...] = get_args(SamplingMode)
SIZE_TABLES: tuple[SizeTables, ...] = get_args(SizeTables)
FLOAT_CONTROLS: tuple[FloatControl, ...] = get_args(FloatControl)
ROBUST_ACCESS: tuple[RobustAccess, ...] = get_args(RobustAccess)
WORKAROUNDS: frozenset[Workaround] = frozenset(get_args(Workaround))
MAX_INLINED = 1 << 15
MAX_WORDS = 1 << 22
_SETS = ("float_controls", "robust_access", "workarounds", "windows", "single_sample")
TARGETS: tuple[Target, ...] = get_args(Target)


@dataclass(frozen=True)
class Options:
    """How to translate.

    Attributes
    ----------
    guards : {"d3d", "report", "robustness2", "off"}
        "d3d" has explicit checks, which give D3D's results on every device. "report" records every
        breach as well. "robustness2" relies on VK_EXT_robustness2, "off" checks nothing.
    target : {"vulkan1.1", "vulkan1.2", "vulkan1.3"}
        The SPIR-V environment.
    bindings : mapping of str to (int, int)
        Register (`t0`, `u1`, `cb0`, `s0`, `u1.counter`, `t0.sizes`) to set and binding.
    formats : mapping of str to str, or to a sequence of str
        Register of a typed resource to the DXGI format that will be bound, where it is known:
        `{"u0": "r32_uint"}`; of a range (cs_5_1) to a sequence of one format for each register.
        Loads from a UAV whose format is not known, or not the same throughout, need the device's
        read-without-format feature.
    float_controls : frozenset of str
        Execution modes that the device offers: "denorm_flush_to_zero_32", "denorm_preserve_32",
        which is used without the first alone, "denorm_preserve_16", "denorm_preserve_64",
        "signed_zero_inf_nan_preserve_16", "signed_zero_inf_nan_preserve_32",
        "signed_zero_inf_nan_preserve_64", "rounding_mode_rte_32", "rounding_mode_rte_64",
        "rounding_mode_rtz_16". With the last, and both others of 16 bits, `f32tof16` needs the
        device's feature `float16`.
    robust_access : frozenset of str
        Features that the device has, and that are enabled: "robust_buffer_access",
        "robust_buffer_access2", "robust_image_access". Checks leave to it what it does as D3D
        wants: with the first, reads of buffers need no address in bounds; with the second nor do
        stores, and accesses to buffers whose results are D3D's already have no check, with the
        third those to images, but for an alpha that the format lacks. Results are the same as
        without.
    array_lengths : mapping of str to int
        First register of an unbounded range (cs_5_1) to how many resources will be bound, which
        makes it a range of that length. Other unbounded ranges need runtime descriptor arrays.
    constant_lengths : mapping of str to int
        Register of a constant buffer, or first register of a range (cs_5_1), to how many vectors of
        16 bytes its descriptor shows where it is bound to more than the shader declares, at most
        4096. An index that the shader computes reads these too, as in D3D; without the option it
        reads 0 past the declared size. A shorter buffer is padded with zeros to that length.
    size_tables : {"none", "non_uniform", "dynamic"}
        From where the sizes of raw and structured buffers in arrays (cs_5_1) are taken. "none"
        takes them from the descriptors (OpArrayLength), which some drivers get wrong. With
        "non_uniform" the caller binds a table for each array with an index that may differ between
        threads, with "dynamic" for each array with an index that is no constant. The table of `t0`
        is the binding `t0.sizes`: a storage buffer with a u32 for each element of the array, the
        number of structures or, of a raw buffer, dwords in its view; 0 where it is null. The
        table of hidden counters, `u0.counter.sizes`, has 1 for each that is bound, else 0.
    workarounds : frozenset of str
        Faults of the driver that the module works around, by those names of `Device.faults` that
        the type `Workaround` has. On a driver without a fault, results do not depend on it.
    windows : frozenset of str
        Registers of buffers and 3D UAVs whose view is a part of what the descriptor shows. A
        buffer's view begins and ends as push constants say (`ShaderInterface.windows`), so that it
        may start at any element and may be empty. A 3D UAV shows some slices of its image likewise
        (D3D11_TEX3D_UAV). Each view of an array (cs_5_1), which goes by its first register, begins
        and ends as a table says: the binding `t0.windows`, a storage buffer with two u32 for each
        element of the array, the view's first element and how many it has, in dwords, texels or
        slices.
    single_sample : frozenset of str
        Registers of multisampled textures that will have one sample. D3D allows that; Vulkan takes
        such images for ones that are not multisampled, and so will the module (`2dms` as a `2d`).
    class_instances : mapping of str to str, ClassInstance or a list of them
        Interface (its HLSL name, or `fp0`) to the class instance that implements it. A list is for
        an array of interfaces.
    denormals : {"d3d", "device"}
        "d3d" flushes the denormals of 32-bit arithmetic, which costs a comparison and a choice
        on a device that does not by itself. "device" leaves them to the device.
    sampling : {"d3d", "device"}
        "d3d" gives samples at NaN, infinite and very large coordinates, slices, levels of detail
        and gradients D3D's results. It costs a test before each sample whose operands are not known
        to be ordinary. "device" leaves them to the device.
    max_inlined : int
        How many operations of the IR copies of subroutines may add, were each call replaced by one,
        as drivers do. Beyond it a loop calls all but small subroutines, each from one place.
    max_instructions : int or None
        How many operations of the IR the shader may become, after any pass, and how many values
        loops and switches may merge. None allows 64 for each of its instructions and 200,000 more.
        Some operations take drivers long to compile and count as more: 900 for each double of a
        `dfma`, 250 for an access to g#, 80 for a component of a constant buffer by a computed
        index.
        UnsupportedError says which instruction became most of them.
    max_words : int
        How many words of SPIR-V the shader may become, likewise.
    optimize : bool
        Run the passes that only make code smaller or faster.
    validate : bool or "available"
        Check the result with SPIRV-Tools. "available", the default, leaves the check out where
        there are none, and warns of that once in a process; True raises TranslateError there.
    debug_lines : bool
        OpLine back to the HLSL where the shader has debug information (`fxc /Zi`), else to the
        listing. A container without debug information has no lines.
    debug_info : bool
        NonSemantic.Shader.DebugInfo.100, by which debuggers step through the source: the HLSL where
        a container has debug information, else the listing, which of a container is the one that
        `disassemble` gives. Names are the HLSL's. Below Vulkan 1.3 the device needs
        VK_KHR_shader_non_semantic_info.
    strict : bool
        What the shader's reader warned of is an error: in a listing numbers that were rounded, and
        operands that may not mean what was meant; a container's wrong checksum.

    Raises
    ------
    TranslateError
        A value is none of those listed.
    """

    guards: GuardMode = "d3d"
    target: Target = "vulkan1.1"
    bindings: Mapping[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])
    formats: Mapping[str, FormatName | Sequence[FormatName]] = field(
        default_factory=dict[str, FormatName | Sequence[FormatName]]
    )
    float_controls: frozenset[FloatControl] = frozenset()
    robust_access: frozenset[RobustAccess] = frozenset()
    array_lengths: Mapping[str, int] = field(default_factory=dict[str, int])
    constant_lengths: Mapping[str, int] = field(default_factory=dict[str, int])
    size_tables: SizeTables = "none"
    workarounds: frozenset[Workaround] = frozenset()
    windows: frozenset[str] = frozenset()
    single_sample: frozenset[str] = frozenset()
    class_instances: ClassInstances = field(default_factory=dict[str, Choice | Sequence[Choice]])
    denormals: DenormalMode = "d3d"
    sampling: SamplingMode = "d3d"
    max_inlined: int = MAX_INLINED
    max_instructions: int | None = None
    max_words: int = MAX_WORDS
    optimize: bool = True
    validate: bool | Literal["available"] = "available"
    debug_lines: bool = False
    debug_info: bool = False
    strict: bool = False

    def __post_init__(self) -> None:
        _one_of("guards", self.guards, GUARDS)
        _one_of("target", self.target, TARGETS)
        _one_of("denormals", self.denormals, DENORMALS)
        _one_of("sampling", self.sampling, SAMPLING)
        if self.validate not in (True, False, "available"):
            message = f"validate must be True, False or 'available', not {self.validate!r}"
            raise TranslateError(message)
        _one_of("size_tables", self.size_tables, SIZE_TABLES)
        for name in sorted({*self.float_controls} - {*FLOAT_CONTROLS}):
            _one_of("each of float_controls", name, FLOAT_CONTROLS)
        for name in sorted({*self.robust_access} - {*ROBUST_ACCESS}):
            _one_of("each of robust_access", name, ROBUST_ACCESS)
        for name in sorted({*self.workarounds} - WORKAROUNDS):
            _one_of("each of workarounds", name, sorted(WORKAROUNDS))
        for name in ("max_inlined", "max_instructions", "max_words"):
            if getattr(self, name) is not None:
                self._set(name, _count(name, getattr(self, name)))
        for name in _SETS:
            if not isinstance(getattr(self, name), frozenset):
                self._set(name, frozenset(getattr(self, name)))
        self._set("bindings", {key: _place(key, place) for key, place in self.bindings.items()})
        for name in ("array_lengths", "constant_lengths"):
            lengths: Mapping[str, int] = getattr(self, name)
            counts = {key: _count(f"length of {key}", n) for key, n in lengths.items()}
            self._set(name, counts)

    def _set(self, name: str, value: object) -> None:
        """Replace what was given by the same in Python's own integers, or in a set that stays."""
        object.__setattr__(self, name, value)


class OptionsDict(TypedDict, total=False):
    """The fields of `Options` as keyword arguments, any of them."""

    guards: GuardMode
    target: Target
    bindings: Mapping[str, tuple[int, int]]
    formats: Mapping[str, FormatName | Sequence[FormatName]]
    float_controls: frozenset[FloatControl]
    robust_access: frozenset[RobustAccess]
    array_lengths: Mapping[str, int]
    constant_lengths: Mapping[str, int]
    size_tables: SizeTables
    workarounds: frozenset[Workaround]
    windows: frozenset[str]
    single_sample: frozenset[str]
    class_instances: ClassInstances
    denormals: DenormalMode
    sampling: SamplingMode
    max_inlined: int
    max_instructions: int | None
    max_words: int
    optimize: bool
    validate: bool | Literal["available"]
    debug_lines: bool
    debug_info: bool
    strict: bool


def is_cpu(float_controls: frozenset[str]) -> bool:
    """Whether the driver is one of a CPU: these have float controls, but none of denormals."""
    return bool(float_controls) and not any(n.startswith("denorm") for n in float_controls)


def _one_of(name: str, value: str, allowed: Collection[str]) -> None:
    if value not in allowed:
        raise TranslateError(f"{name} must be one of {', '.join(allowed)}, not {value!r}")


def _count(name: str, value: SupportsIndex) -> int:
    try:
        number = index(value)
    except TypeError:
        raise TranslateError(f"{name} must be an integer, not {value!r}") from None
    if number < 0:
        raise TranslateError(f"{name} must not be negative, not {number}")
    return number


def _place(register: str, place: Sequence[SupportsIndex]) -> tuple[int, int]:
    """The set and the binding of a register."""
    name = f"place of {register}"
    try:
        descriptor_set, binding = place
    except (TypeError, ValueError):
        raise TranslateError(f"{name} must be (set, binding), not {place!r}") from None
    return _count(name, descriptor_set), _count(name, binding)
