"""Assembling into a container: which of its chunks are kept."""

import json
import warnings
from pathlib import Path

import pytest

import translate
from translate.dxbc.container import build_container, parse_container
from translate.program import Chunk
from vkrunner.__main__ import main

from ...listings import listing

HERE = Path(__file__).parents[2]
DEBUG = HERE / "debug" / "groups.O3.dxbc"  # by fxc /Zi, with SPDB
OTHERS = (b"ILDB", b"ILDN", b"SDBG", b"PDBI")  # of d3dcompiler and dxc
LEFT_OUT = "the debug information {} of the container is left out, as the code was changed"


def names(container: bytes) -> list[bytes]:
    return [chunk.fourcc for chunk in parse_container(container, None).chunks]


def edited(container: bytes) -> tuple[str, str]:
    """A container's listing, and the same with another instruction."""
    text = translate.disassemble(translate.load(container), exact=True)
    return text, text.replace("\nret", "\nnop\nret")


def test_changed_code_loses_its_debug_information() -> None:
    original = DEBUG.read_bytes()
    same, changed = edited(original)
    with warnings.catch_warnings(action="error"):
        assert names(translate.assemble(same, into=original)) == names(original)
    with pytest.warns(translate.ListingWarning) as found:
        made = translate.assemble(changed, file="a.asm", into=original, strict=True)
    assert [w.filename for w in found] == [__file__]
    assert str(found[0].message) == f"a.asm: warning: {LEFT_OUT.format('SPDB')}"
    assert names(made) == [name for name in names(original) if name != b"SPDB"]
    program = translate.load(made)
    assert not program.hlsl_files
    assert all(statement.where.hlsl_line is None for statement in program.statements)


def test_every_form_of_debug_information() -> None:
    """Private data and unknown chunks stay."""
    plain = parse_container(translate.assemble(listing([])), None).chunks
    chunks = [Chunk(b"PRIV", b"abcd"), *plain, *(Chunk(name, b"abcd") for name in OTHERS)]
    original = build_container(chunks)
    same, changed = edited(original)
    assert translate.assemble(same, into=original) == original
    with pytest.warns(translate.ListingWarning, match="ILDB, ILDN, SDBG, PDBI"):
        made = translate.assemble(changed, into=original)
    assert names(made) == [b"PRIV", *(chunk.fourcc for chunk in plain)]


NAMED = HERE / "unit" / "vkrunner" / "data" / "names.dxbc"


@pytest.mark.parametrize("path", [DEBUG, NAMED], ids=lambda path: path.name)
@pytest.mark.parametrize("header", [False, True])
def test_an_unedited_listing_gives_the_same_bytes(path: Path, header: bool) -> None:
    """The header lacks facts of RDEF, such as the exact sizes of constant buffers."""
    original = path.read_bytes()
    text = translate.disassemble(translate.load(original), header=header, exact=True)
    assert translate.assemble(text, into=original) == original


def test_an_edited_name() -> None:
    original = NAMED.read_bytes()
    program = translate.load(original)
    assert program.reflection is not None
    name = program.reflection.buffers[0].name
    text = translate.disassemble(program, header=True, exact=True)
    edited = translate.load(translate.assemble(text.replace(name, "Other"), into=original))
    assert edited.reflection is not None
    assert edited.reflection.buffers[0].name == "Other"


A, B = "dcl_resource_texture2d (float,float,float,float) t0", "dcl_resource_raw t0"
ASKED = "the listing was printed from another container"
CHANGED = "t0 is {} here and {} in the container"
OTHER_CONTAINERS = [
    (A, B, CHANGED.format("a raw buffer", "a texture2d of float")),
    (B, "dcl_resource_structured t0, 8", "a structured buffer with stride 8 here and a raw buffer"),
    (A, A.replace("2d", "3d"), CHANGED.format("a texture3d of float", "a texture2d of float")),
    (A, A.replace("float", "uint"), "a texture2d of uint here and a texture2d of float"),
    ("dcl_uav_structured u1, 4", "dcl_uav_structured u1, 8", "u1 is a structured buffer with"),
    (A, "dcl_uav_raw u0\ndcl_sampler s0, mode_default", "the container declares no u0, s0"),
    (
        "dcl_sampler s0, mode_default",
        "dcl_sampler s0, mode_comparison",
        "s0 is a comparison sampler here and a sampler that does not compare in the container",
    ),
    (
        "dcl_constantbuffer cb0[2], immediateIndexed",
        "dcl_constantbuffer cb0[3], immediateIndexed",
        "cb0 is a constant buffer of 3 vectors here and one of 2 in the container",
    ),
]


