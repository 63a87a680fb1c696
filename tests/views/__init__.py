"""Views that D3D has and Vulkan lacks: in arrays, slices, formats, single samples."""
