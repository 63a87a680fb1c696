"""Structures of an odd number of pairs, whose dwords are loaded and stored together."""

from typing import Any

import numpy as np
import pytest

from ..listings import listing

DWORDS = "xyzw"
LOADED, STORED = 8, 9  # structures; of ten threads one reads past the end, one also writes there
# By the dwords of a structure: the parts that are loaded, and those that are stored
PARTS = {2: ([2], [2]), 6: ([2, 4], [3, 2, 1]), 10: ([1, 4, 2, 3], [3, 4, 3])}


def accesses(dwords: int) -> list[str]:
    """Copies this thread's structure, by r0 to r9."""
    kind = f"(structured_buffer, stride={4 * dwords})(mixed,mixed,mixed,mixed)"
    loaded, stored = PARTS[dwords]
    lines, at = list[str](), 0
    for count in loaded:
        address = f"vThreadID.x, l({4 * at})"
        mask = DWORDS[:count]
        lines.append(f"ld_structured_indexable{kind} r10.{mask}, {address}, t0.{mask:x<4}")
        lines += [f"mov r{at + n}.x, r10.{DWORDS[n]}" for n in range(count)]
        at += count
    at = 0
    for count in stored:
        mask = DWORDS[:count]
        lines += [f"mov r10.{DWORDS[n]}, r{at + n}.x" for n in range(count)]
        lines.append(f"store_structured u0.{mask}, vThreadID.x, l({4 * at}), r10.xyzw")
        at += count
    return lines


@pytest.mark.parametrize("guards", ["d3d", "report"])
@pytest.mark.parametrize("dwords", PARTS)
def test_a_copy(device: Any, dwords: int, guards: str) -> None:
    declared = [f"dcl_resource_structured t0, {4 * dwords}", f"dcl_uav_structured u0, {4 * dwords}"]
    text = listing(accesses(dwords), declared, temps=11, group=(10, 1, 1))
    given = np.arange(1, 1 + LOADED * dwords, dtype=np.uint32).reshape(LOADED, dwords)
    result = device.kernel(text, guards=guards).dispatch(
        1, t0=given, u0=np.full((STORED, dwords), 99, np.uint32)
    )
    expected = np.concatenate([given, np.zeros((STORED - LOADED, dwords), np.uint32)])
    np.testing.assert_array_equal(result.u0, expected)
