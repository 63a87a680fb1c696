"""Values of operands in a trace, and the cells of memory that an instruction accesses."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping

from translate.dataclass import dataclass
from translate.isa.instruction import Kind, Lanes, Role, Scalar, Spec
from translate.isa.registers import COMPONENTS, Operand, RegisterFile
from translate.program import Statement
from translate.reference.access import Accesses, Named
from translate.reference.alu import written
from translate.reference.numbers import double_bits
from translate.reference.registers import Registers
from translate.reference.texels import TexelSpace
from translate.reference.words import peek

OUTSIDE = " (outside)"
_TYPES = {"float": "float", "uint": "uint", "sint": "int"}
TYPES: Mapping[Scalar, str] = {
    Scalar.F32: "float",
    Scalar.U32: "uint",
    Scalar.I32: "int",
    Scalar.F64: "double",
    Scalar.BITS: "bits",
}


@dataclass(frozen=True, slots=True)
class Cell:
    """A dword, a component of a texel, or a hidden counter.

    `element` is its name: `t0[12] byte 8`, `u1 byte 16`, `t2.mips[1][3, 5].x`, `u0.counter`, with `
    (outside)` if it is out of bounds. `letter` is its component in the access. `type` is None for
    untyped memory. `read` returns the current bits.
    """

    register: str
    element: str
    letter: str
    type: str | None
    read: Callable[[], int]


def cells(statement: Statement, lane: Lanes, accesses: Accesses) -> list[Cell]:
    """The cells that one lane (`lane` is an array of one) accesses.

    Empty unless the instruction is a load, store, atomic or counter.
    """
    found: list[Cell] = []

    def look(statement: Statement, named: Named, lane: Lanes) -> None:
        if statement.row.kind is Kind.COUNTER:
            found.append(_counter(named, accesses))
        elif accesses.is_typed(named):
            found.extend(_texel(statement, named, lane, accesses))
        else:
            found.extend(_dwords(statement, named, lane, accesses))

    if statement.row.kind in (Kind.LOAD, Kind.STORE, Kind.ATOMIC, Kind.COUNTER):
        accesses.for_each(statement, lane, look)
    return found


def address_slots(statement: Statement, lane: Lanes, accesses: Accesses) -> tuple[int, ...]:
    """The components of the address operand that the accessed resource uses."""
    found: list[tuple[int, ...]] = []

    def look(statement: Statement, named: Named, lane: Lanes) -> None:
        if not accesses.is_typed(named):
            found.append(tuple(range(2 if accesses.word_space(named).stride else 1)))
            return
        space = accesses.texel_space(named)
        if statement.row.kind is Kind.TEXTURE:
            found.append(tuple(range(space.shape.sampling_coordinates)))
        else:
            found.append((*range(space.coordinates), *((3,) if space.has_mips else ())))

    accesses.for_each(statement, lane, look)
    return found[0]


def _components(statement: Statement, named: Named) -> list[int]:
    """The components that are loaded or stored, in order."""
    if statement.row.kind is Kind.LOAD:
        return [named.operand.component(c) for c in written(statement.operands[0])]
    return [0] if statement.row.kind is Kind.ATOMIC else [*named.operand.written()]


def _counter(named: Named, accesses: Accesses) -> Cell:
    element = f"{named.register}.counter"
    if accesses.counter_of(named) is None:
        return Cell(named.register, element + OUTSIDE, "x", "uint", lambda: 0)
    return Cell(named.register, element, "x", "uint", lambda: accesses.counter_of(named) or 0)


def _dwords(statement: Statement, named: Named, lane: Lanes, accesses: Accesses) -> Iterator[Cell]:
    space = accesses.word_space(named)
    address = accesses.word_address(statement, space, lane)
    index = f"[{int(address[0][0])}]" if space.stride else ""
    for component in _components(statement, named):
        place = (int(address[-1][0]) & ~3) + 4 * component
        at = peek(space, address, component, lane)
        element = f"{space.register}{index} byte {place}"

        def read(at: int | None = at) -> int:
            return 0 if at is None else int(space.words[at])

        suffix = OUTSIDE if at is None else ""
        yield Cell(space.register, element + suffix, COMPONENTS[component], None, read)


def _texel(statement: Statement, named: Named, lane: Lanes, accesses: Accesses) -> Iterator[Cell]:
    space = accesses.texel_space(named)
    address = accesses.texel_address(statement, space, lane)
    element = _texel_name(space, [int(axis[0]) for axis in address])
    suffix = "" if space.contains(address)[0] else OUTSIDE
    assert named.slots is not None
    for component in _components(statement, named):
        letter = COMPONENTS[component]

        def read(component: int = component) -> int:
            return int(space.load(address, lane, accesses.reporter)[component][0])

        type_ = _TYPES[named.slots.component]
        yield Cell(space.register, f"{element}.{letter}{suffix}", letter, type_, read)


def _texel_name(space: TexelSpace, address: list[int]) -> str:
    """A texel's name as in HLSL: `t0[7]`, `t0[3, 5]`, `t0.mips[1][3, 5]`, `t0.sample[2][3, 5]`."""
    texel = str(address[: space.coordinates])
    if space.shape.multisampled:
        return f"{space.register}.sample[{address[-1]}]{texel}"
    if space.has_mips and address[-1]:
        return f"{space.register}.mips[{address[-1]}]{texel}"
    return f"{space.register}{texel}"


