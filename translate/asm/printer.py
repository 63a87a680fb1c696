"""Print programs as Microsoft's D3DDisassemble does, from the profile on."""

from __future__ import annotations

from collections.abc import Iterator

from translate.asm.header_printer import footer, header_lines
from translate.asm.literals import Literals, format_string
from translate.asm.operand_text import dimension_name, format_declaration, format_operands
from translate.dataclass import dataclass
from translate.errors import escaped
from translate.isa.instruction import SATURATE, SM51, Control, Flow, Instruction
from translate.isa.registers import COMPONENTS, MASK_COMPONENTS
from translate.program import Program, Statement

_OPENS = (Flow.IF, Flow.ELSE, Flow.LOOP, Flow.SWITCH)
_CLOSES = (Flow.ELSE, Flow.ENDIF, Flow.ENDLOOP, Flow.ENDSWITCH)
_ALL_COMPONENTS = 15
_MARGIN = " " * 6  # of lines without a number
_DEEPEST = 64  # D3D's limit (FS §22.7); deeper indentation would let text grow quadratically


@dataclass(frozen=True, slots=True)
class About:
    """Facts for the comments: SFI0's bit mask, STAT's number of instructions."""

    features: int
    instructions: int


@dataclass(frozen=True, slots=True)
class Style:
    """The form of a listing: `numbers` of instructions (fxc's option `/Ni`), and of literals."""

    numbers: bool = False
    literals: Literals = Literals.FXC


_FXC = Style()


def print_listing(program: Program, about: About | None = None, style: Style = _FXC) -> str:
    """Print the profile, then one line for each declaration, icb vector and instruction.

    With `about`, fxc's comments are added above and below. In fxc's style floats have six digits
    after the point; in the other styles the text keeps the bits of every immediate.
    """
    margin = _MARGIN if style.numbers else ""
    lines = [margin + program.profile, *_lines(program, style)]
    if about is not None:
        header = map(escaped, header_lines(program, about.features))  # names may contain line ends
        lines = [*header, *lines, footer(about.instructions)]
    return "\n".join([*lines, ""])


def _lines(program: Program, style: Style) -> Iterator[str]:
    ranges, literals = program.version >= SM51, style.literals
    depth = number = 0
    for statement in program.statements:
        row = statement.row
        if row.is_declaration:
            margin = _MARGIN if style.numbers else ""
            yield margin + format_declaration(statement, ranges, literals)
            continue
        if row.flow in _CLOSES:
            depth = max(0, depth - 1)
        margin = f"{number:4}: " if style.numbers else ""
        text = format_instruction(statement, ranges, literals)
        yield margin + "  " * min(depth, _DEEPEST) + text
        depth += row.flow in _OPENS
        number += 1


def format_instruction(statement: Statement, ranges: bool, literals: Literals) -> str:
    """Print one instruction without its indentation."""
    row = statement.row
    operands = format_operands(row, statement.operands, ranges, literals)
    if row.extras and operands and statement.extra:
        operands[-1] += f"[{statement.extra[0]}]"
    if row.message is not None:
        operands.insert(0, format_string(statement.text))
    # Like fxc, print the space even without operands, unless the row has flags.
    return f"{_head(statement)} {', '.join(operands)}" if _has_blank(row) else _head(statement)


def _has_blank(row: Instruction) -> bool:
    return bool(row.operands) or not row.controls


def _head(statement: Statement) -> str:
    """The mnemonic with all its suffixes.

    `_sat` comes right after the name, other control fields after everything else.
    """
    row = statement.row
    parts = [row.name]
    if is_saturated(row, statement.controls):
        parts.append(SATURATE.suffixes[1])
    if statement.offsets is not None:
        parts.append("_aoffimmi")
    if statement.dimension is not None or statement.returns is not None:
        parts.append("_indexable")
    parts.append(_precise(statement.precise))
    parts += _extensions(statement)
    parts += (_suffix(c, statement.controls) for c in row.controls if c is not SATURATE)
    return "".join(parts)


def is_saturated(row: Instruction, controls: int) -> bool:
    """Whether to print `_sat`.

    `sync` has another flag in the same bit, and is printed with both suffixes.
    """
    shares = row.saturable or any(c.shift == SATURATE.shift for c in row.controls)
    return shares and bool(SATURATE.read(controls))


def _suffix(control: Control, controls: int) -> str:
    value = control.read(controls)
    return control.suffixes[value] if value < len(control.suffixes) else ""


def _precise(mask: int) -> str:
    if mask in (0, _ALL_COMPONENTS):
        return " [precise]" if mask else ""
    letters = "".join(COMPONENTS[c] for c in MASK_COMPONENTS[mask])
    return f" [precise({letters})]"


def _extensions(statement: Statement) -> Iterator[str]:
    if statement.offsets is not None:
        yield "({},{},{})".format(*statement.offsets)
    if statement.dimension is not None:
        stride = f", stride={statement.stride}" if statement.stride else ""
        yield f"({dimension_name(statement.dimension)}{stride})"
    if statement.returns is not None:
        yield f"({','.join(r.printed for r in statement.returns)})"
