"""Arrays that very many instructions access: what drivers look at grows with them, not faster."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import translate

from ..corpus.spirv_words import instructions
from .listings import array_loads, array_stores

TYPE_VECTOR, TYPE_ARRAY, TYPE_POINTER, VARIABLE, ACCESS_CHAIN = 23, 28, 32, 59, 65
FUNCTION = 7  # the storage class


def accesses_of_vectors(text: str) -> list[int]:
    """For each of a function's arrays of vectors, how many access chains lead into it."""
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


def test_few_accesses_are_of_vectors() -> None:
    assert accesses_of_vectors(array_stores(10)) == [44]  # with a load of 4 components


@pytest.mark.parametrize("count", [10, 40])
def test_arrays_hold_what_was_stored(device: Any, count: int) -> None:
    """Thread n reads element n, which has n added to what was in u0."""
    before = np.array([5, 70, 900, 11000], np.uint32)
    kernel = device.kernel(array_stores(count))
    for thread in (0, 3, count - 1):
        before[0] = thread
        after = kernel.dispatch((1, 1, 1), u0=before)["u0"]
        np.testing.assert_array_equal(after, before + thread)
