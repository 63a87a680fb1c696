"""Print programs as Microsoft's D3DDisassemble does, from the profile on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from translate.asm.declarations import dimension_name, format_declaration
from translate.asm.header_printer import footer, header_lines
from translate.asm.operand_text import format_operands
from translate.asm.strings import format_string
from translate.errors import escaped
from translate.isa.instruction import SATURATE, SM51, Control, Flow, Instruction
from translate.isa.registers import COMPONENTS, MASK_COMPONENTS
from translate.program import Program, Statement

_OPENS = (Flow.IF, Flow.ELSE, Flow.LOOP, Flow.SWITCH)
_CLOSES = (Flow.ELSE, Flow.ENDIF, Flow.ENDLOOP, Flow.ENDSWITCH)
_ALL_COMPONENTS = 15
_DEEPEST = 64  # D3D's limit (FS §22.7); deeper indentation would let text grow quadratically


@dataclass(frozen=True, slots=True)
class About:
    """Facts for the comments: SFI0's bit mask, STAT's number of instructions."""

    features: int
    instructions: int


def print_listing(program: Program, about: About | None = None) -> str:
    """Print the profile, then one line for each declaration, icb vector and instruction.

    With `about`, fxc's comments are added above and below. Like fxc, this prints floats with six
    digits after the point, so that the text does not keep the bits of every immediate.
    """
    ranges = program.version >= SM51
    lines = [program.profile, *_lines(program.statements, ranges)]
    if about is not None:
        header = map(escaped, header_lines(program, about.features))  # names may contain line ends
        lines = [*header, *lines, footer(about.instructions)]
    return "\n".join([*lines, ""])


def _lines(statements: list[Statement], ranges: bool) -> Iterator[str]:
    depth = 0
    for statement in statements:
        row = statement.row
        if row.is_declaration:
            yield format_declaration(statement, ranges)
            continue
        if row.flow in _CLOSES:
            depth = max(0, depth - 1)
        yield "  " * min(depth, _DEEPEST) + format_instruction(statement, ranges)
        depth += row.flow in _OPENS


def format_instruction(statement: Statement, ranges: bool) -> str:
    """Print one instruction without its indentation."""
    row = statement.row
    operands = format_operands(row, statement.operands, ranges)
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
