"""Mistakes that a pass could make, made on purpose in its result."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from translate.errors import NOWHERE
from translate.ir import ops, row
from translate.ir.memory import MemoryKind
from translate.ir.types import BOOL, F32, U32, Type
from translate.ir.values import Block, Module, Value

Mistake = Callable[[Module], bool]  # whether there was a place for the mistake


def values(module: Module, *wanted: ops.Op) -> Iterator[tuple[Block, Value]]:
    """The operations of some kinds, with their blocks."""
    work = module.bodies()
    while work:
        block = work.pop()
        for value in [*block.values]:
            work += value.blocks
            if value.op in wanted:
                yield block, value


def constant(type_: Type, bits: int) -> Value:
    return Value(ops.CONST, type_, [], bits, NOWHERE)


def replace_uses(module: Module, old: Value, new: Value) -> None:
    for value in module.walk():
        value.args = [new if arg is old else arg for arg in value.args]


def with_attribute(module: Module, block: Block, old: Value, data: object) -> None:
    """Replace an operation by the same one with another attribute."""
    new = Value(old.op, old.type, old.args, data, old.where)
    block.values[block.values.index(old)] = new
    replace_uses(module, old, new)


def swap_operands(*wanted: ops.Op) -> Mistake:
    """Swap the operands of an operation, such as a subtraction."""

    def mistake(module: Module) -> bool:
        for _, value in values(module, *wanted):
            value.args = [*value.args[:-2], *value.args[:-3:-1]]
        return any(values(module, *wanted))

    return mistake


def swap_blocks(module: Module) -> bool:
    """Negate the condition of each branch."""
    for _, value in values(module, ops.IF):
        value.blocks = value.blocks[::-1]
    return any(values(module, ops.IF))


def drop(*wanted: ops.Op) -> Mistake:
    """Remove the first such operation; it must have no result."""

    def mistake(module: Module) -> bool:
        for block, value in values(module, *wanted):
            block.values.remove(value)
            return True
        return False

    return mistake


def drop_guards(module: Module) -> bool:
    """Store without a check."""
    found = False
    for _, value in values(module, ops.IF):
        if any(inner.op is ops.STORE_ELEMENT for inner in value.blocks[0].values):
            value.args, found = [constant(BOOL, 1)], True
    return found


def drop_clamps(module: Module) -> bool:
    """Load from an index that failed its check."""
    found = False
    for _, value in values(module, ops.LOAD_ELEMENT):
        if value.args[0].op is ops.SELECT:
            value.args[0], found = value.args[0].args[1], True
    return found


def forget_flushes(module: Module) -> bool:
    found = False
    for _, value in [*values(module, ops.FLUSH)]:
        replace_uses(module, value, value.args[0])
        found = True
    return found


def shift_too_far(module: Module) -> bool:
    """Shift by one bit too many, like a division by the wrong power of two."""
    found = False
    for _, value in values(module, ops.USHR, ops.ISHL):
        if value.args[1].op is ops.CONST:
            bits = row.BITS.of(value.args[1])
            value.args[1], found = constant(U32, bits + 1 & 31), True
    return found


def merge_another(module: Module) -> bool:
    """Start each round of a loop with the last round's initial values."""
    found = False
    for _, loop in values(module, ops.LOOP):
        (body,) = loop.blocks
        if body.params and body.values[-1].op is ops.CONTINUE:
            body.values[-1].args, found = [*body.params], True
    return found


def read_another_component(module: Module) -> bool:
    found = False
    for block, value in [*values(module, ops.LOAD, ops.LOAD_ELEMENT)]:
        access = row.ACCESS.of(value)
        if access.resource.kind is MemoryKind.CONSTANTS:
            other = replace(access, component=3 - access.component)
            with_attribute(module, block, value, other)
            found = True
    return found


def forget_windows(module: Module) -> bool:
    """Use an index of the view as an index of the buffer."""
    for _, value in values(module, ops.WINDOW_FIRST):
        replace_uses(module, value, constant(U32, 0))
    return any(values(module, ops.WINDOW_FIRST))


def report_another_cause(module: Module) -> bool:
    for _, value in values(module, ops.REPORT):
        value.args[0] = constant(U32, 2)
    return any(values(module, ops.REPORT))


def change_atomics(module: Module) -> bool:
    found = False
    for block, value in [*values(module, ops.ATOMIC, ops.ATOMIC_ELEMENT)]:
        access = row.ATOMIC.of(value)
        if access.operation == "iadd":
            with_attribute(module, block, value, replace(access, operation="umax"))
            found = True
    return found


def drop_a_condition(module: Module) -> bool:
    """Convert floats that do not fit an integer."""
    found = False
    for _, value in values(module, ops.F_TO_S32, ops.F_TO_U32):
        if value.args[0].op is ops.SELECT:
            value.args[0], found = value.args[0].args[1], True
    return found


def miscount(module: Module) -> bool:
    """Count twice in hidden counters."""
    for _, value in values(module, ops.COUNTER_ADD):
        value.args[0] = constant(U32, 2)
    return any(values(module, ops.COUNTER_ADD))


def sample_elsewhere(module: Module) -> bool:
    for _, value in values(module, ops.SAMPLE):
        value.args[0] = constant(F32, 0x3F400000)
    return any(values(module, ops.SAMPLE))
