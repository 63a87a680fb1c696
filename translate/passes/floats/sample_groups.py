"""Groups of samples whose operands are known before the first of them: one test serves a group."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from translate.ir import ops
from translate.ir.ops import COMPUTING
from translate.ir.values import Value

SAMPLES = (ops.SAMPLE, ops.SAMPLE_COMPARE)
_MOST = 4  # samples, since their operands are in registers at the same time
Group = tuple[Value, ...]


def in_groups(values: Sequence[Value], is_wanted: Callable[[Value], bool]) -> list[Value | Group]:
    """A block's values, with a tuple of each group's samples in front of the first of them.

    Values that later samples of a group need move in front of the group; no writes are in between.
    """
    found: list[Value | Group] = []
    group: _Group | None = None
    for value in values:
        if group is not None and group.takes(value, is_wanted):
            continue
        if group is not None:
            found += group.close()
        group = _Group(value) if value.op in SAMPLES and is_wanted(value) else None
        if group is None:
            found.append(value)
    return found if group is None else [*found, *group.close()]


class _Group:
    """`values` are those from the first sample on. `late` are the samples, and the values that
    depend on them; `end` is the position in `values` after the last sample."""

    def __init__(self, first: Value):
        self.samples = [first]
        self.values = [first]
        self.late = {first}
        self.end = 1

    def takes(self, value: Value, is_wanted: Callable[[Value], bool]) -> bool:
        """Add the next value of the block; returns False if the group ends before it."""
        if value.op not in COMPUTING:
            return False
        depends = not self.late.isdisjoint(value.args)
        wanted = value.op in SAMPLES and is_wanted(value)
        if wanted and (depends or len(self.samples) == _MOST):
            return False
        self.values.append(value)
        if wanted:
            self.samples.append(value)
            self.end = len(self.values)
        if wanted or depends:
            self.late.add(value)
        return True

    def close(self) -> list[Value | Group]:
        """All values in their new order, with the group before its first sample."""
        early = [value for value in self.values[: self.end] if value not in self.late]
        late = [value for value in self.values[: self.end] if value in self.late]
        return [*early, tuple(self.samples), *late, *self.values[self.end :]]
