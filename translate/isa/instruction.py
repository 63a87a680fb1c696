"""What a row of the instruction table says; no behaviour and no list of instructions here.

A row is all that decoder, encoder, parser, printer, lowering and reference machine know of an
instruction. Bit positions: d3d12TokenizedProgramFormat.hpp ("TPF").
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import cached_property
from typing import Any

import numpy as np

from translate.isa.enums import Dimension
from translate.isa.registers import RegisterFile

# One lane per thread, in the scalar type of the operand: a dtype that only the row knows
Lanes = np.ndarray[Any, Any]
Results = Lanes | tuple[Lanes, Lanes]  # of one destination, or of two
Evaluate = (
    Callable[[Lanes], Results]
    | Callable[[Lanes, Lanes], Results]
    | Callable[[Lanes, Lanes, Lanes], Results]
    | Callable[[Lanes, Lanes, Lanes, Lanes], Results]
)
# The same for dot products, which take vectors: tuples of lanes
EvaluateVectors = Callable[[tuple[Lanes, ...], tuple[Lanes, ...]], Lanes]
# Builds the IR; what it takes and gives is the row's Kind's, see the drivers in `lower`
Lower = Callable[..., object]

SM4 = (4, 0)
SM41 = (4, 1)
SM5 = (5, 0)
SM51 = (5, 1)


class Scalar(Enum):
    """How an operand's 32-bit (F64: 64-bit) components are read; BITS is untyped (`mov`)."""

    F32 = auto()
    U32 = auto()
    I32 = auto()
    F64 = auto()
    BITS = auto()


class Role(Enum):
    """The role of an operand in its instruction."""

    DESTINATION = auto()
    SOURCE = auto()
    ADDRESS = auto()  # a source that says where: coordinates, an index, a byte offset
    RESOURCE = auto()  # t#, u# or g# that is read or queried; its swizzle picks components
    TARGET = auto()  # u# or g# that is written or updated
    SAMPLER = auto()
    LABEL = auto()  # l#, fb#, fp#: a subroutine
    DECLARED = auto()  # the register that a declaration declares


class Kind(Enum):
    """Which driver lowers and evaluates a row, and so which arguments its functions take."""

    ALU = auto()  # component by component: f(b, a, ...) -> value, or a tuple for two destinations
    DOT = auto()  # whole vectors in, one scalar out: f(b, (a...), (b...)) -> value
    MOVE = auto()  # as ALU, but bits pass untouched
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
    """The effect of a flow instruction on the structure of the program."""

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


@dataclass(frozen=True, slots=True)
class Spec:
    """One operand of a row.

    `slots` is how many leading components a source feeds whatever the write mask (an address, a
    dot product's vectors); None means one for each written component, and for an ADDRESS as many
    as the resource's dimension takes. `files` may stand there, and textures of `dimensions`; where
    a row has none, its driver knows.
    """

    role: Role
    scalar: Scalar
    name: str
    slots: int | None = None
    files: tuple[RegisterFile, ...] = ()
    dimensions: tuple[Dimension, ...] = ()


@dataclass(frozen=True, slots=True)
class Control:
    """A bit field of the opcode token that shows as a suffix of the mnemonic.

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
PRECISE_SHIFT = 19  # bits [22:19], x first
CONTROLS_MASK = 0x00FFF800  # bits [23:11] of the opcode token belong to the opcode


@dataclass(frozen=True, kw_only=True, eq=False)
class Instruction:
    """One row.

    `controls` are printed in their order. A declaration has `syntax`, what follows its name in a
    listing, and `extras` (`extras_51` in cs_5_1), the dwords after its operands; the names in both
    are the fields that `asm` and `dxbc` know. `lower` emits IR; `evaluate` computes on NumPy lanes;
    the two are independent readings of `source`. `lower` is None for what is not translated.
    `feedback` marks tiled-resource forms, whose second destination is a status.

    A `variadic` row has one entry in `operands`, for any number of them. `message` is the number by
    which custom data names the row, which is then no opcode's.

    `literals` and `converted` say where Microsoft's disassembler does not follow the operands'
    types: what it takes immediates for, and how many sources it shows as converted to the
    destination's minimum precision. `folds_zeros`: fxc does without the instruction where a literal
    source is all zeros, so that one printed as 0.000000 is a small number.
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
    long_form: bool = False  # bit 31 announces a length dword, not an extended opcode (TPF)
    feedback: bool = False
    aliases: tuple[str, ...] = field(default=())
    literals: Scalar | None = None
    converted: int | None = None
    folds_zeros: bool = False
    padding: int = 0  # zero dwords that fxc leaves after the operands
    variadic: bool = False
    message: int | None = None

    @cached_property
    def destinations(self) -> int:
        return sum(spec.role is Role.DESTINATION for spec in self.operands)

    def specs(self, count: int) -> tuple[Spec, ...]:
        """What each operand has to be where there are `count` of them."""
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
        """Whether it can be translated; control flow and messages are, without `lower`."""
        return self.lower is not None or self.kind in (Kind.FLOW, Kind.MESSAGE, Kind.NOTHING)

    @property
    def executed(self) -> bool:
        """Whether the reference machine executes it: memory and control flow without `evaluate`."""
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


def resource(name: str = "resource", dimensions: tuple[Dimension, ...] = ()) -> Spec:
    """t#, u# or g# that is read; its swizzle picks from what was fetched."""
    return Spec(Role.RESOURCE, Scalar.BITS, name, dimensions=dimensions)


def target(name: str = "target") -> Spec:
    """u# or g# that is written or updated."""
    return Spec(Role.TARGET, Scalar.BITS, name)


def src(scalar: Scalar, name: str, slots: int | None = None) -> Spec:
    """A source register or immediate."""
    return Spec(Role.SOURCE, scalar, name, slots)
