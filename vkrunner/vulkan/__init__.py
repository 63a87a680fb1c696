"""The Vulkan backend: Vulkan's objects, and steps encoded for them.

`backend` is what dispatches use of it, `machine_code` what explanations use. `loader.vk` calls the
loader, `loader.deletion` explains the lifetimes of all objects. `device` is an open device: its
memory, queue and command buffers. `objects` are buffers, images and samplers; `encode` makes
pipelines, descriptors and commands of a dispatch.
"""
