"""Every container in `data` is in the manifest, and its listing says the same."""

from __future__ import annotations

from pathlib import Path

import pytest

import translate

from .shaders import DATA

CONTAINERS = sorted(DATA.glob("*.dxbc"))
MANIFEST = [row.split("|") for row in (DATA / "manifest.txt").read_text().splitlines()]


def test_the_manifest_lists_them() -> None:
    assert sorted(row[4] for row in MANIFEST) == [path.name for path in CONTAINERS]
    assert {row[0] for row in MANIFEST} == {path.name for path in DATA.glob("*.hlsl")}
    profiles = {row[4]: row[2] for row in MANIFEST}
    for path in CONTAINERS:
        assert translate.disassemble(translate.load(path)).startswith(profiles[path.name])


@pytest.mark.parametrize("path", CONTAINERS, ids=lambda path: path.stem)
def test_listings_translate_to_the_same(path: Path) -> None:
    """What the container's listing says is the whole of it: the two give the same code."""
    program = translate.load(path)
    listing = translate.load(translate.disassemble(program))
    one, other = (translate.to_spirv(p).interface for p in (program, listing))
    assert [b.register for b in one] == [b.register for b in other]
    assert (one.features, one.thread_group) == (other.features, other.thread_group)
    assert len(program.statements) == len(listing.statements)
