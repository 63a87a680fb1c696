"""Tests marked slow or thorough, which need an option, or their file's name in the command line.

`--slow` runs those marked slow, as CI does, and `--thorough` all of them, as CI does at night.
`share` divides the cases of a long test among the three.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar
from zlib import crc32

import pytest

T = TypeVar("T")


def share(
    cases: Sequence[T], name: Callable[[T], str], quick_of: int, reason: str, slow_of: int = 4
) -> list[Any]:
    """Cases for `parametrize`: one of `quick_of` is quick, of the others one of `slow_of` is slow.

    The name decides which, so that each part has cases of every kind.
    """
    slow, thorough = pytest.mark.slow(reason=reason), pytest.mark.thorough(reason=reason)
    made: list[Any] = []
    for number, case in enumerate(cases):
        mark = slow if crc32(name(case).encode()) % slow_of == 0 else thorough
        made.append(pytest.param(case, id=name(case), marks=[mark] if number % quick_of else []))
    return made


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the tests marked slow too")
    parser.addoption("--thorough", action="store_true", help="run all tests")


def pytest_report_header(config: pytest.Config) -> str | None:
    """Report it here: pytest-xdist does not print how many tests were deselected."""
    left_out = _left_out(config)
    options = " or ".join(f"--{mark}" for mark in left_out)
    return f"tests marked {' and '.join(left_out)} are left out: {options}" if left_out else None


def _left_out(config: pytest.Config) -> list[str]:
    if config.getoption("thorough"):
        return []
    return ["thorough"] if config.getoption("slow") else ["slow", "thorough"]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    marks = _left_out(config)
    folder = config.invocation_params.dir
    named = {(folder / argument.partition("::")[0]).resolve() for argument in config.args}
    left_out = [
        item
        for item in items
        if item.path not in named and any(map(item.get_closest_marker, marks))
    ]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        gone = set(left_out)
        items[:] = [item for item in items if item not in gone]
