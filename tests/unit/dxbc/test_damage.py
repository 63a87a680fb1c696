"""A container of any bytes is read, or refused with an error of this package."""

import struct

import pytest

from checks.bytes.oracles import facts
from translate import DecodeError
from translate.dxbc import decode_container
from translate.dxbc.decode import decode_program
from translate.dxbc.rdef import parse_rdef

from .build import held

SOUND = {stem: held(stem) for stem in ("interfaces", "model_4_0", "arrays_5_1", "forms_tiled2")}
CHUNKS = {
    (stem, chunk.fourcc): chunk.payload
    for stem, data in SOUND.items()
    for chunk in decode_container(data).chunks
}


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
