"""Double rows: pairs of components, their masks and swizzles, and the results.

Source i is register r<i>: two doubles, or a dword for each of two elements in x and y. Element e
goes to the pair .xy or .zw of a double result, or to the e-th written component of a 32-bit one.
"""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from checks.lanes import DOUBLES, FLOAT_BITS, INTEGERS, Bits, bits_of, float_of, random_bits, signed
from translate.isa.instruction import Instruction, Scalar
from translate.isa.registers import COMPONENTS, Modifier

from ..listings import listing, literal, load, store
from ..unit.isa import test_evaluate_double as doubles
from .alu import MARK, SPELLINGS, modified, sources_of
from .case import Array
from .expected import Expected, exactly, flush, is_nan, one_of, pattern64, value_of

_SIGN = 1 << 63
_SMALLEST = 1 << 52  # the least normal number, which a smaller one may have been rounded to
_NORMAL = ("xyzw", "xyzw", "xyzw")
RECIPROCAL_ULPS = 1  # FS §22.17
_RANDOM = 150
FLAGS = ("enableDoublePrecisionFloatOps", "enable11_1DoubleExtensions")
# Both elements of a double literal
LITERALS = ((0, 0x3FF0000000000000), (_SIGN, 0x7FF0000000000000))


@dataclass(frozen=True)
class Variant:
    """One way to write a double instruction. `order` has the element of each result."""

    name: str
    mask: str
    swizzles: tuple[str, ...]
    order: tuple[tuple[int, int], ...]  # (first component written, element of the sources)
    modifier: Modifier = Modifier.NONE
    saturate: bool = False
    in_place: bool = False
    literal: tuple[int, tuple[int, int]] | None = None  # (source, its two doubles)


def is_wide(row: Instruction) -> bool:
    """Whether the result is a double."""
    return row.operands[0].scalar is Scalar.F64


def variants_of(row: Instruction) -> list[Variant]:
    """All variants: masks and swizzles of doubles are few (reference "Double precision")."""
    scalars = sources_of(row)
    if is_wide(row):
        both, order = "xyzw", ((0, 0), (2, 1))
        found = [
            Variant("low pair", "xy", _swizzles(scalars, "zwzw", "yyyy"), ((0, 1),)),
            Variant("high pair", "zw", _swizzles(scalars, "xyxy", "xxxx"), ((2, 0),)),
            Variant("crossed", both, _swizzles(scalars, "zwxy", "yxzw"), ((0, 1), (2, 0))),
        ]
    else:
        both, order = "xy", ((0, 0), (1, 1))
        found = [
            Variant("one", "y", _swizzles(scalars, "zwzw", "yyyy"), ((1, 1),)),
            Variant("far", "xw", _swizzles(scalars, "xyzw", "xyzw"), ((0, 0), (3, 1))),
            Variant("crossed", "yz", _swizzles(scalars, "zwxy", "yxzw"), ((1, 1), (2, 0))),
        ]
    plain = _swizzles(scalars, "xyzw", "xyzw")
    found += [Variant("plain", both, plain, order)]
    found += [Variant("in place", both, plain, order, in_place=True)]
    found += [Variant(m.name, both, plain, order, m) for m in _modifiers(scalars)]
    if row.saturable:
        found.append(Variant("saturated", both, plain, order, saturate=True))
    for position, scalar in enumerate(scalars):
        if scalar is Scalar.F64 and len(scalars) > 1:
            for pair in LITERALS:
                name = f"source {position} is {pair}"
                found.append(Variant(name, both, plain, order, literal=(position, pair)))
    return found


def _swizzles(scalars: Sequence[Scalar], wide: str, narrow: str) -> tuple[str, ...]:
    return tuple(wide if scalar is Scalar.F64 else narrow for scalar in scalars)


def _modifiers(scalars: Sequence[Scalar]) -> Iterable[Modifier]:
    if Scalar.F64 in scalars or Scalar.F32 in scalars:
        return (Modifier.NEG, Modifier.ABS, Modifier.NEG_ABS)
    return (Modifier.NEG,)


