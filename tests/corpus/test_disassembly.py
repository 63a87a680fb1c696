"""Listings of the corpus: read to the same program, and printed as fxc does once assembled."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.asm.listings import code_lines, differences
from translate.asm import parse_listing, print_listing
from translate.dxbc import decode_container
from translate.dxbc.contents import encode_container
from translate.isa.registers import RegisterFile
from translate.program import Program
from translate.reflection import dtype_of_buffer

CORPUS = Path(__file__).parent
PROFILES = ("cs_5_0", "cs_5_0_Od", "cs_5_1")
CONTAINERS = sorted(path for name in PROFILES for path in (CORPUS / name).glob("*.dxbc"))


def name_of(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def test_corpus_is_there() -> None:
    assert len(CONTAINERS) >= 45
    assert all(path.with_suffix(".asm").exists() for path in CONTAINERS)


@pytest.mark.parametrize("path", CONTAINERS, ids=name_of)
def test_listing_equals_container(path: Path) -> None:
    program = parse_listing(path.with_suffix(".asm").read_text(encoding="utf-8"), None)
    decoded = decode_container(path.read_bytes())
    assert program.version == decoded.version
    assert differences(program.statements, decoded.statements) == []


@pytest.mark.parametrize("path", CONTAINERS, ids=name_of)
def test_listing_has_the_same_types(path: Path) -> None:
    listing = parse_listing(path.with_suffix(".asm").read_text(encoding="utf-8"), None)
    container = decode_container(path.read_bytes())
    assert listing.reflection is not None
    assert container.reflection is not None
    assert listing.reflection.buffers == container.reflection.buffers
    for parsed, decoded in zip(
        listing.reflection.buffers, container.reflection.buffers, strict=True
    ):
        assert dtype_of_buffer(parsed) == dtype_of_buffer(decoded)
    names = [(b.name, b.register_prefix, b.bind_point) for b in listing.reflection.bindings]
    assert names == [
        (b.name, b.register_prefix, b.bind_point) for b in container.reflection.bindings
    ]


@pytest.mark.parametrize("path", CONTAINERS, ids=name_of)
def test_assembled_listing_prints_the_same(path: Path) -> None:
    listing = path.with_suffix(".asm").read_text(encoding="utf-8")
    data = encode_container(parse_listing(listing, None))
    printed = print_listing(decode_container(data))
    assert printed.removesuffix("\n").split("\n") == code_lines(listing)


SHADERS = sorted((CORPUS.parents[1] / "shaders").glob("*.dxbc"))
ALARMS = {"shaders/reduce"}  # its -0 prints like a small number that was rounded


def immediates(program: Program) -> list[tuple[int, ...]]:
    files = (RegisterFile.IMMEDIATE32, RegisterFile.IMMEDIATE64)
    values = [o.values for s in program.statements for o in s.operands if o.file in files]
    return [*values, *(s.data for s in program.statements)]


@pytest.mark.parametrize("path", [*CONTAINERS, *SHADERS], ids=name_of)
def test_rounded_numbers_are_noticed(path: Path) -> None:
    """A listing in fxc's default form warns where rounding lost bits, and only there."""
    program = decode_container(path.read_bytes())
    listed = parse_listing(print_listing(program), None)
    lost = immediates(listed) != immediates(program)
    assert bool(listed.listing_warnings) == (lost or name_of(path) in ALARMS)


@pytest.mark.parametrize("path", [*CONTAINERS, *SHADERS], ids=name_of)
def test_the_committed_listing_is_exact(path: Path) -> None:
    listing = path.with_suffix(".asm").read_text(encoding="utf-8")
    assert parse_listing(listing, None).listing_warnings == []
