"""RDEF as it is built, and damaged.

`tests/unit/asm/test_printer.py` compares its contents with the comments that fxc prints.
"""

import struct
from pathlib import Path

import pytest

from translate import Constant, DecodeError
from translate.dxbc import decode_container
from translate.dxbc.container import build_container
from translate.dxbc.contents import encode_container
from translate.dxbc.rdef import build_rdef, parse_rdef
from translate.program import Chunk, Program
from translate.reflection import (
    BufferDefinition,
    Member,
    Reflection,
    ResourceBinding,
    Type,
    Variable,
)

from .build import CONTAINERS, held, name


def rdef(stem: str) -> bytes:
    read = decode_container(held(stem))
    return next(c.payload for c in read.chunks if c.fourcc == b"RDEF")


@pytest.mark.parametrize("path", CONTAINERS, ids=name)
def test_a_built_rdef_reads_the_same(path: Path) -> None:
    read = decode_container(path.read_bytes())
    assert read.reflection is not None
    assert parse_rdef(build_rdef(read.reflection, read.version)) == read.reflection


@pytest.mark.parametrize(
    ("version", "target", "extension"),
    [
        ((4, 0), 0x43530400, b""),
        ((5, 0), 0x43530500, b"RD11"),
        ((5, 1), 0x43530501, b"\x13\x13\x44\x25"),
    ],
)
def test_the_model_decides_where_there_is_no_target(
    version: tuple[int, int], target: int, extension: bytes
) -> None:
    payload = build_rdef(Reflection("me", (), ()), version)
    assert struct.unpack_from("<7I", payload)[4] == target
    assert payload[28 : 28 + len(extension)] == extension
    assert parse_rdef(payload).creator == "me"


def word(data: bytes, offset: int, value: int) -> bytes:
    return data[:offset] + struct.pack("<I", value) + data[offset + 4 :]


def self_containing_type() -> bytes:
    """model_4_0's RDEF, changed so that the first member of `parts` has the type of `parts`."""
    data = rdef("model_4_0")
    variable = struct.unpack_from("<I", data, struct.unpack_from("<I", data, 4)[0] + 8)[0]
    kind = struct.unpack_from("<I", data, variable + 2 * 24 + 16)[0]
    members = struct.unpack_from("<I", data, kind + 12)[0]
    return word(data, members + 4, kind)


@pytest.mark.parametrize(
    ("payload", "message"),
    [
        (b"", "an entry of 28 bytes extends past its end"),
        (rdef("model_4_0")[:27], "an entry of 28 bytes extends past its end"),
        (word(rdef("model_4_0"), 0, 1 << 30), "1073741824 entries of 24 bytes extend past its"),
        (word(rdef("model_4_0"), 12, 0xFFFFFFF0), "5 entries of 32 bytes extend past its end"),
        (word(rdef("model_4_0"), 24, 0x7FFFFFFF), "a name does not end"),
        (self_containing_type(), "types nest deeper than 32"),
        (word(rdef("model_4_0"), 0, 0)[:-5], "a name does not end"),
    ],
)
def test_damaged(payload: bytes, message: str) -> None:
    with pytest.raises(DecodeError) as caught:
        parse_rdef(payload)
    assert caught.value.message.startswith(message)


def test_damage_is_a_warning_and_the_program_stays() -> None:
    read = decode_container(held("model_4_0"))
    chunks = [
        Chunk(c.fourcc, word(c.payload, 24, 1 << 20) if c.fourcc == b"RDEF" else c.payload)
        for c in read.chunks
    ]
    data = build_container(chunks)
    damaged = decode_container(data)
    start = data.index(b"RDEF") + 8
    assert damaged.warnings == [
        "the reflection (RDEF) is damaged and ignored: a name does not end "
        f"(at byte {start + (1 << 20):#x})"
    ]
    assert damaged.reflection is None
    assert len(damaged.statements) == len(read.statements)
    assert encode_container(damaged) == data


def test_shared_bytes_cannot_cost_more_than_their_size() -> None:
    """A thousand buffers that share a thousand variables would be a million entries."""
    variables = 28 + 24 * 1000
    header = struct.pack("<7I", 1000, 28, 0, 0, 0x43530400, 0, 0)
    buffers = struct.pack("<6I", variables, 1000, variables, 16, 0, 0) * 1000
    entry = struct.pack("<6I", variables, 0, 4, 2, variables, 0) * 1000
    with pytest.raises(DecodeError, match="entries share the same bytes too often"):
        parse_rdef(header + buffers + entry)


def test_shared_names_cannot_cost_more_than_their_size() -> None:
    """A name of 50,000 letters would be printed a thousand times."""
    name, number = "m" * 50_000, Type(0, 19, 1, 1)
    bindings = tuple(ResourceBinding(name, 5, 6, 1, at, 0, 1) for at in range(1000))
    structure = Type(5, 0, 1, 1, 0, (Member(name, 0, number),))
    variables = tuple(Variable(f"v{at}", 16 * at, 4, structure) for at in range(1000))
    buffers = (BufferDefinition("b", 0, 16_000, variables),)
    for reflection in (Reflection("", bindings, ()), Reflection("", (), buffers)):
        with pytest.raises(DecodeError, match="entries share the same bytes too often"):
            parse_rdef(build_rdef(reflection, (5, 0)))


@pytest.mark.parametrize("name", ["RD11", "\x13\x13D%", "RD11<", "\x13\x13D%<"])
def test_a_name_like_the_mark_of_a_layout(name: str) -> None:
    """In Shader Model 4 the first name is where later models have their mark."""
    element = Variable("$Element", 0, 4, Type(0, 3, 1, 1))
    binding = ResourceBinding(name, 5, 6, 1, 4, 0, 1)
    reflection = Reflection("", (binding,), (BufferDefinition(name, 3, 4, (element,)),), 0x43530400)
    assert parse_rdef(build_rdef(reflection, (4, 0))) == reflection


def test_names_outside_of_latin_are_replaced() -> None:
    payload = build_rdef(Reflection("snow ☃", (), ()), (5, 0))
    assert parse_rdef(payload).creator == "snow ?"


def test_a_program_without_reflection_has_no_rdef() -> None:
    made = encode_container(Program((5, 0), []))
    assert decode_container(made).reflection is None
    assert b"RDEF" not in made


def test_sizes_of_structures_within_structures() -> None:
    """RDEF allows 32 levels; a size takes a time that is linear in them."""
    inner = Constant("a", 0, "float")
    for _ in range(32):
        inner = Constant("a", 0, "struct", elements=1, members=(inner,))
    assert (inner.element_bytes, inner.stride, inner.size_bytes) == (4, 16, 4)
