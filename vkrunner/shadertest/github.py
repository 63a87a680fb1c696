"""Annotations of a GitHub workflow: one for each failed test, on one device or several.

GitHub shows ten of each kind for a step.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from translate import Where
from vkrunner.shadertest.outcome import Failure, Outcome

# A compiler's warning, as `CompiledHlsl.warnings` has it
_PLACED = re.compile(
    r"(?P<file>[^\n]+?):(?P<line>\d+)(?::(?P<column>\d+))?: warning: (?P<text>.*)", re.DOTALL
)


def github_lines(outcomes: Iterable[Outcome]) -> list[str]:
    """GitHub's workflow commands: an error for each failed test, and each warning once."""
    outcomes = list(outcomes)
    failed: dict[tuple[str, str], list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        if outcome.failures:
            failed[outcome.path, outcome.name].append(outcome)
    warned: dict[str, Outcome] = {}
    for outcome in outcomes:
        for text in outcome.warnings:
            warned.setdefault(text, outcome)
    return [
        *map(_annotation, failed.values()),
        *(_warning(text, outcome) for text, outcome in warned.items()),
    ]


def _annotation(outcomes: Sequence[Outcome]) -> str:
    """The failure that may explain the others, if there is one, and a line for each of the others.

    It is at the line of the HLSL if that is known.
    """
    found: dict[tuple[Where, str], tuple[Failure, list[str]]] = {}
    for outcome in outcomes:
        for failure in outcome.failures:
            _, devices = found.setdefault((failure.where, failure.message), (failure, []))
            devices.append(outcome.device)
    (failure, devices), *others = sorted(found.values(), key=lambda row: not row[0].explains)
    first, where = outcomes[0], failure.hlsl or failure.where
    on = f" on {_names(devices)}" if any(devices) else ""
    test = f"{os.path.basename(first.path)}::{first.name}" if first.name else "shader test"
    lines = [failure.message, *failure.details]
    lines += [f"test: {failure.where}"] if failure.hlsl is not None else []
    lines += [f"also on {_names(names)}: {other.where}: {other.message}" for other, names in others]
    properties = {
        "file": _within(where.file or first.path),
        "line": str(where.line or first.line),
        "col": str(where.column or 1),
        "title": f"{test}{on}",
    }
    return command("error", properties, "\n".join(lines))


def _warning(text: str, outcome: Outcome) -> str:
    """A warning at its own place, such as a line of the HLSL; else at the test."""
    found = _PLACED.fullmatch(text)
    row = found.groupdict() if found is not None else {"file": None, "line": None, "column": None}
    properties = {
        "file": _within(row["file"] or outcome.path),
        "line": row["line"] or str(outcome.line),
        "col": row["column"] or "1",
    }
    return command("warning", properties, found["text"] if found is not None else text)


def command(kind: str, properties: dict[str, str], text: str) -> str:
    """A workflow command."""
    head = ",".join(f"{name}={_escape(value, ':,')}" for name, value in properties.items())
    return f"::{kind} {head}::{_escape(text)}"


def _names(devices: Iterable[str]) -> str:
    return " and ".join(dict.fromkeys(devices))


def _within(path: str) -> str:
    """A path relative to the working folder if it is below, as in GitHub's annotations."""
    absolute, here = os.path.abspath(path), os.getcwd()
    return os.path.relpath(absolute, here) if absolute.startswith(here + os.sep) else path


def _escape(text: str, more: str = "") -> str:
    for character in f"%\r\n{more}":
        text = text.replace(character, f"%{ord(character):02X}")
    return text
