"""Vulkan's own objects: what knows nothing of shaders, and little of what is in memory.

`vk` calls the loader; `instance`, `physical` and `records` tell what there is; `logical` is the
open device, which owns all that is made on it, until `deferral` lets it go. `pool` has its memory,
`mapping` shows it to the host, `submissions` its queue; `commands` and `barriers` are recorded,
`clock` and `reading` take the time, and `plan_cache` keeps what may be submitted again.
"""
