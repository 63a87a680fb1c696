"""D3D's guarantees for out-of-bounds accesses, by the kind of memory; and `Element`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple

from translate.ir.memory import MemoryKind
from translate.ir.values import Value


class OutOfBounds(Enum):
    """D3D's guarantee for an out-of-bounds address. Guards give 0 and skip writes in all cases."""

    READ_ZERO_SKIP_WRITE = auto()
    UNDEFINED = auto()


class Rule(NamedTuple):
    """D3D's guarantees for a kind of memory, and the sections of the specification (`source`).

    `outside`: past the end of the view; `past_stride`: inside the view, past the structure.
    """

    outside: OutOfBounds
    past_stride: OutOfBounds
    source: str


_ZERO, _UNDEFINED = OutOfBounds.READ_ZERO_SKIP_WRITE, OutOfBounds.UNDEFINED

RULES: Mapping[MemoryKind, Rule] = {
    MemoryKind.RAW: Rule(_ZERO, _ZERO, "FS §22.4.10-11, §22.17.8-28"),
    MemoryKind.STRUCTURED: Rule(_ZERO, _UNDEFINED, "FS §22.4.12-13, §22.17.8-28"),
    MemoryKind.TYPED: Rule(_ZERO, _ZERO, "FS §22.4.6-9, §22.17.8-28"),
    MemoryKind.SHARED_RAW: Rule(_UNDEFINED, _UNDEFINED, "FS §22.4.10-11"),
    MemoryKind.SHARED_STRUCTURED: Rule(_UNDEFINED, _UNDEFINED, "FS §22.4.12-13"),
    MemoryKind.CONSTANTS: Rule(_ZERO, _ZERO, "FS §7.5"),
    MemoryKind.IMMEDIATE_CONSTANTS: Rule(_ZERO, _ZERO, "FS §7.5.1"),
    MemoryKind.INDEXABLE_TEMP: Rule(_UNDEFINED, _UNDEFINED, "FS §7.3"),
}


@dataclass(frozen=True, slots=True)
class Element:
    """A checked address: in bounds if `inside` holds.

    `index` counts dwords or elements; or structures, if `within` is a dword's number in one.
    """

    inside: Value
    index: Value
    within: Value | None = None
