"""Filling g# and x# of a random program at its start, and reading them back at its end.

t11 and u6 hold the memories one after the other, as u32; each thread copies its own slots.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..rows.case import Array
from .spaces import THREADS, Form, Sharing, Space

_INPUT = "ld_raw_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r6.{letters}, r5.y, t11.xyzw"
_OUTPUT = "store_raw u6.{letters}, r5.y, r6.xyzw"
_FLAT = "vThreadIDInGroupFlattened.x"


def inner(spaces: Sequence[Space]) -> list[Space]:
    """The spaces that no view shows and that can be written: g# and x#."""
    return [space for space in spaces if space.sharing is not Sharing.DISPATCH]


def packed(spaces: Sequence[Space]) -> Array:
    """u32[n]: the contents of t11, and those expected in u6."""
    return np.concatenate([space.dwords.reshape(-1) for space in inner(spaces)])


def filling(spaces: Sequence[Space]) -> list[str]:
    """Instructions that copy t11 to the memories."""
    return _copying(spaces, lambda space: [_INPUT, _own(space, store=True)])


def draining(spaces: Sequence[Space]) -> list[str]:
    """Instructions that copy the memories to u6."""
    return _copying(spaces, lambda space: [_own(space, store=False), _OUTPUT])


def _copying(spaces: Sequence[Space], copy: Callable[[Space], list[str]]) -> list[str]:
    """For each memory a loop over the dwords or vectors of a slot.

    r5.x counts within the slot, r5.y is the position in t11 and u6, r5.z the one in raw shared
    memory and r5.w the one within a structure; the value goes through r6.
    """
    lines: list[str] = []
    base = 0
    for space in inner(spaces):
        slot, step = space.dwords.nbytes // THREADS, 16 if space.form is Form.VECTORS else 4
        lines += ["mov r5.x, l(0)", "loop", f"uge r6.x, r5.x, l({slot // step})"]
        lines += ["breakc_nz r6.x", f"imul null, r5.w, r5.x, l({step})"]
        lines += [f"imad r5.y, vThreadID.x, l({slot}), l({base})", "iadd r5.y, r5.y, r5.w"]
        lines += [f"imad r5.z, {_FLAT}, l({slot}), r5.w"]
        lines += [line.format(letters="xyzw"[: step // 4]) for line in copy(space)]
        lines += ["iadd r5.x, r5.x, l(1)", "endloop"]
        base += space.dwords.nbytes
    return lines


def _own(space: Space, *, store: bool) -> str:
    """Copies between r6 and the place in the thread's slot that r5 names."""
    register = space.register
    if space.form is Form.VECTORS:
        vector, value = f"{register}[r5.x + 0].xyzw", "r6.xyzw"
        return f"mov {vector}, {value}" if store else f"mov {value}, {vector}"
    raw = space.form is Form.RAW
    name, at = ("raw", "r5.z") if raw else ("structured", f"{_FLAT}, r5.w")
    if store:
        return f"store_{name} {register}.x, {at}, r6.x"
    return f"ld_{name} r6.x, {at}, {register}.xxxx"
