"""Vulkan's library, instances and physical devices."""
