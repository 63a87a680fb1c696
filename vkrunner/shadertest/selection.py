"""Which tests are meant: paths, and the expression of `-k`."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from vkrunner import ArgumentError

SUFFIX = ".shader_test"

_TOKEN = re.compile(r"\s*(?:([()])|([^\s()]+))")
Predicate = Callable[[str], bool]


def find_files(paths: Sequence[str]) -> list[Path]:
    """The tests that files, folders (with all that is below) and globs name, each once.

    Raises ArgumentError for a path that names none.
    """
    found: dict[Path, None] = {}
    for path in paths:
        files = _files(path)
        if not files:
            raise ArgumentError(f"{path}: no {SUFFIX} file")
        found.update(dict.fromkeys(files))
    return list(found)


def _files(path: str) -> list[Path]:
    if os.path.isdir(path):
        return sorted(Path(path).rglob(f"*{SUFFIX}"))
    if os.path.exists(path):
        return [Path(path)]
    matching = [Path(name) for name in glob.glob(path, recursive=True)]
    return sorted(m for m in matching if m.suffix == SUFFIX and m.is_file())


def parse_expression(text: str) -> Predicate:
    """`-k`: parts of a test's `path::name` in either case, joined by and, or, not, and ( ).

    Words that stand side by side are one part, blanks included. Raises ArgumentError.
    """
    words = [match[1] or match[2] for match in _TOKEN.finditer(text)]
    parser = _Expression(words, text)
    found = parser.either()
    if parser.words:
        raise parser.error()
    return lambda identity: found(identity.lower())


class _Expression:
    """Recursive descent over the words that are left."""

    def __init__(self, words: list[str], text: str):
        self.words = words
        self._text = text

    def either(self) -> Predicate:
        left = self.both()
        while self._accept("or"):
            left = _or(left, self.both())
        return left

    def both(self) -> Predicate:
        left = self.negated()
        while self._accept("and"):
            left = _and(left, self.negated())
        return left

    def negated(self) -> Predicate:
        if self._accept("not"):
            inner = self.negated()
            return lambda identity: not inner(identity)
        if self._accept("("):
            inner = self.either()
            if not self._accept(")"):
                raise self.error()
            return inner
        return self._part()

    def _part(self) -> Predicate:
        words: list[str] = []
        while self.words and self.words[0].lower() not in ("and", "or", "not", "(", ")"):
            words.append(self.words.pop(0))
        if not words:
            raise self.error()
        part = " ".join(words).lower()
        return lambda identity: part in identity

    def error(self) -> ArgumentError:
        at = f"at {self.words[0]!r}" if self.words else "at its end"
        return ArgumentError(f"-k {self._text!r} is no expression: wrong {at}")

    def _accept(self, word: str) -> bool:
        if self.words and self.words[0].lower() == word:
            self.words.pop(0)
            return True
        return False


def _or(left: Predicate, right: Predicate) -> Predicate:
    return lambda identity: left(identity) or right(identity)


def _and(left: Predicate, right: Predicate) -> Predicate:
    return lambda identity: left(identity) and right(identity)
