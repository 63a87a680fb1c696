"""The listing of an ALU row: every variant of it in one shader, one store each.

Source i is register r<i>. Its four components hold different values, so that swizzles matter.
Every variant writes to its own registers, which are filled with MARK before.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from checks.lanes import Bits
from translate.isa.instruction import Instruction, Kind, Role, Scalar
from translate.isa.registers import COMPONENTS, Modifier

from ..listings import listing, literal, load, store
from .case import Array
from .expected import Expected, exactly, flush, one_of
from .values import Oracle

MARK = 0x5EA11DEA
THREADS = 64
SPELLINGS = {
    Modifier.NONE: "{}",
    Modifier.NEG: "-{}",
    Modifier.ABS: "|{}|",
    Modifier.NEG_ABS: "-|{}|",
}
FLOAT_LITERALS = (
    (0x00000000, 0x80000000, 0x3F800000, 0xBF800000),
    (0x7F800000, 0x7FC00000, 0x40000000, 0x00000001),
)
INTEGER_LITERALS = ((0, 1, 0xFFFFFFFF, 31), (0x80000000, 32, 2, 0x7FFFFFFF))
_IDENTITY = "xyzw"
_TURNED = ("wzyx", "yzwx", "zxwy", "xxzz")
_SELECTED = ("w", "x", "y", "z")


@dataclass(frozen=True)
class Variant:
    """One way to write an instruction; swizzles and modifiers go with the sources."""

    name: str
    mask: str
    swizzles: tuple[str, ...]
    modifiers: tuple[Modifier, ...]
    saturate: bool = False
    null: int | None = None  # which destination is `null`
    in_place: bool = False  # the destinations are the first sources
    literals: tuple[tuple[Bits, ...] | None, ...] = ()  # immediates, None for a register
    moved: bool = False  # immediates are moved to registers first

    def picks(self, source: int, component: int) -> int:
        """The lane of a source for a component of the result."""
        swizzle = self.swizzles[source]
        return COMPONENTS.index(swizzle[component if len(swizzle) == 4 else 0])


def sources_of(row: Instruction) -> list[Scalar]:
    return [spec.scalar for spec in row.operands if spec.role is Role.SOURCE]


def variants_of(row: Instruction) -> list[Variant]:
    """All variants of a row."""
    count = len(sources_of(row))
    plain, none = (_IDENTITY,) * count, (Modifier.NONE,) * count
    found = [
        Variant("plain", "xyzw", plain, none),
        Variant("turned", "yw", _TURNED[:count], none),
        Variant("in place", "xyz", _TURNED[:count], none, in_place=True),
    ]
    if row.kind is not Kind.DOT:
        found.append(Variant("selected", "z", _SELECTED[:count], none))
    for modifiers in modifiers_of(row):
        name = " ".join(m.name.lower() for m in modifiers)
        found.append(Variant(name, "xyzw", plain, modifiers))
    if row.saturable:
        found.append(Variant("saturated", "xyzw", plain, none, saturate=True))
    if count > 1:
        found += [*with_literals(sources_of(row))]
    if row.destinations == 2:
        found += [Variant(f"null {i}", "xyzw", plain, none, null=i) for i in (0, 1)]
    return found


def with_literals(scalars: Sequence[Scalar], moved: bool = False) -> Iterable[Variant]:
    """An immediate as one of the sources; drivers simplify zeros and ones."""
    count = len(scalars)
    for position, scalar in enumerate(scalars):
        edges = FLOAT_LITERALS if scalar in (Scalar.F32, Scalar.BITS) else INTEGER_LITERALS
        for values in edges:
            literals = tuple(values if i == position else None for i in range(count))
            name = f"source {position} is {literal(values)}"
            plain, none = (_IDENTITY,) * count, (Modifier.NONE,) * count
            yield Variant(name, "xyzw", plain, none, literals=literals, moved=moved)


def modifiers_of(row: Instruction) -> list[tuple[Modifier, ...]]:
    """Every modifier on every source, then on the first and the last alone.

    No document defines modifiers on the bits of a half, and fxc prints none there.
    """
    scalars = sources_of(row)
    if row.name == "f16tof32":
        return []
    every = [Modifier.NEG]
    if Scalar.F32 in scalars or Scalar.BITS in scalars:
        every += [Modifier.ABS, Modifier.NEG_ABS]
    rows = [tuple(_allowed(scalar, m) for scalar in scalars) for m in every]
    none = (Modifier.NONE,) * (len(scalars) - 1)
    if none:
        rows += [(Modifier.NEG, *none), (*none, Modifier.NEG)]
    return rows


def _allowed(scalar: Scalar, modifier: Modifier) -> Modifier:
    """Integers can only be negated."""
    integer = scalar in (Scalar.U32, Scalar.I32)
    return Modifier.NEG if integer and modifier is not Modifier.NONE else modifier


def modified(scalar: Scalar, modifier: Modifier, bits: Bits) -> Bits:
    """Integers: two's complement. Others: the sign bit, cleared first, then inverted."""
    if scalar in (Scalar.U32, Scalar.I32):
        return -bits & 0xFFFFFFFF if modifier is Modifier.NEG else bits
    bits = bits & 0x7FFFFFFF if modifier & Modifier.ABS else bits
    return bits ^ 0x80000000 if modifier & Modifier.NEG else bits


# --- the listing --------------------------------------------------------------------------------


