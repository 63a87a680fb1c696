"""Outcome: what came of one test on one device, plain enough to pass between processes."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass

from translate import TranslateError, Where
from translate.errors import render_caret
from vkrunner import RunnerError
from vkrunner.shadertest.cursor import ShaderTestError, Token

PASSED, FAILED, ERROR, SKIPPED = "passed", "failed", "error", "skipped"
CHECK, INPUT, DEVICE = 1, 2, 3  # exit codes: a check failed, bad input, the device or its driver


@dataclass(frozen=True, slots=True)
class Failure:
    """One thing that is wrong: message, place, and lines below. `code` is what one exits with."""

    message: str
    where: Where
    source_line: str | None = None
    details: tuple[str, ...] = ()
    code: int = CHECK

    def text(self) -> str:
        """As errors are shown: the place and the message, the line and its caret, the details."""
        caret = render_caret(self.where, self.source_line)
        head = f"{self.where}: error: {self.message}"
        lines = [head, *([caret] if caret else []), *(f"     {line}" for line in self.details)]
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One test on one device; `name` is "" for a file that could not be read.

    `status`: passed, failed (a check), error (it could not be run) or skipped, with `reason`.
    """

    path: str
    name: str
    device: str
    status: str
    line: int = 1
    failures: tuple[Failure, ...] = ()
    reason: str = ""
    seconds: float = 0.0

    @property
    def identity(self) -> str:
        """`path::name`, as `-k` and reports have it."""
        return f"{self.path}::{self.name}" if self.name else self.path

    @property
    def code(self) -> int:
        """What a run with nothing but this exits with."""
        return max((failure.code for failure in self.failures), default=0)

    def text(self) -> str:
        """All that is wrong, and on which device."""
        on = f" on {self.device}" if self.device else ""
        head = f"{self.status.upper()} {self.identity}{on}"
        return "\n".join([head, *(failure.text() for failure in self.failures)])


def status_of(failures: Iterable[Failure]) -> str:
    """What a test's failures make of it."""
    codes = {failure.code for failure in failures}
    if not codes:
        return PASSED
    return FAILED if codes == {CHECK} else ERROR


def failure_of(error: Exception, token: Token) -> Failure:
    """The failure that an error is: at its own place, or at `token` where it has none."""
    if isinstance(error, ShaderTestError):
        return Failure(error.message, error.where, error.source_line, code=INPUT)
    if isinstance(error, TranslateError):
        return _translate_failure(error, token)
    if isinstance(error, OSError):
        named = f"{error.filename}: " if error.filename is not None else ""
        message, code = f"{named}{error.strerror or error}", INPUT
    else:
        code = error.exit_code if isinstance(error, RunnerError) else DEVICE
        message = str(error) or type(error).__name__
    return Failure(message, token.where, token.line.text, code=code)


def _translate_failure(error: TranslateError, token: Token) -> Failure:
    where = error.where
    if where.line is None:
        place = "" if where == Where() else f" ({where})"
        return Failure(f"{error.message}{place}", token.where, token.line.text, code=INPUT)
    if where.file is None:
        where = dataclasses.replace(where, file=token.line.file)
    return Failure(error.message, where, error.source_line, code=INPUT)
