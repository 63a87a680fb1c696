"""Properties of devices, and the known faults of drivers."""
