"""Lines of the HLSL: the container's program database, compared with fxc's `#line`."""

from pathlib import Path

import pytest

import translate
from translate.program import Program

from .build import container_of

DATA = Path(__file__).parent / "data" / "debug"
STEPPED = sorted((Path(__file__).parents[2] / "debug").glob("*.dxbc"))
NAMES = ("debug_lines_Od", "debug_lines_O3")


def places(program: Program) -> list[tuple[str | None, int | None]]:
    """File and line of every instruction."""
    wheres = [s.where for s in program.statements if not s.row.is_declaration]
    return [(where.hlsl_file, where.hlsl_line) for where in wheres]


@pytest.mark.filterwarnings("ignore::translate.errors.ListingWarning")  # it has six digits
@pytest.mark.parametrize("path", STEPPED, ids=lambda path: path.stem)
def test_lines_are_those_of_fxcs_listing(path: Path) -> None:
    """Also of inlined functions, subroutines and `#line`; the entry point, and the HLSL text."""
    program = translate.load(path)
    assert places(program) == places(translate.load(path.with_suffix(".asm")))
    shader = path.name.partition(".")[0]
    ((file, text),) = program.hlsl_files.items()
    assert file.replace("\\\\", "\\").lower() == f"z:\\hlsl\\{shader}.hlsl"
    assert text == (path.parent / "hlsl" / f"{shader}.hlsl").read_text()
    assert f"void {program.hlsl_entry}(" in text


@pytest.mark.filterwarnings("ignore::translate.errors.ListingWarning")  # it has six digits
@pytest.mark.parametrize("name", NAMES)
def test_container_and_listing_agree(name: str) -> None:
    container = places(translate.load(DATA / f"{name}.dxbc"))
    listing = places(translate.load(DATA / f"{name}.asm"))
    files = {file.rpartition("\\")[2] for file, _ in container if file is not None}
    assert files == {"debug_lines.hlsl", "neighbours.hlsli"}
    assert [line for _, line in container] == [line for _, line in listing]
    assert [file for file, _ in container] == [file for file, _ in listing]


def test_included_files_come_with_their_text() -> None:
    program = translate.load(DATA / "debug_lines_Od.dxbc")
    assert [*program.hlsl_files] == ["Z:\\hlsl\\debug_lines.hlsl", "neighbours.hlsli"]
    for file, text in program.hlsl_files.items():
        assert text == (DATA / file.rpartition("\\")[2]).read_text()


def test_a_container_without_debug_information_names_no_lines() -> None:
    assert set(places(translate.load(container_of("interfaces")))) == {(None, None)}


def test_damage_is_a_warning() -> None:
    data = bytearray((DATA / "debug_lines_O3.dxbc").read_bytes())
    start = data.index(b"Microsoft C/C++")
    data[start] ^= 1
    program = translate.load(bytes(data))
    assert any("debug information (SPDB) is ignored" in text for text in program.warnings)
    assert set(places(program)) == {(None, None)}


def test_a_file_that_begins_with_another_name() -> None:
    """fxc keeps the compiled file's text, and `#line` gives its lines another file's name."""
    program = translate.load(DATA.parent / "renamed" / "line_one.dxbc")
    (name, text), *others = program.hlsl_files.items()
    assert (name, others) == ("means.hlsl", [])
    lines = text.splitlines()
    assert lines[0] == "StructuredBuffer<float> samples : register(t0);"
    loads = [s.where for s in program.statements if s.row.name == "ld_structured"]
    assert {where.hlsl_file for where in loads} == {"means.hlsl"}
    assert {lines[(where.hlsl_line or 0) - 1].strip() for where in loads} == {
        "means[id.x] = (samples[id.x] + samples[id.x + 1]) / SCALE;"
    }
