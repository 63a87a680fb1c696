"""Subroutines that call each other: the size of their code in a driver that inlines every call."""

from __future__ import annotations

import pytest

import translate
from translate.options import MAX_INLINED

from ..corpus.spirv_words import instructions
from .listings import calls

FUNCTION, FUNCTION_END, FUNCTION_CALL = 54, 56, 57
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
