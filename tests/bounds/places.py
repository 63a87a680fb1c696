"""Views within larger buffers, with canaries before and after them."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..rows.case import Array

_AFTER = 64  # dwords
_FAR = 64  # elements: a multiple of any device's offset alignment, whatever the stride


@dataclass(frozen=True)
class Placement:
    """Where a view begins, in elements; `empty` shows none, `null` is a null view."""

    name: str
    first: int = 0
    empty: bool = False
    null: bool = False

    @property
    def shows_nothing(self) -> bool:
        return self.empty or self.null


PLACEMENTS = (
    Placement("aligned", _FAR),
    Placement("unaligned", 3),
    Placement("empty", 3, empty=True),
    Placement("empty, aligned", _FAR, empty=True),
    Placement("null", null=True),
)


class Placed:
    """A view at a placement that shows `contents` (u32), and a check of it after a dispatch."""

    def __init__(
        self, device: Any, placement: Placement, contents: Array, element_bytes: int, **view: Any
    ):
        """`view` has the stride or format of the view; without them its elements are dwords."""
        self.placement = placement
        self.contents = np.ascontiguousarray(contents).reshape(-1)
        before = placement.first * element_bytes // 4
        self.part = slice(before, before + self.contents.size)
        rng = np.random.default_rng(before)
        size = before + self.contents.size + _AFTER
        self.whole = rng.integers(1, 2**32, size, np.uint32)
        self.whole[self.part] = self.contents
        self.argument: Any = None
        if not placement.null:
            self.buffer = device.buffer(self.whole)
            count = 0 if placement.empty else self.contents.nbytes // element_bytes
            self.argument = self.buffer.view(placement.first, count, **view)

    def check(self, expected: Array) -> None:
        """The view shows `expected`; nothing around it has changed."""
        if self.placement.null:
            return
        wanted = self.whole.copy()
        if not self.placement.empty:
            wanted[self.part] = np.ascontiguousarray(expected).reshape(-1)
        found = self.buffer.read()
        outside = np.ones(found.shape, bool)
        outside[self.part] = False
        np.testing.assert_array_equal(found[outside], wanted[outside], "canaries")
        np.testing.assert_array_equal(found[self.part], wanted[self.part], "the view")


def each_placement(
    device: Any, listing: str, register: str, contents: Array, given: dict[str, Any], **view: Any
) -> Iterator[tuple[Placed, Any]]:
    """The view and the result of a dispatch for each placement; elements of `contents` are rows."""
    with closing(device.kernel(listing)) as kernel:
        for placement in PLACEMENTS:
            placed = Placed(device, placement, contents, contents[0].nbytes, **view)
            yield placed, kernel.dispatch(1, **given, **{register: placed.argument})
