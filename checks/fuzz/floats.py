"""32-bit floats, of one kind in a program: small integers, or any floats, NaN and denormals too.

Integers are exact however the arithmetic is refactored. No driver can fold the value of a float
register: where lavapipe finds constants, it replaces x + 0 by x and x * 0 by 0, and a choice of
-1.0 or 0.0 by one of -1.0 or -0.0 (docs/drivers.md).

Where D3D leaves bits of a result undefined, the lines after the instruction settle them: a zero
becomes +0 after minima, maxima and saturation, a NaN one pattern before its bits are used. Results
of instructions with a tolerance go to a register that is compared with a tolerance.

Zeros that only folding finds are operands of sums and products with infinities, NaNs and -0. Such a
zero comes from a constant: converted, flushed, selected, masked, of the immediate constant buffer,
or of an array that nothing writes.
"""

from __future__ import annotations

from checks.lanes import sources
from translate.isa.instruction import Instruction, Kind, Scalar

from .operands import destination, mask, register, scalar, source, swizzle, words
from .scope import FLOATS, MAX_LOOPS, NEARLY, TEMP, UNKNOWN_ZERO, Lines, Scope, Statement

NAN = 0x7FC00000
EMPTY = "x2"  # an array that nothing writes
ROWS = 4  # of the immediate constant buffer, which has unit vectors where `unit_rows`
_DENORMAL, _ONE, _MINUS_ZERO = 0x00000001, 0x3F800000, 0x80000000
# FS §22.10: instructions that are exact. Others have a tolerance, relative or absolute.
EXACT = (
    *("add", "mul", "mad", "min", "max", "dp2", "dp3", "dp4", "frc"),
    *("round_ne", "round_ni", "round_pi", "round_z"),
)
_RELATIVE = ("div", "rcp", "rsq", "sqrt")
_ABSOLUTE = ("exp", "log", "sincos")
_SETTLED = ("min", "max")  # of two zeros a device may give either (docs/drivers.md)
# No denormals and no neighbour of the least normal number: hosts differ in whether they flush a
# result before or after rounding, and in the intermediate rounding of a product.
_SPECIAL = (
    0x00000000, 0x80000000, 0x3F800000, 0xBF800000, 0x3F000000, 0x3FC00000, 0xC0200000, 0x40600000,
    0xBE99999A, 0x3F800001, 0x4B000001, 0x0DA24260, 0x8DA24260, 0x42FE0000, 0x4EFFFFFF, 0x4F000000,
    0xCF000000, 0x4F7FFFFF, 0x4F800000, 0x7E800000, 0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000,
    0x7FC00000, 0xFFC00001,
)  # fmt: skip
_WHOLE = ("0.0", "1.0", "-1.0", "2.0", "-3.0", "7.0", "0.5", "256.0")


def is_exact(row: Instruction) -> bool:
    return row.name in EXACT


def is_near(row: Instruction) -> bool:
    return row.name in (*_RELATIVE, *_ABSOLUTE)


def is_comparison(row: Instruction) -> bool:
    scalars = [spec.scalar for spec in row.operands]
    return row.kind is Kind.ALU and scalars == [Scalar.U32, Scalar.F32, Scalar.F32]


def is_move(row: Instruction) -> bool:
    return row.kind is Kind.MOVE and row.operands[0].scalar is Scalar.BITS


def _converts(row: Instruction, *allowed: tuple[Scalar, Scalar]) -> bool:
    return row.kind is Kind.ALU and tuple(spec.scalar for spec in row.operands) in allowed


def is_to_integer(row: Instruction) -> bool:
    return _converts(row, (Scalar.I32, Scalar.F32), (Scalar.U32, Scalar.F32))


def is_from_integer(row: Instruction) -> bool:
    return _converts(row, (Scalar.F32, Scalar.I32), (Scalar.F32, Scalar.U32))


def number(s: Scope) -> Lines:
    """Arithmetic whose result D3D defines exactly."""
    row = s.choices.pick(s.abilities.rows(is_exact))
    saturates = row.saturable and s.choices.chance(20)
    name = f"{row.name}_sat" if saturates else row.name
    operands = ", ".join(number_source(s) for _ in sources(row))
    return computed(s, name, operands, zeros=saturates or row.name in _SETTLED)


def computed(s: Scope, name: str, operands: str, *, zeros: bool = False) -> Lines:
    """An instruction with a float register as its target."""
    target, letters = s.choices.pick(FLOATS), mask(s)
    line = f"{name} {target}.{letters}, {operands}"
    return [line, *settled(s, target, letters, zeros=zeros)]


