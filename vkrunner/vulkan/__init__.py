"""The Vulkan backend: Vulkan's objects, and steps encoded for them.

`vk` calls the loader; `instance`, `physical` and `features` describe the devices; `logical` is an
open device, and `deletion` says how long the objects live that are made on it. `pool` has its
memory, `storage` the buffers in it, `submissions` its queue; `commands` and `barriers` are
recorded, `clock` takes the time.
"""
