"""Texts that make a pattern backtrack: beginnings of a match, a part of it repeated, a bad end."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from checks.patterns.backtracking import (
    ASSERT,
    ASSERT_NOT,
    AT,
    ATOMIC_GROUP,
    BRANCH,
    CHARACTERS,
    LITERAL,
    SUBPATTERN,
    Matcher,
    Node,
    TooManyError,
)

USES = ("search", "match", "fullmatch")
_SIZE = 12  # repetitions; more than the bound of any bounded number in a pattern
_TOLERATED = 24  # steps; n repetitions that are tried again from each make _SIZE ** 2 of them
_ALPHABET = ' \n"#/*a0.xA_-[]{}(),:;=\\%+|<>$'
_FEW = 6  # steps for a character, at which n repetitions are not tried again from each
_MOST_LITERALS = 4
_MANY = 400  # steps for a character, which nothing linear takes
_ENDS = ("\x00", "a")


class Attacker:
    """A pattern, and the texts made from its parts."""

    def __init__(
        self, pattern: re.Pattern[Any], uses: Collection[str] = USES, most_heads: int = 16
    ):
        self._most_heads = most_heads
        self._matcher = Matcher(pattern)
        self._is_bytes = isinstance(pattern.pattern, bytes)
        self._uses = uses
        self._elements = list(_characters(self._matcher.tree))

    def excess(self) -> str | None:
        """An attack on which the steps grow faster than the text; None if there is none."""
        tree = self._matcher.tree
        literals = sorted(set(_literals(tree)))[:_MOST_LITERALS]
        pairs = map("".join, itertools.product(literals, repeat=2))
        heads = self._different(("", *self._heads(tree, "")))[: self._most_heads]
        units = self._different((*_ALPHABET, *pairs, *self._pieces(tree), *heads))
        units = [unit for unit in units if unit]
        for head, unit, end in itertools.product(heads, units, _ENDS):
            once, twice, thrice = (f"{head}{unit * _SIZE * n}{end}" for n in (1, 2, 3))
            try:
                grows = self._steps(thrice) > _FEW * len(thrice) and self._grows(
                    once, twice, thrice
                )
            except TooManyError:
                grows = True
            if grows:
                return f"{head!r} + {unit!r} * n + {end!r}"
        return None

    def _grows(self, *texts: str) -> bool:
        """Whether steps grow faster than the texts, the second and third of which are longer."""
        once, twice, thrice = map(self._steps, texts)
        return thrice - twice > twice - once + _TOLERATED

    def _different(self, texts: Iterable[str]) -> list[str]:
        """One of all texts that the pattern cannot tell apart, sign by sign."""
        return list({tuple(map(self._kind, text)): text for text in texts}.values())

    def _kind(self, character: str) -> tuple[bool, ...]:
        """Which elements for one character take it."""
        return tuple(self._matcher.takes(node, character) for node in self._elements)

    def _steps(self, text: str) -> int:
        given = text.encode("latin-1", "replace") if self._is_bytes else text
        matcher = self._matcher
        matcher.start(most=_MANY * (len(text) + 20))
        if "search" in self._uses:
            matcher.find_all(given)
        if "match" in self._uses:
            matcher.match(given)
        if "fullmatch" in self._uses:
            matcher.match(given, whole=True)
        return matcher.steps

    def _pieces(self, nodes: Sequence[Node]) -> Iterator[str]:
        """A text for each part of a tree, and for all parts of a sequence together."""
        yield self._sample(nodes)
        for node in nodes:
            for body in _bodies(node):
                yield from self._pieces(body)

    def _heads(self, nodes: Sequence[Node], before: str) -> Iterator[str]:
        """Texts that lead to each part of a tree."""
        for node in nodes:
            if node[0] is not LITERAL:
                yield before
            for body in _bodies(node):
                yield from self._heads(body, before)
            before += self._sample([node])
        yield before

    def _sample(self, nodes: Sequence[Node]) -> str:
        """A text that a sequence matches: a repetition once, the first of several branches."""
        return "".join(map(self._sample_of, nodes))

    def _sample_of(self, node: Node) -> str:
        if node[0] in CHARACTERS:
            every = (*_ALPHABET, *map(chr, range(256)))
            return next((c for c in every if self._matcher.takes(node, c)), "?")
        if node[0] in (AT, ASSERT, ASSERT_NOT):
            return ""
        return self._sample(_bodies(node)[0])


def _literals(nodes: Sequence[Node]) -> Iterator[str]:
    """The signs that stand in a pattern itself."""
    for node in nodes:
        if node[0] is LITERAL and not chr(node[1]).isalnum():
            yield chr(node[1])
        for body in _bodies(node):
            yield from _literals(body)


def _characters(nodes: Sequence[Node]) -> Iterator[Node]:
    for node in nodes:
        if node[0] in CHARACTERS:
            yield node
        for body in _bodies(node):
            yield from _characters(body)


def _bodies(node: Node) -> list[Sequence[Node]]:
    """The sequences inside of an element."""
    kind, value = node
    if kind in CHARACTERS or kind is AT:
        return []
    if kind is BRANCH:
        return list(value[1])
    if kind is ATOMIC_GROUP:
        return [value]
    if kind in (SUBPATTERN, ASSERT, ASSERT_NOT):
        return [value[-1]]
    return [value[2]]  # a repetition
