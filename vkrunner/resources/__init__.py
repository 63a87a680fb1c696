"""Buffers, textures and samplers on a device: the callers' classes."""
