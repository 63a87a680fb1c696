"""DeviceFeatures, DeviceLimits, DeviceInfo: a device's properties, read once and frozen.

Tried: facts about a device that probes (small shaders) find out when they are asked for.

BufferChecks: what drivers' checks of buffers cost, by measurement.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import fields
from typing import Any, ClassVar, Literal, TypeAlias

from translate import ExactFunction, ExactSample, FloatControl, RobustAccess
from translate.dataclass import dataclass
from translate.interface import html_table, line_of
from translate.options import FLOAT_CONTROLS, ROBUST_ACCESS
from vkrunner.info.faults import Faults, Topic, no_faults

# Of a heap: D3D12_MAX_SHADER_VISIBLE_DESCRIPTOR_HEAP_SIZE_TIER_2
MOST_DESCRIPTORS = 1_000_000
_ALIASES = {"lavapipe": "llvmpipe"}  # the driver's common name -> its devices' name
ExactSamples: TypeAlias = Callable[[], Set[ExactSample]]
ExactFunctions: TypeAlias = Callable[[Set[Topic]], Set[ExactFunction]]
NeedlessModes: TypeAlias = Callable[[], Set[FloatControl]]
Checks: TypeAlias = Literal["hardware", "code"]
OF_BUFFERS: tuple[RobustAccess, ...] = ("robust_buffer_access", "robust_buffer_access2")


@dataclass(frozen=True, slots=True)
class DeviceFeatures:
    """The optional Vulkan features that this package can use; True if the device has them.

    Attributes
    ----------
    robust_buffer_access : bool
        `robustBufferAccess`.
    float16 : bool
        `shaderFloat16`: 16-bit floats, for `f32tof16` (`Options.float_controls`).
    float64 : bool
        `shaderFloat64`: doubles.
    int64 : bool
        `shaderInt64`: 64-bit integers. No D3D shader needs it.
    int16 : bool
        `shaderInt16`: 16-bit integers. No D3D shader needs it.
    storage_image_read_without_format : bool
        `shaderStorageImageReadWithoutFormat`: loads from typed UAVs of unknown format.
    storage_image_write_without_format : bool
        `shaderStorageImageWriteWithoutFormat`: stores to typed UAVs of unknown format.
    storage_image_extended_formats : bool
        `shaderStorageImageExtendedFormats`: UAVs of most formats.
    storage_image_multisample : bool
        `shaderStorageImageMultisample`: multisampled storage images, to upload such textures.
    image_gather_extended : bool
        `shaderImageGatherExtended`: gathers with offsets.
    image_cube_array : bool
        `imageCubeArray`: arrays of cube textures.
    sampler_anisotropy : bool
        `samplerAnisotropy`: anisotropic filters.
    sampler_filter_minmax : bool
        `samplerFilterMinmax`: samplers that return the minimum or maximum of texels.
    sampler_mirror_clamp_to_edge : bool
        `samplerMirrorClampToEdge`: the address mode `mirror_once`.
    texture_compression_bc : bool
        `textureCompressionBC`: BC1 to BC7.
    format_a4r4g4b4 : bool
        `formatA4R4G4B4`: textures of `b4g4r4a4_unorm`.
    resource_min_lod : bool
        `shaderResourceMinLod`: samples with a clamped level of detail (`sample_d_cl_s`).
    uniform_buffer_dynamic_indexing : bool
        `shaderUniformBufferArrayDynamicIndexing`: arrays of constant buffers, with an index that is
        the same for all threads.
    storage_buffer_dynamic_indexing : bool
        `shaderStorageBufferArrayDynamicIndexing`: the same for raw and structured buffers.
    sampled_image_dynamic_indexing : bool
        `shaderSampledImageArrayDynamicIndexing`: the same for textures and samplers.
    storage_image_dynamic_indexing : bool
        `shaderStorageImageArrayDynamicIndexing`: the same for texture UAVs.
    robust_image_access : bool
        `robustImageAccess`, which replaces checks of images (`Options.robust_access`).
    robust_buffer_access2 : bool
        `robustBufferAccess2`, which replaces checks of buffers (`Options.robust_access`), and which
        `guards="robustness2"` needs.
    robust_image_access2 : bool
        `robustImageAccess2`, the same for images.
    null_descriptor : bool
        `nullDescriptor`: null textures.
    pipeline_robustness : bool
        `pipelineRobustness`: each kernel has only the robust accesses that its module relies on.
    runtime_descriptor_array : bool
        `runtimeDescriptorArray`: unbounded arrays of resources, with no length in the module.
    descriptor_binding_partially_bound : bool
        `descriptorBindingPartiallyBound`: arrays of resources with unbound elements.
    uniform_texel_buffer_dynamic_indexing : bool
        `shaderUniformTexelBufferArrayDynamicIndexing`: arrays of typed buffers, with an index that
        is the same for all threads.
    storage_texel_buffer_dynamic_indexing : bool
        `shaderStorageTexelBufferArrayDynamicIndexing`: the same for typed buffer UAVs.
    uniform_buffer_non_uniform_indexing : bool
        `shaderUniformBufferArrayNonUniformIndexing`: arrays of constant buffers, with an index that
        may differ between threads.
    storage_buffer_non_uniform_indexing : bool
        `shaderStorageBufferArrayNonUniformIndexing`: the same for raw and structured buffers.
    sampled_image_non_uniform_indexing : bool
        `shaderSampledImageArrayNonUniformIndexing`: the same for textures and samplers.
    storage_image_non_uniform_indexing : bool
        `shaderStorageImageArrayNonUniformIndexing`: the same for texture UAVs.
    uniform_texel_buffer_non_uniform_indexing : bool
        `shaderUniformTexelBufferArrayNonUniformIndexing`: the same for typed buffers.
    storage_texel_buffer_non_uniform_indexing : bool
        `shaderStorageTexelBufferArrayNonUniformIndexing`: the same for typed buffer UAVs.
    subgroup_ballot : bool
        `VK_SUBGROUP_FEATURE_BALLOT_BIT` for compute shaders, for modules that work around
        `range_index_in_branch` and `uav_range_size`.
    timestamps : bool
        Timestamps of compute work, for durations.
    non_semantic_info : bool
        `VK_KHR_shader_non_semantic_info`, for `Options.debug_info`.
    """

    robust_buffer_access: bool = False
    float16: bool = False
    float64: bool = False
    int64: bool = False
    int16: bool = False
    storage_image_read_without_format: bool = False
    storage_image_write_without_format: bool = False
    storage_image_extended_formats: bool = False
    storage_image_multisample: bool = False
    image_gather_extended: bool = False
    image_cube_array: bool = False
    sampler_anisotropy: bool = False
    sampler_filter_minmax: bool = False
    sampler_mirror_clamp_to_edge: bool = False
    texture_compression_bc: bool = False
    format_a4r4g4b4: bool = False
    resource_min_lod: bool = False
    uniform_buffer_dynamic_indexing: bool = False
    storage_buffer_dynamic_indexing: bool = False
    sampled_image_dynamic_indexing: bool = False
    storage_image_dynamic_indexing: bool = False
    robust_image_access: bool = False
    robust_buffer_access2: bool = False
    robust_image_access2: bool = False
    null_descriptor: bool = False
    pipeline_robustness: bool = False
    runtime_descriptor_array: bool = False
    descriptor_binding_partially_bound: bool = False
    uniform_texel_buffer_dynamic_indexing: bool = False
    storage_texel_buffer_dynamic_indexing: bool = False
    uniform_buffer_non_uniform_indexing: bool = False
    storage_buffer_non_uniform_indexing: bool = False
    sampled_image_non_uniform_indexing: bool = False
    storage_image_non_uniform_indexing: bool = False
    uniform_texel_buffer_non_uniform_indexing: bool = False
    storage_texel_buffer_non_uniform_indexing: bool = False
    subgroup_ballot: bool = False
    timestamps: bool = False
    non_semantic_info: bool = False

    @property
    def robust_access(self) -> frozenset[RobustAccess]:
        """The features that `translate.Options.robust_access` may name."""
        return frozenset(name for name in ROBUST_ACCESS if getattr(self, name))

    def names(self) -> list[str]:
        """The features that the device has.

        Returns
        -------
        list of str
            The names of the attributes that are True.
        """
        return [f.name for f in fields(self) if getattr(self, f.name)]


@dataclass(frozen=True, slots=True)
class DeviceLimits:
    """A device's limits for compute work, from VkPhysicalDeviceLimits.

    Attributes
    ----------
    max_workgroup_count : tuple of int
        The most thread groups of a dispatch in x, y and z.
    max_workgroup_size : tuple of int
        The most threads of a group in x, y and z.
    max_workgroup_invocations : int
        The most threads of a group in total.
    max_shared_memory_bytes : int
        The most group-shared memory of a group, in bytes.
    max_storage_buffer_range : int
        The longest view of a raw or structured buffer, in bytes; 2^32 - 2^13 at most.
    max_uniform_buffer_range : int
        The longest view of a constant buffer, in bytes.
    max_texel_buffer_elements : int
        The longest view of a typed buffer, in elements.
    storage_buffer_offset_alignment : int
        The alignment of descriptors of raw and structured buffers, in bytes. Views need no
        alignment: kernels adjust their addresses.
    uniform_buffer_offset_alignment : int
        The same for constant buffers.
    texel_buffer_offset_alignment : int
        The same for typed buffers.
    max_bound_descriptor_sets : int
        The most descriptor sets of a kernel; it may use more register spaces than that.
    max_push_constants_bytes : int
        The most push constants of a kernel, in bytes.
    max_uniform_buffers : int
        The most constant buffers of a kernel.
    max_storage_buffers : int
        The most raw and structured buffers and counters of a kernel.
    max_sampled_images : int
        The most texture and typed buffer SRVs of a kernel.
    max_storage_images : int
        The most texture and typed buffer UAVs of a kernel.
    max_samplers : int
        The most samplers of a kernel.
    max_sampler_lod_bias : float
        The greatest magnitude of a sampler's LOD bias.
    max_resources : int
        The most descriptors of a kernel, samplers excluded.
    max_memory_allocation_count : int
        The most allocations of device memory that exist at a time.
    max_memory_allocation_bytes : int
        The largest allocation and therefore the largest buffer, in bytes.
    timestamp_period_ns : float
        Nanoseconds in a tick of the device's clock.
    """

    max_workgroup_count: tuple[int, int, int]
    max_workgroup_size: tuple[int, int, int]
    max_workgroup_invocations: int
    max_shared_memory_bytes: int
    max_storage_buffer_range: int
    max_uniform_buffer_range: int
    max_texel_buffer_elements: int
    storage_buffer_offset_alignment: int
    uniform_buffer_offset_alignment: int
    texel_buffer_offset_alignment: int
    max_bound_descriptor_sets: int
    max_push_constants_bytes: int
    max_uniform_buffers: int
    max_storage_buffers: int
    max_sampled_images: int
    max_storage_images: int
    max_samplers: int
    max_sampler_lod_bias: float
    max_resources: int
    max_memory_allocation_count: int
    max_memory_allocation_bytes: int
    timestamp_period_ns: float


@dataclass(frozen=True, slots=True)
class DeviceInfo:
    """One physical device, as `vkrunner.devices()` lists it.

    Attributes
    ----------
    index : int
        The index, which `open_device` accepts.
    name : str
        The device's name.
    type : str
        discrete, integrated, virtual, cpu, other, reference, or profile (`load_profile`).
    driver : str
        The driver's name.
    driver_version : str
        The driver's version, as the driver writes it.
    api_version : str
        The version of Vulkan.
    memory_bytes : int
        The total size of the device-local memory heaps.
    features : DeviceFeatures
        The device's optional features.
    limits : DeviceLimits
        The device's limits.
    float_controls : frozenset of str
        The float modes that the device supports; names as in `Options.float_controls`.
    extensions : frozenset of str
        The names of the device's extensions.
    missing : str or None
        The reason why the device cannot be used; None if it can.
    known_faults : tuple of str
        The names of those faults in `Device.faults` that follow from the driver's name and version.
    is_cpu : bool
        Whether the CPU executes the shaders.
    buffer_checks : {"hardware", "code"} or None
        How the driver is known to check the bounds of buffers, if kernels rely on it. Kernels do
        not if it does so in code: they check buffers themselves, with fewer instructions.
    FLOAT_CONTROLS : tuple of str
        The names of all float modes.
    """

    index: int
    name: str
    type: str
    driver: str
    driver_version: str
    api_version: str
    memory_bytes: int
    features: DeviceFeatures
    limits: DeviceLimits
    float_controls: frozenset[FloatControl]
    extensions: frozenset[str]
    missing: str | None = None
    known_faults: tuple[str, ...] = ()
    is_cpu: bool = False
    buffer_checks: Checks | None = None
    FLOAT_CONTROLS: ClassVar[tuple[FloatControl, ...]] = FLOAT_CONTROLS

    @property
    def robust_access(self) -> frozenset[RobustAccess]:
        """The robust accesses that kernels rely on, unless a probe finds that they fail."""
        checks_own = self.buffer_checks == "code" and self.features.pipeline_robustness
        return self.features.robust_access.difference(OF_BUFFERS if checks_own else ())

    def __repr__(self) -> str:
        """Index, name, type, and the reason if it cannot be used; `to_dict` has more."""
        return line_of(self, f"{self.index} {self.name!r}", self.type, self.missing)

    def _repr_html_(self) -> str:
        return html_table(type(self).__name__, facts_of(self))

    def is_called(self, part: str, *more: str) -> bool:
        """Whether a text is part of the device's or driver's name, ignoring case.

        Parameters
        ----------
        part : str
            The text. `lavapipe` matches llvmpipe, the name of its devices.
        *more : str
            Further names of the device.

        Returns
        -------
        bool
            True if one of the names contains the text.
        """
        wanted = part.strip().lower()
        wanted = _ALIASES.get(wanted, wanted)
        return wanted in "\n".join((self.name, self.driver, *more)).lower()

    def to_dict(self) -> dict[str, Any]:
        """The device as plain data for JSON, without limits and extensions.

        Returns
        -------
        dict
            The attributes by name; features and float modes as lists of the names that the device
            has.
        """
        return {
            "index": self.index,
            "name": self.name,
            "type": self.type,
            "driver": self.driver,
            "driver_version": self.driver_version,
            "api_version": self.api_version,
            "memory_bytes": self.memory_bytes,
            "features": self.features.names(),
            "float_controls": sorted(self.float_controls),
            "buffer_checks": self.buffer_checks,
            "missing": self.missing,
        }


def facts_of(info: DeviceInfo) -> list[tuple[str, object]]:
    """The rows of a device's table in notebooks: names and values."""
    return [
        ("index", info.index),
        ("name", info.name),
        ("type", info.type),
        ("driver", f"{info.driver} {info.driver_version}"),
        ("API", info.api_version),
        ("memory", f"{info.memory_bytes / 2**30:.1f} GiB"),
    ]


