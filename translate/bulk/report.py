"""What a run over many shaders did."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

TRANSLATED, REFUSED = "translated", "refused"


@dataclass(frozen=True, slots=True)
class Row:
    """What became of one input.

    Attributes
    ----------
    name : str
        The input's name.
    path : str
        The input's file, with the part in brackets.
    contents : str or None
        The SHA-256 of its bytes; None where they could not be read.
    status : {"translated", "refused"}
        Whether there is a module.
    outputs : tuple of str
        The files that were written, below the folder.
    words : int
        Words of the module.
    seconds : float or None
        The time of its translation; None where it took none.
    kept : bool
        Whether an earlier run translated it.
    same_as : str or None
        The input with the same contents that was translated for both.
    reason : str or None
        Why it was refused.
    message : str or None
        The reason with place, line and caret.
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
        """Plain data for JSON, without what does not apply.

        Returns
        -------
        dict
            The attributes by their names.
        """
        row = {name: getattr(self, name) for name in self.__slots__}
        row["outputs"] = list(self.outputs)
        return {name: value for name, value in row.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Report:
    """What a run over many shaders did.

    Attributes
    ----------
    rows : tuple of Row
        One for each input, in the order of their names.
    seconds : float
        The time of the whole run.
    """

    rows: tuple[Row, ...]
    seconds: float

    @property
    def translated(self) -> int:
        """How many inputs have a module."""
        return sum(row.status == TRANSLATED for row in self.rows)

    @property
    def refused(self) -> tuple[Row, ...]:
        """The rows of the inputs that were refused."""
        return tuple(row for row in self.rows if row.status == REFUSED)

    @property
    def words(self) -> int:
        """Words of all modules together."""
        return sum(row.words for row in self.rows)

    def reasons(self) -> list[tuple[str, int]]:
        """Why inputs were refused.

        Returns
        -------
        list of (str, int)
            Each reason with how many were refused for it, the most frequent first.
        """
        return Counter(row.reason or "" for row in self.refused).most_common()

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON.

        Returns
        -------
        dict
            Counts, seconds, reasons, and the rows as `shaders`.
        """
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
