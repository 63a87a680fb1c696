"""Reads a line from left to right: tokens with their places, and errors with a caret."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Collection, Generator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import BinaryIO

from translate import TranslateError, Where
from translate.dataclass import dataclass
from translate.errors import shown
from translate.files import as_utf8, check_size, open_regular
from vkrunner import RunnerError

WORD = re.compile(r"[A-Za-z_$][\w$]*(?:-[A-Za-z_]\w*)*")
NUMBER = re.compile(
    r"[-+]?(?:0[xX][0-9a-fA-F]++|(?:\d++\.?\d*+|\.\d++)(?:[eE][-+]?\d++)?|inf|nan)(?![\w.])"
)
_BLANKS = re.compile(r"\s*")
_PATH = re.compile(r'"[^"]+"|[^\s"]+')
_TOKEN = re.compile(r"[^\s,()]+|\S")  # underlined by an error
_REST = re.compile(r".*")
_COMMENT = re.compile(r"\s*+[%#]")
_QUOTED_OR_COMMENT = re.compile(r'("[^"]*")|\s[%#](?:\s|$)')
HOW_TO_ALLOW = (
    "another folder is allowed by --allow-path FOLDER (in pytest by --vulkan-allow-path=FOLDER)"
)


class ShaderTestError(RunnerError, TranslateError):
    """A fault in a shader test; the message begins with file, line and column."""


@dataclass(frozen=True, slots=True)
class Folders:
    """The folders with files that a shader test may name: its own folder, and allowed ones.

    `real` are their paths without symbolic links, as they are when the test is read.
    """

    own: Path = Path()
    real: tuple[str, ...] = ()

    @classmethod
    def of(cls, own: Path, allowed: Sequence[Path] = ()) -> Folders:
        """A test's own folder, and others."""
        return cls(own, tuple(os.path.realpath(folder) for folder in (own, *allowed)))

    def have(self, path: Path) -> bool:
        """Whether a path is below one of these folders after all symbolic links are followed."""
        return self._have_real(os.path.realpath(path))

    @contextmanager
    def opened(self, path: Path) -> Generator[BinaryIO]:
        """Open a regular file of at most 64 MiB that is below one of these folders.

        The file that is open is checked: a folder on the way to it may have become a link since
        the test was read. Raises OSError.
        """
        with open_regular(path) as file:
            if not self._have_real(_real_path(file, path)):
                raise OSError(errno.EACCES, "no longer below the test's folder", os.fspath(path))
            check_size(file, path)
            yield file

    def read(self, path: Path) -> bytes:
        """Read a shader; text in UTF-16 becomes UTF-8. Raises OSError as `opened` does."""
        with self.opened(path) as file:
            return as_utf8(file.read())

    def _have_real(self, path: str) -> bool:
        return any(Path(path).is_relative_to(folder) for folder in self.real)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file; `number` counts from 1. Files that it names must be in `folders`."""

    file: str
    number: int
    text: str
    folders: Folders = Folders()


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a line; `start` counts from 0."""

    text: str
    line: Line
    start: int

    @property
    def where(self) -> Where:
        length = max(1, len(self.text))
        return Where(self.line.file, self.line.number, self.start + 1, length)

    def error(self, message: str) -> ShaderTestError:
        """An error that points to the token."""
        return ShaderTestError(message, self.where, self.line.text)


def start_of(file: str) -> Token:
    """The start of a file, for errors that concern the whole file."""
    return Token("", Line(file, 1, ""), 0)