"""Returns the value of `Options.exact_samples` for a device; may run shaders, like `Faults`."""

"""Returns the value of `Device.needless_modes`; may run shaders."""


def no_functions(topics: Set[Topic], /) -> frozenset[ExactFunction]:
    """`ExactFunctions` for a device that was not tried."""
    return frozenset()


@dataclass(frozen=True, slots=True)
class Tried:
    """Functions that return a device's faults, and the tests and modes that are needless there.

    Their first calls may run probes. By default a device has no faults, all operands of
    samples are tested, all float modes are declared, and no function is the device's own.
    `exact_functions` returns those of the given topics.
    """

    faults: Faults = no_faults
    exact_samples: ExactSamples = frozenset
    needless_modes: NeedlessModes = frozenset
    exact_functions: ExactFunctions = no_functions


@dataclass(frozen=True, slots=True)
class BufferChecks:
    """What a driver's checks of buffers cost, in instructions.

    Some GPUs check the bounds of buffers in hardware. For others the driver's compiler adds
    comparisons to the code, and splits wide accesses, each part with comparisons of its own. The
    figures are for `d3d` modules, divided by those for dxbc-spirv's modules without checks:
    geometric means of 225 programs, with Mesa 26.1.6 and no GPU (docs/performance.md).

    `by_device`: the device checks buffers. `by_module`: the module does. `with_nulls`: the same on
    a device with null descriptors, for which some compilers check the buffers of every module.
    """

    driver: str
    gpu: str
    by_device: float
    by_module: float
    with_nulls: float


BUFFER_CHECKS = {
    row.driver: row
    for row in (
        BufferChecks("radv", "NAVI21", 1.15, 1.32, 1.32),
        BufferChecks("NVK", "GA102", 1.49, 1.34, 1.63),
        BufferChecks("turnip Mesa driver", "ADRENO740", 1.09, 1.33, 1.33),
        BufferChecks("Honeykrisp", "M1", 1.66, 1.31, 1.31),
    )
}


def checks_of(driver: str) -> Checks | None:
    """Where a driver checks buffers: in code if modules do it with fewer instructions.

    None if it was not measured.
    """
    row = BUFFER_CHECKS.get(driver)
    if row is None:
        return None
    return "code" if row.by_module < row.by_device else "hardware"


def costly_features(driver: str) -> tuple[str, ...]:
    """Fields of DeviceFeatures that the runner leaves disabled: every kernel would be slower."""
    row = BUFFER_CHECKS.get(driver)
    is_costly = row is not None and row.with_nulls > row.by_module and checks_of(driver) == "code"
    return ("null_descriptor",) if is_costly else ()
