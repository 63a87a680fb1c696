"""Print programs as Microsoft's D3DDisassemble does, with fxc's header comment.

The comment is made from RDEF, IFCE and SFI0; `asm.header` parses it. Buffer definitions have the
form that `asm.header_types` shows. Source: listings of fxc 10.1 and D3DDisassemble, for reflections
made to show every value.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping

from translate.asm import header_types as words
from translate.asm.header_types import BUFFER_KINDS
from translate.asm.literals import Literals, format_string
from translate.asm.operand_text import dimension_name, format_declaration, format_operands
from translate.dataclass import dataclass
from translate.errors import escaped
from translate.isa.instruction import SATURATE, SM5, SM51, Control, Flow, Instruction, Kind
from translate.isa.registers import COMPONENTS, MASK_COMPONENTS
from translate.linkage import ClassInstance, ClassType, InterfaceSlots, Linkage
from translate.program import Program, Statement
from translate.reflection import (
    BASE_TYPES,
    NO_REGISTERS,
    BufferDefinition,
    Reflection,
    ResourceBinding,
    Type,
    Variable,
)

_VECTOR, _ROW_MATRIX, _COLUMN_MATRIX, _STRUCTURE, _INTERFACE = 1, 2, 3, 5, 7
_USED = 2
_NOWHERE = 0xFFFFFFFF
_COMMENT_COLUMN = 40
_INDENT = "    "
_DWORDS_OF_A_LINE = 4
_DEEPEST_TYPE = 32
_DEBUG_LAYER = "// Note: SHADER WILL ONLY WORK WITH THE DEBUG SDK LAYER ENABLED."
_BINDINGS = "// Name                                 Type  Format         Dim      HLSL Bind  Count"
_BINDINGS_51 = _BINDINGS.replace("HLSL", "ID      HLSL")
_SIGNATURE = (
    "// Name                 Index   Mask Register SysValue  Format   Used",
    "// -------------------- ----- ------ -------- -------- ------- ------",
)
_TYPES = (
    "// Name                             ID CB Stride Texture Sampler",
    "// ------------------------------ ---- --------- ------- -------",
)
_INSTANCES = (
    "// Name                        Type CB CB Offset Texture Sampler",
    "// --------------------------- ---- -- --------- ------- -------",
)
_RULE = "// +----------+---------+---------------------------------------"
_CLASSES_OF_A_LINE = 8  # Microsoft's disassembler drops the ninth


def print_definition(buffer: BufferDefinition, version: tuple[int, int]) -> Iterator[str]:
    """The lines of a constant buffer, or of a structured buffer's element."""
    kind = BUFFER_KINDS.get(buffer.kind, "<unknown buffer type>")
    yield from (f"// {kind} {buffer.name}", "// {", "//")
    for number, variable in enumerate(buffer.variables):
        yield from _variable_lines(variable, number == 0, version >= SM5)
    yield from ("//", "// }")


def _variable_lines(variable: Variable, first: bool, named: bool) -> Iterator[str]:
    unused = "" if variable.flags & _USED else " [unused]"
    place = f"Offset: {variable.offset:>4} Size: {variable.size:>5}{unused}"
    if variable.offset == _NOWHERE:
        place = "Offset:  N/A Size:   N/A [unused]"
    yield from _field_lines(variable.name, variable.type, variable.offset, place, first, named, 0)
    yield from _register_lines(variable)
    yield from _default_lines(variable.default or b"")


def _field_lines(
    name: str, kind: Type, offset: int, place: str, first: bool, named: bool, depth: int
) -> Iterator[str]:
    """A field at an offset from the start of the buffer; a structure with all its members."""
    pad = f"//   {_INDENT * depth}"
    array = f"[{kind.elements}]" if kind.elements > 1 else ""
    if kind.klass != _STRUCTURE or depth > _DEEPEST_TYPE:
        yield _placed(f"{pad}{_type_text(kind)} {name}{array};", place)
        return
    if not first:
        yield pad
    title = f" {kind.name}" if named and kind.name else ""
    yield from (f"{pad}struct{title}", f"{pad}{{", f"{pad}{_INDENT}")
    for number, member in enumerate(kind.members):
        at = offset + member.offset & _NOWHERE
        there = f"Offset: {at:>4}"
        yield from _field_lines(member.name, member.type, at, there, number == 0, named, depth + 1)
    yield from ("//", _placed(f"{pad}}} {name}{array};", place))


