"""Damaged shaders end in a translation or a TranslateError: no crash, no hang, every time alike."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import translate
from translate.dxbc.checksum import compute_checksum

CORPUS = Path(__file__).parents[1] / "corpus"
CONTAINERS = sorted(CORPUS.glob("cs_5_[01]/*.dxbc"))
LISTINGS = sorted(CORPUS.glob("cs_5_[01]/*.asm"))
EACH = 80
TOO_LONG_SECONDS = 5.0
HEADER = 32


def flip(data: bytearray, rng: random.Random) -> None:
    for _ in range(rng.choice((1, 1, 2, 5))):
        data[rng.randrange(4, len(data))] = rng.choice((0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)))


def truncate(data: bytearray, rng: random.Random) -> None:
    del data[rng.randrange(4, len(data)) :]


def insert(data: bytearray, rng: random.Random) -> None:
    at = rng.randrange(4, len(data))
    data[at:at] = rng.randbytes(rng.choice((1, 4, 8)))


def remove(data: bytearray, rng: random.Random) -> None:
    at = rng.randrange(4, len(data) - 8)
    del data[at : at + rng.choice((1, 4, 8))]


def repeat(data: bytearray, rng: random.Random) -> None:
    """A dword-aligned piece a second time: instructions twice, blocks left open."""
    start = rng.randrange(HEADER, len(data) - 8) & ~3
    piece = data[start : start + rng.choice((4, 8, 64))]
    at = rng.randrange(HEADER, len(data)) & ~3
    data[at:at] = piece


MUTATIONS: tuple[Callable[[bytearray, random.Random], None], ...] = (
    flip,
    truncate,
    insert,
    remove,
    repeat,
)


def attempt(data: bytes, what: str) -> bool:
    """Whether the shader translates. VerifyError would be a fault of the translator's own."""
    started = time.monotonic()
    try:
        translate.to_spirv(translate.load(data))
        return True
    except translate.VerifyError as error:
        pytest.fail(f"{what}: {error}")
    except translate.TranslateError:
        return False
    except Exception as error:
        raise AssertionError(f"{what}: {error!r}") from error
    finally:
        assert time.monotonic() - started < TOO_LONG_SECONDS, what


def fitted(data: bytearray) -> bytes:
    """With the size and the digest that the container's header should state."""
    if len(data) < HEADER:
        return bytes(data)
    data[24:28] = len(data).to_bytes(4, "little")
    data[4:20] = compute_checksum(bytes(data))
    return bytes(data)


@pytest.mark.parametrize("path", CONTAINERS, ids=lambda p: f"{p.parent.name}/{p.stem}")
@pytest.mark.parametrize("mutate", MUTATIONS)
def test_containers(path: Path, mutate: Callable[[bytearray, random.Random], None]) -> None:
    rng = random.Random(f"{path.name} {mutate.__name__}")
    refused = 0
    for number in range(EACH // len(MUTATIONS) * 2):
        data = bytearray(path.read_bytes())
        mutate(data, rng)
        what = f"{path.name}, {mutate.__name__} number {number}"
        refused += not attempt(fitted(data) if number % 2 else bytes(data), what)
    assert refused or mutate is flip


@pytest.mark.parametrize("path", LISTINGS, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_listings(path: Path) -> None:
    rng = random.Random(path.name)
    text = path.read_bytes()
    start = text.index(b"\ncs_") + 1
    for number in range(EACH):
        data = bytearray(text[start:] if number % 4 else text)
        MUTATIONS[number % len(MUTATIONS)](data, rng)
        attempt(bytes(data), f"{path.name} number {number}")


@pytest.mark.parametrize("path", LISTINGS[::3], ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_listings_with_their_words_mixed_up(path: Path) -> None:
    """Lines and words swapped: each word is right, the whole is not."""
    rng = random.Random(path.stem)
    text = path.read_text()
    lines = text[text.index("\ncs_") + 1 :].splitlines()
    for number in range(EACH):
        mixed = [line.split(" ") for line in lines]
        for _ in range(rng.choice((1, 2, 6))):
            one, other = rng.choice(mixed), rng.choice(mixed)
            i, j = rng.randrange(len(one)), rng.randrange(len(other))
            one[i], other[j] = other[j], one[i]
        attempt("\n".join(map(" ".join, mixed)).encode(), f"{path.name} number {number}")
