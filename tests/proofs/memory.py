"""Memory for `machine`: accesses as D3D has them, and accesses that have to be in bounds.

From the rules of docs/out-of-bounds.md: outside a load gives 0, a store does nothing and an atomic
gives 0; an index is compared before it is multiplied; the two low bits of a byte offset do not
count. Nothing is bound at a descriptor outside of its range.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import z3

from translate.ir import ops, row
from translate.ir.memory import Access, MemoryKind, Resource, Sample, resources_of
from translate.ir.robustness import Robustness
from translate.ir.types import TEXELS
from translate.ir.values import Module, Value

from .machine import Machine
from .meaning import Term, word
from .texels import Asked, texel_in_bounds, texel_in_d3d
from .world import (
    BYTES,
    SLICE,
    STRUCTURES,
    World,
    key_of,
    long,
    number,
    read,
    width_of,
)

_ADDRESSED = 30  # bits of a dword's number where the device bounds accesses
_MOST_DWORDS = 512  # of a structure
_COUNTS = (
    *(ops.DWORD_COUNT, ops.STRUCTURE_COUNT, ops.ELEMENT_COUNT, ops.TEXEL_COUNT),
    *(ops.TABLE_COUNT, ops.WINDOW_COUNT, ops.WINDOW_FIRST),
    *(ops.IMAGE_LEVELS, ops.IMAGE_SAMPLES, ops.COUNTER_SIZE),
)
_LOADS = (ops.LOAD, ops.LOAD_ELEMENT, ops.LOAD_VECTOR, ops.LOAD_TYPED, ops.LOAD_TEXEL)
_STORES = (ops.STORE, ops.STORE_ELEMENT, ops.STORE_VECTOR, ops.STORE_TYPED, ops.STORE_TEXEL)
_ATOMICS = (ops.ATOMIC, ops.ATOMIC_ELEMENT, ops.ATOMIC_TEXEL)
_IN_D3D = (ops.LOAD, ops.STORE, ops.ATOMIC, ops.LOAD_TYPED, ops.STORE_TYPED)
_OTHERS = (ops.IMAGE_SIZE, ops.SAMPLE, ops.SAMPLE_COMPARE, ops.COUNTER_ADD)
SUPPORTED = (*_COUNTS, *_LOADS, *_STORES, *_ATOMICS, *_OTHERS)
_SHARED = (MemoryKind.SHARED_RAW, MemoryKind.SHARED_STRUCTURED)


def is_supported(module: Module) -> bool:
    """Whether a module has only memory of dwords, no arrays of resources and no calls."""
    memory = [value for value in module.walk() if value.op.memory is not None]
    resources = [r for r in module.resources if r.kind is not MemoryKind.SAMPLER]
    return (
        all(value.op in SUPPORTED for value in memory)
        and not any(resource.is_array or resource.is_texels for resource in resources)
        and not module.tables.members
        and not any(module.tables.views[r].windowed for r in resources)
        and not any(module.tables.views[r].size_table for r in resources)
        and not module.functions
    )


@dataclass(slots=True)
class Accesses:
    """`touch` of a machine; `wrong` is whether an access in bounds lies outside.

    `guarded`: descriptors have to be in their ranges. `moved`: accesses count from the first
    element that the descriptor shows, not from a window's first.
    """

    module: Module
    world: World
    guarded: bool = True
    moved: bool = False
    wrong: Term = field(default_factory=lambda: z3.BoolVal(False))
    counted: dict[Value, Term] = field(default_factory=dict)  # structures, by a count of dwords

    def __call__(self, machine: Machine, value: Value) -> Term | None:
        if value.op is ops.INPUT:
            return self.world.input(self.module, *row.INPUT.of(value))
        if value.op not in SUPPORTED:
            return None
        operands, descriptors, exists = self._descriptors(machine, value)
        descriptor = descriptors[0] if descriptors else None
        if value.op in _COUNTS:
            counted = self._count(value, descriptor)
            return z3.If(exists, counted, word(0))
        if value.op is ops.IMAGE_SIZE:
            return self._given(value, self._image_size(value, descriptor), exists)
        if value.op in (ops.SAMPLE, ops.SAMPLE_COMPARE):
            return self._given(value, _sampled(value, [*operands, *descriptors]), exists)
        if value.op is ops.COUNTER_ADD:
            return self._counter(machine, row.RESOURCE.of(value), descriptor, exists, operands[0])
        return self._access(machine, value, operands, descriptor, exists)

    def compute(self, value: Value, operands: Sequence[Term]) -> Term | None:
        """A product by a structure's dwords; a view's dwords divided by them, as `size` is."""
        if value.op is ops.UDIV and value.args[0] in self.counted:
            resource = row.RESOURCE.of(value.args[0])
            if value.args[1].constant_bits == width_of(resource):
                return z3.Extract(31, 0, self.counted[value.args[0]])
        if value.op is not ops.IMUL or value.args[1].op is not ops.CONST:
            return None
        width = row.BITS.of(value.args[1])
        if width > _MOST_DWORDS or width & (width - 1) == 0:
            return None
        return z3.Extract(31, 0, self.world.times(long(operands[0]), width))

    def fail(self, machine: Machine, condition: Term) -> None:
        self.wrong = z3.Or(self.wrong, z3.And(machine.here, condition))

    def is_moved(self, resource: Resource) -> bool:
        return self.moved and self.module.tables.views[resource].windowed

    # --- descriptors and sizes ---------------------------------------------------------------

    def _descriptors(
        self, machine: Machine, value: Value
    ) -> tuple[list[Term], list[Term | None], Term]:
        """The other operands, the index of each array, and whether all of them are in range."""
        operands = [machine.of(arg) for arg in value.args]
        named = resources_of(value.data)
        taken = [resource for resource in named if self.module.tables.takes_index(resource)]
        rest, given = operands[: len(operands) - len(taken)], operands[len(operands) - len(taken) :]
        indices, exists = dict(zip(taken, given, strict=True)), z3.BoolVal(True)
        for resource, index in indices.items():
            exists = z3.And(exists, z3.ULT(index, word(resource.count)))
        if self.guarded:
            self.fail(machine, z3.Not(exists))
            exists = z3.BoolVal(True)
        return rest, [indices[r] if r.is_array else None for r in named], exists

    def _count(self, value: Value, descriptor: Term | None) -> Term:
        resource, world = row.RESOURCE.of(value), self.world
        if value.op is ops.COUNTER_SIZE:
            index = word(0) if descriptor is None else descriptor
            sorts = [z3.BitVecSort(32)] * 2
            return z3.Function(f"counters.{resource.register}", *sorts)(index)
        if resource.is_texels:
            texels = world.texel_view(resource, descriptor)
            count = texels.extents[texels.axis] if len(texels.extents) > texels.axis else None
            if value.op is ops.TEXEL_COUNT and self.is_moved(resource):
                count = texels.bound
            others = {
                ops.WINDOW_FIRST: texels.first,
                ops.IMAGE_LEVELS: texels.levels,
                ops.IMAGE_SAMPLES: texels.samples,
            }
            return others.get(value.op, count)
        view = world.view(resource, descriptor)
        size = view.elements
        if value.op is ops.WINDOW_FIRST:
            size = view.first
        elif value.op in (ops.DWORD_COUNT, ops.WINDOW_COUNT):
            whole = value.op is ops.DWORD_COUNT and self.is_moved(resource)
            size = view.bound if whole else view.dwords
            if not whole:
                self.counted[value] = view.elements
        elif value.op is ops.ELEMENT_COUNT and resource.kind in BYTES:
            size = size * 4
        return z3.Extract(31, 0, size)

    def _image_size(self, value: Value, descriptor: Term | None) -> Term:
        resource = row.RESOURCE.of(value)
        view = self.world.texel_view(resource, descriptor)
        extents = [*view.extents]
        if self.is_moved(resource):
            extents[SLICE] = view.bound
        return (*extents, *([word(0)] * (4 - len(extents))))

    def _given(self, value: Value, found: Term, exists: Term) -> Term:
        if value.type not in TEXELS.values():
            return z3.If(exists, found, word(0))
        return tuple(z3.If(exists, one, word(0)) for one in found)

    def _counter(
        self,
        machine: Machine,
        resource: Resource,
        descriptor: Term | None,
        exists: Term,
        added: Term,
    ) -> Term:
        name, index = _counter_name(resource), word(0) if descriptor is None else descriptor
        counters = machine.memory[name]
        old = z3.Select(counters, index)
        machine.memory[name] = z3.If(exists, z3.Store(counters, index, old + added), counters)
        return z3.If(exists, old, word(0))

    # --- accesses ----------------------------------------------------------------------------

    def _access(
        self,
        machine: Machine,
        value: Value,
        operands: list[Term],
        descriptor: Term | None,
        exists: Term,
    ) -> Term | None:
        access = row.ACCESS.of(value)
        resource, in_d3d = access.resource, value.op in _IN_D3D
        in_d3d |= value.op is ops.ATOMIC
        if in_d3d or resource.is_texels:
            taken = resource.address_count
        elif value.op in (ops.LOAD_VECTOR, ops.STORE_VECTOR):
            taken = 2
        else:
            taken = 2 if self.module.tables.layouts[resource].nested else 1
        address, given = operands[:taken], operands[taken:]
        places: list[Place] = []
        if resource.is_texels:
            asked = Asked(self.world, self.module.tables.views[resource], value, descriptor)
            if in_d3d:
                places = [texel_in_d3d(asked, address, exists)]
            else:
                bounded = texel_in_bounds(asked, address, moved=self.is_moved(resource))
                self.fail(machine, bounded.wrong)
                outside = self._after_stores(machine, resource, bounded.outside)
                places = [(bounded.key, bounded.inside, outside)]
        else:
            first = access.component if value.op not in _ATOMICS or not in_d3d else 0
            if value.op is ops.STORE_VECTOR:
                given = [*given[0]]
            count = 4 if value.op is ops.LOAD_VECTOR else len(given) if value.op in _STORES else 1
            for at in range(count):
                if in_d3d:
                    places.append(self._in_d3d(resource, descriptor, address, first + at, exists))
                else:
                    places.append(self._element(machine, value, descriptor, address, at))
        if value.op in _LOADS:
            found = [self._read(machine, access, *place) for place in places]
            return found[0] if value.op is not ops.LOAD_VECTOR else tuple(found)
        if value.op in _STORES:
            for place, new in zip(places, given, strict=True):
                self._write(machine, resource, *place[:2], new)
            return None
        return self._atomic(machine, access, places[0], given)

    def _in_d3d(
        self,
        resource: Resource,
        descriptor: Term | None,
        address: Sequence[Term],
        component: int,
        exists: Term,
    ) -> Place:
        """The dword, whether it is inside, and the result of a load outside."""
        view, width, index = self.world.view(resource, descriptor), width_of(resource), address[0]
        index = long(index)
        if resource.kind in BYTES:
            dword = z3.LShR(index, 2) + component
            inside = z3.ULT(dword, view.dwords)
        elif resource.kind in STRUCTURES:
            within = z3.LShR(long(address[1]), 2) + component
            inside = z3.And(z3.ULT(index, view.elements), z3.ULT(within, number(width)))
            dword = self.world.product(index, resource) + within
        else:
            inside = z3.ULT(index, view.elements)
            dword = self.world.product(index, resource) + component
        return key_of(descriptor, dword), z3.And(exists, inside), word(0)

    def _element(
        self,
        machine: Machine,
        value: Value,
        descriptor: Term | None,
        address: Sequence[Term],
        at: int,
    ) -> Place:
        """The same of an access that has to be in bounds, or that the device bounds."""
        access, robustness = row.ACCESS.of(value), self.world.robustness
        resource, view = access.resource, self.world.view(access.resource, descriptor)
        index, size = long(address[0]), view.elements
        if self.is_moved(resource):
            index = index - view.first
        if len(address) == 1 and resource.kind in (*BYTES, *STRUCTURES):
            dword, size = index, view.dwords
        elif value.op in (ops.LOAD_VECTOR, ops.STORE_VECTOR):
            dword = self.world.product(index, resource) + long(address[1]) * 4 + at
        elif len(address) == 2:
            dword = self.world.product(index, resource) + long(address[1])
        else:
            dword = self.world.product(index, resource) + access.component
        outside = z3.Select(self.world.contents(resource, "outside"), key_of(descriptor, dword))
        if robustness.bounds(resource, self.module.tables.views[resource]):
            dword = long(z3.Extract(_ADDRESSED - 1, 0, dword))
            if value.op in _LOADS:
                outside = self._after_stores(machine, resource, word(0), outside)
            return dword, z3.ULT(dword, view.dwords), outside
        inside = z3.ULT(index, size)
        allowed = inside
        if value.op in _LOADS:
            allowed = z3.Or(inside, index == 0)  # nothing uses it
            if robustness.reads(resource):
                allowed = z3.BoolVal(True)
        elif resource.kind is MemoryKind.INDEXABLE_TEMP:
            allowed = z3.ULE(index, size)  # the spare element
        self.fail(machine, z3.Not(allowed))
        return key_of(descriptor, dword), inside, outside

    def _after_stores(
        self, machine: Machine, resource: Resource, outside: Term, stored: Term | None = None
    ) -> Term:
        """The result of a load outside of a buffer: any, if the thread has stored outside."""
        dropped = machine.memory.get(_dropped_name(resource))
        if dropped is None or not resource.is_buffer:
            return outside
        if stored is None:
            stored = z3.BitVec(f"stored.{resource.register}", outside.size())
        return z3.If(dropped, stored, outside)

    def contents(self, machine: Machine, resource: Resource) -> Term:
        """The contents so far; a pass may have added the resource."""
        return machine.memory.setdefault(resource.register, self.world.start(resource))

    def _read(
        self, machine: Machine, access: Access, key: Term, inside: Term, outside: Term
    ) -> Term:
        found = z3.If(inside, read(self.contents(machine, access.resource), key), outside)
        if not access.resource.is_texels or access.operation:
            return found
        return tuple(z3.Extract(32 * part + 31, 32 * part, found) for part in range(4))

    def _write(
        self, machine: Machine, resource: Resource, key: Term, inside: Term, new: Term
    ) -> None:
        if isinstance(new, tuple):
            new = z3.Concat(*new[::-1])
        contents = self.contents(machine, resource)
        machine.memory[resource.register] = z3.If(inside, z3.Store(contents, key, new), contents)
        dropped = _dropped_name(resource)
        if dropped in machine.memory:
            machine.memory[dropped] = z3.Or(machine.memory[dropped], z3.Not(inside))

    def _atomic(
        self, machine: Machine, access: Access, place: Place, given: Sequence[Term]
    ) -> Term:
        """The new contents are some function of the old and the operands.

        A texel's are its first number.
        """
        key, inside, outside = place
        old = whole = self._read(machine, access, key, inside, outside)
        if access.resource.is_texels:
            old = z3.Extract(31, 0, whole)
        sorts = [z3.BitVecSort(32)] * (len(given) + 2)
        changed = z3.Function(f"atomic.{access.operation}", *sorts)(old, *given)
        if access.resource.is_texels:
            changed = z3.Concat(z3.Extract(127, 32, whole), changed)
            old = z3.If(inside, old, z3.Extract(31, 0, outside))
        self._write(machine, access.resource, key, inside, changed)
        return old


Place = tuple[Term, Term, Term]  # the key, whether it is inside, the result of a load outside


def _counter_name(resource: Resource) -> str:
    return f"{resource.register}.counter"


def _dropped_name(resource: Resource) -> str:
    return f"{resource.register}.dropped"


def _sampled(value: Value, operands: Sequence[Term | None]) -> Term:
    """Some function of the operands, for each sampling operation."""
    given = [one for one in operands if one is not None]
    sample: Sample = row.SAMPLE.of(value)
    name = f"sample.{sample}"
    sorts = [*(one.sort() for one in given), z3.BitVecSort(32)]
    if value.type not in TEXELS.values():
        return z3.Function(name, *sorts)(*given)
    return tuple(z3.Function(f"{name}.{part}", *sorts)(*given) for part in range(4))


def run(
    module: Module, world: World, *, guarded: bool = True, moved: bool = False
) -> tuple[Machine, Accesses]:
    """A module's entry block, on unknown contents."""
    accesses = Accesses(module, world, guarded, moved)
    machine = Machine(touch=accesses, compute=accesses.compute)
    for resource in module.resources:
        if resource.kind is MemoryKind.SAMPLER:
            continue
        machine.memory[resource.register] = world.start(resource)
        if resource.is_uav:
            sort = z3.BitVecSort(32)
            name = _counter_name(resource)
            machine.memory[name] = z3.Array(name, sort, sort)
            if world.robustness.bounds(resource, world.described[resource]):
                machine.memory[_dropped_name(resource)] = z3.BoolVal(False)
        if not resource.is_array:
            (world.texel_view if resource.is_texels else world.view)(resource)
    ways = machine.run(module.body)
    machine.join(ways, [])
    return machine, accesses


