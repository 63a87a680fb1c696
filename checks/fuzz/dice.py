"""Random programs without Hypothesis: faster and always the same, but not reduced."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from .case import Case
from .choices import Choices
from .program import draw_case
from .scope import Abilities


class Dice(Choices):
    """Choices that depend on a seed alone."""

    def __init__(self, seed: int):
        self._rng = random.Random(seed)

    def number(self, least: int, most: int) -> int:
        return self._rng.randint(least, most)

    def whole(self, make: Callable[[], Any]) -> Any:
        return make()


def drawn(first: int, count: int, abilities: Abilities | None = None) -> list[Case]:
    """A case for each of `count` seeds."""
    return [draw_case(Dice(first + n), abilities or Abilities()) for n in range(count)]
