"""Probes: small shaders that detect known faults of a device."""
