"""The errors of interpreted modules."""

from __future__ import annotations

from translate.errors import TranslateError
from translate.ir.printer import excerpt
from translate.ir.values import Module, Value


class InterpretError(TranslateError):
    """A thread does something that the IR does not define.

    The message names the operation, the problem and the thread, and shows the operation's line.
    """


class EndlessError(TranslateError):
    """A loop exceeds the allowed number of iterations."""


def fault(module: Module, value: Value, problem: str) -> InterpretError:
    """An error at an operation."""
    message = f"{value.op.name} {problem}\n{excerpt(module, value)}".rstrip()
    return InterpretError(message, value.where)
