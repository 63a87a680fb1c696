"""Instances by name, elements of their arrays, tables by slot."""

from __future__ import annotations

import pytest

from translate.linkage import ClassInstance, ClassType, InterfaceSlots, Linkage

LINKAGE = Linkage(
    (ClassType("Plain", 0, 2), ClassType("Textured", 1, 1, 3, 2)),
    (
        ClassInstance("one", 0, 1, 7),
        ClassInstance("many", 1, 2, 5, 4, 6, count=3),
        ClassInstance("odd[1]", 0, 9),
    ),
    (InterfaceSlots(1, {0: 4}), InterfaceSlots(3, {0: 5, 1: 6})),
)


def test_by_name() -> None:
    assert LINKAGE.instance("one") == ClassInstance("one", 0, 1, 7)
    assert LINKAGE.instance("many") == ClassInstance("many", 1, 2, 5, 4, 6, count=3)


def test_an_element_follows_those_before_it() -> None:
    assert LINKAGE.instance("many[2]") == ClassInstance("many[2]", 1, 2, 7, 10, 10)
    assert LINKAGE.instance("one[0]") == ClassInstance("one[0]", 0, 1, 7)


def test_a_whole_name_goes_first() -> None:
    assert LINKAGE.instance("odd[1]") == ClassInstance("odd[1]", 0, 9)


@pytest.mark.parametrize("name", ["none", "many[3]", "one[1]", "none[0]", "many[-1]", "many[]"])
def test_missing_instances(name: str) -> None:
    assert LINKAGE.instance(name) is None


def test_tables_by_slot() -> None:
    assert [LINKAGE.tables_of_slot(slot) for slot in range(5)] == [
        {0: 4},
        *([{0: 5, 1: 6}] * 3),
        {},
    ]
