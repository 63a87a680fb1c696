"""Process: what a device is bound to. A fork has none of the driver's threads."""

from __future__ import annotations

import os

from vkrunner.errors import ArgumentError


def check_process(pid: int) -> None:
    """Raises ArgumentError in another process than the one that opened the device."""
    if os.getpid() != pid:
        raise ArgumentError(
            f"the device was opened by process {pid}, and cannot be used after a fork: open one"
            " here"
        )
