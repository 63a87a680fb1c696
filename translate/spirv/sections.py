"""The sections of a module in their logical layout, with ids, types and constants.

Types and constants with equal opcode and operands share an id. Source: SPIR-V specification §2.4
"Logical Layout of a Module", §2.8 "Types and Variables".
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import count

from translate.choices import SPECIALIZATIONS
from translate.dataclass import dataclass, field
from translate.ir.types import BOOL, F32, F64, U32, VOID, Type
from translate.spirv import grammar
from translate.spirv.grammar import Capability, Decoration, Op

Words = list[int]
_Key = tuple[int, ...]
_BY_TYPE = {VOID: "void", BOOL: "bool", U32: "uint", F32: "float", F64: "double"}
_TEXELS = (Type.TEXEL_F32, Type.TEXEL_U32, Type.TEXEL_I32)


def string_words(text: str) -> Words:
    """A literal string: UTF-8, zero-terminated, padded to whole words by zeros."""
    data = text.encode(errors="replace") + b"\0"
    return [int.from_bytes(data[i : i + 4], "little") for i in range(0, len(data), 4)]


@dataclass(frozen=True, slots=True)
class Names:
    """The source's names of registers and of constant buffers' dwords; None if unnamed."""

    registers: Mapping[str, str] = field(default_factory=dict[str, str])
    constant: Callable[[str, int], str | None] = lambda register, dword: None


NO_NAMES = Names()


class Sections:
    """A module that is being written; `names` are the source's names, for debuggers."""

    def __init__(self, names: Names = NO_NAMES) -> None:
        self.names_of_source = names
        self.id: Callable[[], int] = count(1).__next__  # returns a new id
        self._memo: dict[_Key, int] = {}
        self._numbers: dict[int, int] = {}  # ids of uint constants
        self.capabilities: set[int] = {Capability.Shader}
        self.extensions: set[str] = set()
        self._imports: dict[str, int] = {}
        self._strings: dict[str, int] = {}
        self.specializations: dict[str, int] = {}  # ids of specialization constants
        self.shared_functions: dict[str, int] = {}  # functions that are written once, by name
        self.entry: Words = []
        self.modes: Words = []
        self.strings: Words = []
        self.names: Words = []
        self.decorations: Words = []
        self.globals: Words = []
        self.debug: Words = []
        self.functions: Words = []

    def data(self, version: int) -> bytes:
        """The finished module: words in little-endian order."""
        bound = self.id()
        self.id = count(bound).__next__  # the bound is not used as an id
        head = [grammar.MAGIC, version, grammar.GENERATOR, bound, 0]
        for capability in sorted(self.capabilities):
            put(head, Op.Capability, capability)
        for name in sorted(self.extensions):
            put(head, Op.Extension, *string_words(name))
        for name, number in self._imports.items():
            put(head, Op.ExtInstImport, number, *string_words(name))
        put(head, Op.MemoryModel, grammar.ADDRESSING_MODEL_LOGICAL, grammar.MEMORY_MODEL_GLSL450)
        for section in (
            self.entry, self.modes, self.strings, self.names,
            self.decorations, self.globals, self.debug, self.functions,
        ):  # fmt: skip
            head += section
        return struct.pack(f"<{len(head)}I", *head)

    # --- shared declarations -------------------------------------------------------------------

    def extended(self, name: str) -> int:
        """The id of the import of an extended instruction set."""
        if name not in self._imports:
            self._imports[name] = self.id()
        return self._imports[name]

    def string(self, text: str) -> int:
        """The id of the OpString with this text."""
        if text not in self._strings:
            self._strings[text] = self.id()
            put(self.strings, Op.String, self._strings[text], *string_words(text))
        return self._strings[text]

    def name(self, target: int, text: str) -> None:
        """Add a name for debuggers and listings."""
        put(self.names, Op.Name, target, *string_words(text))

    def name_member(self, structure: int, number: int, text: str) -> None:
        put(self.names, Op.MemberName, structure, number, *string_words(text))

    def name_of(self, register: str) -> str:
        """The source's name of a register, or of its part such as `u0.counter`."""
        owner, dot, part = register.partition(".")
        return self.names_of_source.registers.get(owner, owner) + dot + part

    def decorate(self, target: int, decoration: int, *literals: int) -> None:
        put(self.decorations, Op.Decorate, target, decoration, *literals)

    def _once(self, op: int, before: Sequence[int], after: Sequence[int]) -> int:
        """The id of a type or constant that is declared only once.

        In the instruction, the id comes between the operands `before` and `after`.
        """
        key = (op, len(before), *before, *after)
        found = self._memo.get(key)
        if found is None:
            found = self._memo[key] = self.id()
            put(self.globals, op, *before, found, *after)
        return found

    def type(self, op: int, *operands: int) -> int:
        """A type that equal uses share. Types with decorations are made by `unique_type`."""
        return self._once(op, (), operands)

    def constant(self, op: int, type_id: int, *operands: int) -> int:
        return self._once(op, (type_id,), operands)

    def unique_type(self, op: int, *operands: int) -> int:
        """A new type that is not shared, so that it can be decorated."""
        number = self.id()
        put(self.globals, op, number, *operands)
        return number

    def block(self, stride: int, op: int, *operands: int) -> int:
        """A new `struct { T data[]; }` of memory that the host accesses; `op` makes its array."""
        return self.structure({0: self.strided(stride, op, *operands)})

    def strided(self, stride: int, op: int, *operands: int) -> int:
        """A new array of memory that the host accesses."""
        array = self.unique_type(op, *operands)
        self.decorate(array, Decoration.ArrayStride, stride)
        return array

    def structure(self, members: Mapping[int, int]) -> int:
        """A new block of these types, by their offsets in bytes."""
        number = self.unique_type(Op.TypeStruct, *members.values())
        self.decorate(number, Decoration.Block)
        for place, offset in enumerate(members):
            put(self.decorations, Op.MemberDecorate, number, place, Decoration.Offset, offset)
        return number

    def variable(self, storage_class: int, type_id: int, *initializer: int) -> int:
        """A module-scope variable; `type_id` is its contents' type, not the pointer's."""
        number = self.id()
        pointer = self.pointer(storage_class, type_id)
        put(self.globals, Op.Variable, pointer, number, storage_class, *initializer)
        return number

    def specialized(self, name: str) -> int:
        """The specialization constant with this name, which is false unless the host sets it."""
        number = self.specializations.get(name)
        if number is None:
            kind, number = self.bool, self.id()
            put(self.globals, Op.SpecConstantFalse, kind, number)
            self.decorate(number, Decoration.SpecId, SPECIALIZATIONS.index(name))
            self.name(number, name)
            self.specializations[name] = number
        return number

    # --- types and constants by their IR counterparts -----------------------------------------

    @cached_property
    def void(self) -> int:
        return self.type(Op.TypeVoid)

    @cached_property
    def bool(self) -> int:
        return self.type(Op.TypeBool)

    @cached_property
    def uint(self) -> int:
        return self.type(Op.TypeInt, 32, 0)

    @cached_property
    def sint(self) -> int:
        return self.type(Op.TypeInt, 32, 1)

    @cached_property
    def half(self) -> int:
        self.capabilities.add(Capability.Float16)
        return self.type(Op.TypeFloat, 16)

    @cached_property
    def float(self) -> int:
        return self.type(Op.TypeFloat, 32)

    @cached_property
    def double(self) -> int:
        self.capabilities.add(Capability.Float64)
        return self.type(Op.TypeFloat, 64)

    def vector(self, scalar: int, count: int) -> int:
        return self.type(Op.TypeVector, scalar, count)

    def pointer(self, storage_class: int, type_id: int) -> int:
        return self.type(Op.TypePointer, storage_class, type_id)

    def ir_type(self, type_: Type) -> int:
        """The id of the SPIR-V type for an IR type."""
        if type_ in _TEXELS:
            return self.vector(self.texel_scalar(type_), 4)
        number: int = getattr(self, _BY_TYPE[type_])
        return number

    def texel_scalar(self, type_: Type) -> int:
        """The component type of a texel."""
        if type_ is Type.TEXEL_F32:
            return self.float
        return self.uint if type_ is Type.TEXEL_U32 else self.sint

    def u32(self, number: int) -> int:
        """A uint constant."""
        found = self._numbers.get(number)
        if found is None:
            found = self.constant(Op.Constant, self.uint, number & 0xFFFFFFFF)
            self._numbers[number] = found
        return found

    def ir_constant(self, type_: Type, bits: int) -> int:
        """A scalar constant from its bits, or a vector of zeros."""
        if type_ in _TEXELS:
            assert bits == 0
            return self.constant(Op.ConstantNull, self.ir_type(type_))
        if type_ is BOOL:
            return self.constant(Op.ConstantTrue if bits else Op.ConstantFalse, self.bool)
        if type_ is F64:
            return self.constant(Op.Constant, self.double, bits & 0xFFFFFFFF, bits >> 32)
        return self.constant(Op.Constant, self.ir_type(type_), bits)

    def array(self, element: int, length: int) -> int:
        """A sized array without layout, for memory that the host does not access."""
        return self.type(Op.TypeArray, element, self.u32(length))


def put(section: Words, op: int, *operands: int) -> None:
    """Append an instruction."""
    section += (len(operands) + 1 << 16 | op, *operands)
