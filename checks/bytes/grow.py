"""Mutations of texts by repetition and growth, for what takes time or depth by their length."""

from __future__ import annotations

import random
import re

from .mutate_listing import mutate_listing

LARGEST = 1 << 16
_PIECE = re.compile(r"\s+|\d+|[A-Za-z_]+|.", re.DOTALL)
_SIGNS = (
    *(" ", "\t", "\n", "\r", "\f", "\0", '"', "'", "\\", '\\"', "/", "//", "/*", "*/", "/**/", "#"),
    *("(", ")", "()", "[", "]", "[]", "{", "}", "{}", "<", ">", ",", ";", ":", ".", "=", "|", "-"),
    *("+", "%", "0", "9", "0x", "a", "A", "x", "_", "1.0", "1e", "e", "@0", "\x1b[", "\u2028", "é"),
)
_LENGTHS = (64, 1000, 20_000, LARGEST)


def mutate_growth(data: bytes, rng: random.Random, other: bytes = b"") -> bytes:
    """A text with a few pieces in a row, many times; what follows may be missing."""
    if rng.random() < 0.2:
        return mutate_listing(data, rng, other)[:LARGEST]
    text = data.decode("utf-8", "replace")
    pieces = _PIECE.findall(text) or [""]
    unit = "".join(_piece(pieces, rng) for _ in range(rng.choice((1, 1, 2, 3, 6))))
    at = rng.randrange(len(pieces) + 1)
    rest = pieces[at:] if rng.random() < 0.6 else []
    room = max(0, rng.choice(_LENGTHS) - len(text))
    grown = [*pieces[:at], unit * (room // max(1, len(unit))), *rest]
    return "".join(grown).encode("utf-8", "replace")[:LARGEST]


def _piece(pieces: list[str], rng: random.Random) -> str:
    """A piece of the text, a few that follow each other, or a sign."""
    if rng.random() < 0.4:
        return rng.choice(_SIGNS)
    at = rng.randrange(len(pieces))
    return "".join(pieces[at : at + rng.choice((1, 1, 2, 5, 30))])
