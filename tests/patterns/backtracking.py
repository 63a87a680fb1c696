"""A matcher that backtracks as Python's does, and counts its steps.

It walks the tree that `re` itself parses. What `re` optimises, such as a search for a literal
prefix, is left out: a pattern that is linear here is linear there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from re import _compiler, _parser
from re import _constants as kinds
from typing import Any

Node = tuple[Any, Any]
CHARACTERS = (kinds.LITERAL, kinds.NOT_LITERAL, kinds.ANY, kinds.IN)


class TooManyError(Exception):
    """More steps were taken than allowed."""


class Matcher:
    """A pattern; `steps` counts the elements tried since `start`."""

    def __init__(self, pattern: re.Pattern[Any]):
        self.tree: list[Node] = list(_parser.parse(pattern.pattern, pattern.flags))
        self._flags = pattern.flags
        self._empty = pattern.pattern[:0]
        self._compiled: dict[int, re.Pattern[Any]] = {}
        self._taken: dict[tuple[int, Any], bool] = {}
        self.start(most=0)

    def start(self, most: int) -> None:
        """Count from 0 again. TooManyError is raised after `most` steps."""
        self.steps, self._most = 0, most

    def match(self, text: str | bytes, start: int = 0, *, whole: bool = False) -> int | None:
        """The end of a match that begins at a position; None without one."""
        self._text = text
        ends = self._ends(self.tree, start)
        return next((end for end in ends if not whole or end == len(text)), None)

    def find_all(self, text: str | bytes) -> None:
        """Look for all matches, from left to right, as `finditer` does."""
        at = 0
        while at <= len(text):
            end = self.match(text, at)
            at = end if end is not None and end > at else at + 1

    def _ends(self, nodes: Sequence[Node], at: int) -> Iterator[int]:
        """The ends of a sequence's matches, in the order in which they are tried."""
        if not nodes:
            yield at
            return
        for end in self._ends_of(nodes[0], at):
            yield from self._ends(nodes[1:], end)

    def _ends_of(self, node: Node, at: int) -> Iterator[int]:
        self._count()
        kind, value = node
        if kind in CHARACTERS:
            if at < len(self._text) and self._is_taken(node, self._text[at : at + 1]):
                yield at + 1
        elif kind is kinds.AT:
            if self._alone(node).match(self._text, at) is not None:
                yield at
        elif kind in (kinds.ASSERT, kinds.ASSERT_NOT):
            if self._asserted(value, at) == (kind is kinds.ASSERT):
                yield at
        elif kind is kinds.SUBPATTERN:
            yield from self._ends(value[-1], at)
        elif kind is kinds.BRANCH:
            for branch in value[1]:
                yield from self._ends(branch, at)
        elif kind is kinds.ATOMIC_GROUP:
            yield from islice(self._ends(value, at), 1)
        elif kind is kinds.POSSESSIVE_REPEAT:
            yield from islice(self._repeated(value, at), 1)
        elif kind in (kinds.MAX_REPEAT, kinds.MIN_REPEAT):
            yield from self._repeated(value, at, few=kind is kinds.MIN_REPEAT)
        else:
            raise NotImplementedError(str(kind))

    def _repeated(self, value: Any, at: int, *, few: bool = False) -> Iterator[int]:
        """The most rounds first, or with `few` the fewest; empty ones end a repetition."""
        least, most, body = value
        rounds = [(at, self._ends(body, at))]
        if few and least == 0:
            yield at
        while rounds:
            self._count()
            start, ends = rounds[-1]
            end = next(ends, None) if len(rounds) <= most else None
            if end is None:
                rounds.pop()
                if not few and len(rounds) >= least:
                    yield start
            elif end > start or len(rounds) <= least:
                if few and len(rounds) >= least:
                    yield end
                rounds.append((end, self._ends(body, end)))

    def _asserted(self, value: Any, at: int) -> bool:
        direction, body = value
        if direction > 0:
            return any(True for _ in self._ends(body, at))
        start = at - _parser.SubPattern(_parser.State(), list(body)).getwidth()[0]
        return start >= 0 and next(self._ends(body, start), None) == at

    def takes(self, node: Node, character: str) -> bool:
        """Whether an element for one character matches this one."""
        return self._is_taken(
            node, character.encode("latin-1") if self._empty == b"" else character
        )

    def _is_taken(self, node: Node, character: str | bytes) -> bool:
        key = (id(node), character)
        if key not in self._taken:
            self._taken[key] = self._alone(node).match(character) is not None
        return self._taken[key]

    def _alone(self, node: Node) -> re.Pattern[Any]:
        """The element as a pattern of its own."""
        if id(node) not in self._compiled:
            state = _parser.State()
            state.flags, state.str = self._flags, self._empty
            made = _compiler.compile(_parser.SubPattern(state, [node]), self._flags)
            self._compiled[id(node)] = made
        return self._compiled[id(node)]

    def _count(self) -> None:
        self.steps += 1
        if self.steps > self._most:
            raise TooManyError
