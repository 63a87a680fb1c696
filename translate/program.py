"""Program: what both front ends produce and every consumer starts from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from translate.errors import ListingWarning, Where
from translate.isa.enums import Dimension, ReturnType
from translate.isa.instruction import PRECISE_SHIFT, SATURATE, Instruction, Spec
from translate.isa.registers import Operand
from translate.linkage import Linkage
from translate.reflection import Reflection


@dataclass(slots=True)
class Statement:
    """One instruction or declaration of a program, with its operands.

    `controls` holds bits [23:11] of the opcode token where they stand. `dimension`, `stride` and
    `returns` are the extended tokens that print as `_indexable(dimension, stride=)(returns)`;
    `offsets` the `_aoffimmi` ones. `extra` are the immediate dwords after the operands, named by
    the row's `extras`. `data` is the payload of an immediate constant buffer (u32 each), `text` the
    format string of a message.
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
        """What the row says of each operand."""
        return self.row.specs(len(self.operands))

    @property
    def saturate(self) -> bool:
        return self.row.saturable and bool(SATURATE.read(self.controls))

    @property
    def precise(self) -> int:
        """Mask of the destination components marked `[precise]` (bit 0 = x)."""
        return self.controls >> PRECISE_SHIFT & 15

    def control(self, name: str) -> int:
        """The value of one of the row's control fields."""
        for control in self.row.controls:
            if control.name == name:
                return control.read(self.controls)
        raise KeyError(f"{self.row.name} has no control {name!r}")


@dataclass(slots=True)
class Chunk:
    """A chunk of a container as it stands there."""

    fourcc: bytes
    payload: bytes


@dataclass(slots=True)
class Program:
    """A compute shader: its model, declarations and instructions in order, and what came along.

    `source_lines` are the listing's lines (None for a container); `chunks` the container's (empty
    for a listing); `warnings` what the reader of a container tolerated, such as a wrong checksum;
    `listing_warnings` what in a listing may not mean what was meant, such as a rounded number.
    `hlsl_files` are the texts of the HLSL by file, the one that was compiled first, and
    `hlsl_entry` its function, where a container has debug information (`fxc /Zi`).
    """

    version: tuple[int, int]
    statements: list[Statement]
    reflection: Reflection | None = None
    linkage: Linkage = field(default_factory=Linkage)
    chunks: list[Chunk] = field(default_factory=list[Chunk])
    source_lines: list[str] | None = None
    file: str | None = None
    warnings: list[str] = field(default_factory=list[str])
    listing_warnings: list[ListingWarning] = field(default_factory=list[ListingWarning])
    hlsl_files: Mapping[str, str] = field(default_factory=dict[str, str])
    hlsl_entry: str | None = None

    @property
    def profile(self) -> str:
        """`cs_5_0` and so on."""
        return f"cs_{self.version[0]}_{self.version[1]}"

    def source_line(self, where: Where) -> str | None:
        """The listing's line that `where` stands in, if there is one."""
        if self.source_lines is None or where.line is None:
            return None
        return self.source_lines[where.line - 1] if where.line <= len(self.source_lines) else None
