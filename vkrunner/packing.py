"""Packer: constants from a dict in one step, where every one of them is a plain number."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

from vkrunner.pool import Bytes

_LETTERS = {"<f4": "f", "<i4": "i", "<u4": "I"}
_TYPES = {"f": float, "i": int, "I": int}


class Packer:
    """What writes dicts into a constant buffer of scalars. Made by `packer_of`."""

    def __init__(self, layout: str, fields: dict[str, type]):
        self._layout = struct.Struct(layout)
        self._fields = fields

    def pack(self, value: dict[str, Any], target: memoryview) -> bool:
        """Write a dict; False, with nothing written, where it needs to be looked at closely."""
        if len(value) != len(self._fields):
            return False
        try:
            numbers = [value[name] for name in self._fields]
            if [type(n) for n in numbers] != list(self._fields.values()):
                return False
            self._layout.pack_into(target, 0, *numbers)
        except (KeyError, OverflowError, struct.error):
            return False
        return True


def packer_of(dtype: np.dtype[Any] | None, target: Bytes) -> Packer | None:
    """The packer for a structure of f4, i4 and u4 that fits, None for another."""
    if dtype is None or dtype.names is None or dtype.itemsize > target.nbytes:
        return None
    layout, end = "<", 0
    fields: dict[str, type] = {}
    for name, (kind, offset, *_title) in (dtype.fields or {}).items():
        letter = _LETTERS.get(kind.str)
        if letter is None or offset < end:
            return None
        layout += f"{offset - end}x{letter}"
        fields[name] = _TYPES[letter]
        end = offset + kind.itemsize
    return Packer(f"{layout}{dtype.itemsize - end}x", fields)
