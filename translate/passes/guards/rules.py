"""D3D's guarantees for out-of-bounds accesses, and a policy for each value of `Options.guards`.

Checked accesses have D3D's result: a read gives 0, a write is skipped. Policies cover every kind of
memory with a rule.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto
from typing import NamedTuple

from translate.dataclass import dataclass
from translate.ir.memory import MemoryKind
from translate.ir.values import Value

# Memory that callers bind, so that the device knows its size
_BOUND = (MemoryKind.RAW, MemoryKind.STRUCTURED, MemoryKind.TYPED, MemoryKind.CONSTANTS)


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


class Outside(Enum):
    """The treatment of an out-of-bounds access."""

    ZERO = auto()  # checked: a read gives 0, a write is skipped
    REPORT = auto()  # the same, and the access is reported
    DEVICE = auto()  # left to the device: VK_EXT_robustness2 gives the same as ZERO
    UNCHECKED = auto()  # undefined

    __hash__ = object.__hash__

    @property
    def checked(self) -> bool:
        """Whether the shader itself compares the address with the memory's size."""
        return self is Outside.ZERO or self is Outside.REPORT


class Policy(NamedTuple):
    """The treatment of out-of-bounds reads, writes and atomics, for each kind of memory.

    `descriptors`: the treatment of an index that is outside of an array of resources.
    """

    reads: Mapping[MemoryKind, Outside]
    writes: Mapping[MemoryKind, Outside]
    descriptors: Outside

    @property
    def reports(self) -> bool:
        """Whether any access is reported."""
        return Outside.REPORT in self._all()

    @property
    def needs_robustness(self) -> bool:
        """Whether any access is left to the device."""
        return Outside.DEVICE in self._all()

    @property
    def checks(self) -> bool:
        """Whether any access is checked."""
        return any(outside.checked for outside in self._all())

    def _all(self) -> tuple[Outside, ...]:
        return (*self.reads.values(), *self.writes.values(), self.descriptors)


def everywhere(outside: Outside) -> Policy:
    """A policy with the same treatment of every kind of memory."""
    kinds = dict.fromkeys(RULES, outside)
    return Policy(kinds, kinds, outside)


_BY_DEVICE = {kind: Outside.DEVICE if kind in _BOUND else Outside.ZERO for kind in RULES}

D3D = everywhere(Outside.ZERO)
POLICIES: Mapping[str, Policy] = {
    "d3d": D3D,
    "report": everywhere(Outside.REPORT),
    "robustness2": Policy(_BY_DEVICE, _BY_DEVICE, Outside.ZERO),
    "off": everywhere(Outside.UNCHECKED),
}
