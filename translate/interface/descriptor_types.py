"""The values of `Binding.descriptor_type`; a sampler's is the same as its `kind`."""

from __future__ import annotations

UNIFORM_TEXEL_BUFFER = "uniform_texel_buffer"
STORAGE_TEXEL_BUFFER = "storage_texel_buffer"
UNIFORM_BUFFER = "uniform_buffer"
STORAGE_BUFFER = "storage_buffer"
SAMPLED_IMAGE = "sampled_image"
STORAGE_IMAGE = "storage_image"
