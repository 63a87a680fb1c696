"""The times of dispatches, which may still be on the device."""

from __future__ import annotations

from typing import Protocol

Span = tuple[int, int]  # start and duration in nanoseconds, by the device's clock


class DeviceTime(Protocol):
    """A time by the device's clock, fetched from the device when it is read.

    Reading it raises the errors of `Result.duration_ns`.
    """

    @property
    def duration_ns(self) -> int: ...
    @property
    def span(self) -> Span: ...


Duration = int | DeviceTime | None  # in nanoseconds; None if unknown
