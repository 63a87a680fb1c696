"""Queries (sizes, counts, size tables, view ranges), and hidden counters."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from checks.interpret.descriptors import named
from checks.interpret.lanes import Lanes
from checks.interpret.operation import Handler, Operation
from checks.interpret.spaces import POISON, Spaces
from checks.interpret.texels import TexelSpaces
from checks.interpret.windows import WINDOW_FIRST
from translate.ir import ops, row
from translate.ir.memory import MemoryKind, Resource
from translate.reference.storage import Storage
from translate.reference.texels import TexelSpace

_DWORD_BYTES = 4
Count = Callable[[Resource, str | None], int]


class Queries:
    """Executes the operations that return a size or count."""

    def __init__(self, storage: Storage, spaces: Spaces, texels: TexelSpaces):
        self._storage = storage
        self._spaces = spaces
        self._texels = texels
        counts: dict[ops.Op, Count] = {
            ops.ELEMENT_COUNT: self._elements,
            ops.DWORD_COUNT: self._dwords,
            ops.STRUCTURE_COUNT: self._structures,
            ops.TEXEL_COUNT: lambda resource, name: self._image(resource, name).texel_count,
            ops.TABLE_COUNT: self._structures,
            ops.WINDOW_FIRST: lambda resource, name: WINDOW_FIRST,
            ops.WINDOW_COUNT: self._window,
            ops.IMAGE_LEVELS: lambda resource, name: len(self._image(resource, name).mips),
            ops.IMAGE_SAMPLES: self._samples,
            ops.COUNTER_SIZE: lambda _, name: int(self._counter(name) is not None),
        }
        self.handlers: Mapping[ops.Op, Handler] = {
            **{op: _asking(count) for op, count in counts.items()},
            ops.IMAGE_SIZE: self._image_size,
            ops.COUNTER_ADD: self._counter_add,
        }

    # --- buffers ---------------------------------------------------------------------------

    def _dwords(self, resource: Resource, name: str | None) -> int:
        return len(self._spaces.space(resource, name).words)

    def _structures(self, resource: Resource, name: str | None) -> int:
        """The number of structures; of dwords for a raw view."""
        return self._spaces.space(resource, name).size

    def _elements(self, resource: Resource, name: str | None) -> int:
        """The count as in `bufinfo`: bytes for a raw view (FS §22.4.1)."""
        if resource.kind is MemoryKind.TYPED:
            return self._image(resource, name).texel_count
        count = self._structures(resource, name)
        return count * _DWORD_BYTES if resource.kind is MemoryKind.RAW else count

    def _window(self, resource: Resource, name: str | None) -> int:
        """The length of a view range in dwords, texels or slices."""
        if resource.is_image:
            image = self._image(resource, name)
            return image.mips[0].shape[0] if image.mips else 0
        is_typed = resource.kind is MemoryKind.TYPED
        return (self._elements if is_typed else self._dwords)(resource, name)

    # --- images ----------------------------------------------------------------------------

    def _image(self, resource: Resource, name: str | None) -> TexelSpace:
        return self._texels.space(resource, name)

    def _samples(self, resource: Resource, name: str | None) -> int:
        """The number of samples; a null view has no defined number."""
        image = self._image(resource, name)
        return image.mips[0].shape[3] if image.mips else int(POISON)

    def _image_size(self, operation: Operation) -> Lanes:
        """The extents and layers of the first mip, then zeros (see `Builder.mip_extent`)."""
        resource = row.RESOURCE.of(operation.value)
        if resource.has_mips and operation.one(0).any():
            raise operation.fault("queries the size of a mip other than 0", operation.one(0) != 0)
        result = np.zeros((4, len(operation.active.lanes)), np.uint32)
        for name, chosen in named(operation, resource):
            for component, extent in enumerate(_extents(self._image(resource, name))):
                result[component, chosen] = extent
        return operation.given(result)

    # --- hidden counters -------------------------------------------------------------------

    def _counter(self, name: str | None) -> np.uint32 | None:
        return None if name is None else self._storage.counter(name)

    def _counter_add(self, operation: Operation) -> Lanes:
        """Add in the order of lanes; the result is 0 for a missing counter."""
        resource = row.RESOURCE.of(operation.value)
        result = np.zeros(len(operation.active.lanes), np.uint32)
        for name, chosen in named(operation, resource):
            start = self._counter(name)
            if start is None or name is None:
                continue
            ends = int(start) + np.cumsum(operation.one(0)[chosen])
            old = np.concatenate(([int(start)], ends[:-1]))
            result[chosen] = old.astype(np.uint32)
            self._storage.set_counter(name, ends[-1:].astype(np.uint32)[0])
        return operation.given(result)


def _asking(count: Count) -> Handler:
    def execute(operation: Operation) -> Lanes:
        resource = row.RESOURCE.of(operation.value)
        result = np.zeros(len(operation.active.lanes), np.uint32)
        for name, chosen in named(operation, resource):
            result[chosen] = count(resource, name)
        return operation.given(result)

    return execute


def _extents(space: TexelSpace) -> list[int]:
    if not space.mips:
        return []
    slices, height, width = space.mips[0].shape[:3]
    shape = space.shape
    extents = [width, height][: min(shape.axes, 2)]
    if shape.axes == 3 or shape.arrayed:
        extents.append(slices // 6 if shape.cube else slices)
    return extents
