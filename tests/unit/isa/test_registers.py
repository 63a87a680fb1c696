"""Register files, and the components that operands read and write. TPF "Operand Format"."""

from __future__ import annotations

import pytest

from translate.isa.registers import (
    MASK_COMPONENTS,
    Index,
    Operand,
    RegisterFile,
    Selection,
)


@pytest.mark.parametrize(
    ("file", "count", "count_51"),
    [
        (RegisterFile.TEMP, 1, 1),
        (RegisterFile.INDEXABLE_TEMP, 2, 2),
        (RegisterFile.CONSTANT_BUFFER, 2, 3),
        (RegisterFile.UAV, 1, 2),
        (RegisterFile.GROUP_SHARED, 1, 1),
        (RegisterFile.THREAD_ID, 0, 0),
    ],
)
def test_index_counts(file: RegisterFile, count: int, count_51: int) -> None:
    assert (file.index_count, file.index_count_51) == (count, count_51)


def test_a_swizzle_reads_its_letters() -> None:
    operand = Operand(RegisterFile.TEMP, selection=Selection.SWIZZLE, swizzle=(3, 2, 0, 0))
    assert [operand.component(slot) for slot in range(4)] == [3, 2, 0, 0]


def test_a_selected_component_is_read_everywhere() -> None:
    operand = Operand(RegisterFile.TEMP, selection=Selection.SELECT, swizzle=(2, 2, 2, 2))
    assert [operand.component(slot) for slot in range(4)] == [2, 2, 2, 2]


def test_a_scalar_is_read_everywhere() -> None:
    scalar = Operand(RegisterFile.IMMEDIATE32, 1, values=(5,))
    vector = Operand(RegisterFile.IMMEDIATE32, 4, values=(5, 6, 7, 8))
    assert [scalar.component(slot) for slot in range(4)] == [0, 0, 0, 0]
    assert [vector.component(slot) for slot in range(4)] == [0, 1, 2, 3]


def test_written_components() -> None:
    assert Operand(RegisterFile.TEMP, mask=0b1010).written() == (1, 3)
    assert Operand(RegisterFile.NULL, 0).written() == ()
    assert MASK_COMPONENTS[15] == (0, 1, 2, 3)


def test_a_relative_index_without_immediate_counts_from_zero() -> None:
    assert Index(None, Operand(RegisterFile.TEMP)).base == 0
    assert Index(7).base == 7
    assert Operand(RegisterFile.TEMP, indices=(Index(7),)).number == 7
    assert Operand(RegisterFile.THREAD_ID).number == 0


def test_equal_operands_are_equal_wherever_they_stand() -> None:
    here = Operand(RegisterFile.TEMP, text_span=(3, 4))
    there = Operand(RegisterFile.TEMP, text_span=(9, 4))
    assert here == there
    assert hash(here) == hash(there)
