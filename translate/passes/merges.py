"""The sources of merged values: the operands that each parameter and result may be equal to."""

from __future__ import annotations

from collections.abc import Sequence

from translate.ir import ops
from translate.ir.values import Block, Module, Value

# A merged value's sources: (terminator or construct, position among its arguments)
Incoming = dict[Value, list[tuple[Value, int]]]


def merges_of(module: Module) -> Incoming:
    """Every parameter and result of a module, with its sources."""
    incoming: Incoming = {}
    for body in module.bodies():
        _block(body, incoming, [], None)
    return incoming


def through_casts(value: Value) -> Value:
    """The value itself if it is no `bitcast`, else the operand of the innermost cast."""
    while value.op is ops.BITCAST:
        value = value.args[0]
    return value


def _block(block: Block, incoming: Incoming, frames: list[Value], following: Block | None) -> None:
    """Add the operands of a block's terminator, and those in inner constructs, to `incoming`.

    `frames` are the constructs around the block; `following` is the next case of a switch.
    """
    for value in block.values:
        if value.blocks:
            _construct(value, incoming, frames)
    end = block.values[-1]
    if end.op is ops.YIELD:
        _add(incoming, frames[-1].results, end, 0)
    elif end.op is ops.BREAK:
        target = next(f for f in reversed(frames) if f.op is not ops.IF)
        _add(incoming, target.results, end, 0)
    elif end.op is ops.CONTINUE:
        target = next(f for f in reversed(frames) if f.op is ops.LOOP)
        _add(incoming, target.blocks[0].params, end, 0)
    elif end.op is ops.FALL_THROUGH and following is not None:
        _add(incoming, following.params, end, 0)


def _construct(value: Value, incoming: Incoming, frames: list[Value]) -> None:
    given = 0 if value.op is ops.LOOP else 1  # a switch's first operand is its selector
    for result in value.results:
        incoming[result] = []
    for inner in value.blocks:
        for param in inner.params:
            incoming[param] = []
        _add(incoming, inner.params, value, given)
        given += len(inner.params)
    frames.append(value)
    for inner, following in zip(value.blocks, (*value.blocks[1:], None), strict=True):
        _block(inner, incoming, frames, following if value.op is ops.SWITCH else None)
    frames.pop()


def _add(incoming: Incoming, merged: Sequence[Value], holder: Value, first: int) -> None:
    for position, target in enumerate(merged, first):
        incoming[target].append((holder, position))
