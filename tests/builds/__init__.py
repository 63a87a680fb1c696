"""Builds by CMake with `sm5vk_add_shaders`."""
