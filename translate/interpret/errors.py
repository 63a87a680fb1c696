"""The error of an interpreted module whose behaviour the IR leaves undefined."""

from __future__ import annotations

from translate.errors import TranslateError
from translate.ir.printer import excerpt
from translate.ir.values import Module, Value


class InterpretError(TranslateError):
    """A thread does what the IR does not define.

    The message names the operation, says what it does, in which thread, and shows its line.
    """


class EndlessError(TranslateError):
    """A loop takes more rounds than were allowed."""


def fault(module: Module, value: Value, problem: str) -> InterpretError:
    """An error at an operation."""
    message = f"{value.op.name} {problem}\n{excerpt(module, value)}".rstrip()
    return InterpretError(message, value.where)
