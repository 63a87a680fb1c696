"""Mutations of listings by lines and by words, so that most results are still shaders."""

from __future__ import annotations

import random
import re

from translate.isa import BY_NAME
from translate.isa.declarations import GLOBAL_FLAGS
from translate.isa.registers import DIMENSIONS_BY_NAME, RETURN_TYPES_BY_NAME, RegisterFile

from .mutate import EDGES, mutate_bytes

_WORD = re.compile(r"\s+|\d+|[A-Za-z]+|.", re.DOTALL)
_NUMBERS = (
    *map(str, EDGES),
    *("-1", "0x0", "0xffffffff", "4294967296", "18446744073709551616", "99999", "0.5", "-0.0"),
    *("1e39", "1.#INF00", "-1.#IND00", "nan", "1.#QNAN0", "9" * 30, "1e-46", "0.1l"),
)
_WORDS = (
    *BY_NAME,
    *(file.prefix for file in RegisterFile),
    *DIMENSIONS_BY_NAME,
    *RETURN_TYPES_BY_NAME,
    *(name for _, name in GLOBAL_FLAGS),
    *("xyzw", "x", "xxxx", "wzyx", "xy", "_sat", "_nz", "_z", "[precise]", "_indexable"),
    *("_aoffimmi", "(1,0,0)", "{min16f}", "{min16f as def32}", "{nonuniform}", "stride=16"),
    *("cs_4_0", "cs_4_1", "cs_5_0", "cs_5_1", "space=1", "[0:*]", "[r0.x + 1]", "|", "-", "//"),
    *(",", "(", ")", "[", "]", "{", "}", ".", "+", "\n", "\t", " ", "l(1)", "d(1.0l, 2.0l)"),
)


def mutate_listing(data: bytes, rng: random.Random, other: bytes = b"") -> bytes:
    """A listing with changes in some lines or words; lines of `other` may be taken."""
    if not data or rng.random() < 0.04:
        return mutate_bytes(data, rng)
    text = data.decode("utf-8", "replace")
    more = other.decode("utf-8", "replace").splitlines()
    for _ in range(rng.choice((1, 1, 2, 3, 6))):
        text = _change_lines(text, more, rng) if rng.random() < 0.4 else _change_word(text, rng)
    return text.encode("utf-8", "replace")


def _change_lines(text: str, more: list[str], rng: random.Random) -> str:
    lines = text.splitlines() or [""]
    at, to = rng.randrange(len(lines)), rng.randrange(len(lines))
    choice = rng.randrange(7)
    if choice == 0:
        del lines[at]
    elif choice == 6:
        return text[: rng.randint(0, len(text))]
    elif choice == 1:
        lines.insert(to, lines[at])
    elif choice == 2:
        lines[at], lines[to] = lines[to], lines[at]
    elif choice == 3:
        lines.insert(at, rng.choice(more or lines))
    elif choice == 4:
        count = rng.choice((1, 2, 4))
        lines[at:at] = lines[to : to + count] * rng.choice((1, 2, 5, 70))
    else:
        start = rng.randrange(len(more)) if more else 0
        lines[at:at] = more[start : start + rng.choice((1, 3, 10))]
    return "\n".join(lines) + "\n"


def _change_word(text: str, rng: random.Random) -> str:
    """Change the words of one line: another number or word, one more or less, or two swapped."""
    lines = text.splitlines() or [""]
    at = rng.randrange(len(lines))
    words = _WORD.findall(lines[at]) or [""]
    i, j = rng.randrange(len(words)), rng.randrange(len(words))
    choice = rng.randrange(6)
    if choice == 0:
        numbers = [k for k, word in enumerate(words) if word.isdecimal()] or [i]
        words[rng.choice(numbers)] = rng.choice(_NUMBERS)
    elif choice == 1:
        words[i] = rng.choice(_WORDS)
    elif choice == 2:
        words.insert(i, rng.choice(_WORDS))
    elif choice == 3:
        del words[i]
    elif choice == 4:
        words[i], words[j] = words[j], words[i]
    else:
        words[i:i] = words[min(i, j) : max(i, j) + 1] * rng.choice((1, 1, 2, 30))
    lines[at] = "".join(words)
    return "\n".join(lines) + "\n"
