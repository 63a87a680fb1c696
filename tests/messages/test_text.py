"""Messages in containers and listings: decoding, printing and assembling."""

import struct
from pathlib import Path

import pytest

import translate
from translate.dxbc import decode_container
from translate.dxbc.contents import encode_container
from translate.explanation import dump_ir

from ..unit.dxbc.build import program
from .listings import shader

DATA = Path(__file__).parents[1] / "unit/asm/data"
COMPILED = sorted((Path(__file__).parents[1] / "coverage/compiled").glob("messages.*.dxbc"))
RET = 0x0100003E
PRINTF, ERRORF = 0x200102, 0x200103


def code(container: bytes) -> bytes:
    """The program chunk."""
    chunks = translate.load(container).chunks
    return next(chunk.payload for chunk in chunks if chunk.fourcc in (b"SHEX", b"SHDR"))


@pytest.mark.parametrize("path", [DATA / "messages.dxbc", *COMPILED], ids=lambda p: p.name)
def test_containers_come_back_from_their_listings(path: Path) -> None:
    """Also, fxc's own checksum of them is accepted."""
    held, read = path.read_bytes(), translate.load(path)
    assert read.warnings == []
    again = translate.assemble(translate.disassemble(read))
    assert code(again) == code(held)
    assert code(encode_container(read)) == code(held)


def test_a_command_of_github_is_escaped() -> None:
    """The runner of a workflow takes `##[` for one, wherever it is in a line."""
    given = shader('printf "a ##[error] ###[b"')
    text = translate.disassemble(translate.load(given))
    assert r'"a \x23#[error] #\x23#[b"' in text
    assert code(translate.assemble(text)) == code(translate.assemble(given))
    dumped = dump_ir(translate.load(given), translate.Options())
    assert "##[" not in dumped
    assert r"a \u0023#[error] #\u0023#[b" in dumped


def test_a_character_that_cannot_be_printed_is_escaped() -> None:
    text = translate.disassemble(translate.load(shader('printf "a\x7fb ##vso[x"')))
    assert r'"a\x7fb \x23#vso[x"' in text
    assert code(translate.assemble(text)) == code(
        translate.assemble(shader('printf "a\x7fb ##vso[x"'))
    )


def test_another_wrong_checksum_is_a_warning() -> None:
    data = bytearray(translate.assemble(shader("nop")))
    data[4] ^= 1
    assert translate.load(bytes(data)).warnings


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ('""', b""),
        ('"abc"', b"abc"),
        ('"say "this""', b'say "this"'),
        ('"say \\"this\\""', b'say "this"'),
        ('"\\n\\t\\r\\b\\\\"', b"\n\t\r\b\\"),
        ('"\\x00\\xe9\\x07"', b"\x00\xe9\x07"),
        ('"é €"', "é €".encode()),
        ('"http://host, r0.x // no comment"', b"http://host, r0.x // no comment"),
        ('"4: x"', b"4: x"),
    ],
)
def test_strings(written: str, text: bytes) -> None:
    listing = shader(f"printf {written}, r0.x // a comment", f"errorf {written}")
    (first, second, _) = [s for s in translate.load(listing).statements if not s.row.is_declaration]
    assert (first.text, second.text) == (text, text)
    assert (len(first.operands), len(second.operands)) == (1, 0)
    read = translate.load(translate.assemble(listing))
    assert [s.text for s in read.statements if s.text] == ([text] * 2 if text else [])
    assert translate.load(translate.disassemble(read)).statements[-2].text == text


def test_a_numbered_line() -> None:
    read = translate.load(shader('  12: printf "a // b" , r0.x //c'))
    assert read.statements[-2].text == b"a // b"


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("printf", "expected a string in quotation marks"),
        ("printf r0.x", "expected a string in quotation marks"),
        ('printf "open', "expected a string in quotation marks"),
        ('printf "a" r0.x', "expected a comma, found 'r0.x'"),
        ('printf "a",', "expected an operand after the comma"),
        ('printf "a", r0', r"r0 needs a swizzle such as .xyzw"),
        ('printf "a", q0.x', "unknown register"),
        ('printf "\\q"', r"unknown escape \\q"),
        ('printf "\\x1"', r"unknown escape \\x"),
        ('printf "a\ud800"', r"U\+D800 is no character"),
        ('errorf_sat "a"', "errorf has no suffix"),
        ("abort r0.x", "abort takes 0 operands, found 1"),
    ],
)
def test_errors_of_lines(line: str, problem: str) -> None:
    with pytest.raises(translate.AssemblyError, match=problem) as caught:
        translate.load(shader(line))
    assert caught.value.where.line == 7
    assert caught.value.where.column is not None


def message(*words: int, kind: int = 0x2035) -> bytes:
    return program(kind, 2 + len(words), *words, RET)


def test_a_message_by_hand() -> None:
    temp = 0x0010000A  # r0.x
    (text,) = struct.unpack("<I", b"x%d\0")
    read = decode_container(message(PRINTF, 1, 3, 1, 2, temp, 0, text))
    assert [s.row.name for s in read.statements] == ["printf", "ret"]
    assert read.statements[0].text == b"x%d"
    assert [s.where.instruction for s in read.statements] == [0, 1]


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ((PRINTF, 1), "a shader message of only 4 dwords"),
        ((0x200104, 1, 0, 0, 0, 0), "unknown shader message 0x200104"),
        ((ERRORF, 0, 0, 0, 0, 0), "errorf has a message of kind 0, not 1, a format string"),
        ((PRINTF, 1, 5, 0, 0, 0), "ends within its operands or its text"),
        ((PRINTF, 1, 0, 0, 9, 0), "ends within its operands or its text"),
        ((PRINTF, 1, 0, 3, 1, 0x0010000A, 0), "3 operands in 1 dwords"),
        ((PRINTF, 1, 0, 1, 1, 0x0010000A, 0), "ends within an operand"),
        ((PRINTF, 1, 0, 1, 3, 0x0010000A, 0, 0, 0), "1 dwords too many for its operands"),
        ((PRINTF, 1, 0, 1, 1, 0x0000000A, 0), "r takes 1 indices, found 0"),
        ((PRINTF, 1, 0xFFFFFFFF, 0, 0, 0), "ends within its operands or its text"),
    ],
)
def test_damaged_messages(words: tuple[int, ...], problem: str) -> None:
    with pytest.raises(translate.DecodeError, match=problem):
        decode_container(message(*words))
