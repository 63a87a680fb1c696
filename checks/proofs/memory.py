"""Memory for `machine`: accesses as D3D has them, and accesses that have to be in bounds.

From the rules of docs/out-of-bounds.md: outside a load gives 0, a store does nothing and an atomic
gives 0; an index is compared before it is multiplied; the two low bits of a byte offset do not
count. Nothing is bound at a descriptor outside of its range, or in a register without declaration.
The index in an unbounded range is the caller's affair.

Other threads are unknown: after a barrier that waits for them, memory that they share may hold
anything that depends on its contents before. Reports and messages are in a log, in their order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import z3

from translate.ir import ops, row
from translate.ir.memory import Access, Check, MemoryKind, Resource, Sample, resources_of
from translate.ir.types import F32, TEXELS, VOID
from translate.ir.values import Module, Value

from .machine import Machine
from .meaning import Term, choose, constant, magnitude_of, word
from .texels import Asked, texel_in_bounds, texel_in_d3d
from .world import BYTES, SLICE, STRUCTURES, World, key_of, long, number, read, width_of

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
_NEAR, _SHORT = 0x44000000, 0x2B800000  # 512 and 2^-40
_LOGGED = (ops.CHECK, ops.REPORT, ops.MESSAGE)
LOG = "log"
Stored = Callable[[Resource, Term | None, Term], Term]


@dataclass(slots=True)
class Accesses:
    """`touch` of a machine; `wrong` is whether an access in bounds lies outside.

    `guarded`: descriptors have to be in their ranges. `moved`: accesses count from the first
    element that the descriptor shows, not from a window's first. `stored` converts a texel to the
    format of its view; without it that holds all numbers. Threads share the memory with the names
    `shared`. `inside`: accesses as D3D has them count as wrong outside.
    """

    module: Module
    world: World
    guarded: bool = True
    moved: bool = False
    stored: Stored | None = None
    shared: Sequence[str] = ()
    inside: bool = False
    near: bool = False
    numbers: bool = False
    touched: bool = False
    wrong: Term = field(default_factory=lambda: z3.BoolVal(False))
    counted: dict[Value, Term] = field(default_factory=dict)  # structures, by a count of dwords

    def __call__(self, machine: Machine, value: Value) -> Term | None:
        if value.op is ops.INPUT:
            return self.world.input(self.module, *row.INPUT.of(value))
        if value.op is ops.SPECIALIZED:
            return self._is_set(row.SPECIALIZATION.of(value))
        if value.op is ops.BARRIER:
            return self._meet(machine, value)
        if value.op not in (*SUPPORTED, *_LOGGED):
            return None
        members = self.module.tables.members
        for resource in resources_of(value.data):
            if resource in members:
                return self._selected(machine, value, resource, members[resource])
        if value.op in _LOGGED:
            return self._log(machine, value)
        self.touched |= any(one.register in self.shared for one in resources_of(value.data))
        operands, descriptors, exists = self._descriptors(machine, value)
        descriptor = descriptors[0] if descriptors else None
        if value.op in _COUNTS:
            counted = self._count(value, descriptor)
            return z3.If(exists, counted, word(0))
        if value.op is ops.IMAGE_SIZE:
            return self._given(value, self._image_size(value, descriptor), exists)
        if value.op in (ops.SAMPLE, ops.SAMPLE_COMPARE):
            if self.near:
                self.fail(machine, z3.Not(_are_near(value, operands)))
            return self._given(value, _sampled(value, [*operands, *descriptors]), exists)
        if value.op is ops.COUNTER_ADD:
            return self._counter(machine, row.RESOURCE.of(value), descriptor, exists, operands[0])
        return self._access(machine, value, operands, descriptor, exists)

    def compute(self, value: Value, operands: Sequence[Term]) -> Term | None:
        """A product by a structure's dwords; a view's dwords divided by them, as `size` is."""
        if self.numbers:
            return None
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

    # --- threads and reports -----------------------------------------------------------------

    def _is_set(self, constant: str) -> Term:
        """Whether a specialization constant says that the device makes checks itself, or that it
        has D3D's functions."""
        robust = self.world.robustness
        features = {
            "robust_buffer_access": robust.buffers,
            "robust_buffer_access2": robust.exact_buffers,
            "robust_image_access": robust.images,
        }
        return z3.BoolVal(features[constant]) if constant in features else z3.Bool(constant)

    def _meet(self, machine: Machine, value: Value) -> None:
        """Before the thread's first access the contents are unknown anyway."""
        if not row.BARRIER.of(value).threads or not self.touched:
            return
        old = {name: machine.memory[name] for name in self.shared}
        for name, contents in old.items():
            sorts = [*(one.sort() for one in old.values()), contents.sort()]
            machine.memory[name] = z3.Function(f"others.{name}", *sorts)(*old.values())

    def _log(self, machine: Machine, value: Value) -> None:
        given = [machine.memory[LOG], *map(machine.of, value.args)]
        sorts = [*(one.sort() for one in given), z3.BitVecSort(32)]
        machine.memory[LOG] = z3.Function(f"{value.op} {value.data}", *sorts)(*given)

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
            if resource.count:
                exists = z3.And(exists, z3.ULT(index, word(resource.count)))
        if self.guarded:
            self.fail(machine, z3.Not(exists))
            exists = z3.BoolVal(True)
        return rest, [indices[r] if r.is_array else None for r in named], exists

    def _selected(
        self, machine: Machine, value: Value, resource: Resource, members: Sequence[Resource]
    ) -> Term | None:
        """An access to the register of a number; 0 and no effect if none has it."""
        named = resources_of(value.data)
        taken = [one for one in named if self.module.tables.takes_index(one)]
        at = len(value.args) - len(taken) + taken.index(resource)
        number, here = machine.of(value.args[at]), machine.here
        args = [*value.args[:at], *value.args[at + 1 :]]
        found = None if value.type is VOID else constant(value.type, 0)
        for member in members:
            chosen, memory = number == member.number, dict(machine.memory)
            machine.here = z3.And(here, chosen)
            data = _with_member(value.data, resource, member)
            result = self(machine, Value(value.op, value.type, args, data, value.where))
            for name, contents in machine.memory.items():
                old = memory.get(name, contents)
                machine.memory[name] = contents if old is contents else z3.If(chosen, contents, old)
            found = None if found is None else choose(chosen, result, found)
        machine.here = here
        return found

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
        name, index = counter_name(resource), word(0) if descriptor is None else descriptor
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
            width = self.module.tables.layouts[resource].width
            if value.op is ops.STORE_VECTOR:
                given = [*given[0]][:width]
            count = (
                width if value.op is ops.LOAD_VECTOR else len(given) if value.op in _STORES else 1
            )
            for at in range(count):
                if in_d3d:
                    places.append(self._in_d3d(resource, descriptor, address, first + at, exists))
                else:
                    places.append(self._element(machine, value, descriptor, address, at))
        if in_d3d and self.inside:
            self.fail(machine, z3.Not(z3.And(*(inside for _, inside, _ in places))))
        if value.op in _LOADS:
            found = [self._read(machine, access, *place) for place in places]
            return found[0] if value.op is not ops.LOAD_VECTOR else tuple(found * 2)[:4]
        if value.op in _STORES:
            if resource.is_texels and self.stored is not None:
                given = [self.stored(resource, descriptor, *given)]
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
            first = long(address[1]) * self.module.tables.layouts[resource].width
            dword = self.world.product(index, resource) + first + at
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
        dropped = machine.memory.get(dropped_name(resource))
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
        dropped = dropped_name(resource)
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


