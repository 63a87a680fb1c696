"""The threads of some groups of a dispatch: their numbers and inputs."""

from __future__ import annotations

import numpy as np

from checks.interpret.lanes import Lanes

Triple = tuple[int, int, int]


class Threads:
    """Groups `first` to `first + groups` of a dispatch, x fastest, with a lane for each thread."""

    def __init__(self, size: Triple, dispatch: Triple, first: int, groups: int):
        self.group_size = size[0] * size[1] * size[2]
        self.group_count = groups
        self.count = groups * self.group_size
        lanes = np.arange(self.count, dtype=np.int64)
        self.group: Lanes = lanes // self.group_size
        self.flat: Lanes = lanes % self.group_size
        group_id = _split(first + self.group, dispatch)
        in_group = _split(self.flat, size)
        of_all = [g * n + i for g, n, i in zip(group_id, size, in_group, strict=True)]
        self._inputs: dict[str, list[Lanes]] = {
            "vThreadID": of_all,
            "vThreadGroupID": group_id,
            "vThreadIDInGroup": in_group,
            "vThreadIDInGroupFlattened": [self.flat],
        }

    def input(self, name: str, component: int) -> Lanes:
        """A component of a thread input (FS §23.11-14)."""
        return self._inputs[name][component]

    def thread(self, lane: int) -> Triple:
        """vThreadID of a lane."""
        return self._triple("vThreadID", lane)

    def group_id(self, lane: int) -> Triple:
        """vThreadGroupID of a lane."""
        return self._triple("vThreadGroupID", lane)

    def _triple(self, name: str, lane: int) -> Triple:
        x, y, z = (int(component[lane]) for component in self._inputs[name])
        return x, y, z


def _split(number: Lanes, extents: Triple) -> list[Lanes]:
    x, y = extents[:2]
    return [number % x, number // x % y, number // (x * y)]
