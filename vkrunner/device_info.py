"""DeviceFeatures, DeviceLimits, DeviceInfo: what a device can do, read once and frozen."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, ClassVar

from translate import FloatControl, RobustAccess
from translate.interface import html_table, line_of
from translate.options import FLOAT_CONTROLS, ROBUST_ACCESS

_ALIASES = {"lavapipe": "llvmpipe"}  # the driver's name, and what it calls its device


@dataclass(frozen=True, slots=True)
class DeviceFeatures:
    """The optional features that this project can use; True where the device has them."""

    robust_buffer_access: bool = False
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
    timestamps: bool = False
    non_semantic_info: bool = False

    @property
    def robust_access(self) -> frozenset[RobustAccess]:
        """Those that `translate.Options.robust_access` may have."""
        return frozenset(name for name in ROBUST_ACCESS if getattr(self, name))

    def names(self) -> list[str]:
        """The names of those that are there."""
        return [f.name for f in fields(self) if getattr(self, f.name)]


@dataclass(frozen=True, slots=True)
class DeviceLimits:
    """VkPhysicalDeviceLimits, as far as it concerns compute; sizes in bytes."""

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

    `index` is what `open_device` takes; `missing` names what keeps the device from being used, or
    is None; `memory_bytes` is the sum of its device-local heaps. `known_faults` are those of
    `Device.faults` that are known by the driver's name, without trying it.
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
        """Whether a text is a part of its name, its driver's, or of `more`; so is `lavapipe`."""
        wanted = part.strip().lower()
        wanted = _ALIASES.get(wanted, wanted)
        return wanted in "\n".join((self.name, self.driver, *more)).lower()

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, without limits and extensions."""
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
    """What a notebook shows of a device, by name."""
    return [
        ("index", info.index),
        ("name", info.name),
        ("type", info.type),
        ("driver", f"{info.driver} {info.driver_version}"),
        ("API", info.api_version),
        ("memory", f"{info.memory_bytes / 2**30:.1f} GiB"),
    ]
