"""Arrays of descriptors: types, pointers to elements, required capabilities.

Source: SPV_EXT_descriptor_indexing; Vulkan specification, "Interfaces with the Descriptor Sets".
"""

from __future__ import annotations

from translate.ir import ops
from translate.ir.memory import Resource
from translate.ir.values import Value
from translate.spirv.code import Code
from translate.spirv.grammar import Capability, Decoration, Op

EXTENSION = "SPV_EXT_descriptor_indexing"


def split(operands: list[Value], resource: Resource) -> tuple[list[Value], Value | None]:
    """An access's operands without the descriptor's index, and this index (None: no array)."""
    return (operands[:-1], operands[-1]) if resource.is_array else (operands, None)


def array_type(code: Code, resource: Resource, element: int) -> int:
    """The type of a resource's variable: `element`, or an array of it if it is an array."""
    if not resource.is_array:
        return element
    if resource.count:
        return code.sections.array(element, resource.count)
    code.sections.capabilities.add(Capability.RuntimeDescriptorArray)
    code.sections.extensions.add(EXTENSION)
    return code.sections.type(Op.TypeRuntimeArray, element)


def element_pointer(
    code: Code,
    resource: Resource,
    storage_class: int,
    element: int,
    variable: int,
    index: Value | None,
) -> int:
    """A pointer to the descriptor `index` of the array in `variable`; `element` is its type.

    Without an index it is `variable` itself.
    """
    if index is None:
        return variable
    pointer_type = code.sections.pointer(storage_class, element)
    pointer = code.instruct(Op.AccessChain, pointer_type, variable, code.use(index))
    require_indexing(code, resource, index)
    mark(code, resource, index, pointer)
    return pointer


def varies(code: Code, resource: Resource, index: Value | None) -> bool:
    """Whether an array index may differ between threads; a constant never does."""
    if index is None or index.op is ops.CONST:
        return False
    return code.tables.usage[resource].non_uniform


def mark(code: Code, resource: Resource, index: Value | None, number: int) -> int:
    """Decorate id `number` with NonUniform if the index may differ between threads; return it."""
    if varies(code, resource, index):
        code.sections.capabilities.add(Capability.ShaderNonUniform)
        code.sections.extensions.add(EXTENSION)
        code.sections.decorate(number, Decoration.NonUniform)
    return number


def require_indexing(code: Code, resource: Resource, index: Value) -> None:
    """Declare the capability that an index into an array of descriptors needs, if not constant."""
    if index.op is ops.CONST:
        return
    name = resource.descriptor.title().replace("_", "")
    if code.tables.usage[resource].non_uniform:
        code.sections.capabilities.add(getattr(Capability, f"{name}ArrayNonUniformIndexing"))
        return
    code.sections.capabilities.add(getattr(Capability, f"{name}ArrayDynamicIndexing"))
    if "Texel" in name:
        code.sections.extensions.add(EXTENSION)
