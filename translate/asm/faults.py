"""The error that readers of a part of a line raise."""

from __future__ import annotations


class Fault(Exception):
    """Text that says nothing valid, at `start` in its line (from 0), `length` characters long.

    The caller, which knows the line, makes an AssemblyError of it.
    """

    def __init__(self, message: str, start: int, length: int = 1):
        super().__init__(message)
        self.message = message
        self.start = start
        self.length = length
