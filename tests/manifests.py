"""Folders of compiled shaders; `manifest.txt` has the source and the flags of each.

A row is `source|entry|profile|flags|container||defines|`.
"""

from pathlib import Path

import translate


def containers(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.dxbc"))


def check_manifest(folder: Path) -> None:
    """The manifest has a row for each container, of its profile, and uses every source."""
    rows = [row.split("|") for row in (folder / "manifest.txt").read_text().splitlines()]
    assert sorted(row[4] for row in rows) == [path.name for path in containers(folder)]
    assert {row[0] for row in rows} == {path.name for path in folder.glob("*.hlsl")}
    profiles = {row[4]: row[2] for row in rows}
    for path in containers(folder):
        assert translate.disassemble(translate.load(path)).startswith(profiles[path.name])


def check_listing(container: Path) -> None:
    """A container and its listing give the same code."""
    program = translate.load(container)
    listing = translate.load(translate.disassemble(program))
    one, other = (translate.to_spirv(p).interface for p in (program, listing))
    assert [b.register for b in one] == [b.register for b in other]
    assert (one.features, one.thread_group) == (other.features, other.thread_group)
    assert len(program.statements) == len(listing.statements)