def _placed(text: str, place: str) -> str:
    return f"{text:<{_COMMENT_COLUMN}}// {place}"


def _type_text(kind: Type) -> str:
    """`float4x3`, `row_major float2x3`, `interface IOp`; for other objects their name."""
    if kind.klass == _INTERFACE:
        return f"interface {kind.name}"
    if kind.base not in BASE_TYPES:
        return kind.name
    base = BASE_TYPES[kind.base][1]
    if kind.klass in (_ROW_MATRIX, _COLUMN_MATRIX):
        order = "row_major " if kind.klass == _ROW_MATRIX else ""
        return f"{order}{base}{kind.rows}x{kind.columns}"
    return f"{base}{kind.columns}" if kind.klass == _VECTOR else base


def _register_lines(variable: Variable) -> Iterator[str]:
    """The texture and sampler registers of a class instance."""
    parts = [
        _registers(title, letter, registers)
        for title, letter, registers in (
            (("Texture:   ", "Textures:  "), "t", variable.textures),
            (("Sampler: ", "Samplers: "), "s", variable.samplers),
        )
        if registers != NO_REGISTERS and registers[1]
    ]
    if parts:
        yield " " * _COMMENT_COLUMN + f"// {', '.join(parts)}"


def _registers(titles: tuple[str, str], letter: str, registers: tuple[int, int]) -> str:
    first, count = registers
    if count == 1:
        return f"{titles[0]}{letter}{first}"
    return f"{titles[1]}{letter}{first}-{letter}{first + count - 1}"


