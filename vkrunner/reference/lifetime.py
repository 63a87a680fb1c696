"""Lifetime: whether the reference device is open, and in the process that opened it."""

from __future__ import annotations

import os

from vkrunner.errors import ArgumentError
from vkrunner.process import check_process
from vkrunner.reference.info import reference_info


class Lifetime:
    """Nothing of the reference machine has to be destroyed: closing refuses further use.

    `closings` counts the objects that were closed.
    """

    def __init__(self) -> None:
        self.info = reference_info()
        self.closings = 0
        self.closed = False
        self._pid = os.getpid()

    @property
    def is_here(self) -> bool:
        """Whether this is the process that opened it."""
        return os.getpid() == self._pid

    def check_alive(self) -> None:
        """Raises ArgumentError when closed, or in a process that was forked."""
        if self.closed:
            raise ArgumentError("the device is closed")
        check_process(self._pid)

    check_open = check_alive
