"""Doubles: r7 holds two that no driver can fold. Zeros and NaNs are settled as with floats."""

from __future__ import annotations

from checks.lanes import sources
from translate.isa.instruction import Instruction, Kind, Scalar

from .floats import settled
from .operands import scalar, source
from .scope import DOUBLES, FLOATS, GENERAL, TEMP, UNKNOWN_ZERO, Lines, Scope

_EDGES = (
    0x0000000000000000, 0x8000000000000000, 0x3FF0000000000000, 0xBFF0000000000000,
    0x3FE0000000000000, 0xC004000000000000, 0x41DFFFFFFFE00000, 0x41E0000000000000,
    0xC1E0000000200000, 0x41F0000000000000, 0x7FEFFFFFFFFFFFFF, 0xFFEFFFFFFFFFFFFF,
    0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0x3FB999999999999A,
    0x3FF0000000000001, 0x4340000000000001, 0x0170000000000000, 0x47EFFFFFF0000000,
)  # fmt: skip
_NAN = 0x7FF8000000000000
_SETTLED = ("dmin", "dmax")
_NOT_EXACT = ("drcp",)  # 1 ULP (FS §22.17)


def is_double(row: Instruction) -> bool:
    """An instruction on doubles that has one right result."""
    wide = any(spec.scalar is Scalar.F64 for spec in row.operands)
    return wide and row.kind in (Kind.ALU, Kind.MOVE) and row.name not in _NOT_EXACT


def double(s: Scope) -> Lines:
    """Any such instruction; results go to the doubles, the floats or the general registers."""
    row = s.choices.pick(s.abilities.rows(is_double))
    saturates = row.saturable and s.choices.chance(15)
    name = f"{row.name}_sat" if saturates else row.name
    result = row.operands[0].scalar
    if result is not Scalar.F64:
        target = s.choices.pick(FLOATS if result is Scalar.F32 else GENERAL)
        letters = s.choices.pick(("x", "y", "w", "xy", "xz", "yw", "zw"))
        operands = [_double_source(s) for _ in row.operands[1:]]
        lines = [f"{name} {target}.{letters}, {', '.join(operands)}"]
        return [*lines, *(settled(s, target, letters, zeros=True) if target in FLOATS else [])]
    letters = s.choices.pick(("xyzw", "xy", "zw"))
    operands = [_source(s, scalar) for scalar in sources(row)]
    lines = [f"{name} {DOUBLES}.{letters}, {', '.join(operands)}"]
    zeros = _positive_zero() if saturates or row.name in _SETTLED else []
    return [*lines, *zeros, f"or {DOUBLES}.{letters}, {DOUBLES}.xyzw, {UNKNOWN_ZERO}"]


def _source(s: Scope, kind: Scalar) -> str:
    if kind is Scalar.F64:
        return _double_source(s)
    return f"{s.choices.pick(FLOATS)}.xyzw" if kind is Scalar.F32 else source(s)


def _double_source(s: Scope) -> str:
    if s.choices.chance(25):
        return _literal(s.choices.pick(_EDGES), s.choices.pick(_EDGES))
    operand = f"{DOUBLES}.{s.choices.pick(('xyzw', 'zwxy', 'xyxy', 'zwzw'))}"
    if not s.choices.chance(30):
        return operand
    return s.choices.pick(("|{}|", "-{}", "-|{}|")).format(operand)


def _literal(*pair: int) -> str:
    dwords = (part for bits in pair for part in (bits & 0xFFFFFFFF, bits >> 32))
    return f"d({', '.join(f'{dword:#010x}' for dword in dwords)})"


def _positive_zero() -> Lines:
    zero = _literal(0, 0)
    return [
        f"deq {TEMP}.xy, {DOUBLES}.xyzw, {zero}",
        f"dmovc {DOUBLES}.xyzw, {TEMP}.xyxx, {zero}, {DOUBLES}.xyzw",
    ]


def to_bits(s: Scope) -> Lines:
    """Move the doubles to a general register."""
    return one_nan(s.choices.pick(GENERAL))


def one_nan(target: str) -> Lines:
    """Replace every NaN by one pattern of bits."""
    nan = _literal(_NAN, _NAN)
    return [
        f"dne {TEMP}.xy, {DOUBLES}.xyzw, {DOUBLES}.xyzw",
        f"dmovc {target}.xyzw, {TEMP}.xyxx, {nan}, {DOUBLES}.xyzw",
    ]


def from_bits(s: Scope) -> Lines:
    """A double of moderate size, from any bits."""
    letters = s.choices.pick(("xy", "zw"))
    return [
        f"mov {DOUBLES}.{letters[0]}, {scalar(s)}",
        f"and {TEMP}.x, {scalar(s)}, l(0x801fffff)",
        f"or {DOUBLES}.{letters[1]}, {TEMP}.x, l(0x3fe00000)",
        f"or {DOUBLES}.{letters}, {DOUBLES}.xyzw, {UNKNOWN_ZERO}",
    ]
