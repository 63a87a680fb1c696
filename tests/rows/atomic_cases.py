"""Atomics on every kind of memory, and hidden counters. Source: FS §22.17.

One thread reads a table of addresses and applies every atomic at each, so that the order is known.
t1 holds the addresses, t2 the operands: value and comparison.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from translate.isa import ROWS
from translate.isa.instruction import Instruction, Kind, Role

from ..unit.isa.test_evaluate_atomic import AFTERWARDS
from .case import Case, Counted, words
from .listing import listing, load, store
from .memory_cases import (
    TABLES,
    Shape,
    addresses,
    declaration,
    draining,
    filling,
    memory,
    named,
    table,
    walk,
)
from .memory_model import Memory

ATOMICS = [row for row in ROWS if row.kind is Kind.ATOMIC]
_STRUCTURED = (12, 5)


def afterwards(row: Instruction) -> Callable[..., int]:
    """The new content of memory: f(old, [comparison,] value)."""
    return AFTERWARDS[row.name.removeprefix("imm_").removeprefix("atomic_")]


def takes_comparison(row: Instruction) -> bool:
    return sum(spec.role is Role.SOURCE for spec in row.operands) == 2


def instruction(row: Instruction, register: str, address: str) -> str:
    """The atomic with the operands of the table's row: r2.x, and r2.y for the comparison."""
    values = "r2.y, r2.x" if takes_comparison(row) else "r2.x"
    returned = "r3.x, " if row.destinations else ""
    return f"{row.name} {returned}{register}, {address}, {values}"


def atomic_case(
    name: str,
    register: str,
    declared: Sequence[str],
    model: Memory,
    rows: Sequence[tuple[int, ...]],
    operations: Sequence[Instruction],
    *,
    shared: tuple[Sequence[str], Sequence[str]] | None = None,
    null: bool = False,
    address: str = "r1.xyzw",
) -> Case:
    """All `operations` at every address; the values they return go to u1, a dword each.

    `shared` has the instructions that fill shared memory and that copy it to u0.
    """
    where, values = _table(model, rows)
    body: list[str] = []
    for position, row in enumerate(operations):
        body += ["mov r3.x, l(0)", instruction(row, register, address)]
        body.append(f"store_structured u1.x, r0.x, l({4 * position}), r3.x")
    before = model.array()
    returned = np.zeros((len(rows), len(operations)), np.uint32)
    for i, place in enumerate(rows):
        for j, row in enumerate(operations):
            old = model.update(place, _update(row, values[i].tolist()))
            returned[i, j] = old if row.destinations and not null else 0
    fill, drain = shared or ((), ())
    lines = [*fill, *walk(body, len(rows)), *drain]
    declared = [*TABLES, f"dcl_uav_structured u1, {4 * len(operations)}", *declared]
    arguments: dict[str, Any] = {"t1": where, "t2": values, "u1": np.full_like(returned, 0xCC)}
    arguments["u0"] = None if null else np.zeros_like(before) if shared else before
    expected = {"u1": returned} if null else {"u0": model.array(), "u1": returned}
    return Case(name, listing(lines, declared, group=(1, 1, 1)), arguments, expected)


def _table(model: Memory, rows: Sequence[tuple[int, ...]]) -> tuple[Any, Any]:
    """The table; sometimes the comparison equals the initial content of memory."""
    where, values = table(rows)
    for i, place in enumerate(rows):
        at = model.place(place, 0)
        if at is not None and i % 2 == 0:
            values[i, 1] = model.dwords[at]
    return where, values


def _update(row: Instruction, values: Sequence[int]) -> Callable[[int], int]:
    operands = [values[1], values[0]] if takes_comparison(row) else [values[0]]
    return lambda old: afterwards(row)(old, *operands)


def _ordered() -> list[Instruction]:
    """Comparisons first, while memory holds its initial content."""
    return sorted(ATOMICS, key=lambda row: not takes_comparison(row))


def buffer_case(register: str, shape: Shape, null: bool = False) -> Case:
    """Atomics on a raw or structured u# or g#."""
    declared = [declaration(register, shape)]
    shared = None
    if register.startswith("g"):
        declared.append("dcl_uav_raw u0")
        shared = (filling(register, shape), draining(register, shape))
    name = f"atomics on {'null ' * null}{named(shape, register)}"
    address = "r1.x" if shape is None else "r1.xyxx"
    return atomic_case(
        name, register, declared, memory(shape), addresses(shape), _ordered(),
        shared=shared, null=null, address=address,
    )  # fmt: skip


class _Typed(Memory):
    """A typed buffer of dwords: the address counts elements."""

    def place(self, address: Sequence[int], component: int) -> int | None:
        return address[0] if address[0] < len(self.dwords) else None


