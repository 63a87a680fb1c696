"""What a deliberate fault is: one exact text of one file, and what stands there instead."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """`before` occurs once in `file`, which is relative to the repository.

    `tests` are pytest's arguments for the part of the suite that has to notice.
    """

    file: str
    what: str
    before: str
    after: str
    tests: str
