"""The effect of atomics: the new dword from the old one and the operands."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from checks.interpret.lanes import Lanes
from translate.reference.words import apply_in_order

_SIGNED = ("smax", "smin")


def _exchanged(old: Lanes, new: Lanes) -> Lanes:
    return new


def _exchanged_if_equal(old: Lanes, compared: Lanes, new: Lanes) -> Lanes:
    return np.where(old == compared, new, old)


_NEW: Mapping[str, Callable[..., Lanes]] = {
    "iand": np.bitwise_and,
    "ior": np.bitwise_or,
    "ixor": np.bitwise_xor,
    "iadd": np.add,
    "smax": np.maximum,
    "smin": np.minimum,
    "umax": np.maximum,
    "umin": np.minimum,
    "exch": _exchanged,
    "cmp_exch": _exchanged_if_equal,
}


def apply(operation: str, words: Lanes, at: Lanes, operands: list[Lanes]) -> tuple[Lanes, Lanes]:
    """Apply an atomic to `words[at]` in the order of lanes.

    Returns the old values as u32, and which lanes change theirs.
    """
    kind = np.int32 if operation in _SIGNED else np.uint32
    given = [operand.astype(np.uint32).view(kind) for operand in operands]
    return apply_in_order(words, at, _NEW[operation], given)
