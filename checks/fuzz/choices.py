"""The random choices of a program: made by Hypothesis, which also reduces a failing program.

The smallest choice is always the simplest: 0, the first of several, no, nothing more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, TypeVar

from hypothesis import strategies as st

T = TypeVar("T")
Draw = Callable[[st.SearchStrategy[Any]], Any]


@st.composite
def _span(draw: Draw, make: Callable[[], Any]) -> Any:
    return draw(st.just(make))()


@cache
def _numbers(least: int, most: int) -> st.SearchStrategy[int]:
    return st.integers(least, most)


class Choices:
    """Draws of one example."""

    def __init__(self, draw: Draw):
        self._draw = draw

    def number(self, least: int, most: int) -> int:
        """An integer, both ends included."""
        return least if least == most else self._draw(_numbers(least, most))

    def pick(self, options: Sequence[T]) -> T:
        """One of the options; one that is listed twice is twice as likely."""
        return options[self.number(0, len(options) - 1)]

    def chance(self, percent: int) -> bool:
        """True in about so many percent of the draws."""
        return self.number(0, 99) >= 100 - percent

    def repeat(self, mean: int, most: int) -> Iterator[int]:
        """0, 1, 2 ... as long as a choice continues, `mean` times on average."""
        for number in range(most):
            if not self.chance(100 * mean // (mean + 1)):
                return
            yield number

    def whole(self, make: Callable[[], T]) -> T:
        """Mark what `make` draws as one part, which can be left out or replaced as a whole."""
        return self._draw(_span(make))
