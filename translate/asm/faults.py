"""The error for a part of a line, without the line's number."""

from __future__ import annotations


class Fault(Exception):
    """Invalid text at `start` in its line (from 0), `length` characters long.

    The caller knows the line and turns the fault into an AssemblyError.
    """

    def __init__(self, message: str, start: int, length: int = 1):
        super().__init__(message)
        self.message = message
        self.start = start
        self.length = length
