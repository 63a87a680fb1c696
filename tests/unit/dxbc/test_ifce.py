"""IFCE: read, and built byte for byte as by fxc; damaged ones are refused."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from translate import DecodeError, ProgramError
from translate.dxbc import decode_container
from translate.dxbc.container import parse_container
from translate.dxbc.ifce import build_ifce, parse_ifce
from translate.linkage import ClassInstance, ClassType, InterfaceSlots, Linkage

DATA = Path(__file__).parents[1] / "asm" / "data"
NAMES = ("interfaces", "classes", "many_classes", "class_objects")


def payload(name: str) -> bytes:
    chunks = parse_container((DATA / f"{name}.dxbc").read_bytes(), None).chunks
    return next(chunk.payload for chunk in chunks if chunk.fourcc == b"IFCE")


@pytest.mark.parametrize("name", NAMES)
def test_built_as_the_compiler_does(name: str) -> None:
    assert build_ifce(parse_ifce(payload(name))) == payload(name)


def test_its_tables_in_the_listing() -> None:
    """Compared with the tables in `classes.asm`, which Microsoft's disassembler printed."""
    assert parse_ifce(payload("classes")) == Linkage(
        (ClassType("E", 0, 2), ClassType("B", 1, 4), ClassType("A", 2, 1)),
        (
            ClassInstance("a1", 2, 3, 0),
            ClassInstance("b1", 1, 3, 1, count=2),
            ClassInstance("e1", 0, 1, 2),
            ClassInstance("a2", 2, 1, 4, count=3),
        ),
        (InterfaceSlots(1, {0: 0, 1: 1, 2: 2}), InterfaceSlots(4, {0: 3, 1: 4, 2: 5})),
    )


def test_textures_and_samplers() -> None:
    linkage = parse_ifce(payload("class_objects"))
    assert linkage.types == (ClassType("TexA", 0, 1, 2, 2),)
    assert linkage.instances == (ClassInstance("gA", count=2),)


def test_a_class_without_constants_has_no_place() -> None:
    """Only the textures of `gT` have a place; the others have 0xFFFF."""
    data = payload("many_classes")
    texture_only = struct.pack("<6H", 2, 1, 0xFFFF, 0xFFFF, 1, 0xFFFF)
    assert data.count(texture_only) == 1
    instance = decode_container((DATA / "many_classes.dxbc").read_bytes()).linkage.instance("gT")
    assert instance == ClassInstance("gT", 2, 0, 0, 1, 0)


@pytest.mark.parametrize("name", NAMES)
def test_every_cut_is_refused(name: str) -> None:
    data = payload(name)
    for end in range(0, len(data) - 4, 3):
        with pytest.raises(DecodeError, match="damaged"):
            parse_ifce(data[:end])


@pytest.mark.parametrize("at", [0, 4, 8, 16, 20, 24])
def test_numbers_that_lead_outside_are_refused(at: int) -> None:
    data = bytearray(payload("classes"))
    data[at : at + 4] = struct.pack("<I", 0x7FFFFFFF)
    with pytest.raises(DecodeError, match="damaged"):
        parse_ifce(bytes(data))


def test_a_number_too_large_has_no_encoding() -> None:
    linkage = Linkage((ClassType("A", 0, 0x10000),))
    with pytest.raises(ProgramError):
        build_ifce(linkage)
