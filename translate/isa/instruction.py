"""The fields of a row in the instruction table; the families' files have the rows.

Decoder, encoder, parser, printer, lowering and reference machine know an instruction only by its
row. Bit positions: d3d12TokenizedProgramFormat.hpp ("TPF").
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from translate.dataclass import dataclass, field
from translate.ir.builder import Builder
from translate.ir.values import Value
from translate.isa.registers import Dimension, Modifier, Operand, RegisterFile, Selection

if TYPE_CHECKING:
    import numpy as np

# One lane per thread; the dtype follows from the row's operand
Lanes: TypeAlias = "np.ndarray[Any, Any]"
Results: TypeAlias = "Lanes | tuple[Lanes, Lanes]"  # for one destination or two
Evaluate = (
    Callable[[Lanes], Results]
    | Callable[[Lanes, Lanes], Results]
    | Callable[[Lanes, Lanes, Lanes], Results]
    | Callable[[Lanes, Lanes, Lanes, Lanes], Results]
)
# Dot products take vectors, which are tuples of lanes
EvaluateVectors = Callable[[tuple[Lanes, ...], tuple[Lanes, ...]], Lanes]
# Builds the IR; its signature depends on the row's Kind, see the drivers in `lower`
Lower = Callable[..., object]

SM4 = (4, 0)
SM41 = (4, 1)
SM5 = (5, 0)
SM51 = (5, 1)
_LARGEST_INDEX = 0xFFFFFFFF  # 64-bit indices have an encoding, but no use
_NAMED_BY_REGISTERS = (RegisterFile.IMMEDIATE_CONSTANT_BUFFER, RegisterFile.THIS_POINTER)
# For classes; cs_5_1 has ranges instead
_NAMED_BY_CLASSES = (RegisterFile.CONSTANT_BUFFER, RegisterFile.RESOURCE, RegisterFile.SAMPLER)
PRECISE_SHIFT = 19  # bits [22:19], x first
CONTROLS_MASK = 0x00FFF800  # bits [23:11] of the opcode token belong to the opcode
Binary = Callable[[Builder, Value, Value], Value]


class Scalar(Enum):
    """The type of an operand's 32-bit components (F64: 64-bit); BITS is untyped (`mov`)."""

    F32 = auto()
    U32 = auto()
    I32 = auto()
    F64 = auto()
    BITS = auto()


_INTEGERS = (Scalar.U32, Scalar.I32)


class Role(Enum):
    """The role of an operand in its instruction."""

    DESTINATION = auto()
    SOURCE = auto()
    ADDRESS = auto()  # a source with coordinates, an index or a byte offset
    RESOURCE = auto()  # a t#, u# or g# that is read or queried; its swizzle selects from the result
    TARGET = auto()  # a u# or g# that is written or updated
    SAMPLER = auto()
    LABEL = auto()  # l#, fb#, fp#: a subroutine
    DECLARED = auto()  # the register that a declaration declares


class Kind(Enum):
    """The driver that lowers and evaluates a row, and so the signature of its functions."""

    ALU = auto()  # component by component: f(b, a, ...) -> value, or a tuple for two destinations
    DOT = auto()  # whole vectors in, one scalar out: f(b, (a...), (b...)) -> value
    MOVE = auto()  # as ALU, but bits stay unchanged
    LOAD = auto()
    STORE = auto()
    ATOMIC = auto()
    COUNTER = auto()
    TEXTURE = auto()
    QUERY = auto()
    SYNC = auto()
    MESSAGE = auto()  # text for the host: a format string and its arguments
    FLOW = auto()
    DECLARATION = auto()
    NOTHING = auto()

    __hash__ = object.__hash__  # the default goes through Python code


class Flow(Enum):
    """The effect of a flow instruction on the program's structure."""

    IF = auto()
    ELSE = auto()
    ENDIF = auto()
    LOOP = auto()
    ENDLOOP = auto()
    BREAK = auto()
    CONTINUE = auto()
    SWITCH = auto()
    CASE = auto()
    DEFAULT = auto()
    ENDSWITCH = auto()
    RETURN = auto()
    CALL = auto()
    LABEL = auto()
    INTERFACE_CALL = auto()
    ABORT = auto()

    __hash__ = object.__hash__  # the default goes through Python code


class Spec(NamedTuple):
    """The specification of an operand in a row.

    `slots` is the number of leading components that a source reads regardless of the write mask (an
    address, a dot product's vectors). None means one for each written component; for an ADDRESS, as
    many as the resource's dimension requires. `files` and `dimensions` are the allowed register
    files and texture dimensions; if empty, the driver checks them.
    """

    role: Role
    scalar: Scalar
    name: str
    slots: int | None = None
    files: tuple[RegisterFile, ...] = ()
    dimensions: tuple[Dimension, ...] = ()


