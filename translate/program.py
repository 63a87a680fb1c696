"""Program: a decoded shader, the common result of both front ends."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from pathlib import PurePath

from translate.dataclass import dataclass, field, replace
from translate.errors import ListingWarning, TranslateError, Where, escaped
from translate.interface.root_signature import RootSignature
from translate.isa.instruction import PRECISE_SHIFT, SATURATE, Instruction, Role, Scalar, Spec
from translate.isa.registers import (
    MASK_COMPONENTS,
    Dimension,
    Operand,
    RegisterFile,
    ReturnType,
)
from translate.linkage import Linkage
from translate.reflection import Reflection

_COMPONENTS = 4


@dataclass(slots=True)
class Statement:
    """One instruction or declaration of a program, with its operands.

    Attributes
    ----------
    row : Instruction
        The instruction's row in the table: name, opcode, operands, meaning.
    operands : tuple of Operand
        The operands, destinations first.
    where : Where
        The place in the input.
    controls : int
        Bits [23:11] of the opcode token, at their original positions.
    offsets : tuple of int, or None
        The texel offsets in x, y and z (`_aoffimmi`).
    dimension : Dimension or None
        The dimension of the accessed resource, as in `_indexable(texture2d)`.
    stride : int
        The stride of the accessed structured buffer in bytes; 0 for other resources.
    returns : tuple of ReturnType, or None
        The component types of the resource, as in `(float,float,float,float)`.
    extra : tuple of int
        The immediate dwords after the operands; the row's `extras` names them.
    data : tuple of int
        The dwords of an immediate constant buffer.
    text : bytes
        The format string of a message.
    """

    row: Instruction
    operands: tuple[Operand, ...]
    where: Where
    controls: int = 0
    offsets: tuple[int, int, int] | None = None
    dimension: Dimension | None = None
    stride: int = 0
    returns: tuple[ReturnType, ...] | None = None
    extra: tuple[int, ...] = ()
    data: tuple[int, ...] = ()
    text: bytes = b""

    @property
    def specs(self) -> tuple[Spec, ...]:
        """The row's specification of each operand."""
        return self.row.specs(len(self.operands))

    @property
    def saturate(self) -> bool:
        """Whether the result is clamped to [0, 1] (`_sat`)."""
        return self.controls != 0 and self.row.saturable and bool(SATURATE.read(self.controls))

    @property
    def precise(self) -> int:
        """Mask of the destination components marked `[precise]` (bit 0 = x)."""
        return self.controls >> PRECISE_SHIFT & 15

    def control(self, name: str) -> int:
        """Read one of the row's control fields.

        Parameters
        ----------
        name : str
            The field's name.

        Returns
        -------
        int
            The field's value.

        Raises
        ------
        KeyError
            The instruction has no field of that name.
        """
        for control in self.row.controls:
            if control.name == name:
                return control.read(self.controls)
        known = ", ".join(control.name for control in self.row.controls) or "none"
        raise KeyError(
            f"instruction {self.row.name} has no control field {name!r}; it has: {known}"
        )


@dataclass(slots=True)
class Chunk:
    """A chunk of a container, not decoded."""

    fourcc: bytes
    payload: bytes


@dataclass(slots=True)
class Program:
    """A compute shader: shader model, declarations, instructions and metadata.

    Attributes
    ----------
    version : tuple of int
        The shader model, for example `(5, 0)`.
    statements : list of Statement
        Declarations and instructions in order.
    reflection : Reflection or None
        Names and types of the resources (chunk RDEF, or a listing's header).
    linkage : Linkage
        Classes and interfaces (chunk IFCE, or a listing's header).
    root_signature : RootSignature or None
        The root signature of D3D12 (chunk RTS0).
    chunks : list of Chunk
        The container's chunks; empty for a listing.
    source_lines : list of str, or None
        The listing's lines; None for a container.
    file : str or None
        The file name in error messages.
    warnings : list of str
        Tolerated defects of a container, such as a wrong checksum, and the HLSL compiler's
        warnings.
    listing_warnings : list of ListingWarning
        Doubtful places of a listing, such as rounded numbers.
    hlsl_files : mapping of str to str
        The HLSL files and their text, the compiled file first, if the container has debug
        information (`fxc /Zi`).
    hlsl_entry : str or None
        The HLSL entry point, if the container has debug information.
    """

    version: tuple[int, int]
    statements: list[Statement]
    reflection: Reflection | None = None
    linkage: Linkage = field(default_factory=Linkage)
    root_signature: RootSignature | None = None
    chunks: list[Chunk] = field(default_factory=list[Chunk])
    source_lines: list[str] | None = None
    file: str | None = None
    warnings: list[str] = field(default_factory=list[str])
    listing_warnings: list[ListingWarning] = field(default_factory=list[ListingWarning])
    hlsl_files: Mapping[str, str] = field(default_factory=dict[str, str])
    hlsl_entry: str | None = None

    def __repr__(self) -> str:
        """The file, the profile, and the number of instructions."""
        name = f"{escaped(repr(PurePath(self.file).name))}, " if self.file else ""
        return f"<Program {name}{self.profile}, {self.instruction_count} instructions>"

    @property
    def instruction_count(self) -> int:
        """The number of instructions, without declarations."""
        return sum(not statement.row.is_declaration for statement in self.statements)

    @property
    def profile(self) -> str:
        """The compiler profile: `cs_5_0` and so on."""
        return f"cs_{self.version[0]}_{self.version[1]}"

    def float_components(self, slot: int) -> frozenset[int]:
        """The dwords of a constant buffer that the shader reads only as floats.

        Only constant indices count.

        Parameters
        ----------
        slot : int
            The number of the constant buffer's register.

        Returns
        -------
        frozenset of int
            The numbers of these dwords: four times the vector's, plus the component's.
        """
        read: dict[bool, set[int]] = {True: set(), False: set()}
        for statement in self.statements:
            if statement.row.is_declaration:
                continue
            for operand, spec in zip(statement.operands, statement.specs, strict=True):
                if operand.file is not RegisterFile.CONSTANT_BUFFER or len(operand.indices) < 2:
                    continue
                register, vector = operand.indices[-2:]
                if register.immediate == slot and vector.relative is None:
                    first = _COMPONENTS * (vector.immediate or 0)
                    components = map(operand.component, _slots_of(statement, spec))
                    read[spec.scalar is Scalar.F32].update(first + c for c in components)
        return frozenset(read[True] - read[False])

    def source_line(self, where: Where) -> str | None:
        """The line of the listing at a place.

        Parameters
        ----------
        where : Where
            The place.

        Returns
        -------
        str or None
            The line without its newline; None for a container, or if the place has no line.
        """
        if self.source_lines is None or where.line is None:
            return None
        return self.source_lines[where.line - 1] if where.line <= len(self.source_lines) else None


def _slots_of(statement: Statement, source: Spec) -> Iterable[int]:
    """The components of the results that a source is read for; all four where none is written."""
    if source.slots is not None:
        return range(source.slots)
    mask = 0
    for operand, spec in zip(statement.operands, statement.specs, strict=True):
        mask |= operand.mask if spec.role in (Role.DESTINATION, Role.TARGET) else 0
    return MASK_COMPONENTS[mask] or range(_COMPONENTS)


@contextmanager
def placed_errors(program: Program) -> Generator[None]:
    """Add the program's file, and the line of its listing, to errors."""
    try:
        yield
    except TranslateError as error:
        if error.where.file is None:
            error.where = replace(error.where, file=program.file)
        if error.source_line is None:
            error.source_line = program.source_line(error.where)
        raise
