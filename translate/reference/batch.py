"""Thread groups that run side by side: their lanes, registers and inputs.

A lane is a thread. Lanes are ordered by group, groups in order of dispatch. A set of lanes is a
sorted array of lane numbers. The set of all lanes is `Batch.everyone`, recognised by identity
(`is`): for it, registers are used as a whole instead of being indexed.
"""

from __future__ import annotations

import math

import numpy as np

from translate.isa.instruction import Lanes
from translate.isa.registers import RegisterFile
from translate.reference.layout import Layout

INPUTS = (
    RegisterFile.THREAD_ID,
    RegisterFile.THREAD_GROUP_ID,
    RegisterFile.THREAD_ID_IN_GROUP,
    RegisterFile.THREAD_ID_IN_GROUP_FLATTENED,
)
NO_LANES: Lanes = np.zeros(0, np.intp)


class Batch:
    """Groups `first` to `first + count - 1` of a dispatch, which run side by side.

    Registers are u32[components, lanes]: `temps` has x y z w of r0, then of r1 and so on; `arrays`
    has the same for each x#. All start as 0; D3D leaves their initial values undefined (reference
    "Uninitialised state"). `parted_at` is the instruction where a lane diverged from its group, or
    -1.
    """

    def __init__(self, layout: Layout, first: int, count: int, groups: tuple[int, int, int]):
        self.group_size = layout.group_size
        self.group_count = count
        self.lane_count = count * self.group_size
        self.everyone: Lanes = np.arange(self.lane_count, dtype=np.intp)
        self.temps: Lanes = np.zeros((4 * layout.temps, self.lane_count), np.uint32)
        self.arrays: dict[int, Lanes] = {
            x.number: np.zeros((x.length * x.components, self.lane_count), np.uint32)
            for x in layout.arrays.values()
        }
        self.parted_at: Lanes = np.full(self.lane_count, -1, np.int32)
        self._first, self._sizes = first, (layout.group, groups)
        self._inputs: dict[tuple[RegisterFile, int], Lanes] = {}

    def group_of(self, lanes: Lanes) -> Lanes:
        """The group of each lane, counted within the batch."""
        return lanes // self.group_size

    def thread(self, lane: int) -> tuple[int, int, int]:
        """A lane's vThreadID."""
        return self._triple(RegisterFile.THREAD_ID, lane)

    def group(self, lane: int) -> tuple[int, int, int]:
        """A lane's vThreadGroupID."""
        return self._triple(RegisterFile.THREAD_GROUP_ID, lane)

    def _triple(self, file: RegisterFile, lane: int) -> tuple[int, int, int]:
        x, y, z = (int(self.input(file, axis)[lane]) for axis in range(3))
        return x, y, z

    def input(self, file: RegisterFile, component: int) -> Lanes:
        """A component of a compute input, u32[lanes] (FS §23.11-14); w is z."""
        key = file, min(component, 2)
        if key not in self._inputs:
            self._inputs[key] = self._make_input(*key)
        return self._inputs[key]

    def _make_input(self, file: RegisterFile, axis: int) -> Lanes:
        size, groups = self._sizes
        thread = np.arange(self.group_size)
        if file is RegisterFile.THREAD_ID_IN_GROUP_FLATTENED:
            return np.tile(thread.astype(np.uint32), self.group_count)
        in_group = _on_axis(thread, size, axis)
        if file is RegisterFile.THREAD_ID_IN_GROUP:
            return np.tile(in_group, self.group_count)
        group = _on_axis(np.arange(self._first, self._first + self.group_count), groups, axis)
        if file is RegisterFile.THREAD_GROUP_ID:
            return np.repeat(group, self.group_size)
        return (group[:, None] * np.uint32(size[axis]) + in_group).ravel()

    def union(self, *sets: Lanes) -> Lanes:
        """The union of disjoint sets of lanes, sorted."""
        filled = [lanes for lanes in sets if len(lanes)]
        if not filled:
            return NO_LANES
        if len(filled) == 1:
            return filled[0]
        if sum(map(len, filled)) == self.lane_count:
            return self.everyone
        return np.sort(np.concatenate(filled), kind="stable")  # merges sorted runs

    def split(self, lanes: Lanes, chosen: Lanes) -> tuple[Lanes, Lanes]:
        """The lanes with `chosen` (bool[lanes]) set, and the others."""
        if chosen.all():
            return lanes, NO_LANES
        if not chosen.any():
            return NO_LANES, lanes
        return lanes[chosen], lanes[~chosen]

    def part(self, values: Lanes, lanes: Lanes) -> Lanes:
        """The elements of `values` (one for each lane of the batch) for `lanes`.

        It is `values` itself, not a copy, if `lanes` is `everyone`.
        """
        return values if lanes is self.everyone else values[lanes]


def _on_axis(index: Lanes, size: tuple[int, int, int], axis: int) -> Lanes:
    """x, y or z of each index into a box, u32; x varies fastest."""
    if size[axis] == 1:
        return np.zeros(len(index), np.uint32)
    if any(n > 1 for n in size[:axis]):
        index = index // math.prod(size[:axis])
    if any(n > 1 for n in size[axis + 1 :]):
        index = index % size[axis]
    return index.astype(np.uint32)
