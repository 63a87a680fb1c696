"""A container of any bytes is read, or refused with an error of this package."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from translate import DecodeError, UnsupportedError
from translate.dxbc import decode_container
from translate.dxbc.container import build_container
from translate.dxbc.contents import encode_container
from translate.dxbc.decode import decode_program
from translate.dxbc.rdef import parse_rdef
from translate.interface.dtypes import dtype_of
from translate.program import Chunk, Program
from translate.reflection import dtype_of_buffer

from .build import CS_5_0, facts, held

SOUND = {stem: held(stem) for stem in ("interfaces", "model_4_0", "arrays_5_1", "forms_tiled2")}
CHUNKS = {
    (stem, chunk.fourcc): chunk.payload
    for stem, data in SOUND.items()
    for chunk in decode_container(data).chunks
}
EXAMPLES = settings(max_examples=150, deadline=None)


def read(data: bytes) -> Program | None:
    """The program, or None if the bytes are refused; the error has to name a place in them."""
    try:
        return decode_container(data)
    except (DecodeError, UnsupportedError) as error:
        refused_at = error.where.offset
    assert refused_at is not None
    assert 0 <= refused_at <= len(data)
    return None


@pytest.mark.parametrize("stem", SOUND)
def test_every_truncation_is_refused(stem: str) -> None:
    data = SOUND[stem]
    for length in range(4, len(data), 3):
        with pytest.raises(DecodeError):
            decode_container(data[:length])


def test_every_truncated_program_is_refused_or_shorter() -> None:
    """Cut between two statements, it is a shorter program; cut elsewhere, it is refused."""
    payload = CHUNKS["model_4_0", b"SHEX"]
    version = struct.unpack_from("<I", payload)[0]
    whole = decode_program(payload, 0, None).statements
    offsets = [statement.where.offset for statement in whole]
    for dwords in range(2, len(payload) // 4):
        cut = struct.pack("<II", version, dwords) + payload[8 : 4 * dwords]
        if 4 * dwords in offsets:
            statements = decode_program(cut, 0, None).statements
            expected = whole[: offsets.index(4 * dwords)]
            assert [*map(facts, statements)] == [*map(facts, expected)]
            continue
        with pytest.raises(DecodeError):
            decode_program(cut, 0, None)


@pytest.mark.parametrize("stem", SOUND)
def test_every_truncated_reflection_is_refused_or_read(stem: str) -> None:
    payload = CHUNKS[stem, b"RDEF"]
    refused = 0
    for length in range(0, len(payload), 4):
        try:
            parse_rdef(payload[:length])
        except DecodeError:
            refused += 1
    assert refused > len(payload) // 8


@st.composite
def damaged(draw: st.DrawFn, sound: list[bytes]) -> bytes:
    """One of the sound inputs with a few bytes or dwords changed."""
    data = bytearray(draw(st.sampled_from(sound)))
    for _ in range(draw(st.integers(1, 4))):
        if draw(st.booleans()):
            data[draw(st.integers(0, len(data) - 1))] = draw(st.integers(0, 255))
            continue
        interesting = st.sampled_from([0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x80000001])
        at = 4 * draw(st.integers(0, len(data) // 4 - 1))
        data[at : at + 4] = struct.pack("<I", draw(interesting | st.integers(0, 2**32 - 1)))
    return bytes(data)


@EXAMPLES
@given(damaged([*SOUND.values()]))
def test_damaged_containers(data: bytes) -> None:
    read(data)


@EXAMPLES
@given(damaged([payload for (_, name), payload in CHUNKS.items() if name == b"SHEX"]))
def test_damaged_programs(payload: bytes) -> None:
    """A program that was read can be written, and reads the same again."""
    data = build_container([Chunk(b"SHEX", payload)])
    found = read(data)
    if found is None:
        return
    assert encode_container(found) == data
    made = encode_container(Program(found.version, found.statements))
    assert [*map(facts, decode_container(made).statements)] == [*map(facts, found.statements)]


@EXAMPLES
@given(damaged([payload for (_, name), payload in CHUNKS.items() if name == b"RDEF"]))
def test_damaged_reflections(payload: bytes) -> None:
    try:
        reflection = parse_rdef(payload)
    except DecodeError:
        return
    for buffer in reflection.buffers:
        data = dtype_of_buffer(buffer)
        size = buffer.variables[0].size if buffer.kind == 3 and buffer.variables else buffer.size
        assert data is None or dtype_of(data).itemsize == size


@EXAMPLES
@given(st.lists(st.integers(0, 2**32 - 1) | st.integers(0x01000000, 0x0A0000EC), max_size=20))
def test_arbitrary_programs(words: list[int]) -> None:
    payload = struct.pack(f"<{len(words) + 2}I", CS_5_0, len(words) + 2, *words)
    read(build_container([Chunk(b"SHEX", payload)]))
