"""Reading a line from left to right: tokens that know their place, and errors with a caret."""

from __future__ import annotations

import re
from dataclasses import dataclass

from translate import Where
from translate.errors import render_caret, shown
from vkrunner import RunnerError

WORD = re.compile(r"[A-Za-z_$][\w$]*(?:-[A-Za-z_]\w*)*")
NUMBER = re.compile(
    r"[-+]?(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|inf|nan)(?![\w.])"
)
_BLANKS = re.compile(r"\s*")
_PATH = re.compile(r'"([^"]+)"|([^\s"]+)')
_TOKEN = re.compile(r"[^\s,()]+|\S")  # what an error underlines
_COMMENT = re.compile(r"\s*[%#]|\s+[%#]\s")


class ShaderTestError(RunnerError):
    """A shader test is at fault; the message begins with file, line and column."""

    def __init__(self, message: str, where: Where, source_line: str | None = None):
        super().__init__(message)
        self.message = message
        self.where = where
        self.source_line = source_line

    def __str__(self) -> str:
        caret = render_caret(self.where, self.source_line)
        head = f"{self.where}: error: {self.message}"
        return f"{head}\n{caret}" if caret else head


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file; `number` counts from 1."""

    file: str
    number: int
    text: str


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
        """An error that points here."""
        return ShaderTestError(message, self.where, self.line.text)


class Cursor:
    """A place in a line. Blanks between tokens and a comment at the end are passed over."""

    def __init__(self, line: Line, start: int = 0, end: int | None = None):
        self.line = line
        self._at = start
        self._end = _code_end(line.text) if end is None else end
        self._skip()

    @property
    def at_end(self) -> bool:
        return self._at >= self._end

    @property
    def rest(self) -> Token:
        """All that is left, without blanks behind it."""
        text = self.line.text[self._at : self._end].rstrip()
        return Token(text, self.line, self._at)

    def sees(self, pattern: re.Pattern[str] | str) -> bool:
        """Whether this comes next."""
        return self._match(pattern) is not None

    def accept(self, pattern: re.Pattern[str] | str) -> Token | None:
        """Take what comes next if it is this, a text or a pattern."""
        found = self._match(pattern)
        return None if found is None else self._take(found)

    def expect(self, pattern: re.Pattern[str] | str, what: str) -> Token:
        """Take it, or raise an error that says what was expected."""
        token = self.accept(pattern)
        if token is None:
            raise self.error(f"expected {what}, got {self._found()}")
        return token

    def path(self) -> Token:
        """A file name, in quotes where it has blanks."""
        match = _PATH.match(self.line.text, self._at, self._end)
        if match is None:
            raise self.error(f"expected a file name, got {self._found()}")
        group = 1 if match[1] else 2
        token = Token(match[group], self.line, match.start(group))
        self._take(match[0])
        return token

    def finish(self) -> None:
        """Raise an error when something is left."""
        if not self.at_end:
            raise self.error(f"expected the end of the line, got {self._found()}")

    def error(self, message: str) -> ShaderTestError:
        """An error that points to what comes next."""
        return Token(self._next(), self.line, self._at).error(message)

    def span_since(self, start: Token) -> Token:
        """From a token to what was taken last."""
        text = self.line.text[start.start : self._at].rstrip()
        return Token(text, self.line, start.start)

    def _match(self, pattern: re.Pattern[str] | str) -> str | None:
        if isinstance(pattern, str):
            return pattern if self.line.text.startswith(pattern, self._at, self._end) else None
        match = pattern.match(self.line.text, self._at, self._end)
        return match[0] if match is not None else None

    def _take(self, text: str) -> Token:
        token = Token(text, self.line, self._at)
        self._at += len(text)
        self._skip()
        return token

    def _skip(self) -> None:
        match = _BLANKS.match(self.line.text, self._at, self._end)
        assert match is not None
        self._at = match.end()

    def _next(self) -> str:
        match = _TOKEN.match(self.line.text, self._at, self._end)
        return match[0] if match else ""

    def _found(self) -> str:
        return "the end of the line" if self.at_end else shown(self._next())


def _code_end(text: str) -> int:
    """Where a comment begins: % or # at the start of a line, or between blanks outside quotes."""
    if _COMMENT.match(text):
        return 0
    quoted = [match.span() for match in re.finditer(r'"[^"]*"', text)]
    for match in re.finditer(r"\s[%#](?:\s|$)", text):
        if not any(first <= match.start() < last for first, last in quoted):
            return match.start()
    return len(text)
