"""Print declarations: each field that a row's `syntax` names.

`declaration_fields` parses them. Source: listings of fxc 10.1; FS §22.3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from string import Formatter

from translate.asm.literals import format_bits, format_untyped
from translate.asm.operand_text import (
    UNBOUNDED,
    format_precision,
    format_register,
    format_selection,
)
from translate.isa.declarations import (
    DIMENSION_BITS,
    DIMENSION_SHIFT,
    GLOBAL_FLAGS,
    SAMPLE_COUNT_BITS,
    SAMPLE_COUNT_SHIFT,
    SAMPLER_MODE_BITS,
    SAMPLER_MODE_SHIFT,
)
from translate.isa.enums import DIMENSIONS, RETURN_TYPES, SAMPLER_MODES, Dimension
from translate.isa.instruction import Instruction
from translate.isa.registers import RegisterFile
from translate.program import Statement

UNKNOWN_DIMENSION = "<unknown dimension>"
NO_FLAGS = "none"
_VECTOR_INDENT = " " * len("dcl_immediateConstantBuffer { ")
_RETURN_COMPONENTS = range(4)
MULTISAMPLED = (Dimension.TEXTURE2DMS, Dimension.TEXTURE2DMSARRAY)


@lru_cache(None)
def syntax_of(row: Instruction) -> tuple[tuple[str, str | None], ...]:
    """Split a row's syntax into pairs: literal text, and the name of the field after it."""
    return tuple((text, name) for text, name, _, _ in Formatter().parse(row.syntax))


def extra_names(row: Instruction, ranges: bool) -> tuple[str, ...]:
    """The names of the immediate dwords after a declaration's operands."""
    return row.extras_51 if ranges and row.extras_51 is not None else row.extras


def format_declaration(statement: Statement, ranges: bool, *, hexadecimal: bool = False) -> str:
    """Print one declaration; an immediate constant buffer has one line for each vector.

    With `hexadecimal`, its numbers are printed as their bits.
    """
    return statement.row.name + "".join(_pieces(statement, ranges, hexadecimal))


def _pieces(statement: Statement, ranges: bool, hexadecimal: bool) -> Iterator[str]:
    """The parts of the row's syntax, with the values of its fields."""
    row = statement.row
    names = extra_names(row, ranges)
    for text, name in syntax_of(row):
        yield text
        if name is None:
            continue
        special = _FIELDS.get(name)
        if hexadecimal and name == "vectors":
            yield _vectors(statement, format_bits)
        elif special is not None:
            yield special(statement, ranges)
        elif name in names:
            yield _number(statement, names, name)
        else:
            yield _control(statement, name)


def _number(statement: Statement, names: tuple[str, ...], name: str) -> str:
    return str(statement.extra[names.index(name)])


def _control(statement: Statement, name: str) -> str:
    """The text for a control field's value; empty if the row has no such field."""
    for control in statement.row.controls:
        if control.name == name:
            return control.suffixes[control.read(statement.controls)]
    return ""


def _bits(statement: Statement, shift: int, width: int) -> int:
    return statement.controls >> shift & ((1 << width) - 1)


def _dimension(statement: Statement, ranges: bool) -> str:
    return dimension_name(declared_dimension(statement))


def declared_dimension(statement: Statement) -> Dimension:
    """The dimension of a declared typed resource."""
    number = _bits(statement, DIMENSION_SHIFT, DIMENSION_BITS)
    return DIMENSIONS.get(number, Dimension.UNKNOWN)


def dimension_name(dimension: Dimension) -> str:
    """The dimension's printed name; number 0 prints as `<unknown dimension>`."""
    return UNKNOWN_DIMENSION if dimension is Dimension.UNKNOWN else dimension.printed


def _samples(statement: Statement, ranges: bool) -> str:
    number = _bits(statement, DIMENSION_SHIFT, DIMENSION_BITS)
    if DIMENSIONS.get(number) not in MULTISAMPLED:
        return ""
    return f"({_bits(statement, SAMPLE_COUNT_SHIFT, SAMPLE_COUNT_BITS)})"


def _returns(statement: Statement, ranges: bool) -> str:
    token = statement.extra[extra_names(statement.row, ranges).index("returns")]
    numbers = [token >> 4 * c & 15 for c in _RETURN_COMPONENTS]
    kinds = [RETURN_TYPES[n].printed if n in RETURN_TYPES else str(n) for n in numbers]
    return f"({','.join(kinds)})"


def _register(statement: Statement, ranges: bool) -> str:
    """Print the declared register; that of a constant buffer with its size: `cb0[3]`.

    In cs_5_1, the range follows the register: `T0[2:*]`, `CB0[4:8][3]`.
    """
    operand = statement.operands[0]
    file = operand.file
    if ranges and len(operand.indices) > file.index_count:
        number, lower, upper = (index.base for index in operand.indices)
        last = "*" if upper == UNBOUNDED else str(upper)
        text = f"{file.prefix.upper()}{number}[{lower}:{last}]"
        names = extra_names(statement.row, ranges)
        return text + (f"[{_number(statement, names, 'size')}]" if "size" in names else "")
    if file is RegisterFile.CONSTANT_BUFFER:
        return format_register(operand, True)
    swizzle = "" if len(operand.indices) else format_selection(operand)
    precision = format_precision(operand, operand.min_precision)
    return format_register(operand, ranges) + swizzle + precision


def _sampler_mode(statement: Statement, ranges: bool) -> str:
    mode = SAMPLER_MODES.get(_bits(statement, SAMPLER_MODE_SHIFT, SAMPLER_MODE_BITS))
    return f", {mode.printed}" if mode else ""


def _space(statement: Statement, ranges: bool) -> str:
    names = extra_names(statement.row, ranges)
    return f", space={_number(statement, names, 'space')}" if "space" in names else ""


def _flags(statement: Statement, ranges: bool) -> str:
    """Print the global flags. Like Microsoft's disassembler, print no space before `none`."""
    names = [name for bit, name in GLOBAL_FLAGS if statement.controls >> bit & 1]
    return f" {' | '.join(names)}" if names else NO_FLAGS


def _bodies(statement: Statement, ranges: bool) -> str:
    return _list(RegisterFile.FUNCTION_BODY, statement.extra[1:])


def _call_sites(statement: Statement, ranges: bool) -> str:
    """Print `[array length][call sites]`; in the container, the call sites come first."""
    _, sites, length = statement.extra[:3]
    return f"[{length}][{sites}]"


def _tables(statement: Statement, ranges: bool) -> str:
    return _list(RegisterFile.FUNCTION_TABLE, statement.extra[3:])


def _list(file: RegisterFile, numbers: tuple[int, ...]) -> str:
    return f"{{{', '.join(f'{file.prefix}{n}' for n in numbers)}}}"


def _vectors(statement: Statement, literal: Callable[[int], str]) -> str:
    data = statement.data
    vectors = [", ".join(map(literal, data[i : i + 4])) for i in range(0, len(data), 4)]
    return "{ " + f",\n{_VECTOR_INDENT}".join(f"{{ {v}}}" for v in vectors) + " }"


_FIELDS: dict[str, Callable[[Statement, bool], str]] = {
    "dimension": _dimension,
    "samples": _samples,
    "returns": _returns,
    "register": _register,
    "sampler_mode": _sampler_mode,
    "space": _space,
    "flags": _flags,
    "bodies": _bodies,
    "call_sites": _call_sites,
    "tables": _tables,
    "vectors": lambda statement, ranges: _vectors(statement, format_untyped),
}
