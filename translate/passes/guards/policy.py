"""The treatment of out-of-bounds accesses: a policy for each value of `Options.guards`.

Checked accesses have D3D's result: a read gives 0, a write is skipped. Policies cover every kind of
memory with a rule (`guards.rules`).
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto
from typing import NamedTuple

from translate.ir.memory import MemoryKind
from translate.passes.guards.rules import RULES


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


# Memory that callers bind, so that the device knows its size
_BOUND = (MemoryKind.RAW, MemoryKind.STRUCTURED, MemoryKind.TYPED, MemoryKind.CONSTANTS)
_BY_DEVICE = {kind: Outside.DEVICE if kind in _BOUND else Outside.ZERO for kind in RULES}

D3D = everywhere(Outside.ZERO)
POLICIES: Mapping[str, Policy] = {
    "d3d": D3D,
    "report": everywhere(Outside.REPORT),
    "robustness2": Policy(_BY_DEVICE, _BY_DEVICE, Outside.ZERO),
    "off": everywhere(Outside.UNCHECKED),
}
