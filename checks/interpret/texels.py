"""Typed resources: loads, stores and atomics of texels in buffers and images, and their bounds."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from checks.interpret import atomics
from checks.interpret.descriptors import named
from checks.interpret.lanes import Lanes, to_words
from checks.interpret.operation import Handler, Operation
from checks.interpret.spaces import POISON
from checks.interpret.windows import WINDOW_FIRST
from translate.ir import ops, row
from translate.ir.memory import Access, MemoryKind, Resource
from translate.isa.registers import DIMENSIONS_BY_NAME, RegisterFile
from translate.reference.formats import decode, encode
from translate.reference.layout import Slots
from translate.reference.resources import Array
from translate.reference.storage import Storage
from translate.reference.texels import TexelSpace

_COMPONENTS, _ALPHA = 4, 3


class TexelSpaces:
    """The bound images and typed buffers."""

    def __init__(self, storage: Storage):
        self._storage = storage
        self._spaces: dict[str | None, TexelSpace] = {}

    def space(self, resource: Resource, name: str | None) -> TexelSpace:
        """The view of a register; an empty one for None."""
        key = name or f"nothing of {resource}"
        if key not in self._spaces:
            file = RegisterFile.UAV if resource.is_uav else RegisterFile.RESOURCE
            number, dimension = resource.number, DIMENSIONS_BY_NAME[resource.dimension]
            slots = Slots(file, number, number, dimension=dimension, component=resource.component)
            bound = None if name is None else self._storage.typed(name)
            self._spaces[key] = TexelSpace(key, slots, bound)
        return self._spaces[key]


class Texels:
    """Executes accesses to texels; `outside` collects the kinds of memory with violations."""

    def __init__(self, spaces: TexelSpaces, outside: set[MemoryKind]):
        self._spaces = spaces
        self._outside = outside
        self.handlers: Mapping[ops.Op, Handler] = {
            ops.LOAD_TYPED: self._load,
            ops.STORE_TYPED: self._store,
            ops.LOAD_TEXEL: self._load,
            ops.STORE_TEXEL: self._store,
            ops.ATOMIC_TEXEL: self.atomic,
        }

    def _load(self, operation: Operation) -> Lanes:
        access = row.ACCESS.of(operation.value)
        result = np.zeros((_COMPONENTS, len(operation.active.lanes)), np.uint32)
        count = access.resource.address_count
        for name, chosen in named(operation, access.resource):
            space = self._spaces.space(access.resource, name)
            address = self._address(operation, access.resource, count, chosen)
            if _gives_anything(operation, access.resource, space, address):
                result[:, chosen] = POISON
            elif space.format is not None:
                result[:, chosen] = self._texels(operation, access, space, address, chosen)
            elif not _is_bounded(operation, access.resource):
                self._leave(operation, access.resource, chosen)
        return operation.given(result)

    def _texels(
        self,
        operation: Operation,
        access: Access,
        space: TexelSpace,
        address: list[Lanes],
        chosen: Lanes,
    ) -> list[Lanes]:
        """Texels converted from the format; out of bounds, converted from zeros."""
        assert space.format is not None
        texels = np.zeros((len(chosen), space.format.texel_bytes), np.uint8)
        inside = np.zeros(len(chosen), np.bool_)
        mips = address[-1] if access.resource.has_mips else np.zeros(len(chosen), np.int64)
        for mip, texels_of_mip in enumerate(space.mips):
            rows = _rows(texels_of_mip)
            here, at = locate(space, mip, address)
            here &= mips == mip
            texels[here] = rows[at[here]]
            inside |= here
        words = decode(space.format, texels)
        if _is_bounded(operation, access.resource):
            words[_ALPHA][~inside] = 0  # Vulkan allows 0 for a missing alpha
            inside |= mips == 0
        elif operation.context.is_guarded and _reads(operation, access.resource):
            for word in words:
                word[~inside] = POISON
            return words
        self._leave(operation, access.resource, chosen[~inside])
        return words

    def _store(self, operation: Operation) -> None:
        access = row.ACCESS.of(operation.value)
        count = access.address_count
        words = to_words(operation.one(count))
        for name, chosen in named(operation, access.resource):
            space = self._spaces.space(access.resource, name)
            inside, at = self._located(operation, access, space, chosen)
            picked = chosen[inside]
            if len(picked) and space.format is not None:
                given = [np.ascontiguousarray(word[picked]) for word in words]
                _rows(space.mips[0])[at[inside]] = encode(space.format, given)

    def atomic(self, operation: Operation) -> Lanes:
        """Executes `atomic_texel`, and `atomic` of typed resources."""
        access = row.ACCESS.of(operation.value)
        result = np.zeros(len(operation.active.lanes), np.uint32)
        count = operation.rest(access.address_count, access.resource)
        given = operation.taken(access.address_count, count)
        for name, chosen in named(operation, access.resource):
            space = self._spaces.space(access.resource, name)
            inside, at = self._located(operation, access, space, chosen)
            picked = chosen[inside]
            if len(picked):
                dwords = _rows(space.mips[0]).view(np.uint32)[:, 0]
                kept = [one[picked] for one in given]
                result[picked], _ = atomics.apply(access.operation, dwords, at[inside], kept)
        return operation.given(result)

    # --- addresses -------------------------------------------------------------------------

    def _located(
        self, operation: Operation, access: Access, space: TexelSpace, chosen: Lanes
    ) -> tuple[Lanes, Lanes]:
        """Which of the lanes are inside a UAV's view, and their texels."""
        address = self._address(operation, access.resource, access.address_count, chosen)
        inside, at = np.zeros(len(chosen), np.bool_), np.zeros(len(chosen), np.int64)
        if space.mips:
            inside, at = locate(space, 0, address)
        left = operation.value.op in (ops.STORE_TEXEL, ops.ATOMIC_TEXEL)
        if not (left and _is_bounded(operation, access.resource)):
            self._leave(operation, access.resource, chosen[~inside])
        return inside, at

    def _address(
        self, operation: Operation, resource: Resource, count: int, chosen: Lanes
    ) -> list[Lanes]:
        address = [one[chosen] for one in operation.taken(0, count)]
        if operation.is_moved(resource):
            axis = 2 if resource.is_image else 0
            address[axis] = address[axis] - WINDOW_FIRST
        return address

    def _leave(self, operation: Operation, resource: Resource, chosen: Lanes) -> None:
        """Handle out-of-bounds lanes, which are an error in guarded modules."""
        if not len(chosen):
            return
        if operation.context.is_guarded:
            wrong = np.zeros(len(operation.active.lanes), np.bool_)
            wrong[chosen] = True
            place = [int(one[wrong][0]) for one in operation.taken(0, resource.address_count)]
            raise operation.fault(f"accesses a texel out of bounds, at {place}", wrong)
        self._outside.add(resource.kind)


