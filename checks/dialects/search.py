"""Random listings in each dialect: equal meanings give equal SPIR-V words, faults give errors."""

from __future__ import annotations

import random
import warnings
from functools import cache
from pathlib import Path

import translate
from checks.bytes.limits import limited_time
from checks.bytes.mutate_listing import mutate_listing
from checks.bytes.oracles import check_listing
from translate.asm import parse_listing
from translate.dxbc import decode_container
from translate.errors import ListingWarning
from translate.program import Program

from .changes import change_listing
from .edit import CONTAINERS, exact_listing
from .renderdoc import Writer

BROKEN_SHARE = 0.5
_SOURCE = ("      float4 dcl_x = cs_5_0; // ret", "         ret")


def candidate(rng: random.Random) -> tuple[str, Path | None]:
    """A listing and the container with the same meaning, or None where the listing was broken."""
    path = rng.choice(CONTAINERS)
    text = written(path, rng)
    if rng.random() >= BROKEN_SHARE:
        return text, path
    other = written(rng.choice(CONTAINERS), rng)
    data = text.encode()
    for _ in range(rng.choice((1, 1, 2, 4))):
        data = mutate_listing(data, rng, other.encode())
    return data.decode("utf-8", "replace"), None


def written(path: Path, rng: random.Random) -> str:
    """A container's listing in the dialect of fxc, 3Dmigoto or RenderDoc."""
    listing = exact_listing(path)
    if rng.random() < 0.5:
        return change_listing(listing, rng, renderdoc=False)
    header = [line for line in listing.split("\n") if line.startswith("//")]
    writer = Writer(parse_listing(listing, None), source=rng.choice(((), _SOURCE)))
    return change_listing(writer.listing(header), rng, renderdoc=True)


def check(text: str, path: Path | None) -> None:
    """Raise what a check of the listing raises."""
    with warnings.catch_warnings(), limited_time(len(text)):
        warnings.simplefilter("ignore", ListingWarning)
        if path is None:
            check_listing(text.encode())
        else:
            check_same(text, path)


def check_same(text: str, path: Path) -> None:
    """The listing, and the container assembled from it, give the original container's words."""
    expected = words_of(path)
    program = parse_listing(text, None)
    assert words(program) == expected, "the listing gives other words"
    assembled = decode_container(translate.assemble(text))
    assert words(assembled) == expected, "the assembled container gives other words"


@cache
def words_of(path: Path) -> bytes:
    """The SPIR-V of a container."""
    return words(decode_container(path.read_bytes()))


def words(program: Program) -> bytes:
    return translate.to_spirv(program).words.tobytes()
