"""Class types, instances and interface slots in the header comment, against IFCE and RDEF."""

from __future__ import annotations

from dataclasses import replace

import pytest

from translate.asm import parse_listing
from translate.asm.header_linkage import read_linkage
from translate.dxbc import decode_container
from translate.dxbc.contents import encode_container
from translate.linkage import ClassInstance, ClassType, InterfaceSlots, Linkage
from translate.program import Program

from .listings import held_container, held_listing

NAMES = ("interfaces", "classes", "many_classes", "class_objects")
NINTH = 8  # Microsoft's disassembler leaves this class out


def from_listing(name: str) -> Program:
    return parse_listing(held_listing(name), None)


def from_container(name: str) -> Program:
    return decode_container(held_container(name))


@pytest.mark.parametrize("name", NAMES)
def test_equals_ifce(name: str) -> None:
    assert from_listing(name).linkage == from_container(name).linkage


@pytest.mark.parametrize("name", NAMES)
def test_variables_equal_rdef(name: str) -> None:
    """Including textures, samplers, and interfaces that are never called."""
    listing, container = from_listing(name).reflection, from_container(name).reflection
    assert listing is not None
    assert container is not None
    assert listing.buffers == container.buffers


@pytest.mark.parametrize("name", NAMES)
def test_assembled_tables_are_the_compilers(name: str) -> None:
    made = decode_container(encode_container(from_listing(name)))
    tables = [
        [chunk.payload for chunk in program.chunks if chunk.fourcc == b"IFCE"]
        for program in (made, from_container(name))
    ]
    assert tables[0] == tables[1]
    assert made.linkage == from_container(name).linkage


def test_the_class_that_a_line_swallows_is_put_back() -> None:
    rows = [line for line in held_listing("many_classes").split("\n") if "Type ID" in line]
    assert not any(line.split("|")[-1].split().count(str(NINTH)) for line in rows)
    first, second = from_listing("many_classes").linkage.slots
    assert (first.tables[NINTH], second.tables[NINTH]) == (8, 25)
    assert (first.count, second.count) == (1, 120)


def test_without_tables_there_is_no_linkage() -> None:
    program = parse_listing("cs_5_0\nret \n", None)
    assert program.linkage == Linkage()
    assert b"IFCE" not in [c.fourcc for c in decode_container(encode_container(program)).chunks]


def test_stripped_of_the_linkage_there_is_no_table() -> None:
    program = replace(from_listing("classes"), linkage=Linkage())
    assert b"IFCE" not in [c.fourcc for c in decode_container(encode_container(program)).chunks]


def comment(text: str) -> list[str]:
    return [f"// {line}" for line in text.strip().split("\n")]


TYPES = """
Available Class Types:

Name                             ID CB Stride Texture Sampler
------------------------------ ---- --------- ------- -------
"""
INSTANCES = """
Available Class Instances:

Name                        Type CB CB Offset Texture Sampler
--------------------------- ---- -- --------- ------- -------
"""


def test_rows_with_and_without_places() -> None:
    lines = comment(f"{TYPES}A   0   1   2   3\nB  1  0  0  0\n\nC  2  0  0  0")
    assert read_linkage(lines).types == (ClassType("A", 0, 1, 2, 3), ClassType("B", 1))
    lines = comment(f"{INSTANCES}a[4]   0   1   2   3  -\nb  1  -  -  -  5")
    assert read_linkage(lines).instances == (
        ClassInstance("a", 0, 1, 2, 3, count=4),
        ClassInstance("b", 1, sampler=5),
    )


@pytest.mark.parametrize(
    "row", ["A 0 1 2", "A 0 1 2 3 4", "A 0 1 2 x", "A 0 1 2 99999", "A[] 0 1 2 -x", "A"]
)
def test_rows_of_another_form_are_left_out(row: str) -> None:
    lines = comment(f"{TYPES}{row}\nB  1  0  0  0")
    assert read_linkage(lines).types == (ClassType("B", 1),)


def test_slots_of_another_form_are_left_out() -> None:
    lines = comment(
        "Interface slots, 3 total:\n\n| Type ID  |   x     |0    1\n| Table ID |         |0\n"
        "+----+\n| Type ID  |   1-2   |0    5\n| Table ID |         |4    7\n+----+"
    )
    assert read_linkage(lines).slots == (InterfaceSlots(2, {0: 4, 5: 7}),)


@pytest.mark.parametrize(("slots", "table"), [("5-1", "0"), ("0-1", "1" * 5000), ("0-1", "65536")])
def test_slots_that_no_shader_has_are_left_out(slots: str, table: str) -> None:
    lines = comment(
        f"Interface slots, 3 total:\n\n| Type ID  |   {slots}   |0\n| Table ID |         |{table}\n"
        "+----+\n| Type ID  |   2   |0\n| Table ID |         |4\n+----+"
    )
    assert [s for s in read_linkage(lines).slots if s.tables] == [InterfaceSlots(1, {0: 4})]
