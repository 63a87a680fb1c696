"""The Vulkan backend: Vulkan's objects, and steps encoded for them.

`vk` calls the loader. `instance` and `physical` describe the devices. `logical` is an
open device; `pool` is its memory, `storage` the buffers in that memory, `submissions` its queue.
`commands` records command buffers and their barriers, `clock` measures time. `deletion` explains
the lifetimes of all these objects.
"""
