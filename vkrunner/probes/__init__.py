"""Trials of a device for known faults."""
