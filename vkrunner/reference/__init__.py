"""The reference machine as a device: all that a Vulkan device has, held as NumPy arrays."""