# --- the listing --------------------------------------------------------------------------------


def double_listing(row: Instruction, variants: Sequence[Variant]) -> str:
    """Loads the sources, runs all variants, stores each result register."""
    scalars = sources_of(row)
    count = len(scalars)
    body = [load(f"r{i}", f"t{i}") for i in range(count)]
    for position, variant in enumerate(variants):
        body += _instructions(row, variant, scalars)
        body.append(store(f"r{count}", 16 * position))
    declared = [f"dcl_resource_structured t{i}, 16" for i in range(count)]
    declared.append(f"dcl_uav_structured u0, {16 * len(variants)}")
    return listing(body, declared, temps=count + 1, flags=FLAGS)


def _instructions(row: Instruction, variant: Variant, scalars: Sequence[Scalar]) -> Iterable[str]:
    count = len(scalars)
    target = f"r{count}"
    yield f"mov {target}.xyzw, {literal([MARK] * 4)}"
    registers = [f"r{i}" for i in range(count)]
    if variant.in_place:
        yield f"mov {target}.xyzw, r{count - 1}.xyzw"
        registers[-1] = target
    operands = [
        _operand(variant, i, register, scalar)
        for i, (register, scalar) in enumerate(zip(registers, scalars, strict=True))
    ]
    suffix = "_sat" * variant.saturate
    yield f"{row.name}{suffix} {target}.{variant.mask}, {', '.join(operands)}"


def _operand(variant: Variant, source: int, register: str, scalar: Scalar) -> str:
    if variant.literal is not None and variant.literal[0] == source:
        return _double_literal(variant.literal[1])
    operand = f"{register}.{variant.swizzles[source]}"
    return SPELLINGS[_applied(variant.modifier, scalar)].format(operand)


def _double_literal(pair: tuple[int, int]) -> str:
    dwords = [part for bits in pair for part in (bits & 0xFFFFFFFF, bits >> 32)]
    return "d({})".format(", ".join(f"0x{dword:08x}" for dword in dwords))


def _applied(modifier: Modifier, scalar: Scalar) -> Modifier:
    """Integers can only be negated; `abs` does not change a condition."""
    if scalar in (Scalar.F64, Scalar.F32) or modifier is Modifier.NONE:
        return modifier
    return Modifier.NEG


# --- inputs -------------------------------------------------------------------------------------


def elements(row: Instruction) -> list[tuple[Bits, ...]]:
    """The operands of each element: 64 bits for a double, else 32."""
    scalars = sources_of(row)
    edges = [_edges(scalar, len(scalars)) for scalar in scalars]
    randoms = [_random(scalar, seed) for seed, scalar in enumerate(scalars)]
    hard = _hard_to_round() if scalars == [Scalar.F64] * 3 else []
    return [*itertools.product(*edges), *zip(*randoms, strict=True), *hard]


def _hard_to_round() -> list[tuple[Bits, ...]]:
    """Products that the addend almost cancels, and sums that are denormals or nearly too large."""
    rng = np.random.default_rng(17)
    rows: list[tuple[Bits, ...]] = []
    # The product is less than half a unit of the addend by 2^-54, which a double cannot represent.
    for scale, sign, even in itertools.product((1.0, 2.0**-500, 2.0**900), (1.0, -1.0), (2, 4)):
        numbers = ((1 + 2.0**-27) * sign, (1 - 2.0**-27) * scale, (2.0**53 + even) * scale * sign)
        rows.append(tuple(map(pattern64, numbers)))
    totals = (1, 3, 20, 60, 1023, 2040, 2046)  # biased exponents of products
    for few_digits, total, _ in itertools.product((False, True), totals, range(60)):
        first = int(rng.integers(max(0, total - 1020), min(2046, total + 1020) + 1))
        a = _double(rng, first, few_digits)
        b = _double(rng, total + 1023 - first, few_digits)
        c = _double(rng, total + int(rng.integers(-110, 110)), few_digits)
        if rng.integers(2):
            c = pattern64(value_of(a, True) * value_of(b, True)) ^ _SIGN
            c += int(rng.integers(0, 3))
        rows.append((a, b, c))
    return rows


