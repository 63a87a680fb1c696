"""What a run over many shaders did."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

TRANSLATED, REFUSED = "translated", "refused"


@dataclass(frozen=True, slots=True)
class Row:
    """One input.

    `contents` is the SHA-256 of what is in it, None where it could not be read. `reason` is set
    for a refused one, and `message` is the same with place, line and caret. `seconds` is the time
    of its translation, None where it took none: `kept` says that a run before did it, `same_as`
    names the input with the same contents that was translated for both.
    """

    name: str
    path: str
    contents: str | None
    status: str
    outputs: tuple[str, ...] = ()
    words: int = 0
    seconds: float | None = None
    kept: bool = False
    same_as: str | None = None
    reason: str | None = None
    message: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, without what does not apply."""
        row = {name: getattr(self, name) for name in self.__slots__}
        row["outputs"] = list(self.outputs)
        return {name: value for name, value in row.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Report:
    """Rows in the order of their names; `seconds` is the time of the whole run."""

    rows: tuple[Row, ...]
    seconds: float

    @property
    def translated(self) -> int:
        return sum(row.status == TRANSLATED for row in self.rows)

    @property
    def refused(self) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if row.status == REFUSED)

    @property
    def words(self) -> int:
        """Of all modules together."""
        return sum(row.words for row in self.rows)

    def reasons(self) -> list[tuple[str, int]]:
        """Each reason with how many were refused for it, the most frequent first."""
        return Counter(row.reason or "" for row in self.refused).most_common()

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "translated": self.translated,
            "refused": len(self.refused),
            "kept": sum(row.kept for row in self.rows),
            "duplicates": sum(row.same_as is not None for row in self.rows),
            "words": self.words,
            "seconds": round(self.seconds, 3),
            "reasons": dict(self.reasons()),
            "shaders": [row.to_dict() for row in self.rows],
        }
