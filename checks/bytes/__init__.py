"""Fuzzing of every reader of bytes or text: no crash, no hang, memory within proportion."""
