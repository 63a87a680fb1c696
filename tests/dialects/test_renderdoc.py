"""Every shader as RenderDoc prints it gives its container's SPIR-V."""

from pathlib import Path

import pytest

import translate
from checks.dialects.edit import CONTAINERS, as_container, exact_listing, name_of
from checks.dialects.renderdoc import HASH, Writer
from translate.asm import parse_listing
from translate.errors import AssemblyError
from translate.program import Program

SOURCE = ("      float4 dcl_x = cs_5_0; // ret", "         ret")
LAYOUT = (Path(__file__).parent / "data/layout.txt").read_text("utf-8")
BODY = (Path(__file__).parent / "data/renderdoc.asm").read_text("utf-8")


def read(text: str) -> Program:
    return parse_listing(text, "a.asm")


def header_of(path: Path) -> list[str]:
    return [line for line in exact_listing(path).split("\n") if line.startswith("//")]


@pytest.mark.parametrize("path", CONTAINERS, ids=name_of)
def test_the_same_program(path: Path) -> None:
    expected = read(exact_listing(path))
    program = read(Writer(expected).listing(header_of(path)))
    assert program.listing_warnings == []
    assert as_container(program, path)
    assert program.reflection == expected.reflection


@pytest.mark.parametrize("digits", [4, 6])
@pytest.mark.parametrize("path", CONTAINERS, ids=name_of)
def test_rounded_numbers_warn(path: Path, digits: int) -> None:
    """The number of digits depends on RenderDoc's version."""
    expected = read(exact_listing(path))
    program = read(Writer(expected, digits).listing(header_of(path)))
    lost = [s.operands for s in program.statements] != [s.operands for s in expected.statements]
    lost |= [s.data for s in program.statements] != [s.data for s in expected.statements]
    assert program.listing_warnings or not lost
    for warning in program.listing_warnings:
        assert "container, which RenderDoc can save" in warning.message


def test_source_between_instructions_is_left_out() -> None:
    path = CONTAINERS[0]
    expected = read(exact_listing(path))
    program = read(Writer(expected, source=SOURCE).listing(header_of(path)))
    assert as_container(program, path)


@pytest.mark.parametrize(
    ("written", "register"),
    [
        ("low.xyxx", "cb3[0].xyxx"),
        ("high.yxyx", "cb3[0].wzwz"),
        ("table[2].w", "cb3[3].w"),
        ("turn[1].xyzx", "cb3[5].xyzx"),
        ("pair[0][1].x", "cb3[8].x"),
        ("pair[1][1].x", "cb3[9].x"),
        ("pair[1][2].x", "cb3[10].x"),
        ("light.at.zyxx", "cb3[11].zyxx"),
        ("light.power.x", "cb3[11].w"),
        ("abs(light.power.x)", "|cb3[11].w|"),
        ("-abs(r0.x)", "-|r0.x|"),
        ("r0.x {min10f}", "r0.x {min2_8f}"),
    ],
)
def test_names_of_constants(written: str, register: str) -> None:
    statement = read(HASH + "\n\n" + LAYOUT + BODY.format(f"mov r0.xyzw, {written}")).statements[-2]
    line = f"cs_5_0\nmov r0.xyzw, {register}\n"
    assert statement.operands == parse_listing(line, None).statements[0].operands


def test_names_of_resources() -> None:
    groups = "(structured_buffer, stride=16)(mixed,mixed,mixed,mixed)"
    line = f"ld_structured_indexable{groups} r0.xyzw, vThreadID.x, l(0), items.xyzw"
    program = read(HASH + "\n" + BODY.format(line))
    plain = parse_listing(f"cs_5_0\n{line.replace('items', 't11')}\n", None).statements[0]
    assert program.statements[-2].operands == plain.operands
    assert "dcl_uav_structured_glc u2, 4\n" in translate.disassemble(program)


@pytest.mark.parametrize(
    ("line", "message", "marked"),
    [
        ("mov r0.x, _size.x", "'_size' is not declared, and RenderDoc does not list", "_size.x"),
        ("mov r0.x, table.x", "'table' takes 1 index, found 0", "table.x"),
        ("mov r0.x, high.z", "'high.z' reads past w, the last component of its vector", "high.z"),
        ("mov r0.x, abs(r0.x", "unbalanced parenthesis", "("),
        ("mvo r0.x, r0.x", "unknown instruction 'mvo'", "mvo r0.x, r0.x"),
        ("mov r0.xyzw, r0.xyq", "a swizzle has one or four letters", "r0.xyq"),
    ],
)
def test_faults_have_their_place(line: str, message: str, marked: str) -> None:
    with pytest.raises(AssemblyError) as caught:
        read(HASH + "\n" + LAYOUT + BODY.format(line))
    assert message in caught.value.message
    where, source = caught.value.where, f"   0: {line}"
    assert caught.value.source_line == source
    assert where.column is not None
    assert source[where.column - 1 : where.column - 1 + where.length] == marked


def test_a_missing_definition_is_asked_for() -> None:
    with pytest.raises(AssemblyError, match="put fxc's '// Buffer Definitions:' above the profile"):
        read(HASH + "\n" + BODY.format("mov r0.x, low.x"))
