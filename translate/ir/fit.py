"""Checks of an operation against its row in `ir.ops`: attribute, memory, operands, precondition.

Each check returns None, or the fault as the end of a sentence that begins with the operation.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence

from translate.choices import SPECIALIZATIONS
from translate.ir import ops, row
from translate.ir.effects import COUNTED
from translate.ir.memory import ATOMIC_OPERATIONS, Access, MemoryKind, SampleMode, resources_of
from translate.ir.row import (
    BITS,
    Attribute,
    Derived,
    Generic,
    Group,
    Literal,
    Param,
    Place,
    Several,
)
from translate.ir.tables import Tables
from translate.ir.types import BOOL, F32, F64, TEXELS, U32, VOID, Type
from translate.ir.values import Module, Value

# The thread inputs, with their numbers of components
INPUTS: Mapping[str, int] = {
    "vThreadID": 3,
    "vThreadGroupID": 3,
    "vThreadIDInGroup": 3,
    "vThreadIDInGroupFlattened": 1,
}
_OFFSETS = range(-8, 8)  # of a sampling instruction, in texels (FS §22.4.18)
_GATHERS = (SampleMode.GATHER, SampleMode.GATHER_COMPARE)
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


def misfit_attribute(value: Value, module: Module) -> str | None:
    """The fault of a value's attribute, as the end of a sentence about it, or None."""
    attribute, data = value.op.attribute, value.data
    if type(data) is not attribute.type:
        return f"has the attribute {data!r}, where {attribute.name} belongs"
    check = _CHECKS.get(attribute)
    return None if check is None else check(value, module)


def _register(value: Value, module: Module) -> str | None:
    number, count = row.REGISTER.of(value), module.temp_count
    return None if 0 <= number < 4 * count else f"names register {number // 4} of {count}"


def _component(value: Value, module: Module) -> str | None:
    number = row.COMPONENT.of(value)
    return None if 0 <= number < 4 else f"names component {number} of 4"


def _input(value: Value, module: Module) -> str | None:
    name, component = row.INPUT.of(value)
    if 0 <= component < INPUTS.get(name, 0):
        return None
    return f"reads component {component} of {name}, which there is not"


def _access(value: Value, module: Module) -> str | None:
    access = row.ACCESS.of(value)
    if access.operation:
        return f"has the operation {access.operation}, but is no atomic"
    return _address(access, module.tables.components(access.resource))


def _address(access: Access, components: int) -> str | None:
    resource = access.resource
    count = resource.shape.coordinates if resource.is_texels else resource.address_count
    if access.address_count != count:
        return f"addresses {resource} by {access.address_count} operands, where {count} do"
    if 0 <= access.component < components:
        return None
    return f"names component {access.component} of {resource}, which has {components}"


def _vector(value: Value, module: Module) -> str | None:
    """Check the access to a vector, which is named by the number of its first dword."""
    access = row.VECTOR.of(value)
    if access.operation or access.component % module.tables.layouts[access.resource].width:
        return f"names no vector: {access}"
    resource = access.resource
    return _address(access, resource.stride // 4 or resource.components)


def _atomic(value: Value, module: Module) -> str | None:
    access = row.ATOMIC.of(value)
    if access.operation not in ATOMIC_OPERATIONS:
        return f"has the operation {access.operation!r}, which no atomic has"
    if access.resource.component == "float" and access.operation != "exch":
        return f"has the operation {access.operation!r} of float texels, which have only exch"
    return _address(access, 1)


def _sample(value: Value, module: Module) -> str | None:
    sample = row.SAMPLE.of(value)
    shape = sample.resource.shape
    if sample.sampler.kind is not MemoryKind.SAMPLER:
        return f"samples with {sample.sampler}, which is no sampler"
    if (sample.mode is SampleMode.COMPARE) != (value.op is ops.SAMPLE_COMPARE):
        return f"cannot sample with the mode {sample.mode.name.lower()}"
    if not 0 <= sample.component < 4:
        return f"names component {sample.component} of 4"
    if sample.offset and (len(sample.offset) != shape.axes or shape.cube):
        return f"has the offset {sample.offset} in an image of {shape.axes} axes"
    if any(offset not in _OFFSETS for offset in sample.offset):
        return f"has the offset {sample.offset}; offsets are -8 to 7"
    if sample.dynamic_offset and (sample.mode not in _GATHERS or sample.offset):
        return "has offsets as operands, which only a gather has"
    return None


def _check(value: Value, module: Module) -> str | None:
    check = row.CHECK.of(value)
    components = check.components
    if list(components) != sorted({*components} & {0, 1, 2, 3}):
        return f"has the components {components}, which are not some of 4 in order"
    if check.access.operation and check.access.operation not in ATOMIC_OPERATIONS:
        return f"has the operation {check.access.operation!r}, which no atomic has"
    if check.counter:
        return _counter(check.access, module)
    return _address(check.access, module.tables.components(check.access.resource))


def _counter(access: Access, module: Module) -> str | None:
    if not COUNTED.fits(access.resource, module.tables):
        return f"checks the counter of {access.resource}, which has none"
    count = access.address_count
    return f"addresses a counter by {count} operands, where none do" if count else None


def _site(value: Value, module: Module) -> str | None:
    site, count = row.SITE.of(value), len(module.sites)
    if not 0 <= site < count:
        return f"names site {site} of {count}"
    found, expected = len(value.args), 3 + len(module.sites[site].coordinates)
    return None if found == expected else f"has {found} operands for a site of {expected}"


def _message(value: Value, module: Module) -> str | None:
    number, count = row.MESSAGE.of(value), len(module.messages)
    if not 0 <= number < count:
        return f"names message {number} of {count}"
    found, expected = len(value.args), sum(module.messages[number].widths)
    return None if found == expected else f"has {found} dwords for arguments of {expected}"


def _subroutine(value: Value, module: Module) -> str | None:
    name = row.SUBROUTINE.of(value)
    return None if name in module.functions else f"calls {name}, which there is not"


def _specialization(value: Value, module: Module) -> str | None:
    name = row.SPECIALIZATION.of(value)
    return None if name in SPECIALIZATIONS else f"names the constant {name}, which there is not"


def _cases(value: Value, module: Module) -> str | None:
    """Check a switch's labels: at least one for each block, no label twice, one default."""
    cases = row.CASES.of(value)
    labels = [label for case in cases for label in case]
    if len(cases) != len(value.blocks):
        return f"has {len(value.blocks)} blocks and labels for {len(cases)}"
    if labels.count(None) != 1:
        return f"has {labels.count(None)} defaults"
    if len(set(labels)) != len(labels) or not all(cases):
        return f"has the labels {cases}: each block has some, each label a block"
    if any(label is not None and not 0 <= label < 1 << 32 for label in labels):
        return f"has the labels {cases}, which are not all of 32 bits"
    return None


_CHECKS: Mapping[Attribute[object], Callable[[Value, Module], str | None]] = {
    row.REGISTER: _register,
    row.COMPONENT: _component,
    row.INPUT: _input,
    row.ACCESS: _access,
    row.VECTOR: _vector,
    row.ATOMIC: _atomic,
    row.SAMPLE: _sample,
    row.CHECK: _check,
    row.SITE: _site,
    row.MESSAGE: _message,
    row.SUBROUTINE: _subroutine,
    row.SPECIALIZATION: _specialization,
    row.CASES: _cases,
}


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
