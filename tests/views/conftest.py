"""Every test here runs on the Vulkan device and on the reference machine."""

from ..both_devices import device

__all__ = ["device"]
