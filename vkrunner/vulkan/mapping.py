"""Mapped views of buffers: NumPy arrays over the device's memory, which no memory ends before."""

from __future__ import annotations

from typing import Any

import numpy as np

from vkrunner.values.arrays import Bytes


class _Base:
    """The base of a view of NumPy, which refers to the owners of its memory."""

    def __init__(self, mapped: Bytes, owners: tuple[object, ...], *, writable: bool):
        self._owners = owners
        interface: dict[str, Any] = dict(mapped.__array_interface__)
        interface["data"] = (interface["data"][0], not writable)
        self.__array_interface__ = interface


def view_of(mapped: Bytes, *owners: object, writable: bool) -> Bytes:
    """u8 over the same bytes; the owners of the memory live as long as it."""
    view: Bytes = np.asarray(_Base(mapped, owners, writable=writable))
    return view
