"""Races and divergent barriers of a result: tuples that print as tables by instructions."""

from __future__ import annotations

from abc import abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from translate.interface import html_table
from vkrunner.values.comparison import text_table

if TYPE_CHECKING:
    from translate import reference

_MOST_ROWS = 20

Found = TypeVar("Found")
Row = tuple[str, ...]


class _ByInstructions(tuple[Found, ...], Generic[Found]):
    """Records that print by instructions; `total` also counts those without a record."""

    total: int
    _noun: ClassVar[str]
    _heading: ClassVar[Row]

    def __new__(cls, records: Iterable[Found], total: int = 0):
        made = super().__new__(cls, records)
        made.total = total
        return made

    @staticmethod
    @abstractmethod
    def _places(one: Found) -> Row:
        """The cells that records of the same instructions share."""

    @staticmethod
    @abstractmethod
    def _example(one: Found) -> str:
        """The threads and the place of a record."""

    @property
    def _caption(self) -> str:
        some = f"; the {len(self):,} recorded ones by instructions:"
        return f"{self._noun}: {self.total:,}{some if len(self) < self.total else ''}"

    def _rows(self) -> list[Row]:
        groups: dict[Row, list[Found]] = defaultdict(list)
        for one in self:
            groups[self._places(one)].append(one)
        every = sorted(groups.items(), key=lambda item: -len(item[1]))
        return [(f"{len(some):,}", *key, self._example(some[0])) for key, some in every]

    def __repr__(self) -> str:
        rows = self._rows()
        lines = text_table([self._heading, *rows[:_MOST_ROWS]]) if rows else []
        more = [f"and {len(rows) - _MOST_ROWS} more"] if len(rows) > _MOST_ROWS else []
        return "\n".join([self._caption, *lines, *more])

    def _repr_html_(self) -> str:
        return html_table(self._caption, self._rows(), self._heading if self else ())


class Races(_ByInstructions["reference.Race"]):
    """The races of a dispatch."""

    _noun = "races"
    _heading = ("count", "register", "first", "then", "for example")

    @staticmethod
    def _places(one: reference.Race) -> Row:
        ends = zip(one.accesses, (one.first, one.second), strict=True)
        return one.register, *(f"{access} at {_place(end)}" for access, end in ends)

    @staticmethod
    def _example(one: reference.Race) -> str:
        threads = f"{_text(one.first.thread)} and {_text(one.second.thread)}"
        return f"byte {one.byte_offset:#x}, threads {threads}"


class DivergentBarriers(_ByInstructions["reference.DivergentBarrier"]):
    """The barriers that only some threads of a group reached."""

    _noun = "divergent barriers"
    _heading = ("count", "barrier", "others left at", "for example")

    @staticmethod
    def _places(one: reference.DivergentBarrier) -> Row:
        return _place(one.arrived), _place(one.missing)

    @staticmethod
    def _example(one: reference.DivergentBarrier) -> str:
        absent = f"{one.absent:,} threads do not come, such as {_text(one.missing.thread)}"
        return f"thread {_text(one.arrived.thread)} waits, {absent}"


def _place(one: reference.Participant) -> str:
    line = "" if one.line is None else f", line {one.line}"
    return f"instruction {one.instruction}{line}"


def _text(thread: Sequence[int]) -> str:
    return ",".join(map(str, thread))
