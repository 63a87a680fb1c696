"""The growth of a listing to a limit: its verdict, and the listings."""

from __future__ import annotations

import pytest

import translate

from .compiling import SECONDS, Compiled
from .growth import Growth, grow
from .measure import LARGEST
from .repetitions import REPETITIONS


@pytest.mark.parametrize("kind", REPETITIONS)
def test_repetitions_translate(kind: str) -> None:
    translate.to_spirv(translate.load(REPETITIONS[kind](3)))


def words_of(text: str) -> Compiled:
    """A driver that takes a millisecond for each line, and refuses more than 600."""
    lines = text.count("\n")
    return Compiled(refused="too large") if lines > 600 else Compiled(lines / 1000, words=lines)


def test_the_growth_ends_before_a_refusal() -> None:
    growth = grow(lambda count: "mov\n" * count, words_of)
    assert growth == Growth(512, 2048, Compiled(0.512, words=512), "refused: too large")
    assert not growth.is_breach
    assert str(growth).endswith("512 words   0.51 s   1000 us a word  refused: too large")


def test_the_growth_ends_at_the_largest_size() -> None:
    growth = grow(lambda count: "x" * 100 * count, lambda _: Compiled(1.0, words=10))
    assert (growth.count, growth.ended) == (512, "the largest size")
    assert growth.bytes <= LARGEST < 2 * growth.bytes


@pytest.mark.parametrize(
    ("made", "ended"),
    [
        (Compiled(SECONDS + 1, words=10), "the driver takes long"),
        (Compiled(crash="ended with -11"), "ended with -11"),
    ],
)
def test_a_driver_that_takes_long_or_ends(made: Compiled, ended: str) -> None:
    growth = grow(lambda count: "x" * count, lambda _: made)
    assert growth.is_breach
    assert growth.ended == ended


def test_what_is_refused_at_once() -> None:
    growth = grow(lambda count: "x" * count, lambda _: Compiled(refused="no doubles"))
    assert (growth.count, growth.is_breach) == (0, False)
