"""Mutations that know nothing of what the bytes mean."""

from __future__ import annotations

import random
import struct

EDGES = (
    *(0, 1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 63, 64, 127, 128, 255, 256, 4095, 4096, 4097),
    *(0x7FFF, 0x8000, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF),
)


def mutate_bytes(data: bytes, rng: random.Random) -> bytes:
    """One or several small changes."""
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        rng.choice(_CHANGES)(changed, rng)
    return bytes(changed)


def mutate_dwords(data: bytes, rng: random.Random) -> bytes:
    """As `mutate_bytes`, and numbers are replaced by edge cases of tables and counts."""
    if len(data) < 4 or rng.random() < 0.2:
        return mutate_bytes(data, rng)
    words = list(struct.unpack(f"<{len(data) // 4}I", data[: len(data) // 4 * 4]))
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        words[rng.randrange(len(words))] = edge(rng, words, len(data))
    return struct.pack(f"<{len(words)}I", *words) + data[len(words) * 4 :]


def edge(rng: random.Random, words: list[int], size: int) -> int:
    """A number at an edge, near the size, another one of the words, or near one of them."""
    choice = rng.randrange(5)
    if choice == 0:
        return rng.choice(EDGES)
    if choice == 1:
        return max(0, size + rng.randint(-8, 8))
    if choice == 2:
        return rng.choice(words)
    if choice == 3:
        return rng.choice(words) + rng.choice((-4, -1, 1, 4)) & 0xFFFFFFFF
    return rng.choice(words) ^ 1 << rng.randrange(32)


def _flip(data: bytearray, rng: random.Random) -> None:
    if data:
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def _replace(data: bytearray, rng: random.Random) -> None:
    if data:
        data[rng.randrange(len(data))] = rng.choice((0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)))


def _insert(data: bytearray, rng: random.Random) -> None:
    at = rng.randint(0, len(data))
    data[at:at] = rng.randbytes(rng.choice((1, 2, 4, 8)))


def _remove(data: bytearray, rng: random.Random) -> None:
    at = rng.randint(0, len(data))
    del data[at : at + rng.choice((1, 2, 4, 8, 32))]


def _truncate(data: bytearray, rng: random.Random) -> None:
    del data[rng.randint(0, len(data)) :]


def _repeat(data: bytearray, rng: random.Random) -> None:
    """Repeat a piece, there or elsewhere; rarely a great many times."""
    start = rng.randint(0, len(data))
    piece = data[start : start + rng.choice((1, 4, 8, 16, 64))]
    at = rng.choice((start, rng.randint(0, len(data))))
    data[at:at] = piece * rng.choice((1, 1, 1, 2, 5, 40))


_CHANGES = (_flip, _replace, _insert, _remove, _truncate, _repeat)
