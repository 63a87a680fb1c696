"""Tables that need a row for each thing of a kind: a failure names the row and its place."""

from collections.abc import Iterable

import pytest


def check_complete(found: Iterable[object], wanted: Iterable[object], place: str) -> None:
    """Fail if a table lacks a row, or has one too many; `place` is its name and its file."""
    has, needs = {*map(str, found)}, {*map(str, wanted)}
    problems = [f"{name} has no row in {place}" for name in sorted(needs - has)]
    problems += [f"{name} does not exist, and has a row in {place}" for name in sorted(has - needs)]
    if problems:
        pytest.fail("\n".join(problems), pytrace=False)
