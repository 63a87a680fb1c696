"""Program tokens to statements: their places, and damaged programs.

`tests/unit/asm/test_printer.py` compares the statements of every instruction and declaration with
the listings of Microsoft's disassembler.
"""

import re
from pathlib import Path

import pytest

from translate import DecodeError, UnsupportedError
from translate.dxbc import decode_container
from translate.isa import BY_NAME

from .build import CS_5_1, FIRST_TOKEN, LISTINGS, RET, held, program


def test_a_long_interface_has_its_length_in_a_dword() -> None:
    tables = list(range(200))
    body = [0, 1, 200 | 1 << 16, *tables]
    read = decode_container(program(0x80000092, 2 + len(body), *body, RET))
    assert read.statements[0].extra == (0, 1, 1, *tables)
    assert read.statements[1].row.name == "ret"


def test_the_largest_stride() -> None:
    """ld_structured_indexable(structured_buffer, stride=2048) r0.x, r1.x, l(0), t0.x"""
    operands = (0x00100012, 0, 0x0010000A, 1, 0x00004001, 0, 0x00107006, 0)
    read = decode_container(program(0x8B0000A7, 0x80400302, 0x00199983, *operands))
    assert read.statements[0].stride == 2048


@pytest.mark.parametrize("path", LISTINGS, ids=lambda p: p.stem)
def test_statements_stand_where_the_listing_says(path: Path) -> None:
    """fxc's listing with instruction numbers and byte offsets in the program chunk."""
    read = decode_container(held(path.stem))
    lines = re.findall(r"^ *(\d*) +0x([0-9A-F]{8}): +(\S+)", path.read_text(), re.MULTILINE)
    assert lines[0][2] == read.profile
    first = read.statements[0].where.offset
    assert first is not None
    found = [(s.where.instruction, (s.where.offset or 0) - first + 8) for s in read.statements]
    assert found == [(int(n) if n else None, int(offset, 16)) for n, offset, _ in lines[1:]]
    for statement, (_, _, mnemonic) in zip(read.statements, lines[1:], strict=True):
        longest = max((name for name in BY_NAME if mnemonic.startswith(name)), key=len)
        assert BY_NAME[longest] is statement.row


BROKEN = [
    ((0x010000EC,), 0, "unknown opcode 0xec"),
    ((RET, 0x010007FF), 4, "unknown opcode 0x7ff"),
    ((0x0000003E,), 0, "ret has a length of 0 dwords"),
    ((RET, 0x02000068), 4, "dcl_temps has 2 dwords, the program only 1 more"),
    ((0x01000068,), 0, "dcl_temps ends before its count"),
    ((0x03000068, 1, 1), 0, "dcl_temps has 1 dwords too many"),
    ((RET, 0x03000036, 0x00100012, 0), 4, "mov takes 2 operands, found 1"),
    ((0x02000036, 0x00100012), 0, "the instruction ends within an operand"),
    ((0x05000036, 0x00100012, 0, 0x00200E46, 0), 0, "the instruction ends within an operand"),
    ((0x1835, 5, 1, 2, 3), 0, "an immediate constant buffer of 3 dwords, not whole vec4s"),
    ((0x1835, 99), 0, "custom data with an invalid length of 99 dwords"),
    ((0x1835, 0), 0, "custom data with an invalid length of 0 dwords"),
    ((RET, 0x1835), 4, "the program ends within an instruction"),
    ((0x8100003E,), 0, "ret ends within its extended opcode tokens"),
    ((0x8200003E, 5), 0, "unknown kind 5 of extended opcode token"),
    ((0x8200003E, 13 << 6 | 2), 0, "unknown resource dimension 13"),
    ((0x8200003E, 10 << 6 | 3), 0, "unknown return type 10"),
    ((0x04000091, 1, 2, 4), 0, "dcl_function_table lists 2 bodies, found 1"),
    ((0x050000B2, 0x00100012, 0, 0x0021E000, 0), 0, "the instruction ends within an operand"),
    ((0x060000B2, 0x00100012, 0, 0x0021E000, 0, 0), 0, "u takes 1 indices, found 2"),
    ((0x05000036, 0x00100002, 0, 0x00100E46, 0), 0, "mov needs a write mask on r"),
    ((0x05000036, 0x00100E46, 0, 0x00100E46, 0), 0, "mov needs a write mask on r"),
    ((0x05000036, 0x0010000A, 0, 0x00100E46, 0), 0, "mov needs a write mask on r"),
    ((0x06000036, 0x00100012, 0, 0x0021D00A, 0, 0), 0, "this takes 1 indices, found 2"),
    ((0x04000078, 0, 0x00100000, 0), 0, "fcall takes fp, found r"),
    ((0x03000004, 0x00100000, 0), 0, "call takes label or fb, found r"),
    ((0x0300005A, 0x00107000, 0), 0, "dcl_sampler takes s, found t"),
    ((0x040000A1, 0x00907000, 0x0010000A, 0), 0, "dcl_resource_raw takes numbers as indices"),
    ((0x06000036, 0x00500012, 1, 0, 0x00100E46, 0), 0, "an index has 32 bits, found 4294967296"),
    ((0x06000036, 0x00900012, 0x0010000A, 0, 0x00100E46, 0), 0,
     "r takes a number as its first index"),
]  # fmt: skip


@pytest.mark.parametrize(("dwords", "offset", "message"), BROKEN, ids=[case[2] for case in BROKEN])
def test_damaged_program(dwords: tuple[int, ...], offset: int, message: str) -> None:
    with pytest.raises(DecodeError) as caught:
        decode_container(program(*dwords), "shader.dxbc")
    assert caught.value.message == message
    assert caught.value.where.offset == FIRST_TOKEN + offset
    assert caught.value.where.file == "shader.dxbc"


def test_an_error_counts_instructions() -> None:
    bad = [RET, RET, 0x03000036, 0x00100012, 0]
    with pytest.raises(DecodeError) as caught:
        decode_container(program(0x02000068, 1, *bad))
    assert caught.value.where.instruction == 2
    assert caught.value.where.mnemonic == "mov"


@pytest.mark.parametrize(
    ("version", "kind", "message"),
    [
        (0x00000050, UnsupportedError, "a pixel shader; only compute shaders are translated"),
        (0x00010040, UnsupportedError, "a vertex shader; only compute shaders are translated"),
        (
            0x00050060,
            UnsupportedError,
            "Shader Model 6.0; only 4.0, 4.1, 5.0 and 5.1 are supported",
        ),
        (0x00090050, DecodeError, "unknown program type 9"),
    ],
)
def test_other_programs_are_refused(version: int, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind) as caught:
        decode_container(program(RET, version=version))
    assert str(caught.value).endswith(message)


def test_a_program_longer_than_its_chunk() -> None:
    """The patched bytes also break the checksum, which shows that the file is damaged."""
    data = bytearray(program(RET))
    data[48] = 4
    with pytest.raises(DecodeError) as caught:
        decode_container(bytes(data))
    assert caught.value.message == (
        "the program has 4 dwords, its chunk 3;"
        " the container's checksum does not match its contents: the file is damaged"
    )
    assert caught.value.where.offset == 48


def test_a_range_is_declared_with_its_ends() -> None:
    """cs_5_1: an instruction has two indices, a declaration three."""
    with pytest.raises(DecodeError, match="t takes 3 indices, found 2"):
        decode_container(program(0x050000A1, 0x00207000, 0, 0, 0, version=CS_5_1))
