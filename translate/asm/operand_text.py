"""Print operands as fxc does.

Source: listings of fxc 10.1 for every register file, index and modifier; reference "SM4/SM5
instructions", §3.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from translate.asm.literals import format_bits, format_double, literal_style
from translate.isa.instruction import Instruction, Kind, Role
from translate.isa.registers import (
    COMPONENTS,
    Index,
    MinPrecision,
    Modifier,
    Operand,
    RegisterFile,
    Selection,
)

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


@dataclass(frozen=True, slots=True)
class Form:
    """How to print the operands of a row.

    `converted[i]`: the listing shows the precision to which operand i is converted. `empty_token`
    is the mark of an operand with a token that has no modifier.
    """

    empty_token: str
    literal: Callable[[int], str]
    doubles: Callable[[tuple[int, ...]], str]
    separator: str
    converted: tuple[bool, ...]
    roles: tuple[Role, ...]


@lru_cache(None)
def form_of(row: Instruction, hexadecimal: bool) -> Form:
    """The form of a row; the cache keeps all of them, as rows are few."""
    literal, separator = literal_style(row)
    doubles, empty_token = _decimal_doubles, ""
    if hexadecimal:
        literal, doubles, empty_token = format_bits, _double_bits, EMPTY_TOKEN
    roles = tuple(spec.role for spec in row.operands)
    return Form(empty_token, literal, doubles, separator, _converted(row), roles)


def _decimal_doubles(dwords: tuple[int, ...]) -> str:
    pairs = zip(dwords[::2], dwords[1::2], strict=True)
    return ", ".join(format_double(low, high) for low, high in pairs)


def _double_bits(dwords: tuple[int, ...]) -> str:
    return ", ".join(map(format_bits, dwords))


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
    row: Instruction, operands: tuple[Operand, ...], ranges: bool, *, hexadecimal: bool = False
) -> list[str]:
    """Print an instruction's operands; `ranges` for cs_5_1, `hexadecimal` for immediates' bits."""
    form = form_of(row, hexadecimal)
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
        return f"d({form.doubles(operand.values)})"
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