def _with_member(data: Any, resource: Resource, member: Resource) -> object:
    """An operation's attribute that names a member in place of the resource."""
    if isinstance(data, Check):
        return replace(data, access=_with_member(data.access, resource, member))
    if isinstance(data, Sample):
        named = {"resource" if data.resource is resource else "sampler": member}
        return replace(data, **named)
    return replace(data, resource=member) if isinstance(data, Access) else member


def counter_name(resource: Resource) -> str:
    return f"{resource.register}.counter"


def dropped_name(resource: Resource) -> str:
    return f"{resource.register}.dropped"


def _are_near(value: Value, operands: Sequence[Term]) -> Term:
    """Whether drivers agree on the operands of a sample."""
    pairs = zip(value.args, operands, strict=False)
    sizes = [magnitude_of(term) for arg, term in pairs if arg.type is F32]
    near = [z3.ULT(size, word(_NEAR)) for size in sizes]
    if row.SAMPLE.of(value).resource.shape.cube:
        near.append(z3.Or(*(z3.UGE(size, word(_SHORT)) for size in sizes[:3])))
    return z3.And(*near)


def _sampled(value: Value, operands: Sequence[Term | None]) -> Term:
    """Some function of the operands, for each sampling operation."""
    given = [one for one in operands if one is not None]
    sample: Sample = row.SAMPLE.of(value)
    name = f"sample.{sample}"
    sorts = [*(one.sort() for one in given), z3.BitVecSort(32)]
    if value.type not in TEXELS.values():
        return z3.Function(name, *sorts)(*given)
    return tuple(z3.Function(f"{name}.{part}", *sorts)(*given) for part in range(4))
