"""Every load, store and atomic of a raw or structured memory: its spelling, and its effect.

They come from the instruction table. A listing of one access runs it in a thread for each cell:
r1 has the address, r2 the value, r3 what the instruction returns; r3 is stored to u1.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from translate.isa import ROWS
from translate.isa.instruction import Instruction, Kind, Role
from translate.isa.registers import COMPONENTS

from ..listings import listing, load
from ..rows.atomic_cases import ATOMICS, afterwards, instruction, takes_comparison
from ..rows.case import Array
from ..rows.memory_cases import Shape, loading, named, storing
from ..rows.memory_model import Memory
from .cells import Cell

MASKS = ("x", "xy", "xyz", "xyzw")
SWIZZLES = ("xyzw", "wyyx")
MARK = 0xCCCCCCCC  # in r3 before the access
# After a load with a status in r4.x: memory that is not mapped would give 0
MAPPED = ("check_access_fully_mapped r4.x, r4.x", "and r3.xyzw, r3.xyzw, r4.xxxx")
_EACH_ATOMIC: Shape = (12, 5)
_EVERY_SHAPE = pytest.mark.slow(reason="every atomic on memory of every shape")


@dataclass(frozen=True)
class Access:
    """One instruction; `letters` are a load's swizzle or a store's mask."""

    row: Instruction
    letters: str = ""

    @property
    def name(self) -> str:
        return f"{self.row.name}{'.' * bool(self.letters)}{self.letters}"

    @property
    def dwords(self) -> int:
        return len(self.letters) or 1

    def lines(self, register: str, shape: Shape) -> Sequence[str]:
        """The instruction on a raw or structured memory."""
        if self.row.feedback:
            return loading("r3.xyzw", "r1", register, self.letters, shape, "r4.x"), *MAPPED
        if self.row.kind is Kind.LOAD:
            return [loading("r3.xyzw", "r1", register, self.letters, shape)]
        if self.row.kind is Kind.STORE:
            return [storing(register, self.letters, "r1", "r2.xyzw", shape)]
        return [instruction(self.row, register, "r1.x" if shape is None else "r1.xyxx")]

    def perform(self, memory: Memory, address: Sequence[int], value: Sequence[int]) -> list[int]:
        """Perform it on the model; returns what r3 holds afterwards."""
        if self.row.kind is Kind.LOAD:
            return [memory.load(address, COMPONENTS.index(letter)) for letter in self.letters]
        if self.row.kind is Kind.STORE:
            memory.store(address, value[: len(self.letters)])
            return [MARK] * 4
        operands = [value[1], value[0]] if takes_comparison(self.row) else [value[0]]
        old = memory.update(address, lambda old: afterwards(self.row)(old, *operands))
        return [old, MARK, MARK, MARK] if self.row.destinations else [MARK] * 4


def _addresses(row: Instruction) -> int:
    """The number of address operands of fixed width."""
    return sum(spec.role is Role.ADDRESS and spec.slots is not None for spec in row.operands)


def _untyped(kind: Kind, shape: Shape) -> list[Instruction]:
    count = 1 if shape is None else 2
    return [row for row in ROWS if row.kind is kind and _addresses(row) == count]


def accesses(register: str, shape: Shape) -> list[Access]:
    """Every access to t#, u# or g# of that shape; only t# has forms with a status.

    FS §22.4.10: the forms with a status are for tiled resources, which g# is not.
    """
    tiled = register.startswith("t")
    loads = [row for row in _untyped(Kind.LOAD, shape) if tiled or not row.feedback]
    found = [Access(row, swizzle) for row in loads for swizzle in SWIZZLES]
    if tiled:
        return found
    found += [Access(row, mask) for row in _untyped(Kind.STORE, shape) for mask in MASKS]
    return found + [Access(row) for row in ATOMICS]


def tabled(register: str, shape: Shape) -> list[Any]:
    """Parameters of a test: the register, the shape, and each of its accesses.

    All atomics have the same guard: each runs on one shape, and on the others as a slow test.
    """
    return [
        pytest.param(
            register,
            shape,
            access,
            id=f"{access.name} on {named(shape, register)}",
            marks=[] if shape == _EACH_ATOMIC or _represents(access) else _EVERY_SHAPE,
        )
        for access in accesses(register, shape)
    ]


def _represents(access: Access) -> bool:
    return access.row.kind is not Kind.ATOMIC or access.name.endswith("iadd")


def table_of(cells: Sequence[Cell], memory: Memory) -> tuple[Array, Array]:
    """t1: the addresses; t2: values, of which .y is what the memory holds, for comparisons."""
    addresses = np.zeros((len(cells), 4), np.uint32)
    values = np.random.default_rng(len(cells)).integers(1, 2**32, (len(cells), 4), np.uint32)
    for cell, address, value in zip(cells, addresses, values, strict=True):
        address[: len(cell.address)] = cell.address
        at = memory.place(cell.address, 0)
        if at is not None:
            value[1] = memory.dwords[at]
    return addresses, values


def given_elements(cells: Sequence[Cell], values: Array) -> dict[str, Array]:
    """The tables for memory that is addressed by one number, and a buffer for the results."""
    addresses = np.full((len(cells), 4), 0x7777, np.uint32)  # only .x counts
    addresses[:, 0] = [cell.address[0] for cell in cells]
    return {"t1": addresses, "t2": values, "u1": np.full((len(cells), 4), 0xEE, np.uint32)}


def program(
    lines: Sequence[str],
    declared: Sequence[str],
    threads: int,
    before: Sequence[str] = (),
    after: Sequence[str] = (),
) -> str:
    """`lines` in a thread for each cell; `before` and `after` in the first thread alone."""
    body = [load("r1", "t1"), load("r2", "t2"), f"mov r3.xyzw, l({', '.join([hex(MARK)] * 4)})"]
    if before:
        body += ["if_z vThreadID.x", *before, "endif", "sync_g_t"]
    body += [*lines, "store_structured u1.xyzw, vThreadID.x, l(0), r3.xyzw"]
    if after:
        body += ["sync_g_t", "if_z vThreadID.x", *after, "endif"]
    tables = ["dcl_resource_structured t1, 16", "dcl_resource_structured t2, 16"]
    declared = [*tables, "dcl_uav_structured u1, 16", *declared]
    return listing(body, declared, group=(threads, 1, 1))


def performed(
    access: Access, cells: Sequence[Cell], memory: Memory, values: Array
) -> list[list[int]]:
    """Perform the access at each cell of the model; returns what r3 holds afterwards."""
    rows = zip(cells, values.tolist(), strict=True)
    return [access.perform(memory, cell.address, value) for cell, value in rows]


def returned(cells: Sequence[Cell], found: Array, expected: Sequence[Sequence[int]]) -> None:
    """Compare what came back, cell by cell."""
    wanted = np.array(expected, np.uint32).reshape(len(cells), 4)
    wrong = [
        f"{cell.name}: {row.tolist()} for {want.tolist()}"
        for cell, row, want in zip(cells, found, wanted, strict=True)
        if not np.array_equal(row, want)
    ]
    assert not wrong, "; ".join(wrong)
