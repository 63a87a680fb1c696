"""A logical device: its memory, queue and submissions."""
