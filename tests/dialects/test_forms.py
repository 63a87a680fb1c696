"""Every shader's listing in each form that fxc prints gives its container's SPIR-V."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import translate
from checks.dialects.edit import CONTAINERS, as_container, exact_listing, name_of
from checks.dialects.forms import hexadecimal, numbered, with_source_lines
from tests.unit.asm.listings import DATA, held_container, held_listing
from translate.asm import parse_listing
from translate.dxbc import decode_container

FORMS: dict[str, Callable[[str], str]] = {
    "hex": hexadecimal,
    "numbers": lambda text: numbered(text, numbers=True, offsets=False),
    "offsets": lambda text: numbered(text, numbers=False, offsets=True),
    "numbers_offsets": lambda text: numbered(text, numbers=True, offsets=True),
    "debug": with_source_lines,
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("path", CONTAINERS, ids=name_of)
def test_the_same_program(path: Path, form: str) -> None:
    listing = exact_listing(path)
    written = FORMS[form](listing)
    is_hexadecimal = path.parent.name == "shaders"
    assert (written == listing) == (form == "hex" and is_hexadecimal)
    program = parse_listing(written, None)
    assert program.listing_warnings == []
    assert as_container(program, path)


@pytest.mark.parametrize("form", ["hex", "numbers", "offsets", "numbers_offsets"])
def test_forms_are_written_as_fxc_does(form: str) -> None:
    assert lines_of(FORMS[form](held_listing("icb"))) == lines_of(held_listing(f"icb.{form}"))


@pytest.mark.parametrize("path", sorted(DATA.glob("*.html")), ids=lambda path: path.stem)
def test_coloured_listings(path: Path) -> None:
    """What fxc writes with /Cc: the code in HTML, with the number of each instruction."""
    program = parse_listing(path.read_text(encoding="utf-8"), None)
    assert program.listing_warnings == []
    assert as_container(program, path.with_suffix(".dxbc"))


def lines_of(listing: str) -> list[str]:
    """The lines from the profile on, without comments; an offset may precede the profile."""
    lines = listing.split("\n")
    first = next(i for i, line in enumerate(lines) if re.search(r"cs_\d_\d$", line))
    return [line for line in lines[first:] if line and not line.startswith("//")]


@pytest.mark.parametrize(
    "path", [*sorted(DATA.glob("*.hex.asm")), DATA / "icb.numbers.asm"], ids=lambda path: path.stem
)
def test_listings_print_as_fxc_does_with_the_option(path: Path) -> None:
    shader, form, _ = path.name.split(".")
    program = decode_container(held_container(shader))
    printed = translate.disassemble(program, hexadecimal=form == "hex", numbers=form == "numbers")
    assert lines_of(printed) == lines_of(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", CONTAINERS, ids=name_of)
def test_a_hexadecimal_listing_gives_the_container(path: Path) -> None:
    container = decode_container(path.read_bytes())
    program = parse_listing(translate.disassemble(container, hexadecimal=True, numbers=True), None)
    assert program.listing_warnings == []
    assert as_container(program, path)
