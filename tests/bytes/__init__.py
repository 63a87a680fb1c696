"""Fuzzing of all that reads bytes or text: no crash, no hang, no memory out of proportion."""
