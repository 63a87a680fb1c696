"""Known faults of drivers: their names, and those that are known without a probe.

`probes` finds out about the others. docs/drivers.md has the smallest shader of each.
"""

from __future__ import annotations

from vkrunner.device_options import ARRAY_LENGTH_NON_UNIFORM

# Driver -> faults whose probe would end the process
KNOWN_FAULTS = {"SwiftShader driver": (ARRAY_LENGTH_NON_UNIFORM,)}

# Drivers whose devices share threads: work that does not end on one keeps the others waiting.
SHARED_THREADS = ("SwiftShader driver",)

# Driver -> features that it offers and fails in
FAULTY_FEATURES = {
    "SwiftShader driver": (
        *("sampled_image_non_uniform_indexing", "storage_image_non_uniform_indexing"),
        *("uniform_texel_buffer_non_uniform_indexing", "storage_texel_buffer_non_uniform_indexing"),
        "texture_compression_bc",  # compute shaders read zeros
        "robust_buffer_access",  # loads from ranges that threads choose differently may crash
    )
}
