"""IFCE: read, and built byte for byte as by fxc; damaged ones are refused."""

import struct
from pathlib import Path

import pytest

from translate import DecodeError, ProgramError
from translate.dxbc.container import parse_container
from translate.dxbc.ifce import build_ifce, parse_ifce
from translate.linkage import ClassType, Linkage

DATA = Path(__file__).parents[1] / "asm" / "data"
NAMES = ("interfaces", "classes", "many_classes", "class_objects")


def payload(name: str) -> bytes:
    chunks = parse_container((DATA / f"{name}.dxbc").read_bytes(), None).chunks
    return next(chunk.payload for chunk in chunks if chunk.fourcc == b"IFCE")


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
