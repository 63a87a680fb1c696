"""Instances by name, elements of their arrays, tables by slot."""

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


@pytest.mark.parametrize(
    ("name", "instance"),
    [
        ("one", ClassInstance("one", 0, 1, 7)),
        ("many", ClassInstance("many", 1, 2, 5, 4, 6, count=3)),
        ("many[2]", ClassInstance("many[2]", 1, 2, 7, 10, 10)),  # follows those before it
        ("one[0]", ClassInstance("one[0]", 0, 1, 7)),
        ("odd[1]", ClassInstance("odd[1]", 0, 9)),  # a whole name goes first
        ("many" + "[0]" * 5000, None),
        *((name, None) for name in ("none", "many[3]", "one[1]", "none[0]", "many[-1]", "many[]")),
    ],
)
def test_instances_by_name(name: str, instance: ClassInstance | None) -> None:
    assert LINKAGE.instance(name) == instance


def test_tables_by_slot() -> None:
    tables = [LINKAGE.tables_of_slot(slot) for slot in range(5)]
    assert tables == [{0: 4}, *([{0: 5, 1: 6}] * 3), {}]