def move(s: Scope) -> Lines:
    """A move with saturation is arithmetic; the result is a float."""
    row = s.choices.pick(s.abilities.rows(is_move))
    targets, letters = [*FLOATS][: row.destinations], mask(s)
    operands = [source(s) if one is Scalar.U32 else number_source(s) for one in sources(row)]
    outputs = [f"{target}.{letters}" for target in targets]
    lines = [f"{row.name}{'_sat' * row.saturable} {', '.join([*outputs, *operands])}"]
    return lines + [line for t in targets for line in settled(s, t, letters, zeros=True)]


def settled(s: Scope, target: str, letters: str, *, zeros: bool) -> Lines:
    """The lines that keep a float register to its kind. `zeros`: their sign is not settled."""
    operands = f"{target}.{letters}, {target}.xyzw"
    unknown = f"or {operands}, {UNKNOWN_ZERO}"
    if not s.special:
        return [
            f"round_ne {operands}",
            f"max {operands}, l(-256.0,-256.0,-256.0,-256.0)",
            f"min {operands}, l(256.0,256.0,256.0,256.0)",
            f"add {operands}, l(0,0,0,0)",
            unknown,
        ]
    return [*(_positive_zero(target, letters) if zeros else []), unknown]


def _positive_zero(target: str, letters: str) -> Lines:
    return [
        f"eq {TEMP}.{letters}, {target}.xyzw, l(0,0,0,0)",
        f"movc {target}.{letters}, {TEMP}.xyzw, l(0,0,0,0), {target}.xyzw",
    ]


def number_source(s: Scope, *, negative: bool = False) -> str:
    """A float of the program's kind. `negative`: it may be -0."""
    kind = s.choices.number(0, 9)
    if kind > 7:
        return _literal(s)
    operand = f"{s.choices.pick(FLOATS)}.{swizzle(s)}"
    if not s.choices.chance(30):
        return operand
    signs = ("|{}|",) if not s.special and not negative else ("|{}|", "-{}", "-|{}|")
    return s.choices.pick(signs).format(operand)


def _literal(s: Scope) -> str:
    if not s.special:
        return f"l({', '.join(s.choices.pick(_WHOLE) for _ in range(4))})"
    return words(*(s.choices.pick(_SPECIAL) for _ in range(4)))


def from_bits(s: Scope) -> Lines:
    """Make a float of any bits."""
    if not s.special:
        return conversion(s)
    return [f"or {s.choices.pick(FLOATS)}.{mask(s)}, {source(s)}, {UNKNOWN_ZERO}"]


def conversion(s: Scope) -> Lines:
    """A conversion to or from an integer or a half."""
    kind = s.choices.number(0, 3)
    if kind == 0:
        row = s.choices.pick(s.abilities.rows(is_to_integer))
        if row.name != "f32tof16":
            return [f"{row.name} {destination(s)}, {number_source(s)}"]
        letters = mask(s)
        halved = f"{row.name} {register(s)}, {TEMP}.{letters[0] * 4}"
        return [*_one_nan(TEMP, letters[0], f"{s.choices.pick(FLOATS)}.{swizzle(s)}"), halved]
    return computed(s, s.choices.pick(s.abilities.rows(is_from_integer)).name, source(s))


def _one_nan(target: str, letters: str, operand: str) -> Lines:
    """A float's bits, with one pattern for every NaN."""
    return [
        f"ne {TEMP}.{letters}, {operand}, {operand}",
        f"movc {target}.{letters}, {TEMP}.xyzw, {words(*[NAN] * 4)}, {operand}",
    ]


def comparison(s: Scope) -> Lines:
    name = s.choices.pick(s.abilities.rows(is_comparison)).name
    operands = f"{number_source(s, negative=True)}, {number_source(s, negative=True)}"
    return [f"{name} {destination(s)}, {operands}"]


def to_bits(s: Scope) -> Lines:
    """Move a float register to a general one."""
    target, letters = register(s).split(".")
    return _one_nan(target, letters, f"{s.choices.pick(FLOATS)}.{swizzle(s)}")


