"""Parts of several passes: a walk that rewrites single values, sources of merged values, findings.

A merged value is a parameter of a block or a result of a construct; its sources are the operands
that it may be equal to. Findings are facts about the module, and declarations that its code needs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest
from operator import attrgetter

from translate.dataclass import dataclass, fields, replace
from translate.ir import ops
from translate.ir.builder import Builder
from translate.ir.memory import Message, Report, Resource, Site
from translate.ir.ops import Op
from translate.ir.tables import Tables
from translate.ir.values import Block, Guard, Module, Value

# Returns the replacement of a value, or None to keep the value. Values that a rule builds are in
# front of the value.
Rule = Callable[[Builder, Value], Value | None]
Rules = Mapping[Op, Rule]
# A merged value's sources: (terminator or construct, position among its arguments)
Incoming = dict[Value, list[tuple[Value, int]]]
_operation = attrgetter("op")


def rewrite(module: Module, rules: Rules) -> None:
    """Apply to each value the rule for its operation, in order; a construct after its contents."""
    forward: dict[Value, Value] = {}
    for body in module.bodies():
        _block(body, rules, forward)


def _block(block: Block, rules: Rules, forward: dict[Value, Value]) -> None:
    values, kept = block.values, list[Value]()
    has_work = not rules.keys().isdisjoint(map(_operation, values))
    if has_work:
        block.values = kept
    b, replaced = Builder(block), forward.keys()
    for value in values:
        if forward and not replaced.isdisjoint(value.args):
            value.args = [forward.get(arg, arg) for arg in value.args]
        for inner in value.blocks:
            _block(inner, rules, forward)
        if not has_work:
            continue
        if value.op not in rules:
            kept.append(value)
            continue
        b.where = value.where
        replacement = rules[value.op](b, value)
        if replacement is None:
            kept.append(value)
        else:
            forward[value] = replacement


@dataclass(frozen=True, slots=True)
class Findings:
    """New contents of the fields of `Module` with these names; None keeps a field.

    A pass changes only the module's code by itself; it returns everything else.
    """

    tables: Tables | None = None
    resources: list[Resource] | None = None
    written_marks: dict[Resource, Resource] | None = None
    sites: list[Site] | None = None
    report: Report | None = None
    messages: list[Message] | None = None
    message_buffer: Resource | None = None
    exposed: set[str] | None = None
    guards: list[Guard] | None = None

    def with_guards(self, guards: list[Guard]) -> Findings:
        """These findings with `guards`."""
        return replace(self, guards=guards)

    def note_in(self, module: Module) -> None:
        """Set the module's fields to the findings."""
        for name in _FINDINGS:
            found = getattr(self, name)
            if found is not None:
                setattr(module, name, found)


_FINDINGS = tuple(field.name for field in fields(Findings))


def merges_of(module: Module) -> Incoming:
    """Every parameter and result of a module, with its sources."""
    incoming: Incoming = {}
    for body in module.bodies():
        _add_operands(body, incoming, [], None)
    return incoming


def through_casts(value: Value) -> Value:
    """The value itself if it is no `bitcast`, else the operand of the innermost cast."""
    while value.op is ops.BITCAST:
        value = value.args[0]
    return value


def _add_operands(
    block: Block, incoming: Incoming, frames: list[Value], following: Block | None
) -> None:
    """Add the operands of a block's terminator, and those in inner constructs, to `incoming`.

    `frames` are the constructs around the block; `following` is the next case of a switch.
    """
    for value in block.values:
        if value.blocks:
            _construct(value, incoming, frames)
    end = block.values[-1]
    if end.op is ops.YIELD:
        _add(incoming, frames[-1].results, end)
    elif end.op is ops.BREAK:
        target = next(f for f in reversed(frames) if f.op is not ops.IF)
        _add(incoming, target.results, end)
    elif end.op is ops.CONTINUE:
        target = next(f for f in reversed(frames) if f.op is ops.LOOP)
        _add(incoming, target.blocks[0].params, end)
    elif end.op is ops.FALL_THROUGH and following is not None:
        _add(incoming, following.params, end)


def _construct(value: Value, incoming: Incoming, frames: list[Value]) -> None:
    given = 0 if value.op is ops.LOOP else 1  # a switch's first operand is its selector
    for result in value.results:
        incoming[result] = []
    for inner in value.blocks:
        for position, param in enumerate(inner.params, given):
            incoming[param] = [(value, position)]
        given += len(inner.params)
    following = value.blocks[1:] if value.op is ops.SWITCH else ()
    frames.append(value)
    for inner, next_case in zip_longest(value.blocks, following):
        _add_operands(inner, incoming, frames, next_case)
    frames.pop()


def _add(incoming: Incoming, merged: Sequence[Value], end: Value) -> None:
    for position, target in enumerate(merged):
        incoming[target].append((end, position))