_INDEX = Spec(Role.ADDRESS, Scalar.U32, "index", 1)
_DESTINATION, _DECLARED, _FLOW = Role.DESTINATION, Role.DECLARED, Kind.FLOW


class Control(NamedTuple):
    """A bit field of the opcode token that is printed as a suffix of the mnemonic.

    `suffixes[value]` is the printed text. `last` puts it after `_indexable(...)`.
    """

    name: str
    shift: int
    suffixes: tuple[str, ...]
    last: bool = False

    @property
    def width(self) -> int:
        return (len(self.suffixes) - 1).bit_length()

    def read(self, controls: int) -> int:
        """The field's value in an opcode token."""
        return controls >> self.shift & ((1 << self.width) - 1)


SATURATE = Control("saturate", 13, ("", "_sat"))
TEST = Control("test", 18, ("_z", "_nz"))


@dataclass(frozen=True, kw_only=True, eq=False)
class Instruction:
    """A row of the instruction table.

    `controls` are printed in order. A declaration has `syntax`, the text after its name in a
    listing, and `extras` (`extras_51` in cs_5_1), the dwords after its operands; `asm` and `dxbc`
    define the fields that both may name. `lower` emits IR, or is None if the instruction is not
    translated. `evaluate` computes on NumPy lanes. The two implement `source` independently.
    `feedback` marks tiled-resource forms, which have a status as their second destination.

    A `variadic` row has one entry in `operands`, for any number of operands. `message` is the
    number that identifies the row in custom data; the row then has no opcode of its own.

    Microsoft's disassembler sometimes ignores the operands' types. Then `literals` is the type in
    which it prints immediates, and `converted` is the number of sources that it prints as converted
    to the destination's minimum precision. `folds_zeros`: fxc removes the instruction if a literal
    source is all zeros, so a literal that is printed as 0.000000 must be a small number.
    """

    name: str
    opcode: int
    kind: Kind
    operands: tuple[Spec, ...] = ()
    since: tuple[int, int] = SM4
    source: str
    controls: tuple[Control, ...] = ()
    flow: Flow | None = None
    lower: Lower | None = None
    evaluate: Evaluate | EvaluateVectors | None = None
    syntax: str = ""
    extras: tuple[str, ...] = ()
    extras_51: tuple[str, ...] | None = None
    long_form: bool = False  # bit 31: a length dword follows, not an extended opcode (TPF)
    feedback: bool = False
    aliases: tuple[str, ...] = field(default=())
    literals: Scalar | None = None
    converted: int | None = None
    folds_zeros: bool = False
    padding: int = 0  # zero dwords that fxc adds after the operands, of samples for an offset of 0
    variadic: bool = False
    message: int | None = None

    @cached_property
    def destinations(self) -> int:
        return sum(spec.role is Role.DESTINATION for spec in self.operands)

    def specs(self, count: int) -> tuple[Spec, ...]:
        """The specification of each of an instruction's `count` operands."""
        return self.operands * count if self.variadic else self.operands

    @cached_property
    def is_declaration(self) -> bool:
        return self.kind is Kind.DECLARATION

    @cached_property
    def has_doubles(self) -> bool:
        """Whether an operand is a double."""
        return any(spec.scalar is Scalar.F64 for spec in self.operands)

    @cached_property
    def translated(self) -> bool:
        """Whether it can be translated; control flow and messages need no `lower` for that."""
        return self.lower is not None or self.kind in (Kind.FLOW, Kind.MESSAGE, Kind.NOTHING)

    @property
    def executed(self) -> bool:
        """Whether the reference machine executes it; memory and control flow need no `evaluate`."""
        computes = (Kind.ALU, Kind.DOT, Kind.MOVE, Kind.ATOMIC, Kind.COUNTER)
        return self.evaluate is not None or self.kind not in computes

    @property
    def saturable(self) -> bool:
        return SATURATE in self.controls

    def __repr__(self) -> str:
        return f"<{self.name} {self.opcode:#x}>"


def dst(scalar: Scalar, name: str = "dst") -> Spec:
    """A destination register with a write mask, or `null`."""
    return Spec(Role.DESTINATION, scalar, name)


def address(name: str = "address", slots: int | None = None, scalar: Scalar = Scalar.U32) -> Spec:
    """A source that addresses memory."""
    return Spec(Role.ADDRESS, scalar, name, slots)


