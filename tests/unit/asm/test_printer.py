"""Listings are equal to those of Microsoft's disassembler, byte for byte.

Besides shaders that fxc compiled there are hand-made containers for what fxc rarely emits
(`instructions`, `operands_*`, `declarations_*`, `precision`, `immediates`, `flow`, `model_4_1`);
Microsoft's disassembler printed their listings too.
"""

from __future__ import annotations

import pytest

from translate.asm import parse_listing, print_listing
from translate.dxbc import decode_container
from translate.isa import ROWS

from ...complete import check_complete
from .listings import CONTAINERS, code_lines, held_container, held_listing


@pytest.mark.parametrize("name", CONTAINERS)
def test_prints_as_microsoft_does(name: str) -> None:
    printed = print_listing(decode_container(held_container(name)))
    assert printed.removesuffix("\n").split("\n") == code_lines(held_listing(name))


def test_the_listings_have_every_row() -> None:
    seen = {
        statement.row.name
        for name in CONTAINERS
        for statement in decode_container(held_container(name)).statements
    }
    names = {row.name for row in ROWS}
    check_complete(seen, names, "the containers and listings of tests/unit/asm/data")


@pytest.mark.parametrize("name", CONTAINERS)
def test_printed_listings_read_back_and_print_the_same(name: str) -> None:
    printed = print_listing(decode_container(held_container(name)))
    again = print_listing(parse_listing(printed, None))
    # A float below 0.0000005 prints as 0.000000, is read as 0, and prints as an integer in `mov`.
    assert again.replace("0.000000", "0") == printed.replace("0.000000", "0")
