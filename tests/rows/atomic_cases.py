"""Atomics of many threads at once; `tests/bounds` runs every atomic on every kind of memory."""

from collections.abc import Callable
from typing import Any

import numpy as np

from translate.isa import ROWS
from translate.isa.instruction import Instruction, Kind, Role

from ..listings import listing
from ..unit.isa.test_evaluate_atomic import AFTERWARDS
from .case import Case, words

ATOMICS = [row for row in ROWS if row.kind is Kind.ATOMIC]


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


ATOMIC_CASES: tuple[Case, ...] = (*(contended(register) for register in ("u0", "g0")),)
