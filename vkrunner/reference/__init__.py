"""The reference machine as a device: its buffers and textures are NumPy arrays."""
