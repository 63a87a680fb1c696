"""Every shader's listing in each form that fxc prints gives its container's SPIR-V."""

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import translate
from checks.dialects.edit import CONTAINERS, as_container, exact_listing, name_of
from checks.dialects.forms import hexadecimal, numbered, with_source_lines
from checks.dialects.migoto import migoto_listing
from checks.dialects.search import candidate, check, check_same
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


# Every shader in 3Dmigoto's dialect gives its container's SPIR-V

_MASK = re.compile(r", -?\|?\w+(?:\[[^\]]*\])?\.[xyzw]{2,3}\b")
_BARE = re.compile(r"cb\d+\[[^\]]*\](?!\.)", re.IGNORECASE)


@pytest.mark.parametrize("path", CONTAINERS, ids=name_of)
def test_the_program_of_its_container(path: Path) -> None:
    listing = migoto_listing(exact_listing(path))
    program = parse_listing(listing, None)
    assert program.listing_warnings == []
    assert as_container(program, path)
    assert as_container(decode_container(translate.assemble(listing)), path)


def test_the_dialect_is_written() -> None:
    """The listings have enough masks and bare constants for the test above to mean something."""
    listings = [migoto_listing(exact_listing(path)) for path in CONTAINERS]
    code = [line for text in listings for line in text.split("\n") if not line.startswith("dcl_")]
    assert sum(bool(_MASK.search(line)) for line in code) > 200
    assert sum(bool(_BARE.search(line)) for line in code) > 10


# A short search with fixed seeds: changed listings keep their meaning, broken ones are refused

COUNT = 30


@pytest.mark.parametrize("seed", range(3))
def test_random_listings(seed: int) -> None:
    same = 0
    for number in range(COUNT):
        text, path = candidate(random.Random(f"{seed} {number}"))
        same += path is not None
        try:
            check(text, path)
        except Exception as error:
            raise AssertionError(f"seed {seed}, listing {number}: {error!r}") from error
    assert COUNT // 4 < same < 3 * COUNT // 4


def test_another_meaning_is_noticed() -> None:
    """One instruction is removed from a listing that should keep its meaning."""
    text, path = next(
        (text, path)
        for text, path in (candidate(random.Random(f"0 {number}")) for number in range(100))
        if path is not None and path.stem == "saxpy"
    )
    lines = [line for line in text.splitlines() if "mad r0.x" not in line]
    assert len(lines) == len(text.splitlines()) - 1
    with pytest.raises(AssertionError, match="the listing gives other words"):
        check_same("\n".join(lines), path)
