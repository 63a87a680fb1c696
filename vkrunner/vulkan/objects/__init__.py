"""Vulkan objects that outlive a submission."""