def _double(rng: np.random.Generator, exponent: int, few_digits: bool) -> Bits:
    """Few digits make ties."""
    fraction = int(rng.integers(2**52))
    if few_digits:
        fraction = (fraction >> 46 << 46) | int(rng.integers(4))
    return int(rng.integers(2)) << 63 | max(0, min(2046, exponent)) << 52 | fraction


def _edges(scalar: Scalar, arity: int) -> Sequence[Bits]:
    if scalar is Scalar.F64:
        values = DOUBLES if arity < 3 else DOUBLES[::2]
        return [pattern64(value) for value in values]
    if scalar is Scalar.F32:
        return FLOAT_BITS
    return INTEGERS if arity == 1 else (0, 1, 0x80000000)


def _random(scalar: Scalar, seed: int) -> Sequence[Bits]:
    """Half of the doubles are random patterns, half are of moderate size."""
    if scalar is not Scalar.F64:
        return random_bits(2 * _RANDOM, seed)
    rng = np.random.default_rng(seed)
    patterns = rng.integers(0, 2**64, _RANDOM, np.uint64).tolist()
    scale = 10.0 ** rng.uniform(-9, 12, _RANDOM)
    return [*patterns, *(rng.normal(size=_RANDOM) * scale).view(np.uint64).tolist()]


