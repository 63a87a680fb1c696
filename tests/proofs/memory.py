"""Memory of dwords for `machine`: accesses as D3D has them, and accesses that have to be in bounds.

From the rules of docs/out-of-bounds.md: outside a load gives 0, a store does nothing and an atomic
gives 0; an index is compared before it is multiplied; the two low bits of a byte offset do not
count. Addresses are numbers of 44 bits here, so that nothing wraps.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field

import z3

from translate.ir import ops, row
from translate.ir.memory import Access, MemoryKind, Resource
from translate.ir.robustness import LARGEST_VIEW, Robustness
from translate.ir.values import Module, Value

from .machine import Machine
from .meaning import Term, word

_WIDTH = 44
_MOST_GROUPS = 65535  # D3D11_CS_DISPATCH_MAX_THREAD_GROUPS_PER_DIMENSION
_ADDRESSED = 30  # bits of a dword's number where the device bounds accesses
_MOST_DWORDS = 512  # of a structure
_BYTES = (MemoryKind.RAW, MemoryKind.SHARED_RAW)
_STRUCTURES = (MemoryKind.STRUCTURED, MemoryKind.SHARED_STRUCTURED)
_COUNTS = (ops.DWORD_COUNT, ops.STRUCTURE_COUNT, ops.ELEMENT_COUNT)
_LOADS = (ops.LOAD, ops.LOAD_ELEMENT, ops.LOAD_VECTOR)
_STORES = (ops.STORE, ops.STORE_ELEMENT, ops.STORE_VECTOR)
_ATOMICS = (ops.ATOMIC, ops.ATOMIC_ELEMENT)
SUPPORTED = (*_COUNTS, *_LOADS, *_STORES, *_ATOMICS)


def _long(term: Term) -> Term:
    return z3.ZeroExt(_WIDTH - term.size(), term)


def _number(number: int) -> Term:
    return z3.BitVecVal(number, _WIDTH)


def _contents(name: str) -> Term:
    return z3.Array(name, z3.BitVecSort(_WIDTH), z3.BitVecSort(32))


def width_of(resource: Resource) -> int:
    """Dwords of an element: a structure, a vector, or a dword."""
    if resource.kind in _STRUCTURES:
        return resource.stride // 4
    return 1 if resource.kind in _BYTES else 4


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
class World:
    """Contents and sizes at the start, the same for a module before and after a pass.

    `elements`: how many elements each memory has. `rest`: dwords of a view after its last whole
    structure. `given`: conditions of them.
    """

    robustness: Robustness
    elements: dict[str, Term] = field(default_factory=dict)
    rest: dict[str, Term] = field(default_factory=dict)
    given: list[Term] = field(default_factory=list)
    products: dict[int, dict[Term, Term]] = field(default_factory=dict)

    def size(self, resource: Resource) -> Term:
        """In elements."""
        name = resource.register
        if name not in self.elements:
            self._choose(resource)
        return self.elements[name]

    def _choose(self, resource: Resource) -> None:
        name, width = resource.register, width_of(resource)
        self.rest[name] = _number(0)
        if resource.length:
            length = resource.length // 4 if resource.kind in _BYTES else resource.length
            self.elements[name] = _number(length)
            return
        size = self.elements[name] = _long(z3.BitVec(f"size.{name}", 32))
        most = LARGEST_VIEW if self.robustness.exact_buffers else 1 << 32
        if width > 1 and not self.robustness.exact_buffers:  # docs/out-of-bounds.md
            self.rest[name] = _long(z3.BitVec(f"rest.{name}", 32))
            self.given.append(z3.ULT(self.rest[name], _number(width)))
        self.given.append(z3.ULE(size, _number(most // (4 * width))))
        self.given.append(z3.ULE(self.dwords(resource), _number(most // 4)))

    def input(self, module: Module, name: str, component: int) -> Term:
        """A thread's place: anywhere in its group, which is anywhere in a dispatch of D3D."""
        places = [z3.BitVec(f"vThreadIDInGroup.{axis}", 32) for axis in range(3)]
        group = z3.BitVec(f"vThreadGroupID.{component}", 32)
        x, y, _ = module.thread_group
        limits = [z3.ULT(p, word(n)) for p, n in zip(places, module.thread_group, strict=True)]
        self.given += [*limits, z3.ULT(group, word(_MOST_GROUPS))]
        if name == "vThreadIDInGroupFlattened":
            return places[0] + places[1] * x + places[2] * (x * y)
        if name == "vThreadIDInGroup":
            return places[component]
        if name == "vThreadGroupID":
            return group
        return group * module.thread_group[component] + places[component]

    def dwords(self, resource: Resource) -> Term:
        return self.product(self.size(resource), resource) + self.rest[resource.register]

    def product(self, index: Term, resource: Resource) -> Term:
        """The first dword of an element."""
        return self.times(index, width_of(resource))

    def times(self, number: Term, width: int) -> Term:
        """A number times a width, as a term with the properties that arithmetic gives a product.

        z3 does not multiply all numbers in time. Products are in the order of the numbers, with at
        least a width between different ones.
        """
        number = z3.simplify(number)
        if width & (width - 1) == 0:
            return number * width
        known = self.products.setdefault(width, {})
        if number in known:
            return known[number]
        sort = z3.BitVecSort(_WIDTH)
        found = z3.Function(f"times{width}", sort, sort)(number)
        if z3.is_bv_value(number):
            found = _number(number.as_long() * width)
        elif not known:
            self.times(_number(LARGEST_VIEW // (4 * width)), width)
        self.given.append(z3.ULE(found, _number(0xFFFFFFFF * width)))
        for other, product in known.items():
            for (a, x), (b, y) in itertools.permutations(((number, found), (other, product))):
                self.given.append(z3.Implies(z3.ULT(a, b), z3.ULE(x + width, y)))
                self.given.append(z3.Implies(a == b, x == y))
        known[number] = found
        return found

    def start(self, resource: Resource) -> Term:
        if resource.kind is MemoryKind.INDEXABLE_TEMP:
            return z3.K(z3.BitVecSort(_WIDTH), word(0))
        contents = _contents(f"memory.{resource.register}")
        for place, dword in enumerate(resource.contents):
            contents = z3.Store(contents, _number(place), word(dword))
        return contents


@dataclass(slots=True)
class Accesses:
    """`touch` of a machine; `wrong` is whether an access in bounds lies outside."""

    module: Module
    world: World
    wrong: Term = field(default_factory=lambda: z3.BoolVal(False))

    def __call__(self, machine: Machine, value: Value) -> Term | None:
        if value.op is ops.INPUT:
            return self.world.input(self.module, *row.INPUT.of(value))
        if value.op in _COUNTS:
            return self._count(value)
        if value.op in SUPPORTED:
            return self._access(machine, value)
        return None

    def compute(self, value: Value, operands: Sequence[Term]) -> Term | None:
        """A product by a structure's dwords; a view's dwords divided by them, as `size` is."""
        if value.op is ops.UDIV and value.args[0].op is ops.DWORD_COUNT:
            resource = row.RESOURCE.of(value.args[0])
            if value.args[1].constant_bits == width_of(resource):
                return z3.Extract(31, 0, self.world.size(resource))
        if value.op is not ops.IMUL or value.args[1].op is not ops.CONST:
            return None
        width = row.BITS.of(value.args[1])
        if width > _MOST_DWORDS or width & (width - 1) == 0:
            return None
        return z3.Extract(31, 0, self.world.times(_long(operands[0]), width))

    def _count(self, value: Value) -> Term:
        resource = row.RESOURCE.of(value)
        size = self.world.size(resource)
        if value.op is ops.DWORD_COUNT:
            size = self.world.dwords(resource)
        if value.op is ops.ELEMENT_COUNT and resource.kind in _BYTES:
            size = size * 4
        return z3.Extract(31, 0, size)

    def _access(self, machine: Machine, value: Value) -> Term | None:
        access = row.ACCESS.of(value)
        operands = [machine.of(arg) for arg in value.args]
        in_d3d = value.op in (ops.LOAD, ops.STORE, ops.ATOMIC)
        if in_d3d:
            taken = access.address_count
        elif value.op in (ops.LOAD_VECTOR, ops.STORE_VECTOR):
            taken = 2
        else:
            taken = 2 if self.module.tables.layouts[access.resource].nested else 1
        address, given = operands[:taken], operands[taken:]
        first = access.component if value.op not in _ATOMICS or not in_d3d else 0
        if value.op is ops.STORE_VECTOR:
            given = [*given[0]]
        count = 4 if value.op is ops.LOAD_VECTOR else len(given) if value.op in _STORES else 1
        places = []
        for number in range(count):
            if in_d3d:
                places.append(self._in_d3d(access.resource, address, first + number))
            else:
                places.append(self._element(machine, value, address, number))
        if value.op in _LOADS:
            found = [self._read(machine, access, *place) for place in places]
            return tuple(found) if value.op is ops.LOAD_VECTOR else found[0]
        if value.op in _STORES:
            for place, new in zip(places, given, strict=True):
                self._write(machine, access.resource, *place[:2], new)
            return None
        return self._atomic(machine, access, places[0], given)

    def _in_d3d(
        self, resource: Resource, address: Sequence[Term], component: int
    ) -> tuple[Term, Term, Term]:
        """The dword, whether it is inside, and the result of a load outside."""
        size, width, index = self.world.size(resource), width_of(resource), _long(address[0])
        zero = word(0)
        if resource.kind in _BYTES:
            dword = z3.LShR(index, 2) + component
            return dword, z3.ULT(dword, size), zero
        if resource.kind in _STRUCTURES:
            within = z3.LShR(_long(address[1]), 2) + component
            inside = z3.And(z3.ULT(index, size), z3.ULT(within, _number(width)))
            return self.world.product(index, resource) + within, inside, zero
        return self.world.product(index, resource) + component, z3.ULT(index, size), zero

    def _element(
        self, machine: Machine, value: Value, address: Sequence[Term], number: int
    ) -> tuple[Term, Term, Term]:
        """The same of an access that has to be in bounds, or that the device bounds."""
        access = row.ACCESS.of(value)
        resource, robustness = access.resource, self.world.robustness
        index, size = _long(address[0]), self.world.size(resource)
        flat = len(address) == 1 and resource.kind in (*_BYTES, *_STRUCTURES)
        if flat:
            dword, size = index, self.world.dwords(resource)
        elif value.op in (ops.LOAD_VECTOR, ops.STORE_VECTOR):
            dword = self.world.product(index, resource) + _long(address[1]) * 4 + number
        elif len(address) == 2:
            dword = self.world.product(index, resource) + _long(address[1])
        else:
            dword = self.world.product(index, resource) + access.component
        if robustness.bounds(resource, self.module.tables.views[resource]):
            dword = _long(z3.Extract(_ADDRESSED - 1, 0, dword))
            return dword, z3.ULT(dword, self.world.dwords(resource)), word(0)
        inside = z3.ULT(index, size)
        allowed = inside
        if value.op in _LOADS:
            allowed = z3.Or(inside, index == 0)  # nothing uses it
            if robustness.reads(resource):
                allowed = z3.BoolVal(True)
        elif resource.kind is MemoryKind.INDEXABLE_TEMP:
            allowed = z3.ULE(index, size)  # the spare element
        self.wrong = z3.Or(self.wrong, z3.And(machine.here, z3.Not(allowed)))
        return dword, inside, z3.Select(_contents(f"outside.{resource.register}"), dword)

    def contents(self, machine: Machine, resource: Resource) -> Term:
        return machine.memory.setdefault(resource.register, self.world.start(resource))

    def _read(
        self, machine: Machine, access: Access, dword: Term, inside: Term, outside: Term
    ) -> Term:
        contents = self.contents(machine, access.resource)
        return z3.If(inside, z3.Select(contents, dword), outside)

    def _write(
        self, machine: Machine, resource: Resource, dword: Term, inside: Term, new: Term
    ) -> None:
        contents = self.contents(machine, resource)
        stored = z3.If(inside, z3.Store(contents, dword, new), contents)
        machine.memory[resource.register] = stored

    def _atomic(
        self,
        machine: Machine,
        access: Access,
        place: tuple[Term, Term, Term],
        given: Sequence[Term],
    ) -> Term:
        """The new contents are some function of the old and the operands."""
        dword, inside, outside = place
        old = self._read(machine, access, dword, inside, outside)
        sorts = [z3.BitVecSort(32)] * (len(given) + 2)
        changed = z3.Function(f"atomic.{access.operation}", *sorts)(old, *given)
        self._write(machine, access.resource, dword, inside, changed)
        return old


def run(module: Module, world: World) -> tuple[Machine, Accesses]:
    """A module's entry block, on unknown contents."""
    accesses = Accesses(module, world)
    machine = Machine(touch=accesses, compute=accesses.compute)
    for resource in module.resources:
        accesses.contents(machine, resource)
        world.size(resource)
    ways = machine.run(module.body)
    machine.join(ways, [])
    return machine, accesses


def differences(before: Module, after: Module, robustness: Robustness) -> list[Term]:
    """Claims that a module does the same after a pass, and that all is in bounds then."""
    world = World(robustness)
    one, first = run(before, world)
    other, accesses = run(after, world)
    given = z3.And(
        *world.given, z3.Not(first.wrong), z3.Not(one.broken), z3.Not(one.cut), z3.Not(other.cut)
    )
    claims = [z3.Implies(given, z3.Not(accesses.wrong)), z3.Implies(given, z3.Not(other.broken))]
    place = z3.BitVec("place", _WIDTH)
    for resource in before.resources:
        if resource.is_uav or resource.kind in (
            MemoryKind.SHARED_RAW,
            MemoryKind.SHARED_STRUCTURED,
        ):
            name = resource.register
            inside = z3.ULT(place, world.dwords(resource))
            start = world.start(resource)  # which an endless loop leaves
            old, new = (one.memory.get(name, start), other.memory.get(name, start))
            same = _same(z3.Select(old, place), z3.Select(new, place))
            claims.append(z3.Implies(z3.And(given, inside), same))
    return claims


def _same(a: Term, b: Term) -> Term:
    """Equal bits, or two NaNs of which arithmetic gave one: a pass may leave an operand's."""
    nans = [z3.UGT(x & word(0x7FFFFFFF), word(0x7F800000)) for x in (a, b)]
    given = [x & word(0x7FFFFFFF) == word(0x7FC00000) for x in (a, b)]
    return z3.Or(a == b, z3.And(*nans, z3.Or(*given)))
