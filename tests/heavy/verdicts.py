"""The cost of a listing in the translator and the driver, and whether it is within the limits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .compiling import SECONDS, Compiled, compile_apart
from .measure import Cost, measure
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
        return bool(self.cost.finding or self._crash) or (self._takes_long and not self.why)

    @property
    def verdict(self) -> str:
        if self.cost.finding:
            return f"the translator {self.cost.finding}"
        if self.compiled is None:
            return "the translator refuses it"
        if self._crash:
            return f"the driver {self._crash}"
        if self.compiled.refused:
            return f"not compiled: {self.compiled.refused}"
        if not self._takes_long:
            return "good"
        return f"the driver takes long: {self.why or 'nothing says why'}"

    @property
    def _crash(self) -> str:
        return self.compiled.crash if self.compiled is not None else ""

    @property
    def _takes_long(self) -> bool:
        return self.compiled is not None and self.compiled.seconds > SECONDS

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
