"""Listings with many arrays, loops and returns compute right values: drivers bear few of them.

`tests/passes/enclose_bodies` has the pass that encloses loops and returns.
"""

from typing import Any

import numpy as np
import pytest

from checks.heavy.listings import array_stores, listing, loops_in_a_row, returns_in_a_row


def left(kernel: Any, *values: int) -> list[int]:
    """The contents of u0 after a dispatch with these values."""
    return kernel.dispatch((1, 1, 1), u0=np.array(values, np.uint32))["u0"].tolist()


def long_array(count: int) -> str:
    """Store n to element 100 n of an x# for each n, then element u0.x to u0.y."""
    stores = "".join(f"mov x0[{at}].xyzw, l({at // 100})\n" for at in range(0, count, 100))
    body = f"ld_raw r0.x, l(0), u0.xxxx\n{stores}store_raw u0.x, l(4), x0[r0.x + 0].w\n"
    return listing(body, f"dcl_indexableTemp x0[{count}], 4\n")


@pytest.mark.parametrize("count", [300, 900])
def test_long_arrays_hold_stored_values(device: Any, count: int) -> None:
    kernel = device.kernel(long_array(count))
    for element in (0, 99, 100, 200, count - 100, count - 1):
        expected = element // 100 if element % 100 == 0 else 0
        assert left(kernel, element, 77) == [element, expected]


@pytest.mark.parametrize("count", [10, 40])
def test_arrays_hold_stored_values(device: Any, count: int) -> None:
    """Thread n reads element n, which has n added to what was in u0."""
    kernel = device.kernel(array_stores(count))
    for n in (0, 3, count - 1):
        assert left(kernel, n, 70, 900, 11000) == [2 * n, 70 + n, 900 + n, 11000 + n]


@pytest.mark.parametrize("count", [10, 40])
def test_loops_end_correctly(device: Any, count: int) -> None:
    kernel = device.kernel(loops_in_a_row(count))
    for start in (0, 1, 50):
        expected = start
        for number in range(count):
            expected += 2 * max(0, -(-(3 * number + 3 - expected) // 2))
        assert left(kernel, start) == [expected]


@pytest.mark.parametrize("count", [10, 76])
def test_threads_return_where_they_should(device: Any, count: int) -> None:
    """76 are more than nest in each other, and fewer than the 80 that lavapipe would bear."""
    kernel = device.kernel(returns_in_a_row(count))
    for place in (0, 5, 64, 70, 75, 1000):
        assert left(kernel, place, 0) == [place, min(place, count)]


def test_subroutines_return_where_they_should(device: Any) -> None:
    once = "ieq r0.y, r0.x, l({})\nretc_nz r0.y\nmov r0.z, l({})\n"
    body = "".join(once.format(number, number + 1) for number in range(76))
    entry = "ld_raw r0.x, l(0), u0.xxxx\nmov r0.z, l(0)\ncall label0\nstore_raw u0.x, l(4), r0.z\n"
    kernel = device.kernel(listing(entry, after=f"label label0\n{body}ret\n"))
    for place in (0, 64, 70, 1000):
        assert left(kernel, place, 0) == [place, min(place, 76)]
