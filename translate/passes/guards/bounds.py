"""Guards: each D3D access becomes a bounds check, and an access to memory that is in bounds.

A policy selects the accesses to check (`guards.rules`); the others are assumed to be in bounds. An
out-of-bounds load reads element 0 instead, and its result is replaced by 0. Stores and atomics run
in a branch on the check. The reference machine has its own implementation of D3D's rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from translate.dataclass import replace
from translate.errors import NOWHERE, row_of
from translate.ir import ops, row
from translate.ir.builder import Builder
from translate.ir.memory import (
    BYTES,
    Access,
    MemoryKind,
    Resource,
    resources_of,
)
from translate.ir.tables import Layout, Table, View
from translate.ir.types import F32, TEXELS, U32, VOID, Type
from translate.ir.values import Block, Module, Value
from translate.passes.guards.addresses import Addresses, left_accesses, unless
from translate.passes.guards.layout import Vector, choose_layout, dword_of, group_loads
from translate.passes.guards.report import Checks
from translate.passes.guards.rules import D3D, Element, Outside, Policy
from translate.passes.guards.texel_bounds import TexelGuards
from translate.passes.rewrite import Findings
from translate.target_device import NONE as NO_ROBUSTNESS
from translate.target_device import Promise, Robustness

Rule = Callable[[Value], Value | None]
Rules = Mapping[ops.Op, Rule]


def guard_bounds(
    module: Module, policy: Policy = D3D, robustness: Robustness = NO_ROBUSTNESS
) -> Findings:
    """Rewrite every access; accesses that the policy selects get a check.

    `robustness`: the results that the device promises out of bounds, which replace some checks.
    """
    return Guards(module, policy, robustness).run()


class Sizes:
    """The sizes of views, which are queried once at the start of a body."""

    def __init__(self, builder: Builder, views: Table[View], layouts: Table[Layout]):
        self.b = builder
        self.views = views
        self.layouts = layouts
        self._entry: list[Value] = []  # the start of the body
        self._known: dict[Resource, Value] = {}

    def of(self, resource: Resource) -> Value:
        """A raw view's number of dwords, a structured view's of structures, a typed buffer's of
        texels; for an image the extents and layers of its first mip."""
        if resource.is_array:
            return self._measured(resource)
        size = self._known.get(resource)
        if size is None:
            size = self._known[resource] = self._measure(resource)
        return size

    def end(self) -> list[Value]:
        """End a body; returns the values to put at its start."""
        entry, self._entry = self._entry, []
        self._known.clear()
        return entry

    def _measure(self, resource: Resource) -> Value:
        """Query the size; the query belongs to no instruction."""
        b, outer = self.b, (self.b.block, self.b.where)
        b.block, b.where = Block(), NOWHERE
        size = self._measured(resource)
        self._entry += b.block.values
        b.block, b.where = outer
        return size

    def _measured(self, resource: Resource) -> Value:
        b = self.b
        if self.views[resource].size_table:
            return b.emit(ops.TABLE_COUNT, U32, [*b.descriptor], resource)
        size = b.view_size(resource, nested=self.layouts[resource].nested)
        if resource.kind is MemoryKind.STRUCTURED and not self.layouts[resource].nested:
            size = b.udiv(size, b.u32(resource.stride // 4))
        return size


class Guards:
    def __init__(
        self,
        module: Module,
        policy: Policy,
        robustness: Robustness,
        builder: Builder | None = None,
    ):
        self.module = module
        self.policy = policy
        self.robustness = robustness
        self.b = builder or Builder(module.body)
        self.tables = module.tables
        self.layouts = choose_layout(module, reported=policy.reports)
        self.vectors = group_loads(module, self.layouts)
        self.sizes = Sizes(self.b, self.tables.views, self.layouts)
        self.texels = TexelGuards(self.b, self.tables.views, self.sizes.of, robustness)
        self.addresses = Addresses(self.b, self.layouts, self.sizes.of)
        self.exists = self.b.bool(True)
        self.forward: dict[Value, Value] = {}
        self.left = left_accesses(module, robustness)  # whose check is left to the device

    def run(self) -> Findings:
        checks = Checks(self, self.module)  # this object refers neither to them nor to rules
        rules: Rules = {
            ops.LOAD: self._load,
            ops.STORE: self._store,
            ops.ATOMIC: self._atomic,
            ops.LOAD_TYPED: self._load_typed,
            ops.STORE_TYPED: self._store_typed,
            ops.ELEMENT_COUNT: self._element_count,
            ops.CHECK: checks.check,
        }
        for body in self.module.bodies():
            self._block(body, rules)
            body.values[:0] = self.sizes.end()
        tables = replace(self.tables, layouts=self.layouts, indexed=frozenset())
        return Findings(tables, sites=checks.sites)

    def _block(self, block: Block, rules: Rules) -> None:
        values, block.values = block.values, []
        outer, self.b.block = self.b.block, block
        forward, replaced = self.forward, self.forward.keys()
        for value in values:
            if forward and not replaced.isdisjoint(value.args):
                value.args = [forward.get(arg, arg) for arg in value.args]
            rule = self._rule(value, rules) if value.op.memory is not None else None
            if rule is None:
                for inner in value.blocks:
                    self._block(inner, rules)
                block.values.append(value)
                continue
            self.b.where = value.where
            with self.b.of_array(self._descriptor(value)):
                replacement = rule(value)
            if replacement is not None:
                forward[value] = replacement
        self.b.block = outer

    def _rule(self, value: Value, rules: Rules) -> Rule | None:
        return rules.get(value.op) or self._array_rule(value)

    # --- arrays of resources ---------------------------------------------------------------

    def _array_rule(self, value: Value) -> Rule | None:
        """The rule for samples, queries and counters with a descriptor index to check, or None."""
        if not any(map(self.tables.takes_index, resources_of(value.data))):
            return None
        return self._counter_add if value.op is ops.COUNTER_ADD else self._read_array

    def _descriptor(self, value: Value) -> list[Value]:
        """Remove the descriptor indices from a value's operands; returns them limited to the range.

        An index out of range is undefined in D3D; here it selects an unbound resource. Constants
        stay constants, which need no device feature. A range of one register is no array in Vulkan:
        its index is only checked. Sets `exists` to the condition that all indices are in range.
        """
        b, ranges = self.b, [*filter(self.tables.takes_index, resources_of(value.data))]
        self.exists = b.bool(True)
        if not ranges:
            return []
        cut: list[Value] = []
        first = len(value.args) - len(ranges)
        indices = value.args[first:]
        value.args = value.args[:first]
        for resource, index in zip(reversed(ranges), reversed(indices), strict=True):
            if resource.count and self.policy.descriptors.checked:
                inside = self._in_range(index, resource.count)
                self.exists = b.land(self.exists, inside)
                if index.op is not ops.CONST:
                    index = b.select(inside, index, b.u32(0))
                elif row.BITS.of(index) >= resource.count:
                    index = b.u32(0)
            if resource.is_array:
                cut.append(index)
        return cut[::-1]

    def _in_range(self, index: Value, count: int) -> Value:
        if index.op is ops.CONST:
            return self.b.bool(row.BITS.of(index) < count)
        return self.b.ult(index, self.b.u32(count))

    def _read_array(self, value: Value) -> Value:
        """A query or sample of a resource array; the result is 0 if the index is out of range."""
        b = self.b
        found = b.emit(value.op, value.type, [*value.args, *b.descriptor], value.data)
        if value.type not in TEXELS.values():
            return b.select(self.exists, found, b.constant(value.type, 0))
        scalar = F32 if value.type is Type.TEXEL_F32 else U32
        zero = b.constant(scalar, 0)
        parts = [b.select(self.exists, b.extract(scalar, found, c), zero) for c in range(4)]
        return b.compose(value.type, *parts)

    def _counter_add(self, value: Value) -> Value:
        with self.b.selection(self.exists, otherwise=self.b.u32(0)) as taken:
            taken.values = [self.b.counter_add(row.RESOURCE.of(value), value.args[0])]
        return taken.result

    def _checks_read(self, access: Access) -> bool:
        return self._checks(self.policy.reads, access.resource)

    def _checks_write(self, access: Access) -> bool:
        return self._checks(self.policy.writes, access.resource)

    def _checks(self, policy: Mapping[MemoryKind, Outside], resource: Resource) -> bool:
        """Whether the shader checks accesses, also in place of a device that gets them wrong."""
        outside = row_of(policy, resource.kind, "RULES of translate/passes/guards/rules.py")
        if outside is not Outside.DEVICE:
            return outside.checked
        return self.tables.views[resource].windowed or self.robustness.fails(resource)

    def _element_count(self, value: Value) -> Value:
        """`bufinfo`: bytes of a raw view, else structures or elements (FS §22.4.1)."""
        resource = row.RESOURCE.of(value)
        size = self.sizes.of(resource)
        if resource.kind in BYTES:
            size = self.b.ishl(size, self.b.u32(2))
        if not self.tables.takes_index(resource):
            return size
        return self.b.select(self.exists, size, self.b.u32(0))

    # --- addresses -------------------------------------------------------------------------

    def element(
        self, access: Access, address: list[Value], component: int, *, left: Promise = False
    ) -> Element:
        """The dword that is `component` dwords after `address`, and whether it is in bounds.

        With `left` the device checks the view's end, so the shader does not compare with it.
        """
        element = self.addresses.element(access, address, component, left=left)
        if not self.tables.takes_index(access.resource):
            return element
        return replace(element, inside=self.b.land(self.exists, element.inside))

    def has_element(self, resource: Resource, index: Value) -> Value:
        """Whether a structured resource has a structure with this index."""
        return self.b.land(self.exists, self.b.ult(index, self.addresses.structures(resource)))

    def has_counter(self, resource: Resource) -> Value:
        """Whether a UAV's hidden counter is bound, by the size of its buffer."""
        return self.b.land(self.exists, self.b.nonzero(self.b.counter_size(resource)))

    # --- accesses --------------------------------------------------------------------------

    def _load(self, value: Value) -> Value:
        access = row.ACCESS.of(value)
        vector = self.vectors.get(value)
        if vector is not None:
            return self._load_of_vector(value, vector)
        guarded = self._checks_read(access)
        element = self.element(
            access, value.args, access.component, left=guarded and self.left.get(value, False)
        )
        address = self._read_address(access.resource, element) if guarded else _address(element)
        kind = self.layouts[access.resource].dword
        loaded = self.b.emit(ops.LOAD_ELEMENT, kind, [*address, *self.b.descriptor], access)
        if guarded:
            loaded = self.b.select(element.inside, loaded, self.b.constant(kind, 0))
        return self.b.bitcast(U32, loaded)

    def _load_of_vector(self, value: Value, vector: Vector) -> Value:
        """One dword of a vector; the first such load loads the vector, the others reuse it."""
        b, access = self.b, row.ACCESS.of(value)
        layout = self.layouts[access.resource]
        kind = layout.vector
        if vector.loaded is None:
            first = Access(access.resource, access.address_count, vector.number * layout.width)
            guarded = self._checks_read(access)
            left = guarded and self.left.get(value, False)
            index = self.element(access, value.args, access.component, left=left)
            address = self._read_address(access.resource, index) if guarded else _address(index)
            given = [address[0], b.u32(vector.number), *b.descriptor]
            vector.loaded = b.emit(ops.LOAD_VECTOR, kind, given, first)
            if guarded:
                vector.loaded = b.select(index.inside, vector.loaded, b.constant(kind, 0))
        component = dword_of(value) % layout.width
        return b.bitcast(U32, b.extract(layout.dword, vector.loaded, component))

    def _read_address(self, resource: Resource, element: Element) -> list[Value]:
        """The address to read: element 0 if the element is out of bounds and that is not harmless.

        Only an empty view lacks element 0. It is a null descriptor, or a part of a larger buffer
        (`windowed`), so that this read is harmless too; its result is replaced by 0.
        """
        address, harmless = _address(element), self.robustness.reads(resource)
        if harmless is not True:
            readable = unless(self.b, harmless, lambda: element.inside)
            address[0] = self.b.select(readable, element.index, self.b.u32(0))
        return address

    def _store(self, value: Value) -> None:
        access = row.ACCESS.of(value)
        address = value.args[: access.address_count]
        values = value.args[access.address_count :]
        if access.resource.kind is MemoryKind.INDEXABLE_TEMP:
            self._store_private(access, address, values[0])
            return
        left = self._checks_write(access) and self.left.get(value, False)
        layout = self.layouts[access.resource]
        aligned = layout.vectors and row.BITS.of(address[1]) // 4 % layout.width == 0
        if aligned and len(values) >= layout.width:
            self._store_vectors(access, address, values, left)
            return
        self._store_dwords(access, address, values, 0, left)

    def _store_vectors(
        self, access: Access, address: list[Value], values: list[Value], left: Promise
    ) -> None:
        """Store vectors, and the dword after a pair, under one check of the structure's index."""
        element = self.element(access, address, 0, left=left)
        first = row.BITS.of(address[1]) // 4
        if not self._checks_write(access):
            self._store_parts(access, element.index, first, values)
            return
        with self.b.selection(element.inside):
            self._store_parts(access, element.index, first, values)

    def _store_parts(self, access: Access, index: Value, first: int, values: list[Value]) -> None:
        """Store vectors from the dword `first` on.

        They are composed beside the store, which saves moves on Turnip and NVK.
        """
        b, layout = self.b, self.layouts[access.resource]
        for at in range(0, len(values), layout.width):
            part = [b.bitcast(layout.dword, one) for one in values[at : at + layout.width]]
            if len(part) < layout.width:
                self._store_dword(access, [index, b.u32(first + at)], part[0])
                continue
            whole = b.compose(layout.vector, *(part * 2)[:4])
            given = [index, b.u32((first + at) // layout.width), whole, *b.descriptor]
            b.emit(ops.STORE_VECTOR, VOID, given, access)

    def _store_dwords(
        self,
        access: Access,
        address: list[Value],
        values: list[Value],
        first: int,
        left: Promise,
    ) -> None:
        """Store `values[first:]` in nested branches: after a dword out of bounds, all are."""
        if first == len(values):
            return
        element = self.element(access, address, first, left=left)
        if not self._checks_write(access):
            self._store_dword(access, _address(element), values[first])
            self._store_dwords(access, address, values, first + 1, left)
            return
        with self.b.selection(element.inside):
            self._store_dword(access, _address(element), values[first])
            self._store_dwords(access, address, values, first + 1, left)

    def _store_dword(self, access: Access, address: list[Value], new: Value) -> None:
        new = self.b.bitcast(self.layouts[access.resource].dword, new)
        self.b.emit(ops.STORE_ELEMENT, VOID, [*address, new, *self.b.descriptor], access)

    def _store_private(self, access: Access, address: list[Value], new: Value) -> None:
        """Store to an x#; an out-of-bounds store goes to a spare element after its end.

        No load reads the spare element. The memory is the thread's own, so this needs no branch.
        """
        element = self.element(access, address, 0)
        index = element.index
        if self._checks_write(access):
            spare = self.b.u32(access.resource.length)
            index = self.b.select(element.inside, element.index, spare)
        self._store_dword(access, [index], new)

    def _atomic(self, value: Value) -> Value:
        access = value.data
        assert isinstance(access, Access)
        address = value.args[: access.address_count]
        operands = value.args[access.address_count :]
        left = self._checks_write(access) and self.left.get(value, False)
        if access.resource.kind is MemoryKind.TYPED:
            inside = self.texel_inside(access.resource, address, left)
            op, arguments = ops.ATOMIC_TEXEL, value.args
        else:
            element = self.element(access, address, 0, left=left)
            inside, op = element.inside, ops.ATOMIC_ELEMENT
            arguments = [*_address(element), *operands]
        if not self._checks_write(access):
            return self.b.emit(op, U32, [*arguments, *self.b.descriptor], access)
        with self.b.selection(inside, otherwise=self.b.u32(0)) as taken:
            given = [*arguments, *self.b.descriptor]
            taken.values = [self.b.emit(op, U32, given, access)]
        return taken.result

    def texel_inside(
        self, resource: Resource, address: list[Value], left: Promise = False
    ) -> Value:
        if left is True:
            return self.exists
        inside = unless(self.b, left, lambda: self.texels.inside(resource, address))
        return self.b.land(self.exists, inside)

    def _load_typed(self, value: Value) -> Value:
        access = row.ACCESS.of(value)
        if not self._checks_read(access):
            given = [*value.args, *self.b.descriptor]
            return self.b.emit(ops.LOAD_TEXEL, value.type, given, access)
        return self.texels.load(value, self.exists, left=self.left.get(value, False))

    def _store_typed(self, value: Value) -> None:
        access = row.ACCESS.of(value)
        given = [*value.args, *self.b.descriptor]
        if not self._checks_write(access):
            self.b.emit(ops.STORE_TEXEL, VOID, given, access)
            return
        inside = self.texel_inside(access.resource, value.args[:-1], self.left.get(value, False))
        with self.b.selection(inside):
            self.b.emit(ops.STORE_TEXEL, VOID, given, access)


def _address(element: Element) -> list[Value]:
    """The index operands of an access to an element."""
    return [element.index] if element.within is None else [element.index, element.within]
