"""Sizes in a driver: the code of subroutines that it inlines, and pairs of an array's accesses."""

from collections import Counter

import pytest

import translate
from checks.heavy.listings import Family, array_loads, array_stores, calls
from translate.options import MAX_INLINED

from ..corpus.spirv_words import instructions

FUNCTION, FUNCTION_END, FUNCTION_CALL = 54, 56, 57
TYPE_VECTOR, TYPE_ARRAY, TYPE_POINTER, VARIABLE, ACCESS_CHAIN = 23, 28, 32, 59, 65
LOCAL = 7  # the storage class of a function's variables
INSTRUCTIONS = 4  # of SPIR-V for an operation of the IR, at most, where all registers are memory


def words_of(text: str) -> list[tuple[int, ...]]:
    options = translate.Options(validate=True)
    return instructions(translate.to_spirv(translate.load(text), options).words)


def inlined(words: list[tuple[int, ...]]) -> int:
    """The number of instructions of the entry if every call is inlined."""
    bodies: dict[int, tuple[int, list[int]]] = {}
    name, size, callees = 0, 0, list[int]()
    for opcode, *operands in words:
        size += 1
        if opcode == FUNCTION:
            name, size, callees = operands[1], 0, []
        elif opcode == FUNCTION_CALL:
            callees.append(operands[2])
        elif opcode == FUNCTION_END:
            bodies[name] = size, callees
    whole: dict[int, int] = {}

    def of(function: int) -> int:
        if function not in whole:
            own, called = bodies[function]
            whole[function] = own + sum(of(one) for one in called)
        return whole[function]

    return of(next(iter(bodies)))  # the entry is written first


@pytest.mark.parametrize("fanout", [2, 3, 5])
def test_copies_are_bounded(fanout: int) -> None:
    """32 levels are D3D's most: 2^31 copies of the last subroutine, and more."""
    for depth in (8, 16, 24, 32):
        words = words_of(calls(depth, fanout))
        assert inlined(words) <= INSTRUCTIONS * MAX_INLINED + len(words)


def test_a_level_more_adds_one_body() -> None:
    first, second, third = (len(words_of(calls(depth))) for depth in (18, 24, 30))
    assert third - second <= 1.2 * (second - first)


def test_calls_within_the_limit_stay_calls() -> None:
    words = words_of(calls(6))
    assert sum(opcode == FUNCTION_CALL for opcode, *_ in words) == 1 + 2 * 5


def accesses_of_vectors(text: str) -> list[int]:
    """For each of a function's arrays of vectors the number of its access chains."""
    words = words_of(text)
    vectors = {one[1] for one in words if one[0] == TYPE_VECTOR}
    pointed = {one[1]: one[3] for one in words if one[0] == TYPE_POINTER and one[2] == LOCAL}
    arrays = {one[1] for one in words if one[0] == TYPE_ARRAY and one[2] in vectors}
    variables = [one[2] for one in words if one[0] == VARIABLE and pointed.get(one[1]) in arrays]
    chains = Counter(one[3] for one in words if one[0] == ACCESS_CHAIN)
    return [chains[variable] for variable in variables]


@pytest.mark.parametrize("listing", [array_stores, array_loads])
def test_pairs_of_accesses_are_bounded(listing: Family) -> None:
    for count in (10, 100, 1000):
        assert sum(found**2 for found in accesses_of_vectors(listing(count))) < 100_000
