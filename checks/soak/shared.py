"""Shared: objects that all threads use while any of them closes one."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle

from checks.running.setting import CALLS, CLOSERS, Setting, refused
from vkrunner import ArgumentError, Device


class Shared:
    """A `Setting` on a device of its own, whose closed objects are replaced.

    A call gets a right result, or an error that says which object is closed.
    """

    def __init__(self, open_one: Callable[[], Device]):
        self._open = open_one
        self._setting = Setting(open_one())
        self._calls, self._closers = cycle(CALLS), cycle(CLOSERS)

    def use(self) -> None:
        """Use one object."""
        with refused():
            getattr(self._setting, next(self._calls))()

    def close_one(self) -> None:
        """Close one object, and make new ones."""
        setting = self._setting
        with refused():
            getattr(setting, next(self._closers)).close()
        try:
            self._setting = Setting(setting.device)
        except ArgumentError:  # the device is closed, or Ctrl-C came: closing it again completes it
            setting.device.close()
            self._setting = Setting(self._open())

    def close(self) -> None:
        """Close the device."""
        self._setting.device.close()
