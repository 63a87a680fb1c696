"""Several steps that are submitted together, repeatedly.

`recording` is the public face, `recorded` has the steps as they were asked for, on any device;
`device_recording` and `transfers` are what a Vulkan device makes of them.
"""
