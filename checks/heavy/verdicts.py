"""The cost of a listing in the translator and the driver, and whether it is within the limits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from .compiling import Compiled, compile_apart
from .listings import Family
from .measure import LARGEST, Cost, measure
from .variants import Variant


@dataclass(frozen=True, slots=True)
class Outcome:
    """The costs of a listing; `compiled` is None where it is not translated."""

    cost: Cost
    compiled: Compiled | None
    why: str

    @property
    def is_breach(self) -> bool:
        """Whether it exceeds a limit without a reason in its size, or crashes the driver."""
        made = self.compiled or Compiled()
        return bool(self.cost.finding or made.crash or (made.problem and not self.why))

    @property
    def verdict(self) -> str:
        if self.cost.finding:
            return f"the translator {self.cost.finding}"
        if self.compiled is None:
            return "the translator refuses it"
        if self.compiled.refused:
            return f"not compiled: {self.compiled.refused}"
        if not self.compiled.problem:
            return "good"
        why = "" if self.compiled.crash else f": {self.why or 'nothing says why'}"
        return f"the driver {self.compiled.problem}{why}"

    def __str__(self) -> str:
        driver = "-" if self.compiled is None else f"{self.compiled.seconds:.2f}"
        cost = self.cost
        return f"{cost.seconds:6.2f} s {cost.megabytes:6.0f} MB {driver:>6} s  {self.verdict}"


def judge(
    variant: Variant,
    measured: Callable[[str], Cost] = measure,
    compiled: Callable[[str], Compiled] = compile_apart,
) -> Outcome:
    """Translate a listing, and compile the module."""
    text = variant.text
    cost = measured(text)
    return Outcome(cost, compiled(text) if cost.words else None, variant.why)


@dataclass(frozen=True, slots=True)
class Growth:
    """The largest listing that was compiled; `ended` says what ended the growth."""

    count: int
    bytes: int
    compiled: Compiled
    ended: str

    def __str__(self) -> str:
        made = self.compiled
        each = 1e6 * made.seconds / max(made.words, 1)
        size = f"{self.count:>6} times {self.bytes:>7} bytes {made.words:>8} words"
        return f"{size} {made.seconds:>6.2f} s {each:>6.0f} us a word  {self.ended}"


def grow(family: Family, compiled: Callable[[str], Compiled] = compile_apart) -> Growth:
    """Double a listing's repetitions, until it exceeds a limit or is refused."""
    count, before = 16, Growth(0, 0, Compiled(), "")
    while len(text := family(count)) <= LARGEST:
        made = compiled(text)
        if made.refused:
            return replace(before, ended=f"refused: {made.refused}")
        before = Growth(count, len(text), made, made.problem or "the largest size")
        if made.problem:
            break
        count *= 2
    return before
