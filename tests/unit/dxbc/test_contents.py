"""The chunks around a program: fxc's contents, kept chunks and rebuilt ones."""

import dataclasses
import struct
from pathlib import Path

import pytest

from translate import ProgramError
from translate.dxbc import decode_container
from translate.dxbc.container import build_container, parse_container
from translate.dxbc.contents import encode_container, feature_flags
from translate.errors import NOWHERE
from translate.isa import BY_NAME
from translate.program import Chunk, Program, Statement
from translate.reflection import Reflection

from .build import CONTAINERS, FIRST_TOKEN, RET, held, name, program

DOUBLES = 0x1000  # bit 12 of dcl_globalFlags


def read(stem: str) -> Program:
    return decode_container(held(stem))


def chunks_of(data: bytes) -> dict[bytes, bytes]:
    container = parse_container(data, None)
    assert not container.warnings
    return {chunk.fourcc: chunk.payload for chunk in container.chunks}


def without_container(path: Path) -> dict[bytes, bytes]:
    """The chunks of a container made from the statements alone."""
    whole = decode_container(path.read_bytes())
    return chunks_of(encode_container(Program(whole.version, whole.statements, whole.reflection)))


@pytest.mark.parametrize("path", CONTAINERS, ids=name)
def test_rebuilt_chunks_are_the_compilers(path: Path) -> None:
    """Their names and order, features, and the certain statistics.

    These are the instructions, temporaries, constants and inputs, and the chunk's size in the
    model. Signatures with minimum precision and class tables are not built.
    """
    theirs, ours = chunks_of(path.read_bytes()), without_container(path)
    renamed = {b"ISG1": b"ISGN", b"OSG1": b"OSGN"}
    assert [*ours] == [renamed.get(fourcc, fourcc) for fourcc in theirs if fourcc != b"IFCE"]
    assert ours.get(b"SFI0") == theirs.get(b"SFI0")
    assert len(ours[b"STAT"]) == len(theirs[b"STAT"])
    assert ours[b"STAT"][:16] == theirs[b"STAT"][:16]


def test_signatures_of_a_compute_shader_are_empty() -> None:
    made = chunks_of(encode_container(Program((5, 0), [])))
    theirs = chunks_of(held("forms_high"))
    assert (made[b"ISGN"], made[b"OSGN"]) == (theirs[b"ISGN"], theirs[b"OSGN"])


@pytest.mark.parametrize(
    ("words", "flags"),
    [
        ((0x0100106A,), 0x1),
        ((0x0100406A,), 0x2),
        ((0x0101006A,), 0x10),
        ((0x0102006A,), 0x20),
        ((0x0104006A,), 0x40),
        ((0x0100086A,), 0),
        ((0x0107586A,), 0x73),
        ((0x0300009D, 0x0011E000, 7), 0),
        ((0x0300009D, 0x0011E000, 8), 0x8),
        ((0x0302009D, 0x0011E000, 0), 0x1000),
        ((0x0301009D, 0x0011E000, 0), 0),
        # ld_raw_s r0.x, null, l(0), t0.x: feedback needs tiled resources
        ((0x080000E2, 0x00100012, 0, 0x0000D000, 0x00004001, 0, 0x00107006, 0), 0x100),
    ],
)
def test_features_of_a_statement(words: tuple[int, ...], flags: int) -> None:
    """Reference "DXBC container", §4: the bits of SFI0; token format, §7: those of globalFlags."""
    assert feature_flags(decode_container(program(*words))) == flags


def with_flag(whole: Program, flag: int) -> Program:
    """The same program with another `dcl_globalFlags`."""
    first = dataclasses.replace(whole.statements[0], controls=flag)
    assert first.row.name == "dcl_globalFlags"
    return dataclasses.replace(whole, statements=[first, *whole.statements[1:]])


def test_a_changed_program_gets_new_features_and_statistics() -> None:
    whole = read("icb")
    made = chunks_of(encode_container(with_flag(whole, DOUBLES)))
    assert [*made] == [b"RDEF", b"ISGN", b"OSGN", b"SHEX", b"STAT", b"SFI0"]
    assert struct.unpack("<Q", made[b"SFI0"]) == (1,)
    assert made[b"RDEF"] == whole.chunks[0].payload


