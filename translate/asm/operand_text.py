"""Print operands and declarations as fxc does: each field that a declaration's `syntax` names.

`declaration_fields` parses declarations. Source: listings of fxc 10.1 for every register file,
index and modifier; FS §22.3; reference "SM4/SM5 instructions", §3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from string import Formatter

from translate.asm.literals import Literals, format_doubles, format_of, literal_style
from translate.dataclass import dataclass
from translate.isa.declarations import (
    DIMENSION_BITS,
    DIMENSION_SHIFT,
    GLOBAL_FLAGS,
    SAMPLE_COUNT_BITS,
    SAMPLE_COUNT_SHIFT,
    SAMPLER_MODE_BITS,
    SAMPLER_MODE_SHIFT,
)
from translate.isa.instruction import Instruction, Kind, Role, Scalar
from translate.isa.registers import (
    COMPONENTS,
    DIMENSIONS,
    RETURN_TYPES,
    SAMPLER_MODES,
    Dimension,
    Index,
    MinPrecision,
    Modifier,
    Operand,
    RegisterFile,
    Selection,
)
from translate.program import Statement

PRECISION_NAMES: dict[MinPrecision, str] = {
    MinPrecision.DEFAULT: "def32",
    MinPrecision.FLOAT16: "min16f",
    MinPrecision.FLOAT2_8: "min2_8f",
    MinPrecision.SINT16: "min16i",
    MinPrecision.UINT16: "min16u",
}
EMPTY_TOKEN = "+"  # before an operand with a token that has no modifier; no other tool prints it
RANGE_FILES = tuple(f for f in RegisterFile if f.index_count_51 != f.index_count)
UNBOUNDED = 0xFFFFFFFF

_MODIFIERS: dict[Modifier, tuple[str, str]] = {
    Modifier.NONE: ("", ""),
    Modifier.NEG: ("-", ""),
    Modifier.ABS: ("|", "|"),
    Modifier.NEG_ABS: ("-|", "|"),
}
_CONVERTING = (Kind.ALU, Kind.DOT, Kind.MOVE)
COMPUTED_ROLES = (Role.SOURCE, Role.ADDRESS)
READ_ROLES = (*COMPUTED_ROLES, Role.RESOURCE)
# Registers with a single component need no letters
ONE_COMPONENT_FILES = (RegisterFile.THREAD_ID_IN_GROUP_FLATTENED,)
UNKNOWN_DIMENSION = "<unknown dimension>"
NO_FLAGS = "none"
_VECTOR_INDENT = " " * len("dcl_immediateConstantBuffer { ")
_RETURN_COMPONENTS = range(4)
MULTISAMPLED = (Dimension.TEXTURE2DMS, Dimension.TEXTURE2DMSARRAY)


@dataclass(frozen=True, slots=True)
class Form:
    """How to print the operands of a row.

    `converted[i]`: the listing shows the precision to which operand i is converted. `empty_token`
    is the mark of an operand with a token that has no modifier.
    """

    empty_token: str
    literal: Callable[[int], str]
    literals: Literals
    separator: str
    converted: tuple[bool, ...]
    roles: tuple[Role, ...]


@lru_cache(None)
def form_of(row: Instruction, literals: Literals) -> Form:
    """The form of a row; the cache keeps all of them, as rows are few."""
    literal, separator = literal_style(row, literals)
    empty_token = "" if literals is Literals.FXC else EMPTY_TOKEN
    roles = tuple(spec.role for spec in row.operands)
    return Form(empty_token, literal, literals, separator, _converted(row), roles)


def _converted(row: Instruction) -> tuple[bool, ...]:
    """For each operand, whether it is a source that is converted to the destination's precision.

    These are the sources of the destination's type, or the first `row.converted` sources if set.
    """
    flags: list[bool] = []
    sources = 0
    for spec in row.operands:
        flag = spec.role is Role.SOURCE and row.kind in _CONVERTING and row.destinations > 0
        if row.converted is not None:
            flag = flag and sources < row.converted
        else:
            flag = flag and spec.scalar is row.operands[0].scalar
        sources += spec.role is Role.SOURCE
        flags.append(flag)
    return tuple(flags)


def format_operands(
    row: Instruction, operands: tuple[Operand, ...], ranges: bool, literals: Literals
) -> list[str]:
    """Print an instruction's operands; `ranges` for cs_5_1."""
    form = form_of(row, literals)
    target = operands[0].min_precision if operands else MinPrecision.DEFAULT
    texts: list[str] = []
    converted, roles = form.converted, form.roles
    if row.variadic:
        converted, roles = (False,) * len(operands), roles * len(operands)
    for operand, is_converted, role in zip(operands, converted, roles, strict=False):
        precision = target if is_converted else operand.min_precision
        texts.append(_format_operand(operand, ranges, form, precision, role))
    return texts