def resource(
    name: str = "resource", dimensions: tuple[Dimension, ...] = (), scalar: Scalar = Scalar.BITS
) -> Spec:
    """A t#, u# or g# that is read; its swizzle selects from the result. F32: it holds floats."""
    return Spec(Role.RESOURCE, scalar, name, dimensions=dimensions)


def target(name: str = "target") -> Spec:
    """A u# or g# that is written or updated."""
    return Spec(Role.TARGET, Scalar.BITS, name)


def src(scalar: Scalar, name: str, slots: int | None = None) -> Spec:
    """A source register or immediate."""
    return Spec(Role.SOURCE, scalar, name, slots)


def comparison(
    name: str,
    opcode: int,
    scalar: Scalar,
    lower: Binary,
    test: Callable[[Lanes, Lanes], Lanes],
    source: str = "FS §22.12",
    since: tuple[int, int] = SM4,
) -> Instruction:
    """The row of a comparison; `lower` returns a BOOL value, `test` compares NumPy lanes."""

    def lower_masked(b: Builder, x: Value, y: Value) -> Value:
        return b.mask(lower(b, x, y))

    def evaluate(x: Lanes, y: Lanes) -> Lanes:
        import numpy as np

        return np.where(test(x, y), np.uint32(0xFFFFFFFF), np.uint32(0))

    return Instruction(
        name=name,
        opcode=opcode,
        kind=Kind.ALU,
        operands=(dst(Scalar.U32), src(scalar, "a"), src(scalar, "b")),
        since=since,
        lower=lower_masked,
        evaluate=evaluate,
        source=source,
        converted=0,
    )


def misfit(row: Instruction, spec: Spec, operand: Operand, ranges: bool) -> str | None:
    """The reason why an operand is not valid in its place, or None if it is valid.

    `ranges`: cs_5_1, where resource operands have a range and an index.
    """
    file = operand.file
    if spec.files and file not in spec.files:
        expected = " or ".join(one.prefix for one in spec.files)
        return f"{row.name} takes {expected}, found {file.prefix}"
    role = spec.role
    if role is _DESTINATION and not operand.mask and file is not RegisterFile.NULL:
        return f"{row.name} needs a write mask on {file.prefix}"
    if role is _DECLARED and any(index.relative for index in operand.indices):
        return f"{row.name} takes numbers as indices"
    return _index_misfit(operand, ranges) if operand.indices else None


def breach(row: Instruction, spec: Spec, operand: Operand) -> str | None:
    """The rule of D3D that an operand breaks, or None; a container and a listing may have it."""
    if operand.modifier and operand.modifier & Modifier.ABS and spec.scalar in _INTEGERS:
        return f"{row.name} takes integers as {spec.name}, and | | is for floats"
    if row.kind is _FLOW and spec.role is Role.SOURCE and not operand.is_scalar:
        return f"{row.name} takes one component as {spec.name}, such as .x"
    if row.message is not None and not _is_argument(operand):
        return f"{row.name} takes scalars: a component such as .x, or a double such as .xyxy"
    for index in operand.indices:
        if index.relative is not None and (fault := breach(row, _INDEX, index.relative)):
            return fault
    return None


def _is_argument(operand: Operand) -> bool:
    """Whether an operand is a message's argument: a component, or a double in two of them."""
    if operand.file is RegisterFile.IMMEDIATE64 or operand.components == 1:
        return True
    x, y, *others = operand.swizzle
    is_double = operand.selection is Selection.SWIZZLE and [x, y] == others and x != y
    return not operand.file.is_immediate and (operand.selection is Selection.SELECT or is_double)


def _index_misfit(operand: Operand, ranges: bool) -> str | None:
    """The first fault of an operand's indices, or of registers in them; None if all are valid."""
    for position, index in enumerate(operand.indices):
        register = index.relative
        if index.immediate is not None and index.immediate > _LARGEST_INDEX:
            return f"an index has 32 bits, found {index.immediate}"
        if register is None:
            continue
        if position == 0 and not _is_named_by_registers(operand.file, ranges):
            return f"{operand.file.prefix} takes a number as its first index"
        expected = register.file.indices_in(ranges)
        if len(register.indices) != expected:
            return f"{register.file.prefix} takes {expected} indices, found {len(register.indices)}"
        fault = _index_misfit(register, ranges)
        if fault is not None:
            return fault
    return None


def _is_named_by_registers(file: RegisterFile, ranges: bool) -> bool:
    return file in _NAMED_BY_REGISTERS or (not ranges and file in _NAMED_BY_CLASSES)
