"""No regular expression takes more than linear time, by a backtracking matcher's steps."""

import re
import sys
from collections.abc import Generator
from typing import Any

import pytest

from checks.patterns.attacks import Attacker
from checks.patterns.find import PACKAGES, all_patterns

PARTS = 12  # for as many processes; the first is quick
MORE = pytest.mark.slow(reason="more patterns")


@pytest.fixture(autouse=True)
def deep_recursion() -> Generator[None]:
    """The matcher nests with the length of its text."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(50_000)
    yield
    sys.setrecursionlimit(before)


@pytest.mark.parametrize(
    "most_heads", [4, pytest.param(16, marks=pytest.mark.thorough(reason="more texts"))]
)
@pytest.mark.parametrize(
    "part", [0, *(pytest.param(number, marks=MORE) for number in range(1, PARTS))]
)
def test_every_pattern_takes_linear_steps(part: int, most_heads: int) -> None:
    patterns = all_patterns()[part::PARTS]
    assert {found.place.partition("/")[0] for found in patterns} == set(PACKAGES)
    attackers = ((one, Attacker(one.compiled(), one.uses, most_heads)) for one in patterns)
    attacks = ((found, attacker.excess()) for found, attacker in attackers)
    assert [f"{found.place}: {attack}" for found, attack in attacks if attack] == []


@pytest.mark.parametrize("most_heads", [4, 16])
@pytest.mark.parametrize(
    ("pattern", "use"),
    [
        (r"#(?:\s|/\*.*?\*/)*x", "match"),  # exponential
        (r"(?:a|b|ab)*c", "match"),
        (r"\s*\s*x", "match"),
        (r"\d+\.?\d*(?![\w.])", "match"),
        (r"\s+#", "search"),
        (r"\[numthreads\([^)]*\)\](?:\[[^\]]*\])*void", "search"),
        (r'("(?:[^"\\]|\\.)*")|//', "search"),
        (r"(\w+)(_\w+)?", "fullmatch"),
        (rb"\s*(\d+),", "search"),
    ],
)
def test_more_than_linear_steps_are_found(pattern: Any, use: str, most_heads: int) -> None:
    assert Attacker(re.compile(pattern, re.DOTALL), {use}, most_heads).excess() is not None


@pytest.mark.parametrize(
    ("pattern", "use"),
    [
        (r"#(?:\s++|/\*.*?\*/)*+x", "match"),
        (r"\s*+x", "match"),
        (r"\d++\.?\d*+(?![\w.])", "match"),
        (r"(?<!\s)\s++#", "search"),
        (r"(\w{1,5})(-\w{1,5})?x", "match"),
    ],
)
def test_linear_steps_are_let_through(pattern: str, use: str) -> None:
    assert Attacker(re.compile(pattern, re.DOTALL), {use}).excess() is None
