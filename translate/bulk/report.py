"""The report of a run over many shaders."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

TRANSLATED, REFUSED = "translated", "refused"


@dataclass(frozen=True, slots=True)
class Row:
    """The result for one input.

    Attributes
    ----------
    name : str
        The input's name.
    path : str
        The input's file; a part follows in brackets.
    contents : str or None
        The SHA-256 of its bytes; None if they could not be read.
    status : {"translated", "refused"}
        Whether the input has a module.
    outputs : tuple of str
        The written files, relative to the output folder.
    words : int
        The number of words in the module.
    seconds : float or None
        The time of the translation; None if it was not translated in this run.
    kept : bool
        True if an earlier run translated it and it is up to date.
    same_as : str or None
        The input with the same contents that was translated for both.
    reason : str or None
        The reason if it was refused.
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
        """Convert to plain data for JSON; attributes that are None are omitted.

        Returns
        -------
        dict
            The attributes by name.
        """
        row = {name: getattr(self, name) for name in self.__slots__}
        row["outputs"] = list(self.outputs)
        return {name: value for name, value in row.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Report:
    """The results of a run over many shaders.

    Attributes
    ----------
    rows : tuple of Row
        One for each input, sorted by name.
    seconds : float
        The time of the whole run.
    """

    rows: tuple[Row, ...]
    seconds: float

    @property
    def translated(self) -> int:
        """The number of inputs with a module."""
        return sum(row.status == TRANSLATED for row in self.rows)

    @property
    def refused(self) -> tuple[Row, ...]:
        """The rows of refused inputs."""
        return tuple(row for row in self.rows if row.status == REFUSED)

    @property
    def words(self) -> int:
        """The number of words in all modules."""
        return sum(row.words for row in self.rows)

    def reasons(self) -> list[tuple[str, int]]:
        """Count the reasons for refusals.

        Returns
        -------
        list of (str, int)
            Each reason and the number of inputs that were refused for it, the most frequent first.
        """
        return Counter(row.reason or "" for row in self.refused).most_common()

    def to_dict(self) -> dict[str, Any]:
        """Convert to plain data for JSON.

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
