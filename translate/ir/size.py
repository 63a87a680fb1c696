"""The size of a module in operations, and the shader's instruction that became most of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

from translate.errors import UnsupportedError, Where
from translate.ir import ops
from translate.ir.memory import SHARED, Access, MemoryKind, Resource
from translate.ir.ops import Op
from translate.ir.values import Block, Module, Value

# lavapipe's compiler takes 5 s for 900 accesses to g#, for 2,400 loads from cb[r], or for 230 `fma`
# of 198 operations; its time grows with their square
_SHARED, _CONSTANTS, _FUSED = 250, 80, 900
_BUFFER = MemoryKind.CONSTANTS

# Costs of operations; 0 for those on memory, whose cost depends on their operands
COSTS: Mapping[Op, int] = {op: 0 if op.memory else op.size for op in ops.OPS.values()} | {
    ops.FMA: _FUSED
}


def cost(op: Op, index: list[Value], data: object, marks: Collection[Resource] = ()) -> int:
    """The number of operations that one counts as in limits, by drivers' compile time.

    `index` begins with the index of an access to a constant buffer.

    A driver on a CPU compiles an access to g# to a loop over threads, and a load from a constant
    buffer by a computed index to a load for each thread. Accesses to `marks`, which reports add to
    the shader's own, count as one, so that they take little of the limit.
    """
    if COSTS[op]:
        return COSTS[op]
    if isinstance(data, Access):
        kind = data.resource.kind
        if kind in SHARED:
            return 1 if data.resource in marks else _SHARED
        if kind is _BUFFER and _is_computed(index[0]):
            return _CONSTANTS
    return op.size


def _is_computed(index: Value) -> bool:
    """Whether an index is neither a constant nor a guard's choice with a constant."""
    number = index.args[1] if index.op is ops.SELECT else index
    return number.op is not ops.CONST


def operations(module: Module) -> int:
    """The sum of `cost` over a module, plus 1 for each block parameter and construct's result."""
    marks = module.written_marks.values()
    return sum(_operations(body, marks) for body in module.bodies())


def _operations(block: Block, marks: Collection[Resource]) -> int:
    count, costs = len(block.params), COSTS
    for value in block.values:
        count += costs[value.op] or cost(value.op, value.args[:1], value.data, marks)
        if value.blocks:
            count += len(value.results)
            for inner in value.blocks:
                count += _operations(inner, marks)
    return count


def largest(module: Module) -> tuple[int, Where]:
    """The largest cost of a single instruction of the shader, and the place of that instruction."""
    places, marks = Counter[Where](), module.written_marks.values()
    for value in module.walk():
        places[value.where] += cost(value.op, value.args[:1], value.data, marks)
    ((where, count),) = places.most_common(1)
    return count, where


def limit_text(option: str, most: int) -> str:
    """A limit as Python and the command line name it: `Options.max_words=9 (--max-words)`."""
    return f"Options.{option}={most} (--{option.replace('_', '-')})"


def too_large(became: str, option: str, most: int, count: int, where: Where) -> UnsupportedError:
    """The error for a shader that becomes more than an option allows.

    `became` describes its size, as in "the shader becomes ...". `count` is the largest number of
    operations from one instruction, which is at `where`.
    """
    name = where.mnemonic or "instruction"
    message = f"the shader becomes {became}, more than {limit_text(option, most)} allows"
    return UnsupportedError(f"{message}; {count} operations are of this {name}", where)
