"""Thread groups that run side by side: their lanes, registers and inputs.

A lane is a thread. Lanes are ordered by group, groups in order of dispatch. A set of lanes is a
sorted array of lane numbers. The set of all lanes is `Batch.everyone`, recognised by identity
(`is`): for it, registers are used as a whole instead of being indexed.
"""

from __future__ import annotations

import numpy as np

from translate.isa.instruction import Lanes
from translate.isa.registers import RegisterFile
from translate.reference.layout import Layout

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
        self.inputs = _inputs(layout.group, first, count, groups)

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
        x, y, z = (int(component[lane]) for component in self.inputs[file])
        return x, y, z

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


def _inputs(
    size: tuple[int, int, int], first: int, count: int, groups: tuple[int, int, int]
) -> dict[RegisterFile, tuple[Lanes, ...]]:
    """The compute inputs, u32[lanes] for each component (FS §23.11-14)."""
    threads = size[0] * size[1] * size[2]
    flat = np.arange(threads)
    in_group = _unflatten(flat, size)
    group_id = _unflatten(np.arange(first, first + count), groups)
    thread_id = tuple(
        (g[:, None] * np.uint32(n) + i).ravel()
        for g, n, i in zip(group_id, size, in_group, strict=True)
    )
    return {
        RegisterFile.THREAD_ID: thread_id,
        RegisterFile.THREAD_GROUP_ID: tuple(np.repeat(g, threads) for g in group_id),
        RegisterFile.THREAD_ID_IN_GROUP: tuple(np.tile(i, count) for i in in_group),
        RegisterFile.THREAD_ID_IN_GROUP_FLATTENED: (np.tile(flat.astype(np.uint32), count),),
    }


def _unflatten(index: Lanes, size: tuple[int, int, int]) -> tuple[Lanes, Lanes, Lanes]:
    """x, y and z of each index into a box, u32; x varies fastest."""
    z, rest = np.divmod(index, size[0] * size[1])
    y, x = np.divmod(rest, size[0])
    return x.astype(np.uint32), y.astype(np.uint32), z.astype(np.uint32)
