"""Operands that the driver cannot know, since they are combined with a number that is always 0.

For every n, n or n + 1 is even, so the lowest bit of their product is 0. No driver looks for that.
The bit is computed from a number that the driver does not know, by default the group's, once in
each body, and spread over all bits, since drivers follow single bits. Two workarounds hide indices
and operands of accesses; those of floats are in other files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from translate.ir import ops, row
from translate.ir.builder import Builder
from translate.ir.lanes import ONES
from translate.ir.memory import BOUND, MemoryKind, Resource, resources_of
from translate.ir.types import F32, F64, TEXELS, U32, Type
from translate.ir.values import Block, Module, Value, walk

_COMPONENTS = {type_: F32 if type_ is Type.TEXEL_F32 else U32 for type_ in TEXELS.values()}


def _group(b: Builder) -> Value:
    return b.input("vThreadGroupID", 0)


class HiddenOperands:
    """Collects operands to hide from the driver, and hides them.

    `number` makes the number from which the 0 is computed. A constant is computed from the 0 that
    the driver does not know. Other values are combined with this 0 where they are computed, and
    merged values where they are used.
    """

    def __init__(self, number: Callable[[Builder], Value] = _group) -> None:
        self._number = number
        self._operands: dict[Value, set[int]] = {}
        self._sources: set[Value] = set()
        self._hidden: dict[Value, Value] = {}
        self._front = Builder(Block())
        self._zero: Value | None = None

    def add(self, user: Value, position: int) -> None:
        """Have `apply` hide the operand of `user` at a position."""
        self._operands.setdefault(user, set()).add(position)
        self._sources.add(user.args[position])

    def apply(self, module: Module) -> None:
        """Hide the collected operands in the module."""
        if not self._operands:
            return
        for body in module.bodies():
            self._front, self._zero = Builder(Block()), None
            self._hidden.clear()
            self._block(body)
            body.values[:0] = self._front.block.values

    def _block(self, block: Block) -> None:
        values, block.values = block.values, []
        b = Builder(block)
        for value in values:
            b.where = value.where
            positions = self._operands.get(value, ())
            if positions:
                args = enumerate(value.args)
                value.args = [
                    self._replacement(b, arg) if n in positions else arg for n, arg in args
                ]
            for inner in value.blocks:
                self._block(inner)
            block.values.append(value)
            if value in self._sources and value.op is not ops.CONST:
                self._hidden[value] = self._unknown(b, value)

    def _replacement(self, b: Builder, arg: Value) -> Value:
        found = self._hidden.get(arg)
        if found is not None:
            return found
        if arg.op is not ops.CONST:
            return self._unknown(b, arg)
        self._hidden[arg] = made = self._of_constant(arg)
        return made

    def _unknown(self, b: Builder, value: Value) -> Value:
        zero = self._unknown_zero()
        if value.type is F64:
            return b.pack_f64(b.ior(b.f64_low(value), zero), b.f64_high(value))
        bits = b.ior(value if value.type is U32 else b.bitcast(U32, value), zero)
        return _typed(b, value.type, bits)

    def _of_constant(self, constant: Value) -> Value:
        b, bits = self._front, row.BITS.of(constant)
        low = self._unknown_zero()
        component = _COMPONENTS.get(constant.type)
        if component is not None:  # of texels only zeros are constants
            return b.compose(constant.type, *[_typed(b, component, low)] * 4)
        if bits & ONES:
            low = b.ixor(low, b.u32(bits))
        if constant.type is F64:
            return b.pack_f64(low, b.u32(bits >> 32))
        return _typed(b, constant.type, low)

    def _unknown_zero(self) -> Value:
        if self._zero is None:
            b = self._front
            number = self._number(b)
            lowest = b.iand(b.imul(number, b.iadd(number, b.u32(1))), b.u32(1))
            self._zero = b.mask(b.ine(lowest, b.u32(0)))
        return self._zero


def _typed(b: Builder, type_: Type, bits: Value) -> Value:
    return bits if type_ is U32 else b.bitcast(type_, bits)


_MOST = 3  # constant buffers for which the records have room


def hide_constant_places(module: Module) -> None:
    """Workaround for `fourth_constant_buffer`: indices into constant buffers are hidden.

    To compile constants into the code, lavapipe of Mesa 22.3 records the elements on which branches
    depend, and overruns its records at the fourth buffer. It records elements with a constant index
    only, which it may compute: in a branch on `n == 0` the index n is 0. Only modules with more
    buffers than it has room for change.

    Probe: none, since the fault may end the process.
    Documented in docs/drivers.md, "the fourth constant buffer crashes the process".
    """
    counts = [r.count for r in module.resources if r.kind is MemoryKind.CONSTANTS]
    if sum(counts) <= _MOST and 0 not in counts:
        return
    hidden = HiddenOperands()
    for value in module.walk():
        if _is_of_constants(value):
            hidden.add(value, 0)
    hidden.apply(module)


def _is_of_constants(value: Value) -> bool:
    return value.op in ops.LOADS and row.ACCESS.of(value).resource.kind is MemoryKind.CONSTANTS


_MEASURED = (MemoryKind.RAW, MemoryKind.STRUCTURED, MemoryKind.TYPED)
_HIDDEN = (U32, F32)


def use_descriptors_first(module: Module) -> None:
    """Workaround for `descriptors_in_loops`: a body asks for its buffers' sizes before its loops.

    lavapipe of Mesa 26.1 reads the address of a descriptor set where a body first needs it. In a
    loop it keeps the address for the threads that are in the loop; if none is, an access in the
    loop reads the descriptor at address 0. After an earlier use of the set all threads have the
    address. From the sizes a number is computed that is always 0, which the driver does not know.
    It is part of an operand in a loop, so that the driver cannot remove the queries.

    Probe: none, since the driver ends the process.
    Documented in docs/drivers.md, "accesses in loops that no thread is in".
    """
    views = module.tables.views
    measured = [r for r in module.resources if r.kind in _MEASURED and not views[r].size_table]
    hidden = HiddenOperands(lambda b: _sizes(b, module, measured))
    for body in module.bodies():
        for value in _in_loops(body):
            position = _scalar(value)
            if measured and position is not None:
                hidden.add(value, position)
                break
    hidden.apply(module)


def _in_loops(body: Block) -> Iterator[Value]:
    """The accesses to bound resources in loops."""
    for loop in walk(body):
        if loop.op is ops.LOOP:
            for value in walk(loop.blocks[0]):
                if any(resource.kind in BOUND for resource in resources_of(value.data)):
                    yield value


def _scalar(value: Value) -> int | None:
    """The position of the first operand that can be hidden.

    Not a descriptor's index, which stands last: if constant, it must stay constant.
    """
    ranges = sum(resource.is_array for resource in resources_of(value.data))
    operands = value.args[: len(value.args) - ranges]
    return next((n for n, arg in enumerate(operands) if arg.type in _HIDDEN), None)


def _sizes(b: Builder, module: Module, measured: list[Resource]) -> Value:
    """A number that is made of all sizes."""
    found = b.input("vThreadGroupID", 0)
    for resource in measured:
        with b.of_array([b.u32(0)] if resource.is_array else []):
            found = b.ixor(found, _size(b, module, resource))
    return found


def _size(b: Builder, module: Module, resource: Resource) -> Value:
    size = b.view_size(resource, nested=module.tables.layouts[resource].nested)
    return size if size.type is U32 else b.extract(U32, size, 0)