def test_unused_features_are_removed() -> None:
    whole = read("forms_ddiv")
    assert b"SFI0" in [chunk.fourcc for chunk in whole.chunks]
    assert b"SFI0" not in chunks_of(encode_container(with_flag(whole, 0x800)))


def test_statistics_follow_the_program() -> None:
    whole = read("icb")
    whole.statements.pop()
    stat = chunks_of(encode_container(whole))[b"STAT"]
    assert struct.unpack_from("<I", stat) == (16,)  # fxc counted 17 with `ret`


def test_a_stripped_container_stays_stripped() -> None:
    whole = decode_container(program(RET))
    whole.statements.append(Statement(BY_NAME["ret"], (), NOWHERE))
    assert [*chunks_of(encode_container(whole))] == [b"SHEX"]


def test_a_changed_reflection_is_written() -> None:
    whole = read("model_4_0")
    assert whole.reflection is not None
    whole.reflection = whole.reflection._replace(creator="somebody else")
    data = encode_container(whole)
    again = decode_container(data)
    assert again.reflection == whole.reflection
    theirs = {chunk.fourcc: chunk.payload for chunk in whole.chunks}
    assert {k: v for k, v in chunks_of(data).items() if k != b"RDEF"} == {
        k: v for k, v in theirs.items() if k != b"RDEF"
    }


def test_a_reflection_comes_first_where_there_was_none() -> None:
    whole = decode_container(program(RET))
    whole.reflection = Reflection("me", (), (), target=0x43530500)
    data = encode_container(whole)
    assert [*chunks_of(data)] == [b"RDEF", b"SHEX"]
    assert decode_container(data).reflection == whole.reflection


def test_unknown_chunks_are_kept() -> None:
    chunks = [Chunk(b"PRIV", b"0123"), *parse_container(program(RET), None).chunks]
    data = build_container([*chunks, Chunk(b"NEWS", b"name")])
    whole = decode_container(data)
    assert encode_container(whole) == data
    whole.statements.append(Statement(BY_NAME["ret"], (), NOWHERE))
    made = chunks_of(encode_container(whole))
    assert [*made] == [b"PRIV", b"SHEX", b"NEWS"]
    assert made[b"PRIV"] == b"0123"


def test_other_tokens_are_kept_with_an_unchanged_program() -> None:
    """A comment among the tokens, and dwords after the program's end."""
    data = program(0x0035, 3, 0x21212121, RET, 0xAAAAAAAA)
    data = data[: FIRST_TOKEN - 4] + struct.pack("<I", 6) + data[FIRST_TOKEN:]
    data = build_container(parse_container(data, None).chunks)
    whole = decode_container(data)
    assert [s.row.name for s in whole.statements] == ["ret"]
    assert encode_container(whole) == data
    whole.statements.append(whole.statements[0])
    assert chunks_of(encode_container(whole))[b"SHEX"][8:] == struct.pack("<II", RET, RET)


def test_the_older_of_two_programs_is_kept_until_something_changes() -> None:
    new = struct.pack("<III", 0x50050, 3, RET)
    old = struct.pack("<IIII", 0x50040, 4, 0x0100003A, RET)
    data = build_container([Chunk(b"SHDR", old), Chunk(b"SHEX", new)])
    whole = decode_container(data)
    assert encode_container(whole) == data
    whole.statements.append(whole.statements[0])
    made = chunks_of(encode_container(whole))
    assert made[b"SHDR"] == made[b"SHEX"]


def test_chunks_without_a_program_get_one() -> None:
    whole = Program((5, 0), [Statement(BY_NAME["ret"], (), NOWHERE)])
    whole.chunks = [Chunk(b"PRIV", b"0123")]
    assert [*chunks_of(encode_container(whole))] == [b"PRIV", b"SHEX"]


def test_a_statement_without_encoding_is_refused() -> None:
    whole = read("forms_high")
    whole.statements[0].extra = (1 << 32,)
    with pytest.raises(ProgramError, match="32"):
        encode_container(whole)
