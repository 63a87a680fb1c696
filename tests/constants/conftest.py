"""Every test runs on both devices."""

from ..both_devices import device

__all__ = ["device"]
