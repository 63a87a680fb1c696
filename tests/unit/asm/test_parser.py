"""Listings to statements, which equal those decoded from the listing's container."""

import struct
from dataclasses import replace
from pathlib import Path

import pytest

import translate
from translate.asm import parse_listing
from translate.dxbc import decode_container
from translate.dxbc.contents import encode_container
from translate.errors import NOWHERE
from translate.isa import BY_NAME
from translate.isa.registers import Index, Modifier, Operand, RegisterFile, ReturnType, Selection
from translate.program import Statement

from .listings import CONTAINERS, DATA, differences, held_container, held_listing

HEXADECIMAL = sorted(path.name.removesuffix(".hex.asm") for path in DATA.glob("*.hex.asm"))
VARIANTS = sorted(path.stem for path in DATA.glob("*.*.asm") if not path.name.endswith(".hex.asm"))


def parse_body(body: str, profile: str = "cs_5_0") -> list[Statement]:
    return parse_listing(f"{profile}\n{body}\n", None).statements


@pytest.mark.parametrize("name", CONTAINERS)
def test_equals_the_container(name: str) -> None:
    program = parse_listing(held_listing(name), name)
    decoded = decode_container(held_container(name))
    assembled = decode_container(encode_container(program))
    assert assembled.warnings == []
    assert assembled.version == program.version == decoded.version
    for found in (program, assembled):
        assert differences(found.statements, decoded.statements) == []


def test_a_token_without_a_modifier() -> None:
    """The words are fxc's, of `x * (a - b) - -c`; no listing of fxc shows the token."""
    wanted = (0x0A000032, 0x00100072, 10, 0x80100006, 1, 1, 0x00100246, 8, 0x00100246, 6)
    line = "mad r10.xyz, +r1.xxxx, r8.xyzx, r6.xyzx"
    container = encode_container(parse_listing(f"cs_5_0\n{line}\n", None))
    assert struct.pack("<10I", *wanted) in container
    program = translate.load(container)
    assert line in translate.disassemble(program, hexadecimal=True)
    assert line.replace("+", "") in translate.disassemble(program)


@pytest.mark.parametrize("text", sorted((DATA / "vkd3d").glob("*.asm")), ids=lambda p: p.stem)
def test_text_of_vkd3d(text: Path) -> None:
    """vkd3d-compiler 2.1 disassembled (`-b d3d-asm`) containers that fxc made of these tests."""
    (container,) = Path(__file__).parents[2].glob(f"*/*/{text.stem}.dxbc")
    found = decode_container(encode_container(parse_listing(text.read_text(), text.name)))
    expected = decode_container(container.read_bytes())
    assert len(found.statements) == len(expected.statements)
    for left, right in zip(found.statements, expected.statements, strict=True):
        assert _meaning(left) == _meaning(right)


def _meaning(statement: Statement) -> tuple[object, ...]:
    """A statement without its place, the encoding of `.x` as `.xxxx`, and types that are float."""
    operands = [
        replace(o, selection=Selection.SWIZZLE if o.selection is Selection.SELECT else o.selection)
        for o in statement.operands
    ]
    returns = statement.returns or (ReturnType.FLOAT,) * 4
    return replace(statement, operands=(), where=NOWHERE, returns=returns), operands


@pytest.mark.parametrize("name", HEXADECIMAL)
def test_hexadecimal_listings_keep_every_bit(name: str) -> None:
    """The program chunk encoded from text equals that of the container."""
    container = decode_container(held_container(name))
    program = parse_listing(held_listing(f"{name}.hex"), name)
    assert len(program.statements) == len(container.statements)
    for parsed, decoded in zip(program.statements, container.statements, strict=True):
        parsed.where = decoded.where
        assert parsed == decoded


@pytest.mark.parametrize("variant", VARIANTS)
def test_variants_of_listings(variant: str) -> None:
    """Instruction numbers, byte offsets, `#line` and comments, and the compiler of 2014."""
    decoded = decode_container(held_container(variant.split(".")[0]))
    program = parse_listing(held_listing(variant), None)
    assert differences(program.statements, decoded.statements) == []


