"""Arrays with very many accesses: a driver's work grows no faster than their number."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import translate

from ..corpus.spirv_words import instructions
from .listings import array_loads, array_stores, listing

TYPE_VECTOR, TYPE_ARRAY, TYPE_POINTER, VARIABLE, ACCESS_CHAIN = 23, 28, 32, 59, 65
FUNCTION = 7  # the storage class


def accesses_of_vectors(text: str) -> list[int]:
    """For each of a function's arrays of vectors the number of its access chains."""
    words = instructions(translate.to_spirv(translate.load(text)).words)
    vectors = {one[1] for one in words if one[0] == TYPE_VECTOR}
    arrays = {one[1] for one in words if one[0] == TYPE_ARRAY and one[2] in vectors}
    pointers = {
        one[1]
        for one in words
        if one[0] == TYPE_POINTER and one[2] == FUNCTION and one[3] in arrays
    }
    variables = [one[2] for one in words if one[0] == VARIABLE and one[1] in pointers]
    chains = Counter(one[3] for one in words if one[0] == ACCESS_CHAIN)
    return [chains[variable] for variable in variables]


@pytest.mark.parametrize("listing", [array_stores, array_loads])
def test_pairs_of_accesses_are_bounded(listing: Any) -> None:
    for count in (10, 100, 1000):
        assert sum(found**2 for found in accesses_of_vectors(listing(count))) < 100_000


def long_array(count: int) -> str:
    """Store n to element 100 n of an x# for each n, then element u0.x to u0.y."""
    stores = "".join(f"mov x0[{at}].xyzw, l({at // 100})\n" for at in range(0, count, 100))
    body = f"ld_raw r0.x, l(0), u0.xxxx\n{stores}store_raw u0.x, l(4), x0[r0.x + 0].w\n"
    return listing(body, f"dcl_indexableTemp x0[{count}], 4\n")


@pytest.mark.parametrize("count", [300, 900])
def test_long_arrays_hold_stored_values(device: Any, count: int) -> None:
    kernel = device.kernel(long_array(count))
    for element in (0, 99, 100, 200, count - 100, count - 1):
        after = kernel.dispatch((1, 1, 1), u0=np.array([element, 77], np.uint32))["u0"]
        expected = element // 100 if element % 100 == 0 else 0
        np.testing.assert_array_equal(after, [element, expected])


@pytest.mark.parametrize("count", [10, 40])
def test_arrays_hold_stored_values(device: Any, count: int) -> None:
    """Thread n reads element n, which has n added to what was in u0."""
    before = np.array([5, 70, 900, 11000], np.uint32)
    kernel = device.kernel(array_stores(count))
    for thread in (0, 3, count - 1):
        before[0] = thread
        after = kernel.dispatch((1, 1, 1), u0=before)["u0"]
        np.testing.assert_array_equal(after, before + thread)