@pytest.mark.parametrize(("declared", "other", "message"), OTHER_CONTAINERS)
def test_another_container(declared: str, other: str, message: str) -> None:
    """Names and the root signature would be wrong, so that only a warning tells it."""
    original = translate.assemble(listing([], declarations=[declared]))
    text = listing([], declarations=other.splitlines())
    with pytest.warns(translate.ListingWarning) as found:
        translate.assemble(text, file="a.asm", into=original)
    assert len(found) == 1
    assert message in str(found[0].message)
    assert ASKED in str(found[0].message)
    with pytest.raises(translate.AssemblyError, match=ASKED):
        translate.assemble(text, into=original, strict=True)
    with warnings.catch_warnings(action="error"):  # what is gone harms nobody
        translate.assemble(listing([]), into=original)
        translate.assemble(text, into=original, check=False)


def test_a_constant_buffer_up_to_its_named_length() -> None:
    """fxc declares only the vectors that are read; the names have all."""
    names = "// cbuffer P\n// {\n//   float4 a[8]; // Offset: 0 Size: 128\n// }"
    row = "// P cbuffer NA NA cb0 1"
    header = f"// Buffer Definitions:\n{names}\n// Resource Bindings:\n{row}\n"
    text = listing([], declarations=["dcl_constantbuffer cb0[2], immediateIndexed"])
    original = translate.assemble(header + text)
    with warnings.catch_warnings(action="error"):
        translate.assemble(text.replace("cb0[2]", "cb0[8]"), into=original)
    with pytest.warns(translate.ListingWarning, match="of 9 vectors here and one of 8"):
        translate.assemble(text.replace("cb0[2]", "cb0[9]"), into=original)


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, made = tmp_path / "a.asm", tmp_path / "a.dxbc"
    same, changed = edited(DEBUG.read_bytes())
    words = ["asm", str(source), "--into", str(DEBUG), "-o", str(made), "--json"]
    warning = f"{source}: warning: {LEFT_OUT.format('SPDB')}\n"
    for text, message in ((same, ""), (changed, warning)):
        source.write_text(text, encoding="utf-8")
        assert main(words) == 0
        printed = capsys.readouterr()
        assert printed.err == message
        shown = [f"{source}: {LEFT_OUT.format('SPDB')}"] if message else []
        assert json.loads(printed.out)["warnings"] == shown


def test_a_container_is_replaced_where_both_names_are_given(tmp_path: Path) -> None:
    source, made = tmp_path / "a.asm", tmp_path / "a.dxbc"
    source.write_text(edited(DEBUG.read_bytes())[0], encoding="utf-8")
    made.write_bytes(DEBUG.read_bytes())
    assert main(["asm", str(source), "--into", str(made), "-o", str(made)]) == 0
    assert made.read_bytes() == DEBUG.read_bytes()


def test_errors_name_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, damaged = tmp_path / "a.asm", tmp_path / "a.dxbc"
    source.write_text(listing([], profile="cs_4_0"), encoding="utf-8")
    damaged.write_bytes(DEBUG.read_bytes()[:100])
    words = ["asm", str(source), "-o", str(tmp_path / "b.dxbc"), "--into"]
    for into, start in (
        (DEBUG, f"{source}: error: "),
        (damaged, f"{damaged} at byte 0x18: error: "),
    ):
        assert main([*words, str(into)]) == 2
        assert capsys.readouterr().err.startswith(start)
