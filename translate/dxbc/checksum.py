"""The container's checksum: MD5's compression function with Microsoft's own padding.

The last block begins with the length in bits, which moves the remaining bytes by 4, and ends with
`2 * length | 1`. Source: reference "DXBC container", §2 Digest.
"""

from __future__ import annotations

import hashlib
import math
import struct

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
        expected = hashlib.md5(padded, usedforsecurity=False).digest()
    except ValueError:  # a Python built without MD5
        return _digest(padded) == data[4:_START]
    pad = b"\x80" + bytes(_BLOCK - 9) + struct.pack("<Q", len(padded) * 8)
    return _STATE.pack(*_compress(stored, pad, 0)) == expected


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
