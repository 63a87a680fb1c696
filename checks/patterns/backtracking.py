"""A matcher that backtracks as Python's does, and counts its steps.

It walks the tree that `re` itself parses. What `re` optimises, such as a search for a literal
prefix, is left out: a pattern that is linear here is linear there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from re import _compiler, _constants, _parser
from typing import Any

ANY = _constants.ANY
ASSERT = _constants.ASSERT
ASSERT_NOT = _constants.ASSERT_NOT
AT = _constants.AT
ATOMIC_GROUP = _constants.ATOMIC_GROUP
BRANCH = _constants.BRANCH
IN = _constants.IN
LITERAL = _constants.LITERAL
MAX_REPEAT = _constants.MAX_REPEAT
MIN_REPEAT = _constants.MIN_REPEAT
NOT_LITERAL = _constants.NOT_LITERAL
POSSESSIVE_REPEAT = _constants.POSSESSIVE_REPEAT
SUBPATTERN = _constants.SUBPATTERN

Node = tuple[Any, Any]
Next = Callable[[int], "int | None"]  # the rest of a match, from a position; its end
CHARACTERS = (LITERAL, NOT_LITERAL, ANY, IN)


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
        accept: Next = (lambda at: at if at == len(text) else None) if whole else lambda at: at
        return self._sequence(self.tree, 0, start, accept)

    def find_all(self, text: str | bytes) -> None:
        """Look for all matches, from left to right, as `finditer` does."""
        at = 0
        while at <= len(text):
            end = self.match(text, at)
            at = end if end is not None and end > at else at + 1

    def _sequence(self, nodes: Sequence[Node], index: int, at: int, then: Next) -> int | None:
        if index == len(nodes):
            return then(at)
        return self._node(nodes[index], at, lambda end: self._sequence(nodes, index + 1, end, then))

    def _node(self, node: Node, at: int, then: Next) -> int | None:
        self._count()
        kind, value = node
        if kind in CHARACTERS:
            return then(at + 1) if self._is_character(node, at) else None
        if kind is AT:
            return then(at) if self._is_place(node, at) else None
        if kind in (ASSERT, ASSERT_NOT):
            return then(at) if self._asserted(value, at) == (kind is ASSERT) else None
        if kind is SUBPATTERN:
            return self._sequence(value[-1], 0, at, then)
        if kind is BRANCH:
            ends = (self._sequence(branch, 0, at, then) for branch in value[1])
            return next((end for end in ends if end is not None), None)
        if kind is ATOMIC_GROUP:
            end = self._sequence(value, 0, at, lambda end: end)
            return None if end is None else then(end)
        if kind is POSSESSIVE_REPEAT:
            return self._possessive(value, at, then)
        if kind in (MAX_REPEAT, MIN_REPEAT):
            return self._repeat(node, 0, at, then)
        raise NotImplementedError(str(kind))

    def _repeat(self, node: Node, done: int, at: int, then: Next) -> int | None:
        self._count()
        kind, (least, most, body) = node

        def more() -> int | None:
            if done >= most:
                return None
            return self._sequence(
                body,
                0,
                at,
                lambda end: (
                    self._repeat(node, done + 1, end, then) if end > at or done < least else None
                ),
            )

        if done < least:
            return more()
        first, second = (more, lambda: then(at)) if kind is MAX_REPEAT else (lambda: then(at), more)
        end = first()
        return second() if end is None else end

    def _possessive(self, value: Any, at: int, then: Next) -> int | None:
        least, most, body = value
        done = 0
        while done < most:
            end = self._sequence(body, 0, at, lambda end: end)
            if end is None or (end == at and done >= least):
                break
            at, done = end, done + 1
        return then(at) if done >= least else None

    def _asserted(self, value: Any, at: int) -> bool:
        direction, body = value
        if direction > 0:
            return self._sequence(body, 0, at, lambda end: end) is not None
        start = at - _parser.SubPattern(_parser.State(), list(body)).getwidth()[0]
        return start >= 0 and self._sequence(body, 0, start, lambda end: end) == at

    def takes(self, node: Node, character: str) -> bool:
        """Whether an element for one character matches this one."""
        return self._is_taken(
            node, character.encode("latin-1") if self._empty == b"" else character
        )

    def _is_character(self, node: Node, at: int) -> bool:
        return at < len(self._text) and self._is_taken(node, self._text[at : at + 1])

    def _is_taken(self, node: Node, character: str | bytes) -> bool:
        key = (id(node), character)
        if key not in self._taken:
            self._taken[key] = self._alone(node).match(character) is not None
        return self._taken[key]

    def _is_place(self, node: Node, at: int) -> bool:
        return self._alone(node).match(self._text, at) is not None

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
