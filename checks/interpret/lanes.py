"""The active threads, and values with a number for every thread (lane), as in `ir.lanes`."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from translate.ir.types import BOOL, F32, F64, TEXELS, Type
from translate.isa.instruction import Lanes

__all__ = ["Active", "Lanes"]


_FLOATS = (F32, Type.TEXEL_F32)


class Active:
    """The threads that execute an operation, as bool[lanes]."""

    def __init__(self, mask: Lanes):
        self.mask = mask

    @cached_property
    def lanes(self) -> Lanes:
        """The numbers of the active lanes, in order."""
        return np.flatnonzero(self.mask)

    @cached_property
    def is_all(self) -> bool:
        return bool(self.mask.all())

    @cached_property
    def is_none(self) -> bool:
        return not self.mask.any()

    def where(self, condition: Lanes) -> Active:
        """The active lanes that satisfy a condition."""
        return Active(self.mask & condition)

    def merged(self, new: Lanes, old: Lanes | None) -> Lanes:
        """New values in the active lanes, old values in the others."""
        return new if old is None or self.is_all else np.where(self.mask, new, old)


def constant(type_: Type, bits: int, count: int) -> Lanes:
    """A constant in every lane; constant texels are always zeros."""
    if type_ in TEXELS.values():
        return of_words(np.zeros((4, count), np.uint32), type_)
    if type_ is BOOL:
        return np.full(count, bool(bits))
    if type_ is F64:
        return np.full(count, bits, np.uint64).view(np.float64)
    return of_words(np.full(count, bits, np.uint32), type_)


def of_words(words: Lanes, type_: Type) -> Lanes:
    """Convert u32 dwords to U32 or F32, or to the components of a texel."""
    return words.view(np.float32) if type_ in _FLOATS else words.astype(np.int64)


def to_words(values: Lanes) -> Lanes:
    """Convert U32, F32 or a texel's components to u32 dwords."""
    if values.dtype == np.float32:
        return np.ascontiguousarray(values).view(np.uint32)
    return values.astype(np.uint32)
