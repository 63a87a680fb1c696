"""The options of a translation."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from operator import index
from typing import Literal, NamedTuple, SupportsIndex, TypedDict, get_args

from translate.choices import (
    DenormalMode,
    DenormalTest,
    ExactFunction,
    ExactSample,
    FloatControl,
    FormatName,
    GuardMode,
    IndexingFeature,
    RobustAccess,
    SamplingMode,
    SizeTables,
    Target,
    Workaround,
)
from translate.dataclass import dataclass, field
from translate.errors import OptionError
from translate.linkage import Choice, ClassInstances

# Mode -> its text in the command line's help; `passes.guards.rules` implements the modes
GUARDS: Mapping[GuardMode, str] = {
    "d3d": "explicit checks",
    "report": "explicit checks that record each violation",
    "robustness2": "the device's checks (VK_EXT_robustness2)",
    "off": "no checks",
}
DENORMALS: tuple[DenormalMode, ...] = get_args(DenormalMode)
DENORMAL_TESTS: tuple[DenormalTest, ...] = get_args(DenormalTest)
SAMPLING: tuple[SamplingMode, ...] = get_args(SamplingMode)
SIZE_TABLES: tuple[SizeTables, ...] = get_args(SizeTables)
FLOAT_CONTROLS: tuple[FloatControl, ...] = get_args(FloatControl)
EXACT_FUNCTIONS: tuple[ExactFunction, ...] = get_args(ExactFunction)
EXACT_SAMPLES: tuple[ExactSample, ...] = get_args(ExactSample)
ROBUST_ACCESS: tuple[RobustAccess, ...] = get_args(RobustAccess)
INDEXING_FEATURES: tuple[IndexingFeature, ...] = get_args(IndexingFeature)
WORKAROUNDS: frozenset[Workaround] = frozenset(get_args(Workaround))
MAX_INLINED = 1 << 15
MAX_WORDS = 1 << 22
_MODES = "; ".join(f"{name}: {meaning}" for name, meaning in GUARDS.items())
_SETS = (
    *("float_controls", "robust_access", "exact_samples", "workarounds", "windows"),
    *("exact_functions", "single_sample", "missing_indexing"),
)
_COUNTS = {"array_lengths": "length", "constant_lengths": "length", "push_constants": "size"}
TARGETS: tuple[Target, ...] = get_args(Target)


REGISTER_CLASSES = ("cb", "s", "t", "u", "u.counter", "report", "messages", "tables")


class Flag(NamedTuple):
    """The command line's flag for a field of `Options`; the type and the default are the field's.

    `help` may contain {choices} and {default}. `values` names the flag's values, `example` is one.
    The spelling is the field's name unless one is given. `for_many`: a mapping that applies to many
    shaders too, written with commas between its parts.
    """

    help: str = ""
    values: str = ""
    example: str = ""
    spelling: str = ""
    for_many: bool = False


def _flag(
    help: str, values: str = "", example: str = "", spelling: str = "", *, for_many: bool = False
) -> dict[str, Flag]:
    return {"flag": Flag(help, values, example, spelling, for_many)}


@dataclass(frozen=True)
class Options:
    """How to translate a shader.

    Attributes
    ----------
    guards : {"d3d", "report", "robustness2", "off"}
        How out-of-bounds accesses are handled:

        - "d3d": the shader checks addresses. Results are D3D's on every device.
        - "report": like "d3d", and the shader records every violation.
        - "robustness2": the device's VK_EXT_robustness2 checks buffers, textures and constant
          buffers; the shader checks the rest, such as group-shared memory.
        - "off": no checks. Out-of-bounds accesses are undefined, and results of samples with NaN,
          infinite or very large operands are the device's.
    target : {"vulkan1.1", "vulkan1.2", "vulkan1.3"}
        The SPIR-V environment of the module.
    bindings : mapping of str to (int, int)
        The descriptor set and binding of registers, to replace the defaults. The keys are
        registers, `t0`, `u1`, `cb0`, `s0`, `u1.counter`, `tables`, or HLSL names. A place that
        another descriptor has is an error.
    layout : mapping of str to (int, int)
        One layout for many shaders: the descriptor set, and the binding of register 0, of all
        registers of a class that `bindings` does not name: `{"cb": (1, 0), "t": (2, 0)}` puts t3 at
        set 2, binding 3. The classes are "cb", "s", "t", "u", "u.counter", "report", "messages" and
        "tables"; one that the layout lacks keeps its default places. A register of space n (cs_5_1)
        is n sets further. A place that another descriptor has is an error.
    push_constants : mapping of str to int
        Constant buffers to read from push constants, and for each the largest size in bytes that
        you push: `{"cb0": 128}`, by register or HLSL name. A buffer is push constants, at
        `Binding.push_offset`, if it is no larger; else it keeps its descriptor, as do the arrays of
        cs_5_1. Buffers that a shader lacks do no harm, so that one option suits many shaders. All
        push constants of a module together must fit into the device's limit.
    formats : mapping of str to str, or to a sequence of str
        The DXGI formats that will be bound to typed registers, by register or HLSL name:
        `{"u0": "r32_uint"}`. For a register range (cs_5_1) the value is one format for all its
        registers, or a sequence with one for each. 32-bit integers get the sign that the shader
        declares: the interface has the format to bind. A load from a UAV without a format here,
        or with several, needs the device feature `storage_image_read_without_format`.
    float_controls : frozenset of str
        The float execution modes that the device supports. The module uses those that it needs.

        - "denorm_flush_to_zero_32"
        - "denorm_preserve_32" (not used if the first is given), "denorm_preserve_16",
          "denorm_preserve_64"
        - "signed_zero_inf_nan_preserve_16", "signed_zero_inf_nan_preserve_32",
          "signed_zero_inf_nan_preserve_64"
        - "rounding_mode_rte_32", "rounding_mode_rte_64", "rounding_mode_rtz_16"

        With all three 16-bit modes, `f32tof16` uses the device feature `float16`.
    robust_access : frozenset of str
        Features of the device that replace bounds checks. Results stay the same. Enable them on
        the device; the interface lists them.

        | feature | checks that are left out |
        |---|---|
        | "robust_buffer_access" | buffers: loads keep the comparison, but not the safe address |
        | "robust_buffer_access2" | buffers: loads, stores, atomics with an unused result |
        | "robust_image_access" | images: loads from mip 0, stores, atomics with an unused result |

        A check stays if Vulkan's result differs from D3D's: docs/out-of-bounds.md lists these.
    exact_samples : frozenset of str
        Kinds of operands of samples for which the device gives D3D's results even if they are NaN,
        infinite or very large. The module does not test these. `vkrunner.options_for` finds them
        out by running small shaders.

        - "coordinates" of all textures except cubes
        - "directions" of cubes
        - "slices" of arrays
        - "levels_of_detail", but not clamps of them
        - "gradients"
    exact_functions : frozenset of str
        Functions for which the device gives D3D's results also where Vulkan leaves them open. The
        module uses them as they are. `vkrunner.options_for` finds them out by running small
        shaders.

        - "halves": conversions to a half give one that is next to the number, and to and from
          halves keep denormals, infinities and NaNs
        - "integers": conversions of unsigned integers to floats round to nearest
        - "powers": powers of 2 and logarithms of zeros, negative numbers, infinities and NaNs
        - "sines": sines and cosines between -100π and 100π, infinities, NaNs, and signs of zeros
    specialize : bool
        Put each check, test and flush that a device may make needless under a specialization
        constant, so that one module suits every device. `ShaderInterface.specialization` lists the
        constants; docs/porting.md says when to set each. Those that `robust_access`,
        `exact_samples` and `exact_functions` name are left out as without it. With no constant
        set, the module has the same results as without this option, and drivers make the same code
        of it.
    array_lengths : mapping of str to int
        The number of resources that will be bound to an unbounded register range (cs_5_1), by its
        first register. Ranges without an entry need the device's runtime descriptor arrays.
    constant_lengths : mapping of str to int
        The bound size of a constant buffer, in 16-byte vectors (at most 4096), if it is larger than
        the shader declares. The key is its register, or the first register of a range (cs_5_1). As
        in D3D, a computed index then also reads the vectors past the declared size, which are
        otherwise 0. If you bind a shorter buffer, pad it with zeros to this size.
    size_tables : {"none", "non_uniform", "dynamic"}
        The arrays of raw and structured buffers (cs_5_1) for which you bind a table of sizes. Use
        it if a driver returns wrong sizes (OpArrayLength) for arrays.

        - "none": no arrays. All sizes come from the descriptors.
        - "non_uniform": arrays with an index that may differ between threads.
        - "dynamic": arrays with an index that is not constant.

        The tables are parts of the binding `tables`, a buffer of u32 that the host writes;
        `ShaderInterface.tables` has their kinds and places.
    workarounds : frozenset of str
        The driver faults that the module works around. The names are values of the type
        `Workaround`; `Device.faults` has the faults of a device. Without the fault, a workaround
        does not change results.
    missing_indexing : frozenset of str
        Features for indices into register ranges (cs_5_1) that the device lacks, such as
        "sampled_image_dynamic_indexing". Where the module would need one of them for a range of up
        to 256 registers, a switch selects the register.
    windows : frozenset of str
        Registers of buffers and 3D UAVs with a *view range*: the view is only a part of the bound
        descriptor, and you pass the view's first element and number of elements. So the view may
        start at any element and may be empty. A 3D UAV's range counts slices (D3D11_TEX3D_UAV).

        For a single register, the two numbers are push constants (`ShaderInterface.windows`). For
        an array (cs_5_1), named by its first register, they are in the binding `tables`
        (`ShaderInterface.tables`). They count dwords, texels or slices.
    single_sample : frozenset of str
        Registers of multisampled textures to which you will bind textures with one sample. D3D
        allows this. For Vulkan such an image is not multisampled, so the module declares `2d`
        instead of `2dms`.
    class_instances : mapping of str to str, ClassInstance or a list of them
        The class instance that implements each interface, by the interface's HLSL name or `fp0`. An
        array of interfaces takes a list.
    denormals : {"d3d", "device"}
        "d3d" flushes the denormals of 32-bit arithmetic to zero. On a device that does not flush by
        itself, each flush costs a comparison and a select. "device" adds no such code.
    denormal_test : {"comparison", "bits"}
        The test for denormals in the module, which is used if `float_controls` lacks
        `denorm_flush_to_zero_32`. Results are the same. "comparison" compares floats, which is
        faster on GPUs; "bits" compares the bits of exponents, which is faster on CPUs.
    sampling : {"d3d", "device"}
        "d3d" gives D3D's results for samples with NaN, infinite or very large coordinates, slices,
        levels of detail and gradients. This costs a test before samples, unless the operands are
        known to be ordinary, or the device is exact (`exact_samples`). "device" leaves such samples
        to the device, as does the guard mode "off".
    max_inlined : int
        The largest number of IR operations that inlined copies of subroutines may add. Drivers
        inline every call. If the copies exceed this limit, large subroutines are called from a
        single place in a loop instead.
    max_instructions : int or None
        The largest number of IR operations in the shader after any pass, and of values that its
        loops and switches merge. A larger shader raises UnsupportedError, which names the
        instruction with most of the operations. None allows 200,000, and 64 more for each
        instruction of the shader. Operations that drivers compile slowly count more: each double of
        a `dfma` 900, an access to group-shared memory 250, a component of a constant buffer with a
        computed index 80.
    max_words : int
        The largest number of words of the SPIR-V module.
    optimize : bool
        Run the passes that make code smaller or faster; results are the same without them.
    validate : bool or "available"
        Validate the module with SPIRV-Tools. If they are missing, "available" (the default) skips
        the validation with one warning per process, and True raises TranslateError. Modules of more
        than 10,000 blocks, which take SPIRV-Tools many seconds, are validated only with True.
    debug_lines : bool
        Add OpLine instructions: lines of the HLSL if the shader has debug information (`fxc /Zi`),
        else of the listing. A container without debug information gets none.
    debug_info : bool
        Add NonSemantic.Shader.DebugInfo.100, so that debuggers can step through the source: the
        HLSL if the container has debug information, else the listing (for a container, the one that
        `disassemble` prints). Variables have their HLSL names. Below Vulkan 1.3 the device needs
        VK_KHR_shader_non_semantic_info.
    strict : bool
        Turn the warnings of `load` into errors: rounded numbers and ambiguous operands in a
        listing, a wrong checksum in a container.

    Raises
    ------
    TranslateError
        An option has an invalid value.
    """

    guards: GuardMode = field(default="d3d", metadata=_flag(f"{_MODES} (default: {{default}})"))
    target: Target = field(
        default="vulkan1.1",
        metadata=_flag("the SPIR-V environment: {choices} (default: {default})", "ENV"),
    )
    bindings: Mapping[str, tuple[int, int]] = field(
        default_factory=dict[str, tuple[int, int]],
        metadata=_flag(
            "the descriptor set and binding of a register or HLSL name",
            "REG=SET:BINDING",
            "t0=0:3",
            "--bind",
        ),
    )
    layout: Mapping[str, tuple[int, int]] = field(
        default_factory=dict[str, tuple[int, int]],
        metadata=_flag(
            "the descriptor set, and the binding of register 0, of a class of registers: cb, s, t,"
            " u, u.counter, report, messages or tables",
            "CLASS=SET:BINDING,...",
            "cb=1:0,t=2:0",
            for_many=True,
        ),
    )
    push_constants: Mapping[str, int] = field(
        default_factory=dict[str, int],
        metadata=_flag(
            "a constant buffer, by register or HLSL name, that is push constants if it has at most"
            " this many bytes",
            "REG=BYTES,...",
            "cb0=128",
            for_many=True,
        ),
    )
    formats: Mapping[str, FormatName | Sequence[FormatName]] = field(
        default_factory=dict[str, FormatName | Sequence[FormatName]],
        metadata=_flag(
            "the DXGI format of a typed buffer or texture, by register or HLSL name; for a range,"
            " one format for all registers or one for each, with commas between",
            "REG=FORMAT",
            "u0=r32_uint",
            "--format",
        ),
    )
    float_controls: frozenset[FloatControl] = field(
        default=frozenset(),
        metadata=_flag("float modes that the device offers, or none: {choices}"),
    )
    robust_access: frozenset[RobustAccess] = field(
        default=frozenset(),
        metadata=_flag("device features that replace checks, or none: {choices}"),
    )
    exact_samples: frozenset[ExactSample] = field(
        default=frozenset(),
        metadata=_flag(
            "operands of samples, or none, for which the device has D3D's results: {choices}"
        ),
    )
    exact_functions: frozenset[ExactFunction] = field(
        default=frozenset(),
        metadata=_flag("functions, or none, for which the device has D3D's results: {choices}"),
    )
    specialize: bool = field(
        default=False,
        metadata=_flag(
            "put the checks that a device may make needless under specialization constants, so that"
            " one module suits every device"
        ),
    )
    array_lengths: Mapping[str, int] = field(
        default_factory=dict[str, int],
        metadata=_flag(
            "the number of resources in an unbounded range", "REG=N", "t0=16", "--array-length"
        ),
    )
    constant_lengths: Mapping[str, int] = field(
        default_factory=dict[str, int],
        metadata=_flag(
            "the number of 16-byte vectors in a constant buffer's descriptor, if the shader"
            " declares fewer",
            "REG=N",
            "cb0=256",
            "--constant-length",
        ),
    )
    size_tables: SizeTables = field(
        default="none",
        metadata=_flag(
            "arrays whose buffers have their sizes in tables that the host binds, for drivers that"
            " return wrong sizes: {choices} (default: {default})",
            "ARRAYS",
        ),
    )
    workarounds: frozenset[Workaround] = field(
        default=frozenset(),
        metadata=_flag(
            "driver faults that the module works around, or none: {choices}",
            spelling="--workaround",
        ),
    )
    missing_indexing: frozenset[IndexingFeature] = field(
        default=frozenset(),
        metadata=_flag(
            "features for indices into ranges, or none, that the device lacks: {choices}"
        ),
    )
    windows: frozenset[str] = field(
        default=frozenset(),
        metadata=_flag(
            "a buffer or 3D UAV whose view is part of the bound resource: the host pushes first"
            " element and count; for a register range, they are in a table",
            "REG",
            spelling="--window",
        ),
    )
    single_sample: frozenset[str] = field(
        default=frozenset(),
        metadata=_flag("a multisampled texture that will have one sample", "REG"),
    )
    class_instances: ClassInstances = field(
        default_factory=dict[str, Choice | Sequence[Choice]],
        metadata=_flag(
            "the class instance that implements an interface; for an array of interfaces, all"
            " instances with commas between",
            "INTERFACE=INSTANCE",
            "light=sun",
            "--class-instance",
        ),
    )
    denormals: DenormalMode = field(
        default="d3d",
        metadata=_flag(
            "32-bit denormals; d3d: flushed to zero; device: as the device computes"
            " (default: {default})"
        ),
    )
    denormal_test: DenormalTest = field(
        default="comparison",
        metadata=_flag(
            "the test for denormals on a device that does not flush them; comparison: of floats,"
            " for GPUs; bits: of exponents, for CPUs (default: {default})"
        ),
    )
    sampling: SamplingMode = field(
        default="d3d",
        metadata=_flag(
            "samples at NaN, infinite and very large operands; d3d: D3D's results; device: the"
            " device's (default: {default})"
        ),
    )
    max_inlined: int = field(
        default=MAX_INLINED,
        metadata=_flag(
            "the number of operations that inlined subroutines may add; if they would add more, a"
            " loop calls them ({default})"
        ),
    )
    max_instructions: int | None = field(
        default=None,
        metadata=_flag(
            "the largest number of operations of a shader"
            " (default: 200000, and 64 for each instruction)"
        ),
    )
    max_words: int = field(
        default=MAX_WORDS,
        metadata=_flag("the largest number of SPIR-V words of a shader ({default})"),
    )
    optimize: bool = field(
        default=True, metadata=_flag("skip optimisations", spelling="--no-optimize")
    )
    validate: bool | Literal["available"] = field(
        default="available",
        metadata=_flag("check the module with SPIRV-Tools (default: if SPIRV-Tools are installed)"),
    )
    debug_lines: bool = field(
        default=False,
        metadata=_flag(
            "OpLine to the HLSL if the shader has debug information, else to the listing"
        ),
    )
    debug_info: bool = field(
        default=False,
        metadata=_flag(
            "the HLSL or else the listing, and its lines, for debuggers such as RenderDoc"
        ),
    )
    strict: bool = field(
        default=False,
        metadata=_flag("warnings about the shader are errors, for instance of rounded numbers"),
    )

    def __post_init__(self) -> None:
        for name in ("bindings", "layout", "formats", *_COUNTS):
            if not isinstance(value := getattr(self, name), Mapping):
                raise OptionError(f"{name} must be a dict by register or name, not {value!r}")
        _one_of("guards", self.guards, GUARDS)
        _one_of("target", self.target, TARGETS)
        _one_of("denormals", self.denormals, DENORMALS)
        _one_of("denormal_test", self.denormal_test, DENORMAL_TESTS)
        _one_of("sampling", self.sampling, SAMPLING)
        if self.validate not in (True, False, "available"):
            message = f"validate must be True, False or 'available', not {self.validate!r}"
            raise OptionError(message)
        _one_of("size_tables", self.size_tables, SIZE_TABLES)
        for name in sorted({*self.float_controls} - {*FLOAT_CONTROLS}):
            _one_of("each of float_controls", name, FLOAT_CONTROLS)
        for name in sorted({*self.robust_access} - {*ROBUST_ACCESS}):
            _one_of("each of robust_access", name, ROBUST_ACCESS)
        for name in sorted({*self.exact_samples} - {*EXACT_SAMPLES}):
            _one_of("each of exact_samples", name, EXACT_SAMPLES)
        for name in sorted({*self.exact_functions} - {*EXACT_FUNCTIONS}):
            _one_of("each of exact_functions", name, EXACT_FUNCTIONS)
        for name in sorted({*self.missing_indexing} - {*INDEXING_FEATURES}):
            _one_of("each of missing_indexing", name, INDEXING_FEATURES)
        for name in sorted({*self.workarounds} - WORKAROUNDS):
            _one_of("each of workarounds", name, sorted(WORKAROUNDS))
        for name in ("max_inlined", "max_instructions", "max_words"):
            if getattr(self, name) is not None:
                self._set(name, _count(name, getattr(self, name)))
        for name in _SETS:
            if not isinstance(getattr(self, name), frozenset):
                self._set(name, frozenset(getattr(self, name)))
        for name in sorted({*self.layout} - {*REGISTER_CLASSES}):
            _one_of("each class of layout", name, REGISTER_CLASSES)
        for name in ("bindings", "layout"):
            places: Mapping[str, tuple[int, int]] = getattr(self, name)
            self._set(name, {key: _place(key, place) for key, place in places.items()})
        for name, what in _COUNTS.items():
            given: Mapping[str, int] = getattr(self, name)
            counts = {key: _count(f"{what} of {key}", n) for key, n in given.items()}
            self._set(name, counts)

    def _set(self, name: str, value: object) -> None:
        """Store a normalised value in the frozen object: Python integers, frozen sets."""
        object.__setattr__(self, name, value)


class OptionsDict(TypedDict, total=False):
    """The fields of `Options` as optional keyword arguments."""

    guards: GuardMode
    target: Target
    bindings: Mapping[str, tuple[int, int]]
    layout: Mapping[str, tuple[int, int]]
    push_constants: Mapping[str, int]
    formats: Mapping[str, FormatName | Sequence[FormatName]]
    float_controls: frozenset[FloatControl]
    robust_access: frozenset[RobustAccess]
    exact_samples: frozenset[ExactSample]
    exact_functions: frozenset[ExactFunction]
    specialize: bool
    array_lengths: Mapping[str, int]
    constant_lengths: Mapping[str, int]
    size_tables: SizeTables
    workarounds: frozenset[Workaround]
    missing_indexing: frozenset[IndexingFeature]
    windows: frozenset[str]
    single_sample: frozenset[str]
    class_instances: ClassInstances
    denormals: DenormalMode
    denormal_test: DenormalTest
    sampling: SamplingMode
    max_inlined: int
    max_instructions: int | None
    max_words: int
    optimize: bool
    validate: bool | Literal["available"]
    debug_lines: bool
    debug_info: bool
    strict: bool


def _one_of(name: str, value: str, allowed: Collection[str]) -> None:
    if value not in allowed:
        raise OptionError(f"{name} must be one of {', '.join(allowed)}, not {value!r}")


def _count(name: str, value: SupportsIndex) -> int:
    try:
        number = index(value)
    except TypeError:
        raise OptionError(f"{name} must be an integer, not {value!r}") from None
    if number < 0:
        raise OptionError(f"{name} must not be negative, not {number}")
    return number


def _place(register: str, place: Sequence[SupportsIndex]) -> tuple[int, int]:
    """Check a (set, binding) pair."""
    name = f"binding of {register}"
    try:
        descriptor_set, binding = place
    except (TypeError, ValueError):
        raise OptionError(f"{name} must be (set, binding), not {place!r}") from None
    return _count(name, descriptor_set), _count(name, binding)
