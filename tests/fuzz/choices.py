"""What a random program is drawn from: Hypothesis, which cuts a failing program down as well.

The least choice is always the simplest: 0, the first of several, no, nothing more.
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
        """A whole number, both ends included."""
        return least if least == most else self._draw(_numbers(least, most))

    def pick(self, options: Sequence[T]) -> T:
        """One of them; what stands there more than once comes more often."""
        return options[self.number(0, len(options) - 1)]

    def chance(self, percent: int) -> bool:
        """True in about so many of a hundred draws."""
        return self.number(0, 99) >= 100 - percent

    def repeat(self, mean: int, most: int) -> Iterator[int]:
        """0, 1, 2 ... for as long as a choice says so, `mean` times on average."""
        for number in range(most):
            if not self.chance(100 * mean // (mean + 1)):
                return
            yield number

    def whole(self, make: Callable[[], T]) -> T:
        """What `make` draws is one part, to be left out or replaced as a whole."""
        return self._draw(_span(make))
