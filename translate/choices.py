"""The names that options, formats and other arguments accept, as `Literal` types.

A type checker reports a misspelt name in the source. For a `str` from a file or a command line use
`typing.cast`; such a name is checked at run time.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

GuardMode: TypeAlias = Literal["d3d", "report", "robustness2", "off"]
"""The values of `Options.guards`: "d3d" (the shader checks accesses), "report" (it also records
violations), "robustness2" (VK_EXT_robustness2 checks them), "off" (no checks).
"""

Target: TypeAlias = Literal["vulkan1.1", "vulkan1.2", "vulkan1.3"]
"""The values of `Options.target`: the Vulkan version whose SPIR-V environment the module is for."""

DenormalMode: TypeAlias = Literal["d3d", "device"]
"""The values of `Options.denormals`: "d3d" (32-bit denormals become 0), "device" (no such code)."""

DenormalTest: TypeAlias = Literal["comparison", "bits"]
"""The values of `Options.denormal_test`: a "comparison" of floats (GPUs), or of "bits" (CPUs)."""

SamplingMode: TypeAlias = Literal["d3d", "device"]
"""The values of `Options.sampling`: "d3d" (D3D's results for NaN, infinite and very large operands
of samples), "device" (the device's).
"""

ExactSample: TypeAlias = Literal[
    "coordinates", "directions", "slices", "levels_of_detail", "gradients"
]
"""The values in `Options.exact_samples`: kinds of operands of samples. "directions" are cubes'."""

ExactFunction: TypeAlias = Literal["halves", "sines", "integers", "powers"]
"""The values in `Options.exact_functions`: conversions of "halves" and of "integers" to floats;
"sines" and cosines; "powers" and logarithms.
"""

SizeTables: TypeAlias = Literal["none", "non_uniform", "dynamic"]
"""The values of `Options.size_tables`: the arrays of buffers whose sizes come from a table. These
are "none", those with a "non_uniform" index, or all with a "dynamic" (not constant) index.
"""

FloatControl: TypeAlias = Literal[
    "denorm_flush_to_zero_32",
    "denorm_preserve_16",
    "denorm_preserve_32",
    "denorm_preserve_64",
    "signed_zero_inf_nan_preserve_16",
    "signed_zero_inf_nan_preserve_32",
    "signed_zero_inf_nan_preserve_64",
    "rounding_mode_rte_32",
    "rounding_mode_rte_64",
    "rounding_mode_rtz_16",
]
"""The values in `Options.float_controls`: SPIR-V's float execution modes, with their bit width."""

RobustAccess: TypeAlias = Literal[
    "robust_buffer_access", "robust_buffer_access2", "robust_image_access"
]
"""The values in `Options.robust_access`: the device features that can replace bounds checks."""

# The specialization constants of `Options.specialize`; the position of each is its SpecId
SPECIALIZATIONS: tuple[str, ...] = (
    *get_args(RobustAccess),
    *(f"exact_{kind}" for kind in get_args(ExactSample)),
    "denormals",
    *(f"exact_{kind}" for kind in get_args(ExactFunction)),
)

IndexingFeature: TypeAlias = Literal[
    "uniform_buffer_dynamic_indexing",
    "storage_buffer_dynamic_indexing",
    "sampled_image_dynamic_indexing",
    "storage_image_dynamic_indexing",
    "uniform_texel_buffer_dynamic_indexing",
    "storage_texel_buffer_dynamic_indexing",
    "uniform_buffer_non_uniform_indexing",
    "storage_buffer_non_uniform_indexing",
    "sampled_image_non_uniform_indexing",
    "storage_image_non_uniform_indexing",
    "uniform_texel_buffer_non_uniform_indexing",
    "storage_texel_buffer_non_uniform_indexing",
]
"""The values in `Options.missing_indexing`: device features for indices into register ranges."""

Workaround: TypeAlias = Literal[
    "fourth_constant_buffer",
    "loop_values",
    "loop_limit",
    "deep_conditions",
    "long_bodies",
    "constant_min_max",
    "slow_min_max",
    "slices_outside",
    "small_uavs_outside",
    "float_zeros",
    "select_signed_zero",
    "negative_zero_limits",
    "memory_barriers",
    "range_index_in_branch",
    "uav_range_size",
    "descriptors_in_loops",
]
"""The values in `Options.workarounds`: the driver faults that a module can work around."""

Profile: TypeAlias = Literal["cs_4_0", "cs_4_1", "cs_5_0", "cs_5_1"]
"""The values of `HlslOptions.profile`: the shader model to compile HLSL for."""

FormatName: TypeAlias = Literal[
    "r32_float",
    "r32_uint",
    "r32_sint",
    "r32g32_float",
    "r32g32_uint",
    "r32g32_sint",
    "r32g32b32_float",
    "r32g32b32_uint",
    "r32g32b32_sint",
    "r32g32b32a32_float",
    "r32g32b32a32_uint",
    "r32g32b32a32_sint",
    "r16_float",
    "r16_unorm",
    "r16_uint",
    "r16_snorm",
    "r16_sint",
    "r16g16_float",
    "r16g16_unorm",
    "r16g16_uint",
    "r16g16_snorm",
    "r16g16_sint",
    "r16g16b16a16_float",
    "r16g16b16a16_unorm",
    "r16g16b16a16_uint",
    "r16g16b16a16_snorm",
    "r16g16b16a16_sint",
    "r8_unorm",
    "r8_uint",
    "r8_snorm",
    "r8_sint",
    "r8g8_unorm",
    "r8g8_uint",
    "r8g8_snorm",
    "r8g8_sint",
    "r8g8b8a8_unorm",
    "r8g8b8a8_uint",
    "r8g8b8a8_snorm",
    "r8g8b8a8_sint",
    "r10g10b10a2_unorm",
    "r10g10b10a2_uint",
    "r11g11b10_float",
    "b8g8r8a8_unorm",
    "r8g8b8a8_unorm_srgb",
    "b8g8r8a8_unorm_srgb",
    "b8g8r8x8_unorm",
    "b8g8r8x8_unorm_srgb",
    "b5g6r5_unorm",
    "b5g5r5a1_unorm",
    "b4g4r4a4_unorm",
    "a8_unorm",
    "r9g9b9e5_sharedexp",
    "d32_float",
    "d16_unorm",
    "r24_unorm_x8_typeless",
    "x24_typeless_g8_uint",
    "r32_float_x8x24_typeless",
    "x32_typeless_g8x24_uint",
    "r8g8_b8g8_unorm",
    "g8r8_g8b8_unorm",
    "bc1_unorm",
    "bc1_unorm_srgb",
    "bc2_unorm",
    "bc2_unorm_srgb",
    "bc3_unorm",
    "bc3_unorm_srgb",
    "bc4_unorm",
    "bc4_snorm",
    "bc5_unorm",
    "bc5_snorm",
    "bc6h_uf16",
    "bc6h_sf16",
    "bc7_unorm",
    "bc7_unorm_srgb",
]
"""The formats of typed buffers and textures: DXGI's names in lower case."""
