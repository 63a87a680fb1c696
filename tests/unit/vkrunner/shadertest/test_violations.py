"""Reported and expected accesses: each needs its own counterpart."""

from __future__ import annotations

from typing import Any

import pytest

from .cases import outcome

# Threads 2 and 3 load and store outside of two dwords.
SHADER = """[shader]
guards report
cs_5_0
dcl_resource_raw t0
dcl_uav_raw u0
dcl_input vThreadID.x
dcl_temps 1
dcl_thread_group 4, 1, 1
ishl r0.x, vThreadID.x, l(2)
ld_raw_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r0.y, r0.x, t0.xxxx
store_raw u0.x, r0.x, r0.y
ret
[srv 0]
1 2
[uav 0]
0 0
[test]
dispatch 1 1 1
"""
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
    text = SHADER + "".join(f"violation {line}\n" for line in lines)
    found = outcome(machine, text)
    assert not found.failures, found.text()


def test_how_many(machine: Any) -> None:
    assert not outcome(machine, f"{SHADER}violations 4\n").failures
    found = outcome(machine, f"{SHADER}violations none\n")
    assert found.failures[0].message == "expected no violations, 4 reported"
    assert "2,0,0" in "\n".join(found.failures[0].details)


def test_unexpected_accesses_are_shown(machine: Any) -> None:
    found = outcome(machine, f"{SHADER}violation t0 count 2\nviolation u0 thread (2, 0, 0)\n")
    (failure,) = found.failures
    assert failure.message == "1 more violations than expected"
    assert failure.details[1].split()[:5] == ["11", "2", "u0", "raw", "buffer"]


def test_missing_accesses_are_reported(machine: Any) -> None:
    found = outcome(machine, SHADER + "".join(f"violation {x}\n" for x in (*ALL, "t1 count 3")))
    (failure,) = found.failures
    assert failure.message == "expected 3 of these accesses, 0 reported"
    assert failure.where.line == 21