def locate(space: TexelSpace, mip: int, address: list[Lanes]) -> tuple[Lanes, Lanes]:
    """Whether coordinates are inside a mip, and the number of the texel."""
    slices, height, width, samples, _ = space.mips[mip].shape
    shape, zero = space.shape, np.zeros_like(address[0])
    x, *rest = address[: shape.coordinates]
    y = rest.pop(0) if shape.axes > 1 else zero
    layer = rest.pop(0) if rest else zero
    sample = address[-1] if shape.multisampled else zero
    inside = np.ones(len(x), np.bool_)
    for at, extent in ((x, width), (y, height), (layer, slices), (sample, samples)):
        inside &= (at >= 0) & (at < extent)
    return inside, ((layer * height + y) * width + x) * samples + sample


def _gives_anything(
    operation: Operation, resource: Resource, space: TexelSpace, address: list[Lanes]
) -> bool:
    """Whether the result of this load from an empty view is undefined."""
    if not operation.context.is_guarded or _is_bounded(operation, resource):
        return False
    return _is_empty(space) and (_reads(operation, resource) or not np.any(address))


def _reads(operation: Operation, resource: Resource) -> bool:
    """Whether the device makes out-of-bounds reads harmless, but of undefined value."""
    return operation.context.robustness.reads(resource) is True


def _is_bounded(operation: Operation, resource: Resource) -> bool:
    """Whether the device gives 0 for out-of-bounds loads and drops such stores."""
    view = operation.tables.views[resource]
    context = operation.context
    return context.is_guarded and context.robustness.bounds(resource, view) is True


def _is_empty(space: TexelSpace) -> bool:
    return not space.mips or not space.mips[0].size


def _rows(mip: Array) -> Array:
    return mip.reshape(-1, mip.shape[-1])
