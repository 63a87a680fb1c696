"""MSF, the format of program databases: a file that contains streams.

Source: LLVM's documentation of the PDB format, "The MSF File Format", "The PDB Info Stream" and
"The PDB Serialized Hash Table Format".
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

_MAGIC = b"Microsoft C/C++ MSF 7.00\r\n\x1aDS\0\0\0"
_SUPERBLOCK = struct.Struct("<6I")  # after the magic: block size, ..., directory bytes, -, its map
_MAX_STREAMS = 4096
_INFO_HEAD = 28  # in the info stream: version, signature, age, GUID


def read_streams(payload: bytes) -> list[bytes]:
    """All streams, each joined from its blocks.

    Raises ValueError or struct.error if the file is damaged.
    """
    if not payload.startswith(_MAGIC):
        raise ValueError("it is not a program database")
    size, _, count, directory_bytes, _, map_block = _SUPERBLOCK.unpack_from(payload, len(_MAGIC))
    fits = 64 <= size <= len(payload) and count * size <= len(payload) + size
    if not fits or directory_bytes > len(payload):
        raise ValueError("its blocks do not fit")
    blocks = numbers(payload, map_block * size, -(-directory_bytes // size))
    directory = _joined(payload, size, blocks, directory_bytes)
    (number,) = numbers(directory, 0, 1)
    if number > _MAX_STREAMS:
        raise ValueError(f"it has {number} streams")
    sizes = [0 if n == 0xFFFFFFFF else n for n in numbers(directory, 4, number)]
    if sum(sizes) > len(payload):
        raise ValueError("its streams are larger than the file")
    streams: list[bytes] = []
    position = 4 + 4 * number
    for stream_bytes in sizes:
        blocks = numbers(directory, position, -(-stream_bytes // size))
        position += 4 * len(blocks)
        streams.append(_joined(payload, size, blocks, stream_bytes))
    return streams


def numbers(data: bytes, offset: int, count: int) -> tuple[int, ...]:
    """Read `count` dwords at an offset."""
    return struct.unpack_from(f"<{count}I", data, offset)


def _joined(payload: bytes, size: int, blocks: tuple[int, ...], nbytes: int) -> bytes:
    return b"".join(payload[b * size : (b + 1) * size] for b in blocks)[:nbytes]


def named_streams(info: bytes) -> Iterator[tuple[str, int]]:
    """(name, number) of each named stream, from the info stream.

    After the names comes a hash table: the number of entries, its capacity, two bit sets (used and
    deleted slots), then for each entry the name's offset and the stream's number.
    """
    (nbytes,) = numbers(info, _INFO_HEAD, 1)
    names = info[_INFO_HEAD + 4 : _INFO_HEAD + 4 + nbytes]
    position = _INFO_HEAD + 4 + nbytes
    (count,) = numbers(info, position, 1)
    position += 8
    for _ in range(2):
        (words,) = numbers(info, position, 1)
        position += 4 + 4 * words
    entries = numbers(info, position, 2 * count)
    for start, number in zip(entries[::2], entries[1::2], strict=True):
        end = names.find(0, start)
        if end > start:
            yield names[start:end].decode("utf-8", "replace"), number
