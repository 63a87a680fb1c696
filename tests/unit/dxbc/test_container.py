"""The chunk table: reading, tolerated faults and errors."""

import struct

import pytest

from translate import DecodeError, UnsupportedError
from translate.dxbc import decode_container
from translate.dxbc.container import (
    build_container,
    checksum_matches,
    compute_checksum,
    parse_container,
)
from translate.program import Chunk

from .build import RET, held, program

PAYLOAD = struct.pack("<III", 0x50050, 3, RET)


def patched(data: bytes, offset: int, value: int) -> bytes:
    return data[:offset] + struct.pack("<I", value) + data[offset + 4 :]


def test_chunks_and_offsets() -> None:
    data = held("interfaces")
    container = parse_container(data, None)
    names = [chunk.fourcc for chunk in container.chunks]
    assert names == [b"RDEF", b"ISGN", b"OSGN", b"IFCE", b"SHEX", b"STAT"]
    for chunk, offset in zip(container.chunks, container.offsets, strict=True):
        assert data[offset : offset + len(chunk.payload)] == chunk.payload
        assert data[offset - 8 : offset - 4] == chunk.fourcc
    assert not container.warnings


def test_payloads_are_filled_up_to_dwords() -> None:
    chunks = [Chunk(b"PRIV", b"abcde"), Chunk(b"SHEX", PAYLOAD)]
    container = parse_container(build_container(chunks), None)
    assert container.chunks[0].payload == b"abcde\0\0\0"
    assert container.offsets[1] % 4 == 0


SOUND = program(RET)
UNSIGNED = SOUND[:4] + bytes(16) + SOUND[20:]


@pytest.mark.parametrize(
    ("data", "warnings"),
    [
        (UNSIGNED, []),
        (SOUND[:4] + b"\1" + SOUND[5:], ["the container's checksum does not match its contents"]),
        (
            SOUND + b"xyz",
            ["3 bytes after the container are ignored (sm5vk extract finds containers in them)"],
        ),
        (patched(UNSIGNED, 20, 2), ["the container's version is 2, not 1"]),
    ],
)
def test_tolerated_faults(data: bytes, warnings: list[str]) -> None:
    read = decode_container(data)
    assert read.warnings == warnings
    assert len(read.statements) == 1


def test_shex_is_taken_before_shdr() -> None:
    other = struct.pack("<IIII", 0x50040, 4, RET, RET)
    read = decode_container(build_container([Chunk(b"SHDR", other), Chunk(b"SHEX", PAYLOAD)]), None)
    assert read.version == (5, 0)
    assert len(read.statements) == 1


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "a container has a header of 32 bytes, this file has 0"),
        (b"DXBC", "a container has a header of 32 bytes, this file has 4"),
        (b"RIFF" + bytes(40), "a container begins with 'DXBC', this file with 'RIFF'"),
        (SOUND[:-4], "the container has 56 bytes, the file only 52"),
        (patched(SOUND, 28, 9), "a table of 9 chunks does not fit into 56 bytes"),
        (patched(SOUND, 32, 99), "chunk 0 begins at byte 0x63, past the container's end"),
        (patched(SOUND, 40, 99), "chunk 0 has 99 bytes, the container only 12 more"),
        (
            build_container([Chunk(b"ISGN", b"")]),
            "the container holds no program: it has neither a SHEX nor a SHDR chunk",
        ),
    ],
)
def test_refused(data: bytes, message: str) -> None:
    with pytest.raises(DecodeError) as caught:
        decode_container(data, "shader.dxbc")
    assert caught.value.message == message
    assert str(caught.value).startswith("shader.dxbc at byte 0x")


def test_overlapping_chunks_are_refused() -> None:
    """Otherwise a small file could refer to its bytes a thousand times."""
    chunk = struct.pack("<4sI", b"PRIV", 1000) + bytes(1000)
    start = 32 + 4 * 1000
    size = start + len(chunk)
    header = struct.pack("<4s16sIII", b"DXBC", bytes(16), 1, size, 1000)
    with pytest.raises(DecodeError, match="chunk 1 overlaps others"):
        parse_container(header + struct.pack("<I", start) * 1000 + chunk, None)


def test_shader_model_6_is_named() -> None:
    with pytest.raises(UnsupportedError) as caught:
        decode_container(build_container([Chunk(b"DXIL", bytes(8))]), None)
    assert caught.value.message == (
        "the container holds DXIL, which is Shader Model 6; only 4 and 5 are supported"
    )


# The digest. `test_encode.py` compares it with those that Microsoft's compiler wrote


@pytest.mark.parametrize("length", range(0, 130))
def test_both_ways_agree_for_every_padding(length: int) -> None:
    data = bytes(20) + bytes(i * 7 & 255 for i in range(length))
    signed = data[:4] + compute_checksum(data) + data[20:]
    assert checksum_matches(signed)
    assert not checksum_matches(data)


@pytest.mark.parametrize("offset", [4, 19, 20, 200, -1])
def test_a_changed_byte_shows(offset: int) -> None:
    data = bytearray(held("interfaces"))
    data[offset] ^= 1
    assert not checksum_matches(bytes(data))


def test_without_md5_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise ValueError("disabled for FIPS")

    monkeypatch.setattr("hashlib.md5", refuse)
    data = held("forms_high")
    assert checksum_matches(data)
    assert not checksum_matches(data[:-1] + b"!")
