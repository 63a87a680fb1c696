"""Code: the function body being written, the ids of IR values, and elements of descriptors' arrays.

Source of arrays: SPV_EXT_descriptor_indexing; Vulkan specification, "Interfaces with the Descriptor
Sets".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from translate.errors import Where
from translate.ir import ops, row
from translate.ir.memory import Resource
from translate.ir.tables import Tables
from translate.ir.types import Type
from translate.ir.values import Block, Value
from translate.spirv.grammar import Capability, Decoration, Op
from translate.spirv.sections import Sections, Words, put
from translate.target_device import TargetDevice

STD450 = "GLSL.std.450"
# Functions that write an operation, and return the id of its result, if it has one
Emitters = Mapping[ops.Op, Callable[[Value], int | None]]


class _Ids(dict[Value, int]):
    """The ids of values; constants are written at their first use."""

    def __init__(self, sections: Sections):
        super().__init__()
        self._sections = sections

    def __missing__(self, value: Value) -> int:
        assert value.op is ops.CONST, f"{value!r} is used before it is written"
        self[value] = number = self._sections.ir_constant(value.type, row.BITS.of(value))
        return number


class _TypeIds(dict[Type, int]):
    """The ids of types, which are written at their first use."""

    def __init__(self, sections: Sections):
        super().__init__()
        self._sections = sections

    def __missing__(self, type_: Type) -> int:
        self[type_] = number = self._sections.ir_type(type_)
        return number


class Code:
    """Appends instructions to `body`; `label` is the id of the current block.

    `tables` are the IR module's; `device` is the device that the code is for.
    """

    def __init__(self, sections: Sections, tables: Tables, device: TargetDevice):
        self.sections = sections
        self.id = sections.id
        self.device = device
        self.flush = device.flush
        self.tables = tables
        self.body: Words = []
        self.variables: Words = []  # function-scope variables, which come first
        self.label = 0
        self.ids = _Ids(sections)
        # The id of a written value or of a constant
        self.use: Callable[[Value], int] = self.ids.__getitem__
        # The id of the SPIR-V type for an IR type
        self.type: Callable[[Type], int] = _TypeIds(sections).__getitem__

    def restart(self, label: int) -> None:
        """Begin another function; `label` is its first block."""
        self.body, self.variables = [], []
        self.label = label

    def instruct(self, op: int, type_id: int, *operands: int) -> int:
        """Append an instruction with a result, and return its id."""
        number = self.id()
        self.body += (len(operands) + 3 << 16 | op, type_id, number, *operands)
        return number

    def effect(self, op: int, *operands: int) -> None:
        """Append an instruction without a result."""
        put(self.body, op, *operands)

    def extended(self, instruction: int, type_id: int, *operands: int) -> int:
        """Append an instruction of GLSL.std.450."""
        number = self.sections.extended(STD450)
        return self.instruct(Op.ExtInst, type_id, number, instruction, *operands)

    def begin(self, label: int) -> None:
        """Start a block."""
        self.effect(Op.Label, label)
        self.label = label

    # --- where instructions come from, which `LocatedCode` writes -------------------------------

    def enter(self, function: int, name: str, body: Block) -> None:
        """Begin the first block of a function."""

    def at(self, where: Where) -> None:
        """Set the source location of the following instructions."""

    def helper(self, function: int, name: str) -> Words:
        """The first instructions of a function that does not come from the source."""
        return []


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