@dataclass(frozen=True, slots=True)
class Value:
    """The value of an operand; `bits` has a u32 for each letter of `components`.

    The letters are the register's components in the order of use; a source's bits include its
    modifiers. `type` is the operand's type in the instruction: float, uint, int, double (of two
    dwords), or bits if it is untyped. `elements` has a name for each of `values`: `r0.x`,
    `cb0[4].y`, `x0[2].z`, `t0[12] byte 8`, `u1[3, 5].w`, `u0.counter`, with ` (outside)` if it is
    out of bounds.
    """

    name: str
    register: str
    components: str
    bits: tuple[int, ...]
    type: str
    elements: tuple[str, ...]

    def __repr__(self) -> str:
        return f"<Value {self.name}: {self}>"

    def __str__(self) -> str:
        """Each element with its value: `cb0[0].x 0.5, cb0[0].y 2.0`."""
        pairs = zip(self.elements, self.values, strict=True)
        return ", ".join(f"{element} {value}" for element, value in pairs)

    @property
    def values(self) -> tuple[int, ...] | tuple[float, ...]:
        """The value as numbers of its `type`; untyped bits as unsigned integers."""
        by_type = {"float": self.floats, "int": self.ints, "double": self.doubles}
        return by_type.get(self.type, self.bits)

    @property
    def ints(self) -> tuple[int, ...]:
        """The bits as signed 32-bit integers."""
        return tuple(b - (1 << 32) if b >> 31 else b for b in self.bits)

    @property
    def floats(self) -> tuple[float, ...]:
        """The bits as 32-bit floats."""
        return struct.unpack(f"<{len(self.bits)}f", struct.pack(f"<{len(self.bits)}I", *self.bits))

    @property
    def doubles(self) -> tuple[float, ...]:
        """The bits as doubles, of two dwords each."""
        pairs = len(self.bits) // 2
        packed = struct.pack(f"<{2 * pairs}I", *self.bits[: 2 * pairs])
        return struct.unpack(f"<{pairs}d", packed)


def _places(statement: Statement) -> tuple[int, ...]:
    """The components that an instruction writes, to registers or memory."""
    masks = [
        operand.written() if operand.components == 4 else (0,)
        for operand, spec in zip(statement.operands, statement.specs, strict=True)
        if spec.role in (Role.DESTINATION, Role.TARGET) and operand.file is not RegisterFile.NULL
    ]
    return tuple(sorted({component for mask in masks for component in mask}))


def slots_of(statement: Statement, accesses: Accesses, lane: Lanes, spec: Spec) -> tuple[int, ...]:
    """The components of an operand that are read; doubles are read as whole pairs."""
    places = _places(statement)
    if spec.scalar is Scalar.F64:
        return tuple(2 * pair + half for pair in _pairs(statement, places) for half in (0, 1))
    if spec.slots is not None:
        return tuple(range(spec.slots))
    return address_slots(statement, lane, accesses) if spec.role is Role.ADDRESS else places


def read_source(
    operand: Operand, spec: Spec, slots: tuple[int, ...], registers: Registers, lane: Lanes
) -> Value:
    """The value of a source operand in one lane."""
    if spec.scalar is Scalar.F64:
        doubles = [registers.read_double(operand, slot // 2, lane) for slot in slots[::2]]
        bits = [half for double in doubles for half in double_bits(double)]
    else:
        bits = [registers.read_bits(operand, slot, spec.scalar, lane) for slot in slots]
    element = element_of(registers, operand, lane)
    return _value(spec.name, operand, slots, element, bits, TYPES[spec.scalar])


def _pairs(statement: Statement, places: tuple[int, ...]) -> tuple[int, ...]:
    """The numbers of the doubles that an instruction uses.

    These are the doubles that it writes, or one for each component that it writes (at most two).
    """
    if any(s.role is Role.DESTINATION and s.scalar is Scalar.F64 for s in statement.specs):
        return tuple(sorted({place // 2 for place in places}))
    return tuple(range(min(len(places), 2)))


def read_destination(
    operand: Operand, spec: Spec, element: str, registers: Registers, lane: Lanes, type_: str
) -> Value:
    """The current value of a destination operand in one lane."""
    slots = written(operand)
    bits = [registers.read_bits(operand, slot, Scalar.BITS, lane) for slot in slots]
    return _value(spec.name, operand, slots, element, bits, type_)


def _value(
    name: str,
    operand: Operand,
    slots: tuple[int, ...],
    element: str,
    bits: list[Lanes],
    type_: str,
) -> Value:
    letters = "".join(COMPONENTS[operand.component(slot)] for slot in slots)
    size = 2 if type_ == "double" else 1
    base, outside, _ = element.partition(OUTSIDE)
    parts = [letters[at : at + size] for at in range(0, len(letters), size)]
    return Value(
        name=name,
        register=f"{operand.file.prefix}{operand.number if operand.file.index_count else ''}",
        components=letters,
        bits=tuple(int(one[0]) for one in bits),
        type=type_,
        elements=tuple(f"{base}.{part}{outside}" for part in parts),
    )


def element_of(registers: Registers, operand: Operand, lane: Lanes) -> str:
    """The name of the register or array element that a lane accesses."""
    name, is_there = registers.element(operand, lane)
    return name if is_there else name + OUTSIDE
