"""DeviceFeatures, DeviceLimits, DeviceInfo: a device's abilities, read once and frozen."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, ClassVar

from translate import FloatControl, RobustAccess
from translate.interface import html_table, line_of
from translate.options import FLOAT_CONTROLS, ROBUST_ACCESS

_ALIASES = {"lavapipe": "llvmpipe"}  # the driver's name, and what it calls its device


@dataclass(frozen=True, slots=True)
class DeviceFeatures:
    """The optional features that this project can use; True where the device has them.

    Attributes
    ----------
    robust_buffer_access : bool
        `robustBufferAccess`.
    float16 : bool
        `shaderFloat16`: halves, for `f32tof16` (`Options.float_controls`).
    float64 : bool
        `shaderFloat64`: doubles.
    int64 : bool
        `shaderInt64`. No shader needs it.
    int16 : bool
        `shaderInt16`. No shader needs it.
    storage_image_read_without_format : bool
        `shaderStorageImageReadWithoutFormat`: loads from typed UAVs of unknown format.
    storage_image_write_without_format : bool
        `shaderStorageImageWriteWithoutFormat`: stores to typed UAVs of unknown format.
    storage_image_extended_formats : bool
        `shaderStorageImageExtendedFormats`: UAVs of most formats.
    storage_image_multisample : bool
        `shaderStorageImageMultisample`.
    image_gather_extended : bool
        `shaderImageGatherExtended`: gathers with offsets.
    image_cube_array : bool
        `imageCubeArray`: arrays of cubes.
    sampler_anisotropy : bool
        `samplerAnisotropy`.
    texture_compression_bc : bool
        `textureCompressionBC`: BC1 to BC7.
    format_a4r4g4b4 : bool
        `formatA4R4G4B4`: textures of `b4g4r4a4_unorm`.
    resource_min_lod : bool
        `shaderResourceMinLod`: samples whose level of detail is clamped (`sample_d_cl_s`).
    uniform_buffer_dynamic_indexing : bool
        `shaderUniformBufferArrayDynamicIndexing`: arrays of constant buffers, by a uniform index.
    storage_buffer_dynamic_indexing : bool
        `shaderStorageBufferArrayDynamicIndexing`: arrays of raw and structured buffers, likewise.
    sampled_image_dynamic_indexing : bool
        `shaderSampledImageArrayDynamicIndexing`: arrays of textures and samplers, likewise.
    storage_image_dynamic_indexing : bool
        `shaderStorageImageArrayDynamicIndexing`: arrays of texture UAVs, likewise.
    robust_image_access : bool
        `robustImageAccess`, for which checks of images are left out (`Options.robust_access`).
    robust_buffer_access2 : bool
        `robustBufferAccess2`, for which checks of buffers are left out (`Options.robust_access`),
        and for `guards="robustness2"`.
    robust_image_access2 : bool
        `robustImageAccess2`, likewise.
    null_descriptor : bool
        `nullDescriptor`: null textures.
    runtime_descriptor_array : bool
        `runtimeDescriptorArray`: unbounded arrays whose length is not known to the module.
    descriptor_binding_partially_bound : bool
        `descriptorBindingPartiallyBound`.
    uniform_texel_buffer_dynamic_indexing : bool
        `shaderUniformTexelBufferArrayDynamicIndexing`: arrays of typed buffers, by a uniform index.
    storage_texel_buffer_dynamic_indexing : bool
        `shaderStorageTexelBufferArrayDynamicIndexing`: arrays of their UAVs, likewise.
    uniform_buffer_non_uniform_indexing : bool
        `shaderUniformBufferArrayNonUniformIndexing`: an index that may differ between threads.
    storage_buffer_non_uniform_indexing : bool
        `shaderStorageBufferArrayNonUniformIndexing`, likewise.
    sampled_image_non_uniform_indexing : bool
        `shaderSampledImageArrayNonUniformIndexing`, likewise.
    storage_image_non_uniform_indexing : bool
        `shaderStorageImageArrayNonUniformIndexing`, likewise.
    uniform_texel_buffer_non_uniform_indexing : bool
        `shaderUniformTexelBufferArrayNonUniformIndexing`, likewise.
    storage_texel_buffer_non_uniform_indexing : bool
        `shaderStorageTexelBufferArrayNonUniformIndexing`, likewise.
    subgroup_ballot : bool
        `VK_SUBGROUP_FEATURE_BALLOT_BIT` for compute shaders, for modules that work around the fault
        `range_index_in_branch`.
    timestamps : bool
        The device has a clock for compute work.
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
        """Those that `translate.Options.robust_access` may have."""
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
    """VkPhysicalDeviceLimits, as far as it concerns compute.

    Attributes
    ----------
    max_workgroup_count : tuple of int
        Thread groups of a dispatch in x, y and z.
    max_workgroup_size : tuple of int
        Threads of a group in x, y and z.
    max_workgroup_invocations : int
        Threads of a group in all.
    max_shared_memory_bytes : int
        Group-shared memory of a group, in bytes.
    max_storage_buffer_range : int
        The longest view of a raw or structured buffer, in bytes; 2^32 - 2^13 at most.
    max_uniform_buffer_range : int
        The longest view of a constant buffer, in bytes.
    max_texel_buffer_elements : int
        The longest view of a typed buffer, in elements.
    storage_buffer_offset_alignment : int
        Of what a descriptor's offset is a multiple, in bytes; views may begin anywhere all the
        same.
    uniform_buffer_offset_alignment : int
        The same of constant buffers.
    texel_buffer_offset_alignment : int
        The same of typed buffers.
    max_bound_descriptor_sets : int
        Descriptor sets; kernels may use more register spaces.
    max_push_constants_bytes : int
        Push constants, in bytes.
    max_uniform_buffers : int
        Constant buffers of a kernel.
    max_storage_buffers : int
        Raw and structured buffers, and counters.
    max_sampled_images : int
        Textures, and typed buffers that are read.
    max_storage_images : int
        Texture UAVs, and typed UAVs of buffers.
    max_samplers : int
        Samplers.
    max_sampler_lod_bias : float
        The greatest magnitude of a sampler's bias.
    max_resources : int
        All descriptors of a kernel but samplers.
    max_memory_allocation_count : int
        Allocations of device memory at a time.
    max_memory_allocation_bytes : int
        The largest allocation, and so buffer, in bytes.
    timestamp_period_ns : float
        Nanoseconds of a tick of the device's clock.
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
    """One physical device as `vkrunner.devices()` lists it.

    Attributes
    ----------
    index : int
        What `open_device` takes.
    name : str
        The device's name.
    type : str
        discrete, integrated, virtual, cpu, other, reference, or profile (`load_profile`).
    driver : str
        The driver's name.
    driver_version : str
        Its version, in its own words.
    api_version : str
        The version of Vulkan.
    memory_bytes : int
        The sum of its device-local heaps.
    features : DeviceFeatures
        What it has.
    limits : DeviceLimits
        How much it has of it.
    float_controls : frozenset of str
        The float modes that it offers, as of `Options.float_controls`.
    extensions : frozenset of str
        The names of its extensions.
    missing : str or None
        What keeps the device from being used.
    known_faults : tuple of str
        Those of `Device.faults` that are known by the driver's name, without trying it.
    FLOAT_CONTROLS : tuple of str
        All float modes that there are.
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
    FLOAT_CONTROLS: ClassVar[tuple[FloatControl, ...]] = FLOAT_CONTROLS

    def __repr__(self) -> str:
        """Index, name, type, and what keeps it from being used; `to_dict` has more."""
        return line_of(self, f"{self.index} {self.name!r}", self.type, self.missing)

    def _repr_html_(self) -> str:
        return html_table(type(self).__name__, facts_of(self))

    def is_called(self, part: str, *more: str) -> bool:
        """Whether a text is a part of its name or its driver's, in either case; `lavapipe` is
        llvmpipe.

        Parameters
        ----------
        part : str
            The text.
        *more : str
            Further names of the device.

        Returns
        -------
        bool
            Whether it is.
        """
        wanted = part.strip().lower()
        wanted = _ALIASES.get(wanted, wanted)
        return wanted in "\n".join((self.name, self.driver, *more)).lower()

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, without limits and extensions.

        Returns
        -------
        dict
            The attributes by their names, of features and float modes the names of those that are
            there.
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
            "missing": self.missing,
        }


def facts_of(info: DeviceInfo) -> list[tuple[str, object]]:
    """A device's table in notebooks, by name."""
    return [
        ("index", info.index),
        ("name", info.name),
        ("type", info.type),
        ("driver", f"{info.driver} {info.driver_version}"),
        ("API", info.api_version),
        ("memory", f"{info.memory_bytes / 2**30:.1f} GiB"),
    ]