def _default_lines(default: bytes) -> Iterator[str]:
    dwords = struct.unpack(f"<{len(default) // 4}I", default[: len(default) // 4 * 4])
    for start in range(0, len(dwords), _DWORDS_OF_A_LINE):
        sign = "=" if start == 0 else " "
        shown = "".join(f"0x{dword:08x} " for dword in dwords[start : start + _DWORDS_OF_A_LINE])
        yield f"//      {sign} {shown}"


def header_lines(program: Program, features: int) -> Iterator[str]:
    """The lines above the profile; `features` is SFI0's bit mask."""
    reflection = program.reflection
    creator = reflection.creator if reflection is not None else words.NO_CREATOR
    yield from ("//", f"// Generated by {creator}", "//")
    if features:
        yield from ("//", "// Note: shader requires additional functionality:")
        names = [name for bit, name in enumerate(words.FEATURES) if features >> bit & 1]
        yield from (f"//       {name}" for name in names)
        yield "//"
    if any(statement.row.kind is Kind.MESSAGE for statement in program.statements):
        yield from ("//", _DEBUG_LAYER, "//")
    if reflection is not None:
        yield from _reflection_lines(reflection, program.version)
    yield from ("//", "// Input signature:", "//", *_SIGNATURE, "// no Input")
    yield from ("//", "// Output signature:", "//", *_SIGNATURE, "// no Output")
    if program.linkage != Linkage():
        yield from _linkage_lines(program.linkage)


def footer(instructions: int) -> str:
    """The line after the last instruction."""
    return f"// Approximately {instructions} instruction slots used"


def _reflection_lines(reflection: Reflection, version: tuple[int, int]) -> Iterator[str]:
    if reflection.buffers:
        yield from ("//", "// Buffer Definitions: ", "//")
        for buffer in reflection.buffers:
            yield from print_definition(buffer, version)
            yield "//"
    if reflection.bindings:
        ranges = version >= SM51
        head = _BINDINGS_51 if ranges else _BINDINGS
        yield from ("//", "// Resource Bindings:", "//", head)
        widths = [30, 10, 7, 11, *([7] if ranges else []), 14, 6]
        yield "// " + " ".join("-" * width for width in widths)
        yield from (_binding_line(binding, ranges) for binding in reflection.bindings)
        yield "//"
    yield "//"


def _binding_line(binding: ResourceBinding, ranges: bool) -> str:
    kind, form, dimension = _columns(binding)
    prefix = binding.register_prefix
    place = f"{prefix}{binding.bind_point}" + (f",space{binding.space}" if binding.space else "")
    number = f"{prefix.upper()}{binding.range_id}"
    count = str(binding.bind_count) if binding.bind_count else words.UNBOUNDED
    unused = "[unused]" if binding.flags & words.UNUSED else ""
    id_column = f" {number:>7}" if ranges else ""
    left = f"// {binding.name:<30} {kind:>10} {form:>7} {dimension:>11}"
    return f"{left}{id_column} {place:>14} {count:>6} {unused}"


def _columns(binding: ResourceBinding) -> tuple[str, str, str]:
    """The columns type, format and dimension of a binding."""
    kind = words.TYPED.get(binding.type)
    if kind is None:
        columns = words.UNFORMATTED.get(binding.type, ("<unknown>", "NA", "NA"))
        if binding.type == words.SAMPLER and binding.flags & words.COMPARISON:
            return (words.COMPARISON_SAMPLER, *columns[1:])
        return columns
    components = (binding.flags >> words.COMPONENTS_SHIFT & 3) + 1
    form = words.RETURN_TYPES.get(binding.return_type, "<unknown resource return type>")
    dimension = words.DIMENSIONS.get(binding.dimension, "<unknown>")
    if binding.dimension in words.MULTISAMPLED and binding.sample_count:
        dimension += str(binding.sample_count)
    return kind, form + (str(components) if components > 1 else ""), dimension


def _linkage_lines(linkage: Linkage) -> Iterator[str]:
    if linkage.types:
        yield from ("//", "// Available Class Types:", "//", *_TYPES)
    for kind in linkage.types:
        left = f"// {kind.name:<30} {kind.id:>4} {kind.constant_stride:>9}"
        yield f"{left} {kind.textures:>7} {kind.samplers:>7}"
    if linkage.instances:
        yield from ("//", "// Available Class Instances:", "//", *_INSTANCES)
    kinds = {kind.id: kind for kind in reversed(linkage.types)}
    yield from (_instance_line(instance, kinds) for instance in linkage.instances)
    total = sum(group.count for group in linkage.slots)
    if not linkage.slots:
        return
    yield from ("//", f"// Interface slots, {total} total:", "//", "//             Slots", _RULE)
    first = 0
    for group in linkage.slots:
        lines = [*_slot_lines(group, first)]
        yield from (*lines, _RULE)
        first += group.count * (len(lines) // 2)  # Microsoft's disassembler counts like this


def _instance_line(instance: ClassInstance, kinds: Mapping[int, ClassType]) -> str:
    """One row of the instance table; `-` for registers that its class does not use."""
    kind = kinds.get(instance.type_id, ClassType("", instance.type_id))
    name = f"{instance.name}[{instance.count}]" if instance.count > 1 else instance.name
    buffer, offset, texture, sampler = (
        str(number) if there else "-"
        for number, there in (
            (instance.constant_buffer, kind.constant_stride),
            (instance.constant_offset, kind.constant_stride),
            (instance.texture, kind.textures),
            (instance.sampler, kind.samplers),
        )
    )
    left = f"// {name:<27} {instance.type_id:>4} {buffer:>2} {offset:>9}"
    return f"{left} {texture:>7} {sampler:>7}"


def _slot_lines(group: InterfaceSlots, first: int) -> Iterator[str]:
    slots = str(first) if group.count == 1 else f"{first}-{first + group.count - 1}"
    rows = (("Type ID ", [*group.tables]), ("Table ID", [*group.tables.values()]))
    for start in range(0, max(len(group.tables), 1), _CLASSES_OF_A_LINE + 1):
        for title, numbers in rows:
            here = slots if start == 0 and title == rows[0][0] else ""
            shown = numbers[start : start + _CLASSES_OF_A_LINE]
            yield f"// | {title} |   {here:<6}|" + "".join(f"{number:<5}" for number in shown)


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