def differences(
    before: Module,
    after: Module,
    robustness: Robustness,
    *,
    guarded: bool = True,
    moved: bool = False,
) -> list[Term]:
    """Claims that a module does the same after a pass, and that all is in bounds then.

    `guarded`: `before` has accesses in bounds too. `moved`: windows are applied in `after`.
    """
    world = World(robustness, before.tables.views)
    one, first = run(before, world, guarded=guarded)
    other, accesses = run(after, world, moved=moved)
    claims: list[Term] = [z3.Not(accesses.wrong), z3.Not(other.broken), one.here == other.here]
    for resource in before.resources:
        if resource.is_uav or resource.kind in _SHARED:
            same = _same_contents(world, resource, one, other)
            claims += [z3.Implies(one.here, claim) for claim in same]  # no endless loop
    given = z3.And(
        *world.given, z3.Not(first.wrong), z3.Not(one.broken), z3.Not(one.cut), z3.Not(other.cut)
    )
    return [z3.Implies(given, claim) for claim in claims]


def _same_contents(world: World, resource: Resource, one: Machine, other: Machine) -> list[Term]:
    """Every element that a descriptor shows, in its window or not; hidden counters."""
    name = resource.register
    descriptor = z3.BitVec("place.descriptor", 32) if resource.is_array else None
    inside = z3.BoolVal(True) if descriptor is None else z3.ULT(descriptor, word(resource.count))
    if resource.is_texels:
        place = key_of(
            descriptor, *(z3.BitVec(f"place.{n}", 32) for n in range(resource.address_count))
        )
    else:
        dword = z3.BitVec("place", 44)
        view = world.view(resource, descriptor)
        inside = z3.And(inside, z3.ULT(dword + view.first, view.bound))
        place = key_of(descriptor, dword)
    old, new = (read(m.memory[name], place) for m in (one, other))
    claims = [z3.Implies(inside, _same(old, new))]
    counters = _counter_name(resource)
    if counters in one.memory and counters in other.memory:
        claims.append(one.memory[counters] == other.memory[counters])
    return claims


def _same(a: Term, b: Term) -> Term:
    """Equal bits, or two NaNs of which arithmetic gave one: a pass may leave an operand's."""
    if a.size() > 32:
        parts = range(0, a.size(), 32)
        return z3.And(*(_same(z3.Extract(p + 31, p, a), z3.Extract(p + 31, p, b)) for p in parts))
    nans = [z3.UGT(x & word(0x7FFFFFFF), word(0x7F800000)) for x in (a, b)]
    given = [x & word(0x7FFFFFFF) == word(0x7FC00000) for x in (a, b)]
    return z3.Or(a == b, z3.And(*nans, z3.Or(*given)))
