"""The rules for attributes, the static parts of operations, with a check for each kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from translate.ir import ops, row
from translate.ir.memory import (
    ATOMIC_OPERATIONS,
    Access,
    MemoryKind,
    SampleMode,
)
from translate.ir.places import COUNTED
from translate.ir.row import Attribute
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
    if access.operation or access.component % 4:
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
    row.CASES: _cases,
}
