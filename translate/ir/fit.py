"""Checks of an operation against its row in `ir.ops`: attribute, memory, operands, precondition.

Each check returns None, or the fault as the end of a sentence that begins with the operation.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

from translate.ir import ops
from translate.ir.attributes import misfit_attribute
from translate.ir.memory import resources_of
from translate.ir.row import BITS, Derived, Generic, Group, Literal, Param, Place, Several
from translate.ir.tables import Tables
from translate.ir.types import BOOL, F32, F64, TEXELS, U32, VOID, Type
from translate.ir.values import Module, Value

_FITS: dict[Generic, frozenset[Type]] = {
    Generic.FLOAT: frozenset((F32, F64)),
    Generic.TEXEL: frozenset(TEXELS.values()),
    Generic.ANY: frozenset(Type) - {VOID},
    Generic.BITS32: frozenset((U32, F32)),
    Generic.EACH: frozenset(Type) - {VOID},
}
_NO_MORE = Several(Generic.EACH, 0, lambda operation: 0)
# The places of operations with a fixed number of operands
_PLAIN: dict[tuple[Param, ...], list[Place]] = {
    op.params: [param for param in op.params if not isinstance(param, (Group, Several))]
    for op in ops.OPS.values()
    if op.memory is None and not any(isinstance(p, (Group, Several)) for p in op.params)
}
_SAME = (Generic.FLOAT, Generic.TEXEL, Generic.ANY)  # one type in all places of a row


def misfit(value: Value, module: Module) -> str | None:
    """The first rule of its row that a value breaks ("takes 2 operands, found 1"), or None."""
    for check in (misfit_attribute, _memory, _operands, _precondition):
        problem = check(value, module)
        if problem is not None:
            return problem
    return None


def misfit_constant(value: Value) -> str | None:
    """The fault of a constant whose bits do not fit its type, or None."""
    bits, limit = value.data, 1 << value.type.bits if value.type.bits <= 64 else 1
    if value.type is BOOL:
        limit = 2
    if value.type is VOID or type(bits) is not int or not 0 <= bits < limit or value.args:
        return f"cannot be a constant of type {value.type.text}"
    return None


def _memory(value: Value, module: Module) -> str | None:
    touched = value.op.memory
    if touched is None:
        return None
    resource = resources_of(value.data)[0]
    if touched.fits(resource, module.tables):
        return None
    return f"takes {touched.name}; {resource} is none ({resource.kind.text})"


# --- operands and result -------------------------------------------------------------------------


def _operands(value: Value, module: Module) -> str | None:
    wanted = _places(value, module.tables)
    if isinstance(wanted, str):
        return wanted
    types = _Types(value, module.tables)
    problem = types.misfit("gives", value.op.result, value)
    for number, (place, arg) in enumerate(zip(wanted, value.args, strict=True)):
        if problem is None:
            problem = types.misfit(f"has as operand {number}", place, arg)
    return problem


def _places(value: Value, tables: Tables) -> list[Place] | str:
    """The type rule for each operand and descriptor index; or a fault if their number is wrong."""
    params = value.op.params
    if value.op.memory is None and params in _PLAIN and len(params) == len(value.args):
        return _PLAIN[params]
    fixed = [_fixed(param, value, tables) for param in params]
    descriptors = [U32] * sum(map(tables.takes_index, resources_of(value.data)))
    count = sum(map(len, fixed)) + len(descriptors)
    several = next((param for param in params if isinstance(param, Several)), _NO_MORE)
    rest, most = len(value.args) - count, several.most(value)
    if rest < several.least or (most is not None and rest > most):
        wanted = _counts(count, several.least, most)
        return f"takes {wanted}, found {len(value.args)}"
    places: list[Place] = []
    for param, group in zip(params, fixed, strict=True):
        places += [param.place] * rest if isinstance(param, Several) else group
    return [*places, *descriptors]


def _counts(count: int, least: int, most: int | None) -> str:
    few, many = count + least, None if most is None else count + most
    if many is None:
        return f"{few} or more operands"
    if few != many:
        return f"{few} to {many} operands"
    return "1 operand" if few == 1 else f"{few} operands"


def _fixed(param: Param, value: Value, tables: Tables) -> Sequence[Place]:
    """The places that a parameter stands for; none for Several, which depends on the operands."""
    if isinstance(param, Group):
        return param.places(value, tables)
    return () if isinstance(param, Several) else (param,)


class _Types:
    """The types that the generic places of a row (`Generic`) stand for in one value."""

    def __init__(self, value: Value, tables: Tables):
        self.attribute = value.data
        self.tables = tables
        self.chosen: dict[Generic, frozenset[Type]] = {}
        texel = value if value.op.result is Generic.TEXEL else next(iter(value.args), value)
        component = F32 if texel.type is Type.TEXEL_F32 else U32
        self.chosen[Generic.COMPONENT] = frozenset((component,))

    def misfit(self, verb: str, place: Place, held: Value) -> str | None:
        if isinstance(place, Literal):
            if held.op is ops.CONST and held.type is U32 and BITS.of(held) < place.below:
                return None
            return f"{verb} {_shown(held)}, where a constant below {place.below} belongs"
        wanted = self._wanted(place)
        if held.type in wanted:
            if place in _SAME:
                self.chosen[place] = frozenset((held.type,))
            return None
        names = " or ".join(type_.text for type_ in Type if type_ in wanted)
        return f"{verb} {_shown(held)}, where {names} belongs"

    def _wanted(self, place: Type | Generic | Derived) -> frozenset[Type]:
        if isinstance(place, Type):
            return frozenset((place,))
        if isinstance(place, Derived):
            return frozenset((place.type(resources_of(self.attribute)[0], self.tables),))
        return self.chosen.get(place) or _FITS[place]


def _shown(held: Value) -> str:
    return f"a {held.type.text}"


# --- preconditions -------------------------------------------------------------------------------


def _precondition(value: Value, module: Module) -> str | None:
    """The fault if constant operands break the row's precondition, or None."""
    condition = value.op.precondition
    if condition is None:
        return None
    operands = [value.args[position] for position in condition.positions]
    if any(operand.op is not ops.CONST for operand in operands):
        return None
    if condition.holds([_number(operand) for operand in operands]):
        return None
    return f"is undefined here: {condition.text}"


def _number(constant: Value) -> int | float:
    if constant.type is F32:
        return struct.unpack("<f", struct.pack("<I", BITS.of(constant)))[0]
    if constant.type is F64:
        return struct.unpack("<d", struct.pack("<Q", BITS.of(constant)))[0]
    return BITS.of(constant)
