"""Annotations of a GitHub workflow: one for each distinct failure, of one test or several.

GitHub shows ten of each kind for a step.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from translate import Where
from translate.errors import escaped
from vkrunner.shadertest.cursor import shown_path
from vkrunner.shadertest.outcome import Failure, Outcome

_SHOWN = 8  # the most tests that an annotation names
# A compiler's warning, as `CompiledHlsl.warnings` has it
_PLACED = re.compile(
    r"(?P<file>[^\n]+?):(?P<line>\d+)(?::(?P<column>\d+))?: warning: (?P<text>.*)", re.DOTALL
)


def github_lines(outcomes: Iterable[Outcome]) -> list[str]:
    """GitHub's workflow commands: an error for each distinct failure, and each warning once.

    Tests have one error in common if the same message at the same line explains them.
    """
    outcomes = list(outcomes)
    tests: dict[tuple[str, str], list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        if outcome.failures:
            tests[outcome.path, outcome.name].append(outcome)
    failed: dict[tuple[str | None, int | None, str], list[Outcome]] = defaultdict(list)
    for rows in tests.values():
        (chief, _), *_ = _by_failure(rows)
        where = chief.hlsl or chief.where
        failed[where.file, where.line, chief.message] += rows
    warned: dict[str, Outcome] = {}
    for outcome in outcomes:
        for text in outcome.warnings:
            warned.setdefault(text, outcome)
    return [
        *map(_annotation, failed.values()),
        *(_warning(text, outcome) for text, outcome in warned.items()),
    ]


def _annotation(outcomes: Sequence[Outcome]) -> str:
    """A failure that may explain the others comes first, then a line for each of the others.

    It is at the line of the HLSL if that is known.
    """
    (failure, devices), *others = _by_failure(outcomes)
    first, where = outcomes[0], failure.hlsl or failure.where
    tests = list(dict.fromkeys(map(_label, outcomes)))
    on = f" on {_names(devices)}" if any(devices) else ""
    title = tests[0] if len(tests) == 1 else f"{len(tests)} tests"
    lines = [failure.message, *failure.details]
    if len(tests) > 1:
        more = ["..."] if len(tests) > _SHOWN else []
        lines.append(f"tests: {', '.join(tests[:_SHOWN] + more)}")
    lines += [f"test: {failure.where}"] if failure.hlsl is not None else []
    lines += [
        f"another failure, on {_names(names)}: {other.where}: {other.message}"
        for other, names in others
    ]
    file = where.file or first.path
    properties = _place(file, where.line or first.line, where.column) if file else {}
    return command("error", {**properties, "title": f"{title}{on}"}, "\n".join(lines))


def _by_failure(outcomes: Iterable[Outcome]) -> list[tuple[Failure, list[str]]]:
    """Each distinct failure with its devices; a failure that may explain the others comes first."""
    found: dict[tuple[Where, str], tuple[Failure, list[str]]] = {}
    for outcome in outcomes:
        for failure in outcome.failures:
            _, devices = found.setdefault((failure.where, failure.message), (failure, []))
            devices.append(outcome.device)
    return sorted(found.values(), key=lambda row: -row[0].explains)


def _label(outcome: Outcome) -> str:
    """The test's name after its file's."""
    if not (outcome.path and outcome.name):
        return outcome.name or "shader test"
    return f"{os.path.basename(outcome.path)}::{outcome.name}"


def _place(file: str, line: int | str, column: int | str | None) -> dict[str, str]:
    """The properties of a place; GitHub wants no column if it is not known."""
    place = {"file": _within(file), "line": str(line)}
    return {**place, "col": str(column)} if column is not None else place


def _warning(text: str, outcome: Outcome) -> str:
    """A warning at its own place, such as a line of the HLSL; else at the test."""
    found = _PLACED.fullmatch(text)
    row = found.groupdict() if found is not None else {"file": None, "line": None, "column": None}
    properties = _place(row["file"] or outcome.path, row["line"] or outcome.line, row["column"])
    return command("warning", properties, found["text"] if found is not None else text)


def command(kind: str, properties: dict[str, str], text: str) -> str:
    """A workflow command."""
    head = ",".join(f"{name}={_escape(value, ':,')}" for name, value in properties.items())
    return f"::{kind} {head}::{_escape(text)}"


def _names(devices: Iterable[str]) -> str:
    return " and ".join(dict.fromkeys(devices))


def _within(path: str) -> str:
    """A path relative to the repository's folder, else to the working folder, if it is below."""
    return str(shown_path(shown_path(path), os.environ.get("GITHUB_WORKSPACE")))


def _escape(text: str, more: str = "") -> str:
    text = escaped(text, keep="\r\n\t")
    for character in f"%\r\n{more}":
        text = text.replace(character, f"%{ord(character):02X}")
    return text