def typed_case(component: str) -> Case:
    """Atomics on a typed buffer; signed min and max need sint, unsigned ones uint (FS §22.17)."""
    other = {"uint": ("imax", "imin"), "sint": ("umax", "umin")}[component]
    rows = [row for row in _ordered() if not row.name.endswith(other)]
    places = [(at,) for at in (0, 3, 8, 9, 10, 0x40000000, 0x40000003, 0x80000000, 0xFFFFFFFF)]
    declared = [f"dcl_uav_typed_buffer ({','.join([component] * 4)}) u0"]
    model = _Typed(memory((4, 9)).dwords)
    case = atomic_case(
        f"atomics on u0, typed {component}", "u0", declared, model, places, rows, address="r1.x"
    )
    if component == "uint":
        return case
    arguments = {**case.arguments, "u0": case.arguments["u0"].view(np.int32)}
    expected = {**case.expected, "u0": case.expected["u0"].view(np.int32)}
    return Case(case.name, case.listing, arguments, expected)


# --- many threads at once -----------------------------------------------------------------------


def contended(register: str) -> Case:
    """256 threads add to one dword: all old values differ, and no addition is lost."""
    threads = 256
    lines = ["mov r1.x, l(3)", f"imm_atomic_iadd r0.x, {register}, l(4), r1.x"]
    lines += ["store_structured u1.x, vThreadID.x, l(0), r0.x"]
    if register == "g0":
        lines = ["store_raw g0.xy, l(0), l(0, 5, 0, 0)", "sync_g_t", *lines, "sync_g_t",
                 "ld_raw r2.xy, l(0), g0.xyxx", "store_raw u0.xy, l(0), r2.xyxx"]  # fmt: skip
    declared = ["dcl_uav_structured u1, 4", "dcl_uav_raw u0"]
    declared += ["dcl_tgsm_raw g0, 8"] if register == "g0" else []

    def check(result: Any) -> None:
        assert sorted(result.u1.tolist()) == [5 + 3 * i for i in range(threads)]
        assert result.u0.tolist() == [0, 5 + 3 * threads]

    return Case(
        f"contended adds to {register}",
        listing(lines, declared, group=(threads, 1, 1)),
        {"u0": words(0, 5), "u1": np.zeros(threads, np.uint32)},
        check=check,
    )


# --- hidden counters ----------------------------------------------------------------------------

_COUNTING = ("imm_atomic_{} r0.x, u0", "store_structured u1.x, vThreadID.x, l(0), r0.x")


def counting(operation: str, start: int) -> Case:
    """64 threads; the counter wraps, and is not limited by the size (FS §22.17.17-18)."""
    threads = 64
    step = 1 if operation == "alloc" else -1
    first = start if step == 1 else start - 1
    numbers = sorted((first + step * i) % 2**32 for i in range(threads))

    def check(result: Any) -> None:
        assert sorted(result.u1.tolist()) == numbers

    lines = [line.format(operation) for line in _COUNTING]
    return Case(
        f"{operation} from {start}",
        listing(lines, ["dcl_uav_structured_opc u0, 8", "dcl_uav_structured u1, 4"]),
        {"u0": Counted(np.zeros((4, 2), np.uint32), start), "u1": np.zeros(threads, np.uint32)},
        counters={"u0": (start + step * threads) % 2**32},
        check=check,
    )


def without_counter(operation: str) -> Case:
    """A null UAV has no counter: 0 (reference "Counters")."""
    lines = [line.format(operation) for line in _COUNTING]
    return Case(
        f"{operation} on a null UAV",
        listing(lines, ["dcl_uav_structured_opc u0, 8", "dcl_uav_structured u1, 4"]),
        {"u0": None, "u1": np.full(64, 7, np.uint32)},
        {"u1": np.zeros(64, np.uint32)},
        features=("null_descriptor",),
    )


def appended() -> Case:
    """Stores to the slots that `alloc` returns; the store past the end is dropped."""
    lines = ["imm_atomic_alloc r0.x, u0", "store_structured u0.x, r0.x, l(0), l(9)",
             load("r1", "t0"), "imm_atomic_alloc r0.y, u0",
             "store_structured u0.x, r0.y, l(0), r1.w", store("r1", resource="u1")]  # fmt: skip
    declared = ["dcl_resource_structured t0, 16", "dcl_uav_structured_opc u0, 4",
                "dcl_uav_structured u1, 16"]  # fmt: skip
    values = np.arange(1, 5, dtype=np.uint32).reshape(1, 4)
    return Case(
        "alloc in order, past the end",
        listing(lines, declared, group=(1, 1, 1)),
        {"t0": values, "u0": Counted(words(1, 2, 3), 2), "u1": np.zeros_like(values)},
        {"u0": words(1, 2, 9), "u1": values},
        counters={"u0": 4},
    )


ATOMIC_CASES: tuple[Case, ...] = (
    *(buffer_case(register, shape) for register in ("u0", "g0") for shape in (None, _STRUCTURED)),
    *(buffer_case("u0", shape, null=True) for shape in (None, _STRUCTURED)),
    *(typed_case(component) for component in ("uint", "sint")),
    *(contended(register) for register in ("u0", "g0")),
    *(
        counting(operation, start)
        for operation in ("alloc", "consume")
        for start in (0, 5, 2**32 - 3)
    ),
    *(without_counter(operation) for operation in ("alloc", "consume")),
    appended(),
)
