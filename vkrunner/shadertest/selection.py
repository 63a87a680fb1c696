"""Selects tests by paths and by the expression of `-k`."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from translate.files import files_below, matching
from vkrunner import ArgumentError, FileError, InvalidValueError

SUFFIX = ".shader_test"

Predicate = Callable[[str], bool]
Operator = tuple[str, Callable[[Iterable[bool]], bool]]

_TOKEN = re.compile(r"[()]|[^\s()]+")
_MAX_DEPTH = 50
_OPERATORS: tuple[Operator, ...] = (("or", any), ("and", all))
_KEYWORDS = ("and", "or", "not", "(", ")")


def find_files(paths: Sequence[str]) -> list[Path]:
    """The shader tests at these files, globs and anywhere below these folders, each once.

    Raises ArgumentError for a path that does not exist, or that has no shader tests.
    """
    found: dict[Path, None] = {}
    for path in paths:
        files = _files(path)
        if not files:
            is_missing = not os.path.exists(path) and not glob.has_magic(path)
            reason = "no such file or folder" if is_missing else f"no {SUFFIX} file"
            raise FileError(f"{path}: {reason}")
        found.update(dict.fromkeys(files))
    return list(found)


def _files(path: str) -> list[Path]:
    if os.path.isdir(path):
        return sorted(_below(path))
    if os.path.exists(path):
        return [Path(path)]
    found = map(Path, matching(path))
    return sorted(path for path in found if path.suffix == SUFFIX and path.is_file())


def _below(folder: str) -> Iterator[Path]:
    """The tests below a folder, without those of virtual environments: sm5vk itself has some."""
    paths = files_below(folder, lambda path: not os.path.exists(f"{path}/pyvenv.cfg"))
    yield from (Path(path) for path in paths if path.endswith(SUFFIX))


def parse_expression(text: str) -> Predicate:
    """Parse `-k`: parts of a test's `path::name`, joined by and, or, not, and ( ).

    Case does not matter. Adjacent words are one part, with their blanks. Raises ArgumentError.
    """
    words = _TOKEN.findall(text)
    parser = _Expression(words, text)
    found = parser.joined(_OPERATORS)
    if words:
        raise parser.error()
    return lambda identity: found(identity.lower())


class _Expression:
    """A recursive descent parser over the remaining words."""

    def __init__(self, words: list[str], text: str):
        self._words = words
        self._text = text
        self._depth = 0

    def joined(self, operators: Sequence[Operator]) -> Predicate:
        """Parse operands joined by the first operator; the later operators bind tighter."""
        if not operators:
            return self._operand()
        (word, combine), *tighter = operators
        operands = [self.joined(tighter)]
        while self._accept(word):
            operands.append(self.joined(tighter))
        return lambda identity: combine(operand(identity) for operand in operands)

    def _operand(self) -> Predicate:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise InvalidValueError(f"-k nests deeper than {_MAX_DEPTH} levels")
        found = self._unlimited()
        self._depth -= 1
        return found

    def _unlimited(self) -> Predicate:
        if self._accept("not"):
            inner = self._operand()
            return lambda identity: not inner(identity)
        if self._accept("("):
            inner = self.joined(_OPERATORS)
            if not self._accept(")"):
                raise self.error()
            return inner
        parts: list[str] = []
        while self._words and self._words[0].lower() not in _KEYWORDS:
            parts.append(self._words.pop(0).lower())
        if not parts:
            raise self.error()
        part = " ".join(parts)
        return lambda identity: part in identity

    def error(self) -> ArgumentError:
        at = f"at {self._words[0]!r}" if self._words else "at its end"
        return InvalidValueError(f"-k {self._text!r} is not an expression: wrong {at}")

    def _accept(self, word: str) -> bool:
        found = bool(self._words) and self._words[0].lower() == word
        if found:
            self._words.pop(0)
        return found
