"""Memory after atomics and counters. Source: FS §22.17."""

import numpy as np
import pytest

from checks.lanes import INTEGERS, Expected, call, dtype_of, signed, unsigned
from translate.errors import row_of
from translate.isa import memory
from translate.isa.instruction import Instruction, Kind, Role

from ...complete import check_complete

AFTERWARDS: dict[str, Expected] = {
    "and": lambda old, value: old & value,
    "or": lambda old, value: old | value,
    "xor": lambda old, value: old ^ value,
    "iadd": lambda old, value: unsigned(old + value),
    "imax": lambda old, value: unsigned(max(signed(old), signed(value))),
    "imin": lambda old, value: unsigned(min(signed(old), signed(value))),
    "umax": max,
    "umin": min,
    "exch": lambda old, value: value,
    "cmp_store": lambda old, compare, value: value if old == compare else old,
    "cmp_exch": lambda old, compare, value: value if old == compare else old,
}
ATOMICS = [row for row in memory.ATOMICS if row.kind is Kind.ATOMIC]
COUNTERS = {
    "imm_atomic_alloc": lambda old: (old, unsigned(old + 1)),
    "imm_atomic_consume": lambda old: (unsigned(old - 1), unsigned(old - 1)),
}


@pytest.mark.parametrize("row", ATOMICS, ids=lambda row: row.name)
def test_memory_afterwards(row: Instruction) -> None:
    values = [spec for spec in row.operands if spec.role is Role.SOURCE]
    names = INTEGERS if len(values) == 1 else INTEGERS[::3]
    rows = np.array(np.meshgrid(*[np.array(names, np.uint32)] * (1 + len(values))))
    columns = rows.reshape(1 + len(values), -1)
    lanes = [column.view(dtype_of(values[0].scalar)) for column in columns]
    name = row.name.removeprefix("imm_").removeprefix("atomic_")
    expected = row_of(AFTERWARDS, name, "AFTERWARDS of tests/unit/isa/test_evaluate_atomic.py")
    found = call(row, lanes).view(np.uint32).tolist()
    assert found == [expected(*row) for row in zip(*columns.tolist(), strict=True)]


@pytest.mark.parametrize("name", COUNTERS)
def test_counters_give_the_result_and_the_new_value(name: str) -> None:
    row = next(row for row in memory.ATOMICS if row.name == name)
    old = np.array(INTEGERS, np.uint32)
    result, stays = call(row, [old])
    assert [*zip(result.tolist(), stays.tolist(), strict=True)] == [*map(COUNTERS[name], INTEGERS)]
    assert result.dtype == stays.dtype == np.uint32


def test_every_row_is_tested() -> None:
    others = {row.name for row in memory.ATOMICS if row.kind is not Kind.ATOMIC}
    check_complete(COUNTERS, others, "COUNTERS of tests/unit/isa/test_evaluate_atomic.py")