def _format_operand(
    operand: Operand, ranges: bool, form: Form, precision: MinPrecision, role: Role
) -> str:
    """Print one operand; `precision` is the precision it is converted to, else its own."""
    before, after = _MODIFIERS[operand.modifier]
    if operand.empty_token:
        before = form.empty_token
    body = _format_body(operand, ranges, form, role) + format_precision(operand, precision)
    return f"{before}{body}{after}"


def _format_body(operand: Operand, ranges: bool, form: Form, role: Role) -> str:
    if operand.file is RegisterFile.IMMEDIATE32:
        return f"l({form.separator.join(map(form.literal, operand.values))})"
    if operand.file is RegisterFile.IMMEDIATE64:
        return f"d({format_doubles(operand.values, form.literals)})"
    selection = _format_read(operand, role) if role in READ_ROLES else format_selection(operand)
    return format_register(operand, ranges) + selection


def _format_read(operand: Operand, role: Role) -> str:
    """Print the components of a source. A container may give it a write mask, or no components.

    A mask of one letter or none is printed as a swizzle, because a single letter would mean that
    component in every place.
    """
    if operand.components != 4:
        bare = role not in COMPUTED_ROLES or operand.file in ONE_COMPONENT_FILES
        return "" if bare else ".x"
    if operand.selection is Selection.MASK and len(operand.written()) < 2:
        return ".xyzw"
    return format_selection(operand)


def format_precision(operand: Operand, precision: MinPrecision) -> str:
    text = " { nonuniform }" if operand.non_uniform else ""
    if operand.min_precision is precision:
        known = precision is MinPrecision.DEFAULT
        return text if known else f" {{{PRECISION_NAMES[precision]}}}{text}"
    own, to = PRECISION_NAMES[operand.min_precision], PRECISION_NAMES[precision]
    return f" {{{own} as {to}}}{text}"


def format_register(operand: Operand, ranges: bool) -> str:
    """The register with its indices, without swizzle or mask."""
    file, indices = operand.file, operand.indices
    prefix = register_prefix(file, ranges)
    if not indices:
        return prefix
    first = indices[0]
    if first.relative is None and file is not RegisterFile.THIS_POINTER:
        head = f"{prefix}{_signed(first.base)}"
    else:
        head = f"{prefix}[{_format_index(first, ranges)}]"
    return head + "".join(f"[{_format_index(index, ranges)}]" for index in indices[1:])


def register_prefix(file: RegisterFile, ranges: bool) -> str:
    """The letters of the register; capitals for ranges in cs_5_1."""
    return file.prefix.upper() if ranges and file in RANGE_FILES else file.prefix


def _format_index(index: Index, ranges: bool) -> str:
    if index.relative is None:
        return str(_signed(index.base))
    register = index.relative
    # Microsoft's disassembler treats every register here as a numbered one.
    number = "" if register.indices else "0"
    selection = ".x" if register.selection is Selection.MASK else format_selection(register)
    text = format_register(register, ranges) + number + selection
    text += format_precision(register, register.min_precision)
    return f"{text} + {_signed(index.base)}"


def _signed(value: int) -> int:
    return value - (1 << 32) if 1 << 31 <= value < 1 << 32 else value


def format_selection(operand: Operand) -> str:
    """`.xyz` as a write mask, `.wzyx` as a swizzle, `.x` if a single component is selected."""
    if operand.components != 4:
        return ""
    if operand.selection is Selection.SWIZZLE:
        return "." + "".join(COMPONENTS[c] for c in operand.swizzle)
    if operand.selection is Selection.SELECT:
        return "." + COMPONENTS[operand.swizzle[0]]
    return "." + "".join(COMPONENTS[c] for c in operand.written())


@lru_cache(None)
def syntax_of(row: Instruction) -> tuple[tuple[str, str | None], ...]:
    """Split a row's syntax into pairs: literal text, and the name of the field after it."""
    return tuple((text, name) for text, name, _, _ in Formatter().parse(row.syntax))


def extra_names(row: Instruction, ranges: bool) -> tuple[str, ...]:
    """The names of the immediate dwords after a declaration's operands."""
    return row.extras_51 if ranges and row.extras_51 is not None else row.extras


def format_declaration(
    statement: Statement, ranges: bool, literals: Literals = Literals.FXC
) -> str:
    """Print one declaration; an immediate constant buffer has one line for each vector."""
    return statement.row.name + "".join(_pieces(statement, ranges, literals))


def _pieces(statement: Statement, ranges: bool, literals: Literals) -> Iterator[str]:
    """The parts of the row's syntax, with the values of its fields."""
    row = statement.row
    names = extra_names(row, ranges)
    for text, name in syntax_of(row):
        yield text
        if name is None:
            continue
        special = _FIELDS.get(name)
        if name == "vectors":
            yield _vectors(statement, format_of(Scalar.BITS, literals))
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
}