@pytest.mark.parametrize("name", ["icb", "interfaces", "layouts"])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        *(("\n", "\n"), ("\n", "\r\n"), ("\n", "\r"), ("\n", "\n\n"), ("\n", " // a comment\n")),
        *(("  ", "\t"), (", ", ",")),
    ],
)
def test_blanks_and_line_ends(name: str, old: str, new: str) -> None:
    """Also without an end of the last line, and with a byte order mark."""
    decoded = decode_container(held_container(name))
    changed = held_listing(name).replace(old, new)
    for text in (changed, f"\ufeff{changed.rstrip()}"):
        assert differences(parse_listing(text, None).statements, decoded.statements) == []


def test_place_of_each_statement() -> None:
    listing = "// head\ncs_5_0\ndcl_temps 1\nif_nz r0.x\n  add r0.x, r0.x, r0.y // sum\nendif \n"
    program = parse_listing(listing, "a.asm")
    places = [
        (s.where.line, s.where.column, s.where.length, s.where.instruction, s.where.mnemonic)
        for s in program.statements
    ]
    assert places == [
        (3, 1, 11, None, "dcl_temps"),
        (4, 1, 10, 0, "if"),
        (5, 3, 20, 1, "add"),
        (6, 1, 5, 2, "endif"),
    ]
    assert {s.where.file for s in program.statements} == {"a.asm"}
    assert program.source_line(program.statements[2].where) == "  add r0.x, r0.x, r0.y // sum"
    assert [o.text_span for o in program.statements[2].operands] == [(7, 4), (13, 4), (19, 4)]


def test_numbered_lines_have_their_columns() -> None:
    (statement,) = parse_listing("      cs_5_0\n   0: ret \n", None).statements
    assert (statement.where.column, statement.where.length) == (7, 3)


def test_nested_indices() -> None:
    def element(file: RegisterFile, component: int, *indices: Index) -> Operand:
        swizzle = (component, component, component, component)
        return Operand(file, selection=Selection.SELECT, swizzle=swizzle, indices=indices)

    (statement,) = parse_body("mov r0.x, x0[x1[r2.y + 3].z + 4].w")
    temp = element(RegisterFile.TEMP, 1, Index(2))
    inner = element(RegisterFile.INDEXABLE_TEMP, 2, Index(1), Index(3, temp))
    outer = element(RegisterFile.INDEXABLE_TEMP, 3, Index(0), Index(4, inner))
    assert statement.operands[1] == outer


@pytest.mark.parametrize(
    ("text", "index"),
    [("r1.x + 0", None), ("r1.x", None), ("r1.x + 7", 7), ("r1.x + -1", 0xFFFFFFFF)],
)
def test_zero_offset_of_an_index_is_left_out(text: str, index: int | None) -> None:
    (statement,) = parse_body(f"mov r0.x, icb[{text}].x")
    assert statement.operands[1].indices[0].immediate == index


def test_blanks_within_an_operand() -> None:
    (statement,) = parse_body("add r0.x, - | r1.x |, r0.x")
    assert statement.operands[1].modifier is Modifier.NEG_ABS


def test_integers_keep_their_bits_where_floats_are_expected() -> None:
    (statement,) = parse_body("add r0.xyzw, r0.xyzw, l(1, 1.0, 0x3f800000, -1)")
    assert statement.operands[2].values == (1, 0x3F800000, 0x3F800000, 0xFFFFFFFF)


def test_other_name_of_an_instruction() -> None:
    (statement,) = parse_body("check_access_mapped r0.x, r1.x")
    assert statement.row is BY_NAME["check_access_fully_mapped"]


def test_first_line_may_carry_a_comment() -> None:
    assert parse_listing("cs_4_1 // why\nret \n", None).version == (4, 1)
