"""Containers inside of other data: finding them, their offsets, and damaged ones."""

import hashlib
import struct
from collections.abc import Iterator
from io import BytesIO

import pytest

from translate.bulk import Part
from translate.bulk.extract import ByteArray, Damaged, Pieces, find_arrays, find_containers
from translate.dxbc.container import build_container, compute_checksum, parse_container
from translate.program import Chunk

from .files import COMPUTE, OLDER, PIXEL, header_file, noise


def found_in(data: bytes) -> list[tuple[int, int, str]]:
    found = [*find_containers(data)]
    assert not [one for one in found if isinstance(one, Damaged)]
    parts = [one for one in found if isinstance(one, Part)]
    return [(part.start, part.end - part.start, part.name.split(".")[1]) for part in parts]


def reasons(data: bytes) -> dict[int, str]:
    return {one.offset: one.reason for one in find_containers(data) if isinstance(one, Damaged)}


def offsets(data: bytes) -> list[int]:
    return [one.start for one in find_containers(data) if isinstance(one, Part)]


def signed(data: bytes) -> bytes:
    return data[:4] + compute_checksum(data) + data[20:]


def test_among_random_bytes() -> None:
    parts = [noise(999), COMPUTE, noise(1), OLDER, PIXEL, COMPUTE, noise(77)]
    places = [sum(map(len, parts[:n])) for n in range(len(parts))]
    profiles = {1: "cs_5_0", 3: "cs_5_1", 4: "ps_5_0", 5: "cs_5_0"}
    expected = [(places[n], len(parts[n]), profile) for n, profile in profiles.items()]
    assert found_in(b"".join(parts)) == expected


def test_names_are_decided_by_contents() -> None:
    one, other = find_containers(COMPUTE + b"\0" + OLDER)
    assert isinstance(one, Part)
    assert one.name == f"{hashlib.sha256(COMPUTE).hexdigest()[:32]}.cs_5_0.dxbc"
    assert isinstance(other, Part)
    assert other.name.endswith(".cs_5_1.dxbc")


@pytest.mark.parametrize(
    "data", [b"", b"DXBC", b"DXB", noise(500), b"DXBC" * 100, b"DXBC" + bytes(99)]
)
def test_tags_alone_are_nothing(data: bytes) -> None:
    assert [*find_containers(data)] == []


@pytest.mark.parametrize("left", [24, 28, 31, 32, 100, len(COMPUTE) - 1])
def test_cut_off(left: int) -> None:
    """Cut off at the end of the data, and before another one, which is still found."""
    cut = COMPUTE[:left]
    assert list(reasons(noise(50) + cut)) == [50]
    data = cut + OLDER + PIXEL
    assert list(reasons(data)) == [0]
    assert offsets(data) == [left, left + len(OLDER)]


def test_a_size_beyond_the_data() -> None:
    data = bytearray(COMPUTE)
    struct.pack_into("<I", data, 24, 2**32 - 1)
    assert "4294967295 bytes" in reasons(bytes(data))[0]


def test_too_many_chunks() -> None:
    data = bytearray(COMPUTE + bytes(1 << 20))
    struct.pack_into("<II", data, 24, len(data), 1 << 16)
    assert "65536 chunks" in reasons(bytes(data))[0]


@pytest.mark.parametrize("at", [5, 33, 60, len(COMPUTE) - 1])
def test_a_changed_byte(at: int) -> None:
    """A byte of the digest, of the chunk table, or of a chunk."""
    data = bytearray(COMPUTE)
    data[at] ^= 0x41
    assert list(reasons(bytes(data) + OLDER)) == [0]
    assert offsets(bytes(data) + OLDER) == [len(COMPUTE)]


def test_no_checksum_is_no_damage() -> None:
    data = COMPUTE[:4] + bytes(16) + COMPUTE[20:]
    assert found_in(data) == [(0, len(data), "cs_5_0")]


def chunks_and(data: bytes, *more: Chunk) -> bytes:
    return build_container([*parse_container(data, None).chunks, *more])


@pytest.mark.parametrize(
    "payload", [b"DXBC" * 9, b"DXBC" + bytes(16) + b"\1\0\0\0" + bytes(9), OLDER]
)
def test_tags_within_a_container_are_its_own(payload: bytes) -> None:
    data = chunks_and(COMPUTE, Chunk(b"PRIV", payload))
    assert found_in(noise(3) + data + PIXEL) == [
        (3, len(data), "cs_5_0"),
        (3 + len(data), len(PIXEL), "ps_5_0"),
    ]


