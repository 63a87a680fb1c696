"""Listings of the corpus are read to the programs of their containers; rounded numbers."""

from pathlib import Path

import pytest

from tests.unit.asm.listings import differences
from translate.asm import parse_listing, print_listing
from translate.dxbc import decode_container
from translate.isa.registers import RegisterFile
from translate.program import Program

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
    """Its statements, and the types and names of its resources."""
    program = parse_listing(path.with_suffix(".asm").read_text(encoding="utf-8"), None)
    decoded = decode_container(path.read_bytes())
    assert program.version == decoded.version
    assert differences(program.statements, decoded.statements) == []
    assert program.reflection is not None
    assert decoded.reflection is not None
    assert program.reflection.buffers == decoded.reflection.buffers
    names = [
        [(b.name, b.register_prefix, b.bind_point) for b in reflection.bindings]
        for reflection in (program.reflection, decoded.reflection)
    ]
    assert names[0] == names[1]


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
