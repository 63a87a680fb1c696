"""How a driver's cost grows with the repetitions of an instruction: `python -m tests.heavy`.

A listing is doubled until it exceeds a limit, or the translator or the driver refuses it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from .compiling import SECONDS, Compiled, compile_apart
from .listings import Family
from .measure import LARGEST

_FIRST = 16


@dataclass(frozen=True, slots=True)
class Growth:
    """The largest listing that was compiled; `ended` says what ended the growth."""

    count: int
    bytes: int
    compiled: Compiled
    ended: str

    @property
    def is_breach(self) -> bool:
        """Whether a driver takes too long for a listing that the translator accepts."""
        return bool(self.compiled.crash) or self.compiled.seconds > SECONDS

    def __str__(self) -> str:
        made, words = self.compiled, max(self.compiled.words, 1)
        each = 1e6 * made.seconds / words
        size = f"{self.count:>6} times {self.bytes:>7} bytes {made.words:>8} words"
        return f"{size} {made.seconds:>6.2f} s {each:>6.0f} us a word  {self.ended}"


def grow(family: Family, compiled: Callable[[str], Compiled] = compile_apart) -> Growth:
    """Double a listing's repetitions as far as the limits go."""
    count, before = _FIRST, Growth(0, 0, Compiled(), "")
    while len(text := family(count)) <= LARGEST:
        made = compiled(text)
        if made.refused:
            return replace(before, ended=f"refused: {made.refused}")
        before = Growth(count, len(text), made, "the largest size")
        if before.is_breach:
            return replace(before, ended=made.crash or "the driver takes long")
        count *= 2
    return before
