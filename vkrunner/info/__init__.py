"""Features and limits of devices, and known faults of drivers."""
