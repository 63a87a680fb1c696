"""Repeated lines of a case, written once.

    ; 75 times
    %{1+1}: bool = ieq %0, {0+1}
    store_element {0+1}, %0 (u0.0)
    ; end

`{1+2}` is a number that starts as 1 and grows by 2 each time.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_REPEATS = re.compile(r"(?m)^( *); (\d+) times\n((?:.*\n)*?)\1; end\n")
_STEPS = re.compile(r"\{(\d+)\+(\d+)\}")
_NUMBERS = re.compile(r"(\d+)")
_LONGEST = 16  # lines that are repeated together
_WORTH = 24  # lines saved


def unfolded(text: str) -> str:
    """The text with all of its lines."""
    return _REPEATS.sub(
        lambda found: "".join(_nth(found[3], n) for n in range(int(found[2]))), text
    )


def _nth(lines: str, number: int) -> str:
    return _STEPS.sub(lambda step: str(int(step[1]) + number * int(step[2])), lines)


def folded(text: str) -> str:
    """The text with each long repetition written once."""
    lines = text.splitlines(keepends=True)
    found: list[str] = []
    at = 0
    while at < len(lines):
        saved, size = max((_saved(lines, at, size), -size) for size in range(1, _LONGEST + 1))
        if saved < _WORTH:
            found.append(lines[at])
            at += 1
            continue
        size = -size
        indent = " " * (len(lines[at]) - len(lines[at].lstrip()))
        template = _template(lines[at : at + size], lines[at + size : at + 2 * size])
        found += [f"{indent}; {saved // size + 1} times\n", template, f"{indent}; end\n"]
        at += saved + size
    return "".join(found)


def _saved(lines: Sequence[str], at: int, size: int) -> int:
    """How many lines repeat the `size` lines from `at` on."""
    first, second = lines[at : at + size], lines[at + size : at + 2 * size]
    if not second or _NUMBERS.split(first[0])[::2] != _NUMBERS.split(second[0])[::2]:
        return 0
    if not _is_whole(first) or not (template := _template(first, second)):
        return 0
    repeats = 1
    for start in range(at + 2 * size, len(lines), size):
        if "".join(lines[start : start + size]) != _nth(template, repeats + 1):
            break
        repeats += 1
    return repeats * size


def _is_whole(lines: Sequence[str]) -> bool:
    """Whether every block that ends in the lines begins there, and the reverse."""
    depth = 0
    for line in lines:
        depth -= line.lstrip().startswith("}")
        if depth < 0:
            return False
        depth += line.endswith("{\n")
    return depth == 0


def _template(first: Sequence[str], second: Sequence[str]) -> str:
    """The lines with their steps; empty if the second ones do not follow from the first."""
    one, other = (_NUMBERS.split("".join(lines)) for lines in (first, second))
    if one[::2] != other[::2]:
        return ""
    pairs = zip(one[1::2], other[1::2], strict=True)
    numbers = [a if a == b else f"{{{a}+{int(b) - int(a)}}}" for a, b in pairs]
    template = "".join(a + b for a, b in zip(one[::2], [*numbers, ""], strict=True))
    return template if _nth(template, 1) == "".join(second) else ""
