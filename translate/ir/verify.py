"""The IR's own rules, checked: types, dominance, terminators, merged values.

Tests run this after every pass; a fault is a bug of this project.
"""

from __future__ import annotations

from translate.errors import NOWHERE, VerifyError
from translate.ir import ops
from translate.ir.ops import Effect, Generic
from translate.ir.types import F32, F64, TEXELS, U32, VOID, Type
from translate.ir.values import Block, Module, Value

_FITS: dict[Generic, frozenset[Type]] = {
    Generic.FLOAT: frozenset((F32, F64)),
    Generic.BITS32: frozenset((U32, F32)),
    Generic.TEXEL: frozenset(TEXELS.values()),
    Generic.ANY: frozenset(Type) - {VOID},
}
_REGISTERS = (ops.READ_REGISTER, ops.WRITE_REGISTER)
_UNGUARDED = (
    ops.LOAD, ops.STORE, ops.ATOMIC, ops.LOAD_TYPED, ops.STORE_TYPED, ops.ELEMENT_COUNT,
)  # fmt: skip

# The constructs that a terminator may leave
_LEFT_BY = {
    ops.YIELD: (ops.IF,),
    ops.BREAK: (ops.LOOP, ops.SWITCH),
    ops.CONTINUE: (ops.LOOP,),
}


def verify(module: Module, *, promoted: bool = False, guarded: bool = False) -> None:
    """Raise VerifyError at the first broken rule.

    `promoted`: no register access may be left; `guarded`: no access with D3D meaning.
    """
    forbidden = (*(_REGISTERS if promoted else ()), *(_UNGUARDED if guarded else ()))
    for body in module.bodies():
        _Verifier(frozenset(forbidden)).block(body, [])
    for value in module.walk():
        if value.op is ops.CALL and value.data not in module.functions:
            raise VerifyError(f"{value!r} calls nothing", value.where)


class _Verifier:
    def __init__(self, forbidden: frozenset[ops.Op]):
        self.forbidden = forbidden
        self.visible: set[Value] = set()

    def block(self, block: Block, frames: list[Value]) -> list[Value]:
        """Check a block; gives what it defines, which is visible inside it only."""
        defined: list[Value] = []
        if not block.values:
            holder = frames[-1] if frames else None
            message = f"a block without values in {holder!r}"
            raise VerifyError(message, holder.where if holder else NOWHERE)
        self._define(block.params, defined)
        for value in block.values[:-1]:
            if value.op.effect is Effect.TERMINATES:
                raise VerifyError(f"{value!r} stands before the end of its block", value.where)
        for position, value in enumerate(block.values):
            self._value(value, frames)
            self._define([value, *value.results], defined)
            last = position == len(block.values) - 1
            if last and value.op.effect not in (Effect.TERMINATES, Effect.CONTROL):
                raise VerifyError(f"a block ends with {value!r}", value.where)
        self.visible.difference_update(defined)
        return defined

    def _define(self, values: list[Value], defined: list[Value]) -> None:
        for value in values:
            if value in self.visible:
                raise VerifyError(f"{value!r} stands in two places", value.where)
        self.visible.update(values)
        defined += values

    def _value(self, value: Value, frames: list[Value]) -> None:
        if value.op in self.forbidden:
            raise VerifyError(f"{value.op.name} may not be left at this stage", value.where)
        for arg in value.args:
            if arg not in self.visible and arg.op is not ops.CONST:
                raise VerifyError(f"{value!r} uses {arg!r}, which is not visible", value.where)
        self._types(value)
        if value.op.effect is Effect.TERMINATES:
            self._terminator(value, frames)
        if value.blocks:
            self._construct(value, frames)

    def _types(self, value: Value) -> None:
        params = value.op.params
        if params is not None and len(params) != len(value.args):
            raise VerifyError(f"{value!r} takes {len(params)} arguments", value.where)
        places = [*zip(params or (), value.args, strict=False), (value.op.result, value)]
        shared: dict[Generic, Type] = {}
        for place, held in places:
            if isinstance(place, Type):
                fits = held.type is place
            else:
                fits = held.type in _FITS[place]
                if place is Generic.FLOAT:
                    fits = fits and shared.setdefault(place, held.type) is held.type
            if not fits:
                name = place.text if isinstance(place, Type) else place.name.lower()
                raise VerifyError(f"{value!r}: {held!r} where {name} belongs", value.where)

    def _construct(self, value: Value, frames: list[Value]) -> None:
        first = 0 if value.op is ops.LOOP else 1
        ways: list[list[Value]] = []
        for inner, following in zip(value.blocks, (*value.blocks[1:], None), strict=True):
            if inner.params:
                self._match(value, value.args[first:], inner.params)
            last = inner.values[-1] if inner.values else None
            if last is not None and last.op is ops.FALL_THROUGH:
                self._fall_through(last, following if value.op is ops.SWITCH else None)
            defined = self.block(inner, [*frames, value])
            if inner.values[-1].op is ops.YIELD:
                ways.append(defined)
        if len(ways) == 1:  # the only way behind the construct leads through that block
            self.visible.update(ways[0])

    def _fall_through(self, value: Value, following: Block | None) -> None:
        if following is None:
            raise VerifyError(f"{value!r} leaves nothing for the next case", value.where)
        self._match(value, value.args, following.params)

    def _terminator(self, value: Value, frames: list[Value]) -> None:
        """A way out hands on what its target takes; a fall-through's is the next block."""
        if value.op is ops.RETURN or value.op is ops.FALL_THROUGH:
            return
        left = next((f for f in reversed(frames) if f.op in _LEFT_BY[value.op]), None)
        if left is None or (value.op is ops.YIELD and left is not frames[-1]):
            raise VerifyError(f"{value!r} leaves nothing", value.where)
        taken = left.blocks[0].params if value.op is ops.CONTINUE else left.results
        self._match(value, value.args, taken)

    def _match(self, holder: Value, given: list[Value], wanted: list[Value]) -> None:
        if [v.type for v in given] != [v.type for v in wanted]:
            raise VerifyError(f"{holder!r} hands on {given}, wanted {wanted}", holder.where)
