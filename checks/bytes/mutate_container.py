"""Mutations of containers: of a chunk or of the chunk table, with the digest corrected."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable

from translate.dxbc.container import compute_checksum

from .mutate import edge, mutate_bytes, mutate_dwords
from .mutate_program import mutate_program

Chunks = list[tuple[bytes, bytes]]
_HEADER = 32
_PROGRAMS = (b"SHEX", b"SHDR")
_NAMES = (*_PROGRAMS, b"RDEF", b"IFCE", b"SPDB", b"SFI0", b"STAT", b"ISGN", b"OSGN", b"DXIL")


def mutate_container(data: bytes, rng: random.Random, other: bytes = b"") -> bytes:
    """A container with small changes; chunks of `other` may be taken."""
    chunks = read_chunks(data)
    if not chunks or rng.random() < 0.05:
        return mutate_bytes(data, rng)
    _change(chunks, read_chunks(other), rng)
    built = bytearray(build(chunks))
    if rng.random() < 0.08:
        _change_table(built, rng)
    return fitted(built) if rng.random() < 0.9 else bytes(built)


def read_chunks(data: bytes) -> Chunks:
    """Names and payloads, as far as the table can be read."""
    if len(data) < _HEADER:
        return []
    (count,) = struct.unpack_from("<I", data, 28)
    count = min(count, (len(data) - _HEADER) // 4, 64)
    chunks: Chunks = []
    for offset in struct.unpack_from(f"<{count}I", data, _HEADER):
        if offset + 8 <= len(data):
            (size,) = struct.unpack_from("<I", data, offset + 4)
            chunks.append((data[offset : offset + 4], data[offset + 8 : offset + 8 + size]))
    return chunks


def payload(data: bytes, *names: bytes) -> bytes:
    """The payload of the first chunk with one of these names, b"" where there is none."""
    return next((body for name, body in read_chunks(data) if name in names), b"")


def program_of(data: bytes) -> bytes:
    """The program chunk's payload."""
    return payload(data, *_PROGRAMS)


def build(chunks: Chunks) -> bytes:
    """A container of these chunks, without a digest."""
    offsets: list[int] = []
    body = b""
    start = _HEADER + 4 * len(chunks)
    for name, contents in chunks:
        offsets.append(start + len(body))
        body += name + struct.pack("<I", len(contents)) + contents
    head = struct.pack("<4s16sIII", b"DXBC", bytes(16), 1, start + len(body), len(chunks))
    return head + struct.pack(f"<{len(offsets)}I", *offsets) + body


def fitted(data: bytearray) -> bytes:
    """The data with the right size and digest in the header."""
    if len(data) < _HEADER:
        return bytes(data)
    data[24:28] = len(data).to_bytes(4, "little")
    data[4:20] = compute_checksum(bytes(data))
    return bytes(data)


def _change(chunks: Chunks, others: Chunks, rng: random.Random) -> None:
    at = rng.randrange(len(chunks))
    choice = rng.randrange(16)
    if choice == 0:
        del chunks[at]
    elif choice == 1:
        chunks.insert(at, rng.choice(chunks))
    elif choice == 2 and others:
        chunks.insert(at, rng.choice(others))
    elif choice == 3:
        chunks[at] = (rng.choice(_NAMES), chunks[at][1])
    elif choice < 10:
        programs = [i for i, (name, _) in enumerate(chunks) if name in _PROGRAMS] or [at]
        _change_chunk(chunks, programs[0], others, rng)
    else:
        _change_chunk(chunks, at, others, rng)


def _change_chunk(chunks: Chunks, at: int, others: Chunks, rng: random.Random) -> None:
    name, body = chunks[at]
    if name in _PROGRAMS:
        other = next((b for n, b in others if n in _PROGRAMS), b"")
        chunks[at] = (name, mutate_program(body, rng, other))
        return
    change: Callable[[bytes, random.Random], bytes] = rng.choice((mutate_dwords, mutate_bytes))
    chunks[at] = (name, change(body, rng))


def _change_table(data: bytearray, rng: random.Random) -> None:
    """A field of the header, an offset of the table, or a chunk's size."""
    (count,) = struct.unpack_from("<I", data, 28)
    fields = [20, 24, 28, *range(_HEADER, _HEADER + 4 * count, 4)]
    fields += [4 + struct.unpack_from("<I", data, f)[0] for f in fields[3:]]
    at = rng.choice(fields)
    if at + 4 <= len(data):
        old = struct.unpack_from("<I", data, at)[0]
        struct.pack_into("<I", data, at, edge(rng, [old, len(data)], len(data)) & 0xFFFFFFFF)
