"""Views as D3D has them and Vulkan has not: within arrays, slices, formats, single samples."""
