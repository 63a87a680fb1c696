"""The container format: a table of chunks, and a digest.

Source: reference "DXBC container", §1 Container. Only the offset table defines where chunks are.

The digest is MD5's, but for its padding: the last block begins with the length in bits, which moves
the remaining bytes by 4, and ends with `2 * length | 1`. Source: as above, §2 Digest.
"""

from __future__ import annotations

import math
import struct
from importlib import import_module

from translate.dataclass import dataclass, field
from translate.errors import DecodeError, UnsupportedError, Where
from translate.program import Chunk

_START = 20  # the magic number and the digest itself are not included
_BLOCK = 64
_INITIAL = (0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476)
_MASK = 0xFFFFFFFF
_STATE = struct.Struct("<4I")
_WORDS = struct.Struct("<16I")
_SHIFTS = ((7, 12, 17, 22), (5, 9, 14, 20), (4, 11, 16, 23), (6, 10, 15, 21))
_WORD_ORDER = ((0, 1), (1, 5), (5, 3), (0, 7))  # (first, step) of each round, RFC 1321 §3.4

# One row for each of the 64 steps: (word, addend, shift)
_STEPS = tuple(
    (
        (_WORD_ORDER[i // 16][0] + _WORD_ORDER[i // 16][1] * i) % 16,
        int(abs(math.sin(i + 1)) * 2**32),
        _SHIFTS[i // 16][i % 4],
    )
    for i in range(64)
)

UNSIGNED = bytes(16)
MAGIC = b"DXBC"
_VERSION = 1
HEADER = struct.Struct("<4s16sIII")  # magic, digest, version, size, number of chunks
_CHUNK = struct.Struct("<4sI")
WRONG_CHECKSUM = "the container's checksum does not match its contents"
PROGRAM_CHUNKS = (b"SHEX", b"SHDR")  # SHEX takes precedence
_SM6_CHUNK = b"DXIL"


def compute_checksum(data: bytes) -> bytes:
    """The digest for bytes [4, 20) of the container `data`."""
    return _digest(_padded(data))


def checksum_matches(data: bytes) -> bool:
    """Whether the digest in the container `data` is right.

    Python's MD5 is fast, but adds a padding block at the end. So the stored digest is also
    compressed with that block before the two are compared.
    """
    stored = _STATE.unpack(data[4:_START])
    padded = _padded(data)
    try:
        expected = _md5(padded)
    except ValueError:  # a Python built without MD5
        return _digest(padded) == data[4:_START]
    pad = b"\x80" + bytes(_BLOCK - 9) + struct.pack("<Q", len(padded) * 8)
    return _STATE.pack(*_compress(stored, pad, 0)) == expected


def _md5(data: bytes) -> bytes:
    """Python's MD5. Raises ValueError if it was built without."""
    try:
        module = import_module("_md5")  # hashlib would load OpenSSL, which takes 3 ms
    except ImportError:
        module = import_module("hashlib")
    digest: bytes = module.md5(data, usedforsecurity=False).digest()
    return digest


def _padded(data: bytes) -> bytes:
    """The bytes that the digest covers, with Microsoft's padding, as whole blocks."""
    body = data[_START:]
    length = len(body)
    rest = length % _BLOCK
    bits, tail = length * 8 & _MASK, (length * 2 | 1) & _MASK
    whole, remainder = body[: length - rest], body[length - rest :] + b"\x80"
    if rest < 56:
        last = struct.pack("<I", bits) + remainder
        return whole + last + bytes(60 - len(last)) + struct.pack("<I", tail)
    filled = remainder + bytes(_BLOCK - len(remainder))
    return whole + filled + struct.pack("<I56xI", bits, tail)


def _digest(padded: bytes) -> bytes:
    state = _INITIAL
    for offset in range(0, len(padded), _BLOCK):
        state = _compress(state, padded, offset)
    return _STATE.pack(*state)


def _compress(state: tuple[int, ...], block: bytes, offset: int) -> tuple[int, ...]:
    """MD5's state after the block at `offset`, RFC 1321 §3.4."""
    words = _WORDS.unpack_from(block, offset)
    a, b, c, d = state
    for i, (word, addend, shift) in enumerate(_STEPS):
        if i < 16:
            mixed = d ^ (b & (c ^ d))
        elif i < 32:
            mixed = c ^ (d & (b ^ c))
        elif i < 48:
            mixed = b ^ c ^ d
        else:
            mixed = c ^ (b | (d ^ _MASK))
        total = (a + mixed + addend + words[word]) & _MASK
        turned = total << shift | total >> (32 - shift)
        a, d, c, b = d, c, b, (b + turned) & _MASK
    return tuple((x + y) & _MASK for x, y in zip(state, (a, b, c, d), strict=True))


@dataclass(slots=True)
class Container:
    """The chunks of a container, the byte offsets of their payloads, and warnings."""

    chunks: list[Chunk]
    offsets: list[int]
    file: str | None = None
    warnings: list[str] = field(default_factory=list[str])

    def find(self, fourcc: bytes) -> int | None:
        """The index of the first chunk with that name."""
        return next((i for i, c in enumerate(self.chunks) if c.fourcc == fourcc), None)

    def program_chunk(self) -> int:
        """The index of the program's chunk. Raises DecodeError for a container without one."""
        for fourcc in PROGRAM_CHUNKS:
            index = self.find(fourcc)
            if index is not None:
                return index
        if self.find(_SM6_CHUNK) is not None:
            raise UnsupportedError(
                "the container holds DXIL, which is Shader Model 6; only 4 and 5 are supported",
                Where(self.file, offset=0),
            )
        raise DecodeError(
            "the container holds no program: it has neither a SHEX nor a SHDR chunk",
            Where(self.file, offset=0),
        )


def parse_container(data: bytes, file: str | None) -> Container:
    """Split a container into chunks. Raises DecodeError if its table is wrong."""
    magic, digest, version, size, count = _read_header(data, file)
    if magic != MAGIC:
        found = magic.decode("latin-1")
        raise _error(
            f"a container begins with {MAGIC.decode()!r}, this file with {found!r}", file, 0
        )
    if size > len(data):
        raise _error(f"the container has {size} bytes, the file only {len(data)}", file, 24)
    if size < HEADER.size + 4 * count:
        raise _error(f"a table of {count} chunks does not fit into {size} bytes", file, 28)
    container = Container([], [], file)
    if size < len(data):
        container.warnings.append(
            f"{len(data) - size} bytes after the container are ignored"
            " (sm5vk extract finds containers in them)"
        )
        data = data[:size]
    if version != _VERSION:
        container.warnings.append(f"the container's version is {version}, not {_VERSION}")
    if digest != UNSIGNED and not checksum_matches(data):
        container.warnings.append(WRONG_CHECKSUM)
    _read_chunks(container, data, struct.unpack_from(f"<{count}I", data, HEADER.size))
    return container


def build_container(chunks: list[Chunk]) -> bytes:
    """Build a container from chunks in this order, with a valid digest."""
    offset = HEADER.size + 4 * len(chunks)
    offsets: list[int] = []
    parts: list[bytes] = []
    for chunk in chunks:
        payload = chunk.payload + bytes(-len(chunk.payload) % 4)
        offsets.append(offset)
        parts += (_CHUNK.pack(chunk.fourcc, len(payload)), payload)
        offset += _CHUNK.size + len(payload)
    header = HEADER.pack(MAGIC, UNSIGNED, _VERSION, offset, len(chunks))
    data = b"".join((header, struct.pack(f"<{len(offsets)}I", *offsets), *parts))
    return data[:4] + compute_checksum(data) + data[20:]


def _error(message: str, file: str | None, offset: int) -> DecodeError:
    return DecodeError(message, Where(file, offset=offset))


def _read_header(data: bytes, file: str | None) -> tuple[bytes, bytes, int, int, int]:
    if len(data) < HEADER.size:
        message = f"a container has a header of {HEADER.size} bytes, this file has {len(data)}"
        raise _error(message, file, 0)
    return HEADER.unpack_from(data)


def _read_chunks(container: Container, data: bytes, offsets: tuple[int, ...]) -> None:
    """Copy the payloads. Together they may not exceed the bytes after the table."""
    free = len(data) - HEADER.size - 4 * len(offsets)
    for index, offset in enumerate(offsets):
        where = HEADER.size + 4 * index
        if offset + _CHUNK.size > len(data):
            message = f"chunk {index} begins at byte {offset:#x}, past the container's end"
            raise _error(message, container.file, where)
        fourcc, size = _CHUNK.unpack_from(data, offset)
        start = offset + _CHUNK.size
        if size > len(data) - start:
            room = len(data) - start
            message = f"chunk {index} has {size} bytes, the container only {room} more"
            raise _error(message, container.file, offset + 4)
        free -= _CHUNK.size + size
        if free < 0:
            raise _error(f"chunk {index} overlaps others", container.file, where)
        container.chunks.append(Chunk(fourcc, data[start : start + size]))
        container.offsets.append(start)