def nearly(s: Scope) -> Lines:
    """An instruction with a tolerance, on arguments for which both D3D and Vulkan define it.

    Relative tolerances are for .x and .z of the register, absolute ones for .y and .w.
    """
    row = s.choices.pick(s.abilities.rows(is_near))
    letter = s.choices.pick("xz") if row.name in _RELATIVE else s.choices.pick("yw")
    lines = _one_nan(TEMP, "xy", f"{s.choices.pick(FLOATS)}.{swizzle(s)}")
    lines += [f"max {TEMP}.xy, {TEMP}.xyxx, l(-16.0,-16.0,0,0)"]
    lines += [f"min {TEMP}.xy, {TEMP}.xyxx, l(16.0,16.0,0,0)"]
    outputs = [f"{NEARLY}.{letter}"]
    if row.destinations == 2:
        outputs = s.choices.pick((["null", *outputs], [*outputs, "null"]))
    operands = [f"{TEMP}.{'xy'[i] * 4}" for i in range(len(sources(row)))]
    return [*lines, f"{row.name} {', '.join([*outputs, *operands])}"]


def dumped(target: str) -> Lines:
    """Replace every NaN of a float register by one pattern before it is stored."""
    return _one_nan(target, "xyzw", f"{target}.xyzw")


# --- zeros that only folding finds ---------------------------------------------------------------


def zero_product(s: Scope) -> Lines:
    """A product or a sum with a zero."""
    other, zero = number_source(s, negative=True), f"{TEMP}.xyzw"
    forms = (
        *(("mul", f"{other}, {zero}"), ("mul", f"{zero}, {other}"), ("add", f"{other}, {zero}")),
        ("mad", f"{other}, {zero}, {number_source(s)}"),
        ("mad", f"{number_source(s)}, {other}, {zero}"),
        *(("dp3", f"{other}, {zero}"), ("dp4", f"{zero}, {other}")),
    )
    return [*_zero(s), *computed(s, *s.choices.pick(forms))]


def _zero(s: Scope) -> Lines:
    makers: tuple[Statement, ...] = (_converted, _flushed, _selected, _masked, _row, _empty)
    return s.choices.pick(makers)(s)


def _converted(s: Scope) -> Lines:
    halves = ("f16tof32",) if s.abilities.version >= (5, 0) else ()
    name = s.choices.pick(("utof", "itof", *halves))
    return [f"{name} {TEMP}.xyzw, {words(*_few(s, 0, 0, 0, 1))}"]


def _flushed(s: Scope) -> Lines:
    small = words(*_few(s, _DENORMAL, _DENORMAL | _MINUS_ZERO, 0, _ONE))
    return [f"mul {TEMP}.xyzw, {small}, {words(*[_ONE] * 4)}"]


def _selected(s: Scope) -> Lines:
    chosen = words(*_few(s, 0, 0, _MINUS_ZERO, _ONE))
    return [f"movc {TEMP}.xyzw, {words(*_few(s, 0, 1))}, {chosen}, {words(0, 0, 0, 0)}"]


def _masked(s: Scope) -> Lines:
    return [f"and {TEMP}.xyzw, {scalar(s)}, {words(*_few(s, 0, 0, _MINUS_ZERO))}"]


def _row(s: Scope) -> Lines:
    s.unit_rows = True
    return [f"mov {TEMP}.xyzw, icb[{s.choices.number(0, ROWS - 1)}].xyzw"]


def _empty(s: Scope) -> Lines:
    at = s.choices.pick((str(s.choices.number(0, 2)), f"{TEMP}.x + 0"))
    return [f"and {TEMP}.x, {scalar(s)}, l(3)", f"mov {TEMP}.xyzw, {EMPTY}[{at}].xyzw"]


def _few(s: Scope, *numbers: int) -> list[int]:
    return [s.choices.pick(numbers) for _ in range(4)]


def row_products(s: Scope) -> Lines:
    """A sum of products with all rows of the immediate constant buffer, in a short loop."""
    if s.loops >= MAX_LOOPS:
        return zero_product(s)
    s.unit_rows = True
    counter, factor, target = s.counter, s.choices.pick(FLOATS), f"{TEMP}.z"
    lines = [f"mov {target}, l(0)", f"mov {counter}, l(0)", "loop"]
    lines += [f"uge {TEMP}.x, {counter}, l({ROWS})", f"breakc_nz {TEMP}.x"]
    name = s.choices.pick(("dp4", "dp3"))
    lines += [f"{name} {TEMP}.y, {factor}.xyzw, icb[{counter} + 0].xyzw"]
    lines += [f"add {target}, {target}, {TEMP}.y", f"iadd {counter}, {counter}, l(1)", "endloop"]
    result = s.choices.pick(FLOATS)
    lines += [f"mov {result}.x, {target}"]
    return [*lines, *settled(s, result, "x", zeros=False)]