def double_arguments(
    row: Instruction, rows: Sequence[tuple[Bits, ...]], width: int
) -> dict[str, Array]:
    """t<i> for the sources, two elements a thread, and an empty u0."""
    arguments: dict[str, Array] = {}
    for i, scalar in enumerate(sources_of(row)):
        column = [values[i] for values in rows]
        column += column[: len(column) % 2]
        if scalar is Scalar.F64:
            lanes = np.array(column, np.uint64).view(np.uint32).reshape(-1, 4)
        else:
            lanes = np.full((len(column) // 2, 4), MARK, np.uint32)
            lanes[:, :2] = np.array(column, np.uint32).reshape(-1, 2)
        arguments[f"t{i}"] = lanes
    arguments["u0"] = np.zeros((len(arguments["t0"]), 4 * width), np.uint32)
    return arguments


# --- results ------------------------------------------------------------------------------------


def faults(
    row: Instruction,
    variants: Sequence[Variant],
    rows: Sequence[tuple[Bits, ...]],
    found: Array,
    *,
    flushing: bool = False,
) -> list[str]:
    """A message for every wrong element, and for every component written by mistake.

    A device may be `flushing` denormal doubles to zeros, as operands and as results.
    """
    rows = [*rows, *rows[: len(rows) % 2]]
    wrong: list[str] = []
    for position, variant in enumerate(variants):
        vectors = found[:, 4 * position : 4 * position + 4].tolist()
        for thread, vector in enumerate(vectors):
            if not variant.in_place:
                wrong += _strays(row, variant, vector)
            for component, element in variant.order:
                operands = _operands(row, variant, rows[2 * thread + element], element)
                wanted = _wanted(row, variant, operands, flushing)
                result = vector[component]
                if is_wide(row):
                    result |= vector[component + 1] << 32
                if not wanted.admits(result):
                    listed = ", ".join(map(hex, operands))
                    text = f"{row.name} ({variant.name}) {listed} -> {result:#x}"
                    wrong.append(f"{text}, expected {wanted}")
    return wrong


def _strays(row: Instruction, variant: Variant, vector: Sequence[Bits]) -> list[str]:
    kept = [c for c in range(4) if COMPONENTS[c] not in variant.mask]
    return [f"{row.name} ({variant.name}) wrote {c}" for c in kept if vector[c] != MARK]


def _operands(
    row: Instruction, variant: Variant, given: tuple[Bits, ...], element: int
) -> list[Bits]:
    operands: list[Bits] = []
    for i, (bits, scalar) in enumerate(zip(given, sources_of(row), strict=True)):
        if variant.literal is not None and variant.literal[0] == i:
            operands.append(variant.literal[1][element])
            continue
        modifier = _applied(variant.modifier, scalar)
        if scalar is Scalar.F64:
            bits = bits & ~_SIGN if modifier & Modifier.ABS else bits
            bits = bits ^ _SIGN if modifier & Modifier.NEG else bits
        else:
            bits = modified(scalar, modifier, bits)
        operands.append(bits)
    return operands


def _wanted(
    row: Instruction, variant: Variant, operands: Sequence[Bits], flushing: bool
) -> Expected:
    result = _flushed_result(row, operands) if flushing else _result(row, operands)
    if row.name in ("dmov", "dmovc") and (variant.saturate or variant.modifier):
        result = _doubles(result.exact)
    return result.saturated() if variant.saturate else result


def _flushed_result(row: Instruction, operands: Sequence[Bits]) -> Expected:
    """A result of `_result`, or of flushed operands, or a zero in place of a small one."""
    is_double = [scalar is Scalar.F64 for scalar in sources_of(row)]
    flushed = [_flush(bits) if d else bits for bits, d in zip(operands, is_double, strict=True)]
    results = [_result(row, operands), _result(row, flushed)]
    bits = {bits for result in results for bits in result.exact}
    if is_wide(row) and row.name not in ("dmov", "dmovc"):
        bits |= {bits & _SIGN for bits in bits if bits & ~_SIGN <= _SMALLEST}
    if row.name in ("dmin", "dmax") and not any(bits & ~_SIGN for bits in flushed):
        bits |= {*operands}  # of two zeros either
    return replace(results[0], exact=frozenset(bits), nan=any(result.nan for result in results))


def _flush(bits: Bits) -> Bits:
    return bits & _SIGN if bits & ~_SIGN < _SMALLEST else bits


def _result(row: Instruction, operands: Sequence[Bits]) -> Expected:
    """The row's allowed results for one element."""
    scalars = sources_of(row)
    values = [_value(scalar, bits) for scalar, bits in zip(scalars, operands, strict=True)]
    if row.name == "dmov":
        return Expected(frozenset(operands), wide=True)
    if row.name == "dmovc":
        return Expected(frozenset([operands[1] if operands[0] else operands[2]]), wide=True)
    if row.name == "ftod":  # the float may be flushed first
        return _doubles(pattern64(float_of(bits)) for bits in (operands[0], flush(operands[0])))
    exact = doubles.EXPECTED[row.name](*values)
    if isinstance(exact, int):
        return exactly(exact & 0xFFFFFFFF)
    if not is_wide(row):
        return one_of((bits_of(exact), flush(bits_of(exact))))
    if row.name == "drcp":
        return _beside(exact, RECIPROCAL_ULPS)
    zeros = {0, _SIGN} if row.name in ("dmin", "dmax") and exact == 0 else set[Bits]()
    return _doubles({pattern64(exact), *zeros})


def _doubles(patterns: Iterable[Bits]) -> Expected:
    given = frozenset(patterns)
    numbers = frozenset(bits for bits in given if not is_nan(bits, wide=True))
    return Expected(numbers, nan=len(numbers) < len(given), wide=True)


def _beside(value: float, count: int) -> Expected:
    """A double and its neighbours; a representable value has to be exact."""
    exact = _doubles([pattern64(value)])
    if not np.isfinite(value) or value == 0 or 1 / value == round(1 / value, 3):
        return exact
    (bits,) = exact.exact
    return _doubles(range(bits - count, bits + count + 1))


def _value(scalar: Scalar, bits: Bits) -> Any:
    if scalar is Scalar.F64:
        return value_of(bits, wide=True)
    if scalar is Scalar.F32:
        return float_of(bits)
    return signed(bits) if scalar is Scalar.I32 else bits
