"""The check of atomics' returned values accepts what some order gives, and nothing else."""

import random
from collections.abc import Callable

import pytest

from .case import explained_by_some_order


def exchange(value: int, operand: int) -> int:
    return operand


@pytest.mark.parametrize("operation", [int.__add__, max, exchange])
@pytest.mark.parametrize("seed", range(5))
def test_any_order_is_accepted(operation: Callable[[int, int], int], seed: int) -> None:
    order = list(range(20))
    random.Random(seed).shuffle(order)
    returned, value = [0] * 20, 3
    for operand in order:
        returned[operand] = value
        value = operation(value, operand)
    assert explained_by_some_order(3, range(20), returned, value, operation)
    assert not explained_by_some_order(3, range(20), returned, value + 1, operation)
    returned[order[10]] += 1000
    assert not explained_by_some_order(3, range(20), returned, value, operation)


def test_a_lost_update_is_seen() -> None:
    """Two threads read 0, both add 1: the end would be 1."""
    assert not explained_by_some_order(0, [1, 1], [0, 0], 1, int.__add__)


def test_a_closed_walk_elsewhere_is_seen() -> None:
    """Balanced degrees alone would accept values that were never in memory."""
    assert not explained_by_some_order(0, [8, 9], [9, 8], 0, exchange)
