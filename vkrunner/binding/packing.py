"""Packer: constants from a dict in one step, where every one of them is a plain number."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

from translate import Constant
from vkrunner.values.arrays import Bytes

_LETTERS = {"float": "f", "int": "i", "uint": "I"}
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


def packer_of(constants: Sequence[Constant] | None, target: Bytes) -> Packer | None:
    """The packer for scalars of 32 bits that fit, None where there are others."""
    if not constants:
        return None
    layout, end = "<", 0
    fields: dict[str, type] = {}
    for constant in constants:
        letter = _LETTERS.get(constant.type)
        if letter is None or constant.shape or constant.elements or constant.offset < end:
            return None
        layout += f"{constant.offset - end}x{letter}"
        fields[constant.name] = _TYPES[letter]
        end = constant.offset + 4
    return Packer(layout, fields) if end <= target.nbytes else None
