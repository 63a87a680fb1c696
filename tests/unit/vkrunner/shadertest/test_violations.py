"""Reported and expected accesses: each needs its own counterpart."""

from typing import Any

import pytest

from .cases import VIOLATES, outcome

ALL = ["t0 count 2", "u0 count 2"]


@pytest.mark.parametrize(
    "lines",
    [
        ALL,
        ["t0 thread (2, 0, 0)", "t0", "u0 byte_offset 12", "u0 byte_offset 8"],
        ["outside count 2", "t0", "t0 thread (3, 0, 0)"],
        ["thread (2, 0, 0) count 2", "t0 line 10", "u0 instruction 2 line 11 defined raw_buffer"],
    ],
)
def test_all_are_expected(machine: Any, lines: list[str]) -> None:
    text = VIOLATES + "".join(f"violation {line}\n" for line in lines)
    found = outcome(machine, text)
    assert not found.failures, found.text()


def test_how_many(machine: Any) -> None:
    assert not outcome(machine, f"{VIOLATES}violations 4\n").failures
    found = outcome(machine, f"{VIOLATES}violations none\n")
    assert found.failures[0].message == "expected no violations, 4 reported"
    assert "2,0,0" in "\n".join(found.failures[0].details)


def test_unexpected_accesses_are_shown(machine: Any) -> None:
    found = outcome(machine, f"{VIOLATES}violation t0 count 2\nviolation u0 thread (2, 0, 0)\n")
    (failure,) = found.failures
    assert failure.message == "1 more violations than expected"
    assert failure.details[1].split()[:5] == ["11", "2", "u0", "raw", "buffer"]


def test_missing_accesses_are_reported(machine: Any) -> None:
    found = outcome(machine, VIOLATES + "".join(f"violation {x}\n" for x in (*ALL, "t1 count 3")))
    (failure,) = found.failures
    assert failure.message == "expected 3 of these accesses, 0 reported"
    assert failure.where.line == 21


def test_too_many_lines(machine: Any) -> None:
    """They form a long augmenting path."""
    found = outcome(machine, VIOLATES + "violation t0\n" * 501)
    assert "more than 500 lines of violations" in found.failures[0].message
