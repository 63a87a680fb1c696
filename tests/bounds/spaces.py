"""Memories of random programs as NumPy arrays, addressed by D3D's rules for all threads at once."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

import numpy as np

from ..rows.case import Array

GROUP, GROUPS = 32, 8
THREADS = GROUP * GROUPS
SLOT_DWORDS = 8  # of a raw memory, that belong to one thread
SLOT_TEXELS = 2


class Form(Enum):
    """How a memory is addressed."""

    RAW = auto()  # by a byte offset
    STRUCTURED = auto()  # by an index and a byte offset
    TYPED = auto()  # by an element
    VECTORS = auto()  # by a vector


class Sharing(Enum):
    """Which threads see what is written."""

    DISPATCH = auto()
    GROUP = auto()
    THREAD = auto()


@dataclass(eq=False)
class Space:
    """One memory: u32[copies, dwords], a copy for each group or thread that has its own.

    `stride` is an element's size in bytes. `full` is the number of elements that its slots need;
    the view may show fewer. A wild address is one outside of `full`. `atomic` names the one atomic
    that is used on it. Where `owned` is true, each thread has a slot that it alone accesses.
    """

    register: str
    form: Form
    dwords: Array
    stride: int
    full: int
    sharing: Sharing = Sharing.DISPATCH
    owned: bool = False
    atomic: str = ""

    @property
    def count(self) -> int:
        """Elements, or dwords of a raw memory."""
        return self.dwords.shape[1] * 4 // self.stride

    @property
    def outside_is_defined(self) -> bool:
        """D3D leaves g# and x# undefined past their ends, and nothing else."""
        return self.register[0] not in "gx"

    def copies(self) -> Array:
        """Which copy each thread sees."""
        threads = np.arange(THREADS)
        zeros = np.zeros(THREADS, np.int64)
        each = {Sharing.DISPATCH: zeros, Sharing.GROUP: threads // GROUP, Sharing.THREAD: threads}
        return each[self.sharing]

    def owners(self) -> Array:
        """The number of each thread's slot."""
        threads = np.arange(THREADS)
        return threads % GROUP if self.sharing is Sharing.GROUP else threads

    def locate(self, index: Array, offset: Array, component: int) -> tuple[Array, Array]:
        """(inside, dword) for each thread; in 64 bits, where nothing wraps."""
        index, offset = index.astype(np.int64), offset.astype(np.int64)
        if self.form is Form.RAW:
            dword = offset // 4 + component
            return dword < self.dwords.shape[1], dword
        within = offset // 4 + component
        inside = (index < self.count) & (within < self.stride // 4)
        return inside, index * (self.stride // 4) + within

    def load(self, index: Array, offset: Array, component: int) -> Array:
        """u32[threads], 0 outside."""
        inside, dword = self.locate(index, offset, component)
        found = np.zeros(THREADS, np.uint32)
        found[inside] = self.dwords[self.copies()[inside], dword[inside]]
        return found

    def store(
        self, index: Array, offset: Array, component: int, values: Array, active: Array
    ) -> None:
        """Store what is inside; no two threads have the same place."""
        inside, dword = self.locate(index, offset, component)
        inside &= active
        self.dwords[self.copies()[inside], dword[inside]] = values[inside]

    def update(self, index: Array, offset: Array, values: Array, active: Array) -> None:
        """Perform the space's atomic, in any order."""
        inside, dword = self.locate(index, offset, 0)
        inside &= active
        operation = {"iadd": np.add, "umax": np.maximum, "or": np.bitwise_or}[self.atomic]
        operation.at(self.dwords[0], dword[inside], values[inside])


def random_spaces(rng: np.random.Generator) -> list[Space]:
    """All kinds of memory; a view's length is random, sometimes 0."""

    def space(
        register: str,
        form: Form,
        stride: int,
        full: int,
        copies: int = 1,
        sharing: Sharing = Sharing.DISPATCH,
        *,
        owned: bool = False,
        atomic: str = "",
    ) -> Space:
        shown = full
        if register[0] in "tu":
            shown = int(rng.choice([0, full, int(rng.integers(full + 1))], p=[0.1, 0.3, 0.6]))
        shape = (copies, shown * stride // 4)
        dwords = rng.integers(1, 2**32, shape, np.uint32)
        return Space(register, form, dwords, stride, full, sharing, owned, atomic)

    raw, structured, typed, vectors = Form.RAW, Form.STRUCTURED, Form.TYPED, Form.VECTORS
    group, thread = Sharing.GROUP, Sharing.THREAD
    return [
        space("t0", raw, 4, 61),
        space("t1", structured, 12, 21),
        space("t2", typed, 4, 37),
        space("u0", raw, 4, SLOT_DWORDS * THREADS, owned=True),
        space("u1", structured, 20, THREADS, owned=True),
        space("u2", typed, 4, SLOT_TEXELS * THREADS, owned=True),
        space("u3", raw, 4, 45, atomic="iadd"),
        space("u4", structured, 8, 19, atomic="umax"),
        space("u5", typed, 4, 23, atomic="or"),
        space("g0", raw, 4, SLOT_DWORDS * GROUP, GROUPS, group, owned=True),
        space("g1", structured, 20, GROUP, GROUPS, group, owned=True),
        space("cb0", vectors, 16, 7),
        space("icb", vectors, 16, 5),
        space("x0", vectors, 16, 4, THREADS, thread, owned=True),
    ]
