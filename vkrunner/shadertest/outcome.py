"""Outcome: the result of one test on one device, plain enough to pass between processes."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass

from translate import TranslateError, Where
from translate.errors import escaped, render_caret
from vkrunner import RunnerError
from vkrunner.shadertest.cursor import Token

PASSED, FAILED, ERROR, SKIPPED = "passed", "failed", "error", "skipped"
CHECK, INPUT, DEVICE = 1, 2, 3  # exit codes: a check failed, bad input, the device or its driver


@dataclass(frozen=True, slots=True)
class Failure:
    """One failure: message, place, and lines of details. `code` is the exit code for it."""

    message: str
    where: Where
    source_line: str | None = None
    details: tuple[str, ...] = ()
    code: int = CHECK

    @classmethod
    def at(
        cls, token: Token, message: str, details: Iterable[str] = (), code: int = CHECK
    ) -> Failure:
        """A failure at a place in a shader test."""
        return cls(message, token.where, token.line.text, tuple(details), code)

    def text(self) -> str:
        """As errors are shown: the place and the message, the line and its caret, the details."""
        caret = render_caret(self.where, self.source_line)
        head = escaped(f"{self.where}: error: {self.message}", keep="\n")
        lines = [
            head,
            *([caret] if caret else []),
            *(f"     {escaped(line)}" for line in self.details),
        ]
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One test on one device; `name` is "" for a file that could not be read.

    `reason` is why it was skipped.
    """

    path: str
    name: str
    device: str
    line: int = 1
    failures: tuple[Failure, ...] = ()
    reason: str = ""
    seconds: float = 0.0

    @property
    def identity(self) -> str:
        """`path::name`, for `-k` and reports."""
        return f"{self.path}::{self.name}" if self.name else self.path

    @property
    def status(self) -> str:
        """passed, failed (a check), error (it could not be run) or skipped."""
        if self.reason:
            return SKIPPED
        return (PASSED, FAILED, ERROR, ERROR)[self.code]

    @property
    def code(self) -> int:
        """The exit code of a run with no other test."""
        return max((failure.code for failure in self.failures), default=0)

    @property
    def title(self) -> str:
        """One line: status, test, device and the reason."""
        on = f" on {self.device}" if self.device else ""
        reason = f": {self.reason}" if self.reason else ""
        return escaped(f"{self.status.upper()} {self.identity}{on}{reason}")

    def text(self) -> str:
        """The line and all failures."""
        return "\n".join([self.title, *(failure.text() for failure in self.failures)])


def failure_of(error: Exception, token: Token) -> Failure:
    """The failure for an error: at its own place, or at `token` where it has none."""
    if isinstance(error, TranslateError):
        where = error.where
        if where.line is None:
            place = "" if where == Where() else f" ({where})"
            return Failure.at(token, f"{error.message}{place}", code=INPUT)
        if where.file is None:
            where = dataclasses.replace(where, file=token.line.file)
        return Failure(error.message, where, error.source_line, code=INPUT)
    if isinstance(error, OSError):
        named = f"{error.filename}: " if error.filename is not None else ""
        return Failure.at(token, f"{named}{error.strerror or error}", code=INPUT)
    code = error.exit_code if isinstance(error, RunnerError) else DEVICE
    return Failure.at(token, str(error) or type(error).__name__, code=code)
