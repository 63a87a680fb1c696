"""Register files, and the components that operands read and write. TPF "Operand Format"."""

import pytest

from translate.isa.registers import MASK_COMPONENTS, Index, Operand, RegisterFile, Selection

TEMP = RegisterFile.TEMP


@pytest.mark.parametrize(
    ("file", "count", "count_51"),
    [
        (TEMP, 1, 1),
        (RegisterFile.INDEXABLE_TEMP, 2, 2),
        (RegisterFile.CONSTANT_BUFFER, 2, 3),
        (RegisterFile.UAV, 1, 2),
        (RegisterFile.GROUP_SHARED, 1, 1),
        (RegisterFile.THREAD_ID, 0, 0),
    ],
)
def test_index_counts(file: RegisterFile, count: int, count_51: int) -> None:
    assert (file.index_count, file.index_count_51) == (count, count_51)


@pytest.mark.parametrize(
    ("operand", "components"),
    [
        (Operand(TEMP, selection=Selection.SWIZZLE, swizzle=(3, 2, 0, 0)), [3, 2, 0, 0]),
        (Operand(TEMP, selection=Selection.SELECT, swizzle=(2, 2, 2, 2)), [2, 2, 2, 2]),
        (Operand(RegisterFile.IMMEDIATE32, 1, values=(5,)), [0, 0, 0, 0]),
        (Operand(RegisterFile.IMMEDIATE32, 4, values=(5, 6, 7, 8)), [0, 1, 2, 3]),
    ],
)
def test_read_components(operand: Operand, components: list[int]) -> None:
    assert [operand.component(slot) for slot in range(4)] == components


def test_written_components() -> None:
    assert Operand(TEMP, mask=0b1010).written() == (1, 3)
    assert Operand(RegisterFile.NULL, 0).written() == ()
    assert MASK_COMPONENTS[15] == (0, 1, 2, 3)


def test_a_relative_index_without_immediate_counts_from_zero() -> None:
    assert Index(None, Operand(TEMP)).base == 0
    assert Index(7).base == 7
    assert Operand(TEMP, indices=(Index(7),)).number == 7
    assert Operand(RegisterFile.THREAD_ID).number == 0


def test_equal_operands_are_equal_wherever_they_stand() -> None:
    here = Operand(TEMP, text_span=(3, 4))
    there = Operand(TEMP, text_span=(9, 4))
    assert here == there
    assert hash(here) == hash(there)
