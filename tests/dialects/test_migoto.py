"""Every shader in 3Dmigoto's dialect gives its container's SPIR-V."""

import re
from pathlib import Path

import pytest

import translate
from checks.dialects.edit import CONTAINERS, as_container, exact_listing, name_of
from checks.dialects.migoto import migoto_listing
from translate.asm import parse_listing
from translate.dxbc import decode_container

_MASK = re.compile(r", -?\|?\w+(?:\[[^\]]*\])?\.[xyzw]{2,3}\b")
_BARE = re.compile(r"cb\d+\[[^\]]*\](?!\.)", re.IGNORECASE)


@pytest.mark.parametrize("path", CONTAINERS, ids=name_of)
def test_the_same_program(path: Path) -> None:
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
