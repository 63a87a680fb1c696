"""Memory of dwords: views, constants, group-shared memory, and private memory of threads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from checks.interpret.lanes import Lanes
from checks.interpret.races import Races
from checks.interpret.threads import Threads
from translate.ir.memory import SHARED, STRUCTURED, MemoryKind, Resource
from translate.ir.tables import Layout, Start, Table
from translate.reference.storage import Storage

POISON = np.uint32(0xDEADBEEF)  # the value of reads from empty views, and of uninitialised x#
_DWORD_BYTES = 4
_BITS = 32
_VECTOR = 4  # components of a vector in a constant buffer


@dataclass(slots=True)
class Space:
    """Memory of `size` elements of `width` dwords each.

    A lane's elements begin at `words[base[lane]]`; if `base` has a single entry, lanes share the
    memory. Elements are structures, vectors (cb, icb and x#) or dwords. `written` and `races` are
    for g# only. `dropped` has the lanes that stored out of bounds: a device may let such a lane
    load the dropped value.
    """

    words: Lanes
    size: int
    width: int
    base: Lanes = field(default_factory=lambda: np.zeros(1, np.int64))
    written: Lanes | None = None
    races: Races | None = None
    dropped: set[int] = field(default_factory=set[int])

    @property
    def reach(self) -> int:
        """The number of dwords in all elements."""
        return self.size * self.width

    def at(self, lanes: Lanes, dword: Lanes) -> Lanes:
        """The positions of the lanes' dwords in `words`."""
        return dword + (self.base[lanes] if len(self.base) > 1 else self.base[0])


def width_of(resource: Resource) -> int:
    """The number of dwords of an element."""
    if resource.kind in STRUCTURED:
        return resource.stride // _DWORD_BYTES
    if resource.kind is MemoryKind.CONSTANTS:
        return _VECTOR
    if resource.kind in (MemoryKind.IMMEDIATE_CONSTANTS, MemoryKind.INDEXABLE_TEMP):
        return resource.components
    return 1


def bound_vectors(storage: Storage, resource: Resource, name: str | None) -> int:
    """The number of bound vectors of a constant buffer, at most the declared number."""
    return 0 if name is None else min(len(storage.constants(name)), resource.length)


class Spaces:
    """The memory of some threads.

    `own` has the memory of resources that passes have added. `marks` maps resources that have a bit
    for each written dword of a g# to that g#; the interpreter computes these bits until a pass adds
    stores that set them.
    """

    def __init__(
        self,
        storage: Storage,
        threads: Threads,
        own: Mapping[Resource, Lanes],
        marks: Mapping[Resource, Resource],
        layouts: Table[Layout],
    ):
        self._storage = storage
        self._threads = threads
        self._own = own
        self._marks = marks
        self._layouts = layouts
        self._spaces: dict[tuple[str, str | None], Space] = {}

    def space(self, resource: Resource, name: str | None) -> Space:
        """A resource's memory; `name` is the register that it is bound to, if any."""
        if resource in self._marks:
            return self._marked(self.space(self._marks[resource], name), width_of(resource))
        key = (resource.register, name)
        if key not in self._spaces:
            self._spaces[key] = self._made(resource, name)
        return self._spaces[key]

    def shared(self) -> list[Space]:
        """All g# that were accessed."""
        return [space for space in self._spaces.values() if space.races is not None]

    def _made(self, resource: Resource, name: str | None) -> Space:
        width = width_of(resource)
        if resource in self._own:
            return Space(self._own[resource], len(self._own[resource]), 1)
        if resource.kind in SHARED:
            return self._group_shared(resource, width)
        if resource.kind is MemoryKind.INDEXABLE_TEMP:
            return self._private(resource, width)
        if resource.kind is MemoryKind.IMMEDIATE_CONSTANTS:
            return Space(np.array(resource.contents, np.uint32), resource.length, width)
        if name is None:
            return Space(np.zeros(0, np.uint32), 0, width)
        if resource.kind is MemoryKind.CONSTANTS:
            return self._constants(resource, name)
        words = self._storage.words(name)
        return Space(words, len(words) // width, width)

    def _constants(self, resource: Resource, name: str) -> Space:
        """The declared size, with zeros in place of unbound vectors."""
        bound = self._storage.constants(name)[: resource.length].reshape(-1)
        words = np.zeros(resource.length * _VECTOR, np.uint32)
        words[: len(bound)] = bound
        return Space(words, resource.length, _VECTOR)

    def _group_shared(self, resource: Resource, width: int) -> Space:
        threads, elements = self._threads, resource.length
        if resource.kind is MemoryKind.SHARED_RAW:
            elements //= _DWORD_BYTES
        count = elements * width
        total = count * threads.group_count
        base = threads.group * count
        written = np.zeros(total, np.bool_)
        return Space(np.zeros(total, np.uint32), elements, width, base, written, Races(total))

    def _marked(self, shared: Space, width: int) -> Space:
        assert shared.written is not None
        groups = self._threads.group_count
        bits = shared.written.reshape(groups, shared.reach)
        padded = np.pad(bits, ((0, 0), (0, -shared.reach % _BITS)))
        words = np.packbits(padded, axis=1, bitorder="little").view(np.uint32)
        count = words.shape[1]
        return Space(words.reshape(-1), count, width, self._threads.group * count)

    def _private(self, resource: Resource, width: int) -> Space:
        """The memory of x#, with a spare last element for out-of-bounds stores."""
        count = (resource.length + 1) * width
        base = np.arange(self._threads.count, dtype=np.int64) * count
        first = POISON if self._layouts[resource].start is Start.ANYTHING else np.uint32(0)
        words = np.full(count * self._threads.count, first)
        return Space(words, resource.length, width, base)