class Cursor:
    """A place in a line. Blanks before tokens and a comment at the end are skipped.

    Methods take a pattern or a text; a text that ends with a letter or a digit matches only whole
    words.
    """

    def __init__(self, line: Line, start: int = 0, end: int | None = None):
        self.line = line
        self._at = start
        self._end = _code_end(line.text) if end is None else end
        self._skip()
        self._start = self._at

    @property
    def at_end(self) -> bool:
        return self._at >= self._end

    @property
    def rest(self) -> Token:
        """The rest of the line, without trailing blanks."""
        text = self.line.text[self._at : self._end].rstrip()
        return Token(text, self.line, self._at)

    def sees(self, pattern: re.Pattern[str] | str) -> bool:
        """Whether the next text matches."""
        return self._match(pattern) is not None

    def accept(self, pattern: re.Pattern[str] | str) -> Token | None:
        """Take the next text if it matches."""
        found = self._match(pattern)
        if found is None:
            return None
        token = Token(found, self.line, self._at)
        self._at += len(found)
        self._skip()
        return token

    def expect(self, pattern: re.Pattern[str] | str, what: str) -> Token:
        """Take the next text if it matches, or raise an error that names the expected text."""
        token = self.accept(pattern)
        if token is None:
            raise self._expected(what)
        return token

    def choose(self, names: Collection[str], kind: str, pattern: re.Pattern[str] = WORD) -> Token:
        """Take a word that is one of these names, or raise an error that lists them."""
        there = ", ".join(names)
        token = self.expect(pattern, f"one of {there}")
        if token.text not in names:
            raise token.error(f"unknown {kind} {token.text!r}; expected one of {there}")
        return token

    @contextmanager
    def parentheses(self, what: str = ")") -> Generator[None]:
        """Read optional parentheses around the text that is read in the `with`.

        The error for a missing `)` says that `what` was expected.
        """
        is_open = self.accept("(") is not None
        yield
        if is_open:
            self.expect(")", what)

    def path(self) -> tuple[Token, Path]:
        """Read a file name, in quotes if it has blanks. Returns it without quotes, and its path.

        Raises ShaderTestError for a path outside of the folders.
        """
        token = self.expect(_PATH, "a file name")
        name = token.text.strip('"')
        unquoted = Token(name, self.line, token.start + (name != token.text))
        path = shown_path(self.line.folders.own / name.replace("\0", ""))
        if "\0" in name or not self.line.folders.have(path):
            raise unquoted.error(f"{name} is not below the test's folder; {HOW_TO_ALLOW}")
        return unquoted, path

    def take_rest(self, what: str) -> Token:
        """Take the rest of the line, or raise an error if it is empty."""
        token = self.rest
        if not token.text:
            raise self.error(f"expected {what}")
        self.accept(_REST)
        return token

    def finish(self) -> None:
        """Raise an error unless the line ends here."""
        if not self.at_end:
            raise self._expected("the end of the line")

    def error(self, message: str) -> ShaderTestError:
        """An error that points to the next token."""
        return Token(self._next(), self.line, self._at).error(message)

    @property
    def span(self) -> Token:
        """The text from the cursor's first token to the last taken one."""
        return self._span(self._start)

    def span_since(self, start: Token) -> Token:
        """The text from a token to the last taken one."""
        return self._span(start.start)

    def after(self) -> Cursor:
        """A cursor that begins at the next token."""
        return Cursor(self.line, self._at, self._end)

    def _span(self, start: int) -> Token:
        return Token(self.line.text[start : self._at].rstrip(), self.line, start)

    def _expected(self, what: str) -> ShaderTestError:
        found = "the end of the line" if self.at_end else shown(self._next())
        return self.error(f"expected {what}, got {found}")

    def _match(self, pattern: re.Pattern[str] | str) -> str | None:
        compiled = _literal(pattern) if isinstance(pattern, str) else pattern
        match = compiled.match(self.line.text, self._at, self._end)
        return match[0] if match is not None else None

    def _skip(self) -> None:
        match = _BLANKS.match(self.line.text, self._at, self._end)
        assert match is not None
        self._at = match.end()

    def _next(self) -> str:
        match = _TOKEN.match(self.line.text, self._at, self._end)
        return match[0] if match else ""


def shown_path(path: str | Path, folder: str | None = None) -> Path:
    """The path as messages show it: without `..`, and relative to a folder if it is below.

    `folder` is by default the working folder. A path stays as it is if it would lead to another
    file, because of symbolic links.
    """
    absolute, top = os.path.abspath(path), os.path.abspath(folder or ".")
    if os.path.realpath(absolute) != os.path.realpath(path):
        return Path(path)
    below = absolute.startswith(top + os.sep)
    return Path(os.path.relpath(absolute, top) if below else os.path.normpath(path))


def _real_path(file: BinaryIO, path: Path) -> str:
    """The path of an open file without symbolic links; "" if it is no longer the file of `path`."""
    try:
        return os.readlink(f"/proc/self/fd/{file.fileno()}")
    except OSError:  # not on Linux
        real = os.path.realpath(path)
        return real if os.path.samestat(os.fstat(file.fileno()), os.stat(real)) else ""


@cache
def _literal(text: str) -> re.Pattern[str]:
    words = re.escape(text).replace(r"\ ", r"\s+")
    return re.compile(words + (r"\b" if text[-1].isalnum() else ""))


def _code_end(text: str) -> int:
    """The end of the code of a line: the start of its comment, otherwise the line's end.

    A comment begins with % or # at the start of a line, or between blanks outside quotes.
    """
    if _COMMENT.match(text):
        return 0
    comments = (match for match in _QUOTED_OR_COMMENT.finditer(text) if not match[1])
    first = next(comments, None)
    return len(text) if first is None else first.start()