def alu_listing(row: Instruction, variants: Sequence[Variant], flags: Sequence[str]) -> str:
    """Loads the sources, runs all variants, stores every destination of each."""
    count, outputs = len(sources_of(row)), row.destinations
    body = [load(f"r{i}", f"t{i}") for i in range(count)]
    for position, variant in enumerate(variants):
        body += _instructions(row, variant, count)
        for output in range(outputs):
            offset = 16 * (position * outputs + output)
            body.append(store(f"r{count + output}", offset))
    stride = 16 * len(variants) * outputs
    declared = [f"dcl_resource_structured t{i}, 16" for i in range(count)]
    declared.append(f"dcl_uav_structured u0, {stride}")
    if row.name == "msad":
        flags = [*flags, "enable11_1ShaderExtensions"]
    return listing(body, declared, temps=count + outputs + count, flags=flags)


def _instructions(row: Instruction, variant: Variant, count: int) -> Iterable[str]:
    outputs = [f"r{count + i}" for i in range(row.destinations)]
    sources = [f"r{i}" for i in range(count)]
    yield from (f"mov {r}.xyzw, {literal([MARK] * 4)}" for r in outputs)
    if variant.in_place:
        # The sources are in the destination registers: all are read before any is written.
        places = [*outputs, *(f"r{count + len(outputs) + i}" for i in range(count))][:count]
        yield from (f"mov {p}.xyzw, {s}.xyzw" for p, s in zip(places, sources, strict=True))
        sources = places
    named = ["null" if i == variant.null else f"{r}.{variant.mask}" for i, r in enumerate(outputs)]
    operands = [_operand(variant, i, register) for i, register in enumerate(sources)]
    if variant.moved:
        for i, values in enumerate(variant.literals):
            if values is not None:
                spare = f"r{count + len(outputs) + i}"
                yield f"mov {spare}.xyzw, {operands[i]}"
                operands[i] = f"{spare}.xyzw"
    yield f"{row.name}{'_sat' * variant.saturate} {', '.join([*named, *operands])}"


def _operand(variant: Variant, source: int, register: str) -> str:
    values = variant.literals[source] if variant.literals else None
    if values is not None:
        return literal(values)
    spelling = SPELLINGS[variant.modifiers[source]]
    return spelling.format(f"{register}.{variant.swizzles[source]}")


# --- results ------------------------------------------------------------------------------------


def alu_arguments(columns: Sequence[Sequence[Bits]], width: int) -> dict[str, Array]:
    """t<i> for the sources and an empty u0; `width` is the number of vectors stored."""
    arguments = {f"t{i}": lanes(column) for i, column in enumerate(columns)}
    threads = len(arguments["t0"])
    arguments["u0"] = np.zeros((threads, 4 * width), np.uint32)
    return arguments


def lanes(column: Sequence[Bits]) -> Array:
    """u32[threads, 4], repeating the first values at the end."""
    values = np.array(column, np.uint32)
    return np.resize(values, (-(-len(values) // 4), 4))


def faults(
    row: Instruction,
    oracle: Oracle,
    variants: Sequence[Variant],
    arguments: dict[str, Array],
    found: Array,
) -> list[str]:
    """A message for every lane with a wrong value."""
    count = row.destinations
    sources = [arguments[f"t{i}"].tolist() for i in range(len(sources_of(row)))]
    wrong: list[str] = []
    for position, variant in enumerate(variants):
        for thread, dwords in enumerate(found.tolist()):
            given = [lane[thread] for lane in sources]
            for component, letter in enumerate(COMPONENTS):
                operands = _operands(row, variant, given, component)
                if letter in variant.mask:
                    wanted = _wanted(row, variant, oracle(*operands))
                else:
                    wanted = _marks(row, variant, given, component)
                for output in range(count):
                    dword = dwords[4 * (position * count + output) + component]
                    if not wanted[output].admits(dword):
                        listed = ", ".join(map(hex, operands))
                        wrong.append(
                            f"{row.name} ({variant.name}) {listed} -> destination {output}:"
                            f" {dword:#x}, expected {wanted[output]}"
                        )
    return wrong


def _operands(
    row: Instruction, variant: Variant, given: list[list[Bits]], component: int
) -> list[Bits]:
    """The row's operands for a component; a dot product gets whole vectors."""
    literals = variant.literals or [None] * len(given)
    lanes = [values or lane for lane, values in zip(given, literals, strict=True)]
    terms = range(row.operands[1].slots or 0) if row.kind is Kind.DOT else (component,)
    return [
        modified(scalar, variant.modifiers[i], lanes[i][variant.picks(i, slot)])
        for i, scalar in enumerate(sources_of(row))
        for slot in terms
    ]


def _wanted(row: Instruction, variant: Variant, allowed: Iterable[Expected]) -> list[Expected]:
    results = [*allowed]
    if row.kind is Kind.MOVE and (variant.saturate or any(variant.modifiers)):
        # A move with a modifier is arithmetic: its data may be flushed.
        results = [one_of({*r.exact, *map(flush, r.exact)}) for r in results]
    if variant.saturate:
        results = [result.saturated() for result in results]
    if variant.null is not None:
        results[variant.null] = exactly(MARK)
    return results


def _marks(
    row: Instruction, variant: Variant, given: list[list[Bits]], component: int
) -> list[Expected]:
    """The initial contents of components that are not written."""
    marks = [exactly(MARK)] * row.destinations
    if variant.in_place:
        for output in range(min(row.destinations, len(given))):
            marks[output] = exactly(given[output][component])
    return marks
