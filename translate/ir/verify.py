"""The IR's own rules, checked: every operation against its row, dominance, structure, declarations.

Tests run this after every pass; a fault is a bug of this project.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from translate.errors import VerifyError
from translate.ir import ops
from translate.ir.fit import misfit, misfit_constant
from translate.ir.memory import (
    BOUND,
    OWN_ARRAYS,
    STRUCTURED,
    VIEWS,
    MemoryKind,
    Resource,
    resources_of,
)
from translate.ir.ops import Effect
from translate.ir.printer import excerpt
from translate.ir.row import Stage
from translate.ir.tables import Start, Tables
from translate.ir.types import TEXELS, Type
from translate.ir.values import Block, Module, Value

# Kinds with a declared length; the view decides the length of all others
_SIZED = (MemoryKind.CONSTANTS, *(kind for kind in MemoryKind if kind not in BOUND))

# A fault -> whether a resource has it
_WRONG: dict[str, Callable[[Resource, Tables], bool]] = {
    "holds none of float, uint and sint": lambda r, t: r.component not in TEXELS,
    "has no 1 to 4 components": lambda r, t: not 1 <= t.components(r) <= r.components <= 4,
    "holds texels of floats or signed integers, but is not typed": lambda r, t: (
        r.component != "uint" and not r.is_texels
    ),
    "has components left out, but no elements of its own": lambda r, t: (
        t.layouts[r].trimmed != 0 and r.kind not in OWN_ARRAYS
    ),
    "begins otherwise than with zeros, but is no x#": lambda r, t: (
        t.layouts[r].start is not Start.INITIALISER and r.kind is not MemoryKind.INDEXABLE_TEMP
    ),
    "has no spare element, as if it were an x#": lambda r, t: (
        t.layouts[r].bounded and r.kind is not MemoryKind.INDEXABLE_TEMP
    ),
    "has structures of no size, or a size and no structures": lambda r, t: (
        (r.stride > 0) is not (r.kind in STRUCTURED)
    ),
    "has a stride that is no number of dwords": lambda r, t: r.stride % 4 != 0,
    "has a length that the view decides, or none of its own": lambda r, t: (
        (r.length > 0) is not (r.kind in _SIZED)
    ),
    "has not as many contents as components": lambda r, t: (
        r.kind is MemoryKind.IMMEDIATE_CONSTANTS and len(r.contents) != r.length * r.components
    ),
    "is nested without structures": lambda r, t: t.layouts[r].nested and r.kind not in STRUCTURED,
    "has vectors of no nested structures": lambda r, t: (
        t.layouts[r].vectors
        and r.kind is not MemoryKind.CONSTANTS
        and not (
            t.layouts[r].nested
            and r.stride % (4 * t.layouts[r].width) == 0
            and not t.usage[r].atomic
        )
    ),
    "is an image of more than 3 axes": lambda r, t: not 0 <= r.shape.axes <= 3,
    "has a shape, but no texels": lambda r, t: not r.shape.is_buffer and not r.is_texels,
    "is an array, but no descriptor": lambda r, t: r.is_array and r.kind not in BOUND,
    "has indices of its only register, but is an array or no descriptor": lambda r, t: (
        r in t.indexed and (r.is_array or r.kind not in BOUND)
    ),
    "stands for registers of other kinds": lambda r, t: any(
        (r.kind, r.dimension, r.stride) != (one.kind, one.dimension, one.stride)
        for one in t.members.get(r, ())
    ),
    "has indices computed at run time, but is no descriptor": lambda r, t: (
        t.usage[r].dynamic and r.kind not in BOUND
    ),
    "has indices that differ between threads, but is no array": lambda r, t: (
        t.usage[r].non_uniform and not r.is_array
    ),
    "has indices past its length, or another declared length, but is no constant buffer": (
        lambda r, t: (
            (t.usage[r].past_end or r.declared is not None) and r.kind is not MemoryKind.CONSTANTS
        )
    ),
    "has a table of sizes, but is no array of buffers": lambda r, t: (
        t.views[r].size_table and not (r.is_array and r.kind in VIEWS)
    ),
    "has formats, but not one for each of its registers of texels": lambda r, t: (
        t.views[r].formats != () and (not r.is_texels or len(t.views[r].formats) != r.count)
    ),
    "has a window, but is neither a buffer nor a 3D UAV": lambda r, t: (
        t.views[r].windowed and not r.takes_window
    ),
    "has a single sample, but is not multisampled": lambda r, t: (
        t.views[r].single_sample and not r.shape.multisampled
    ),
    "is push constants, but no single constant buffer": lambda r, t: (
        t.views[r].pushed and (r.kind is not MemoryKind.CONSTANTS or r.is_array)
    ),
    "has a counter, but is no structured UAV": lambda r, t: (
        t.usage[r].counter and not (r.kind is MemoryKind.STRUCTURED and r.is_uav)
    ),
    "is an atomic of floats": lambda r, t: t.usage[r].atomic and t.layouts[r].floats,
}


def misdeclared(resource: Resource, tables: Tables) -> str | None:
    """The first fault of a resource, as the end of "RESOURCE ...", or None."""
    return next((text for text, holds in _WRONG.items() if holds(resource, tables)), None)


def verify(module: Module, stage: Stage | None = None) -> None:
    """Raise VerifyError at the first broken rule, which names the operation and shows its line.

    `stage` is the module's stage, None to accept operations of all stages.
    """
    _resources(module, stage)
    for body in module.bodies():
        _Verifier(module, stage).body(body)


def _resources(module: Module, stage: Stage | None) -> None:
    registers: dict[str, Resource] = {}
    named = [resource for value in module.walk() for resource in resources_of(value.data)]
    own = [*module.written_marks.values()]
    if module.report is not None:
        own += [*module.report.shortfalls, module.report.buffer]
    if module.message_buffer is not None:
        own.append(module.message_buffer)
    for resource in (*module.resources, *own, *named):
        if registers.setdefault(resource.register, resource) is not resource:
            raise VerifyError(f"two resources are {resource}")
    for resource in registers.values():
        problem = misdeclared(resource, module.tables)
        if problem is not None:
            raise VerifyError(f"resource {resource} {problem}")
        if resource in module.tables.indexed and stage is not None and stage >= Stage.GUARDED:
            raise VerifyError(f"resource {resource} has indices that the guards take off")
        if resource in module.tables.members and stage is not None and stage > Stage.GUARDED:
            raise VerifyError(f"resource {resource} stands for others")


class _Verifier:
    """`visible` are the values that dominate the current one, `left` the constructs that a
    terminator leaves, and `frames` the constructs around the current value, the innermost last."""

    def __init__(self, module: Module, stage: Stage | None):
        self.module = module
        self.stage = stage
        self.visible: set[Value] = set()
        self.left: set[Value] = set()
        self.frames: list[Value] = []

    def body(self, body: Block) -> None:
        if body.params:
            raise VerifyError(f"a body has parameters: {body.params}")
        self._block(body)

    def _fault(self, value: Value, problem: str) -> VerifyError:
        shown = excerpt(self.module, value)
        return VerifyError(f"{value.op.name} {problem}\n{shown}".rstrip(), value.where)

    def _block(self, block: Block) -> list[Value]:
        """Check a block; returns its definitions, which are visible only inside of it."""
        defined: list[Value] = []
        if not block.values:
            if self.frames:
                raise self._fault(self.frames[-1], "has a block without values")
            raise VerifyError("a body without values")
        self._define(block.params, defined)
        for value in block.values:
            self._value(value, defined)
            self._define([value, *value.results], defined)
            if value.op.effect is Effect.TERMINATES and value is not block.values[-1]:
                raise self._fault(value, "stands before the end of its block")
        self._end(block.values[-1])
        self.visible.difference_update(defined)
        return defined

    def _end(self, last: Value) -> None:
        if last.op.effect is Effect.TERMINATES:
            return
        if last.op.effect is not Effect.CONTROL:
            raise self._fault(last, "ends a block, which only terminators do")
        if last in self.left:
            raise self._fault(last, "ends a block, but ways lead out of it")

    def _define(self, values: Sequence[Value], defined: list[Value]) -> None:
        for value in values:
            if value in self.visible:
                raise self._fault(value, "stands in two places")
            self.visible.add(value)
        defined += values

    def _value(self, value: Value, defined: list[Value]) -> None:
        op = value.op
        if op in (ops.CONST, ops.PARAM, ops.RESULT):
            raise self._fault(value, "stands in a block")
        if self.stage is not None and not op.since <= self.stage <= op.until:
            stage = self.stage.name.lower()
            raise self._fault(value, f"may not be in a module that is {stage}")
        self._seen(value)
        problem = misfit(value, self.module)
        if problem is not None:
            raise self._fault(value, problem)
        if op.effect is Effect.TERMINATES:
            self._terminator(value)
        self._construct(value, defined)

    def _seen(self, value: Value) -> None:
        """Check that every operand is a constant or dominates its use."""
        for number, arg in enumerate(value.args):
            if arg.op is ops.CONST:
                problem = misfit_constant(arg)
                if problem is not None:
                    raise self._fault(value, f"has operand {number}, which {problem}")
            elif arg not in self.visible:
                problem = f"uses operand {number}, a {arg.op.name}, where it is not visible"
                raise self._fault(value, problem)

    # --- structure ---------------------------------------------------------------------------

    def _construct(self, value: Value, defined: list[Value]) -> None:
        count, wanted = len(value.blocks), value.op.blocks
        if count != wanted and (wanted is not None or count == 0):
            raise self._fault(value, f"has {count} blocks")
        if value.results and not count:
            raise self._fault(value, "has results, but no blocks that could give them")
        if count:
            self._merged(value, value.results, ops.RESULT)
            self._params(value)
            self._blocks(value, defined)

    def _merged(self, value: Value, merged: Sequence[Value], op: ops.Op) -> None:
        for one in merged:
            if one.op is not op or one.args or one.data is not value:
                raise self._fault(value, f"has as {op.name} {one!r}")

    def _params(self, value: Value) -> None:
        """Check that a construct has an operand for every parameter of its blocks, in order."""
        given = value.args[sum(isinstance(param, Type) for param in value.op.params) :]
        taken = [param for block in value.blocks for param in block.params]
        self._merged(value, taken, ops.PARAM)
        self._match(value, given, taken)

    def _blocks(self, value: Value, defined: list[Value]) -> None:
        """Check inner blocks; if only one yields, its values are visible after the construct."""
        ways: list[list[Value]] = []
        self.frames.append(value)
        for inner in value.blocks:
            found = self._block(inner)
            if inner.values[-1].op is ops.YIELD:
                ways.append(found)
        self.frames.pop()
        if len(ways) == 1:
            self._define(ways[0], defined)

    def _terminator(self, value: Value) -> None:
        """Check that a terminator passes the operands that its target takes."""
        if not value.op.leaves:
            return
        left = next((f for f in reversed(self.frames) if f.op in value.op.leaves), None)
        innermost = value.op in (ops.YIELD, ops.FALL_THROUGH)
        if left is None or (innermost and left is not self.frames[-1]):
            raise self._fault(value, "has no construct that it could leave")
        self._match(value, value.args, self._taken(value, left))

    def _taken(self, value: Value, left: Value) -> Sequence[Value]:
        """The results or parameters of the construct `left` that get a terminator's operands."""
        if value.op is ops.CONTINUE:
            return left.blocks[0].params
        if value.op is not ops.FALL_THROUGH:
            self.left.add(left)
            return left.results
        number = next(n for n, block in enumerate(left.blocks) if block.values[-1:] == [value])
        if number + 1 == len(left.blocks):
            raise self._fault(value, "is in the last case")
        return left.blocks[number + 1].params

    def _match(self, holder: Value, given: Sequence[Value], wanted: Sequence[Value]) -> None:
        if [v.type for v in given] != [v.type for v in wanted]:
            problem = f"hands on {_types(given)}, where {_types(wanted)} belong"
            raise self._fault(holder, problem)


def _types(values: Sequence[Value]) -> str:
    return f"({', '.join(value.type.text for value in values)})"