def test_a_container_without_a_program_is_looked_into() -> None:
    """Effects are such containers; a root signature contains no other."""
    effect = build_container([Chunk(b"FX10", b"abcd" + COMPUTE + b"efgh" + OLDER)])
    root = build_container([Chunk(b"RTS0", bytes(24))])
    at = effect.index(COMPUTE)
    assert found_in(root + effect) == [
        (len(root) + at, len(COMPUTE), "cs_5_0"),
        (len(root) + at + len(COMPUTE) + 4, len(OLDER), "cs_5_1"),
    ]


@pytest.mark.parametrize(
    ("fourcc", "token", "profile"),
    [
        (b"SHDR", 0x00050040, "cs_4_0"),
        (b"SHDR", 0x00010041, "vs_4_1"),
        (b"SHEX", 0x00030050, "hs_5_0"),
        (b"DXIL", 0x00050066, "cs_6_6"),
        (b"DXIL", 0x00060063, "lib_6_3"),
        (b"DXIL", 0x00400060, "stage64_6_0"),
    ],
)
def test_profiles(fourcc: bytes, token: int, profile: str) -> None:
    """Also the profiles of programs that sm5vk does not translate."""
    data = build_container([Chunk(fourcc, struct.pack("<II", token, 2))])
    assert found_in(data) == [(0, len(data), profile)]


def test_a_byte_is_read_by_few_damaged_containers() -> None:
    """Each container claims all following bytes: reading all of them would take quadratic time."""
    count = 200
    header = struct.Struct("<4s16sIIII4sI")
    total = count * header.size
    data = b"".join(
        header.pack(b"DXBC", b"x" * 16, 1, total - at, 1, 36, b"abcd", 0)
        for at in range(0, total, header.size)
    )
    found = list(reasons(data + COMPUTE).values())
    assert [r.startswith("it lies within") for r in found] == [False] * 16 + [True] * (count - 16)
    assert offsets(data + COMPUTE) == [total]


def arrays_in(text: str) -> Iterator[ByteArray]:
    return find_arrays(Pieces(BytesIO(text.encode()), "some.h"))


@pytest.mark.parametrize("hexadecimal", [False, True])
def test_an_array_in_source_text(hexadecimal: bool) -> None:
    text = header_file(COMPUTE, hexadecimal=hexadecimal)
    (array,) = arrays_in(text)
    assert array[:] == COMPUTE
    assert text[: array.start].endswith("{\n    " if hexadecimal else "{\n     ")
    place = array.text_of(0, len(COMPUTE))
    assert place is not None
    end = place[1]
    assert text[end:].lstrip().startswith("}")


@pytest.mark.parametrize(
    "text",
    [
        "{68,88,66,67,*1,2}",
        "{0x44, 0x58, 0x42, 0x43, *0x1, 0x02}",
        "{0X44,0x58,\t0x42,\r\n0x43 ,* 1u, 2U,}",
        "{1, 2, 068, 088, 066, 067, *001, 002",
        "[68, 88, 66, 67, *1, 2, 256, 3]",
        "(68, 88, 66, 67, *1, 2, x)",
    ],
)
def test_forms_of_arrays(text: str) -> None:
    found = [array[:] for array in arrays_in(text.replace("*", "0," * 20))]
    assert found == [b"DXBC" + bytes(20) + b"\1\2"]


@pytest.mark.parametrize(
    ("text", "more"),
    [("68,88,66,67", ",0"), ("0x44,0x58,0x42,0x43", ",0"), ("44584243", "00")],
)
def test_arrays_without_room_for_a_version_are_left_out(text: str, more: str) -> None:
    """A file of nothing else would take seconds for each MiB."""
    assert [*arrays_in(f"{text}{19 * more};")] == []
    assert [array[:] for array in arrays_in(f"{text}{20 * more};")] == [b"DXBC" + bytes(20)]


@pytest.mark.parametrize(
    "text", ["68 88 66 67", "168, 88, 66, 67, 1", "1.68, 88, 66, 67, 1", "68, 88, 66", "DXBC", ""]
)
def test_other_text(text: str) -> None:
    assert [*arrays_in(text)] == []


def test_numbers_that_never_end() -> None:
    for more, data in (("0" * 100_000, b"DXBC\1"), (" " * 100_000, b"DXBC\1\2")):
        assert [array[:] for array in arrays_in(f"68, 88, 66, 67, 1, 2{more}")] == [data]
