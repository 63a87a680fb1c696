"""Outcome: the result of one test on one device, as data that processes can exchange.

Outcomes are shown as text, as JSON, as JUnit's XML, and as annotations of a GitHub workflow: one
for each distinct failure, of one test or several; GitHub shows ten of each kind for a step. JUnit's
XML has no specification: the elements are those that pytest, Jenkins and GitLab have in common.
"""

from __future__ import annotations

import errno
import os
import re
import xml.etree.ElementTree as xml
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from translate import CompileError, TranslateError, Where
from translate.dataclass import dataclass, field, replace
from translate.errors import escaped, message_text, render_caret
from translate.files import similar_file
from vkrunner import FeatureError, LimitError, LoopLimitError, Messages, RunnerError
from vkrunner.shadertest.cursor import Token, shown_path
from vkrunner.values.numbers import counted

PASSED, FAILED, ERROR, SKIPPED = "passed", "failed", "error", "skipped"
CHECK, INPUT, DEVICE = 1, 2, 3  # exit codes: a failed check, wrong input, a failed device or driver
VIOLATION, MISSING_BARRIER = 1, 2  # the cause of failures with a smaller number
_FIELDS = ("line", "name", "device", "status", "reason", "seconds")  # of a test, in JSON
_LACKING = (FeatureError, LimitError, LoopLimitError)
_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Failure:
    """One failure: message, place, and lines of details. `code` is its exit code.

    `is_lacking`: the device lacks a feature or a format, or has too small a limit. `explains`: a
    violation or a missing barrier may be the cause of other failures; `hlsl` is then the line of
    the HLSL, if it is known.
    """

    message: str
    where: Where
    source_line: str | None = None
    details: tuple[str, ...] = ()
    code: int = CHECK
    is_lacking: bool = False
    explains: int = 0
    hlsl: Where | None = None

    @classmethod
    def at(
        cls, token: Token, message: str, details: Iterable[str] = (), code: int = CHECK
    ) -> Failure:
        """A failure at a place in a shader test."""
        return cls(message, token.where, token.line.text, tuple(details), code)

    def explaining(self, hlsl: Where | None, explains: int = VIOLATION) -> Failure:
        """The same failure as one that may be the cause of others."""
        return replace(self, explains=explains, hlsl=hlsl)

    def text(self) -> str:
        """The place and message, the line with its caret, the details."""
        caret = render_caret(self.where, self.source_line)
        place = "" if self.where == Where() else f"{self.where}: "
        head = message_text(f"{place}error: {self.message}")
        lines = [
            head,
            *([caret] if caret else []),
            *(f"     {message_text(line)}" for line in self.details),
        ]
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One test on one device; `name` is "" for a file that could not be read.

    `path` is "" for a device that could not be opened, and for a wrong command line.

    `reason` tells why it was skipped. `todos` counts failed checks that are marked as known;
    `tolerated` has a line for each probe with numbers that differ within its tolerance. `warnings`
    are the texts of warnings, such as the compiler's. `unchecked` counts the violations that
    `guards report` finds in a test without a line about violations. `messages` are the shader's
    first messages.
    """

    path: str
    name: str
    device: str
    line: int = 1
    failures: tuple[Failure, ...] = ()
    reason: str = ""
    seconds: float = 0.0
    todos: int = 0
    tolerated: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    unchecked: int = 0
    messages: Messages = field(default_factory=Messages)

    @property
    def identity(self) -> str:
        """`path::name`, for `-k` and reports."""
        return f"{self.path}::{self.name}" if self.name else self.path

    @property
    def status(self) -> str:
        """passed, failed (a check), error (it could not run) or skipped."""
        if self.reason:
            return SKIPPED
        return (PASSED, FAILED, ERROR, ERROR)[self.code]

    @property
    def code(self) -> int:
        """The exit code of a run of only this test."""
        return max((failure.code for failure in self.failures), default=0)

    @property
    def chief(self) -> Failure | None:
        """The failure that may explain the others, otherwise the first one; None without any."""
        return min(self.failures, key=lambda failure: not failure.explains, default=None)

    @property
    def title(self) -> str:
        """One line: status, test, device and the reason."""
        on = f" on {self.device}" if self.device else ""
        notes = [f"{self.todos} todo"] if self.todos else []
        notes += [counted(self.unchecked, "violation")] if self.unchecked else []
        reason = self.reason or ", ".join(notes)
        return escaped(
            f"{self.status.upper()} {self.identity}{on}{f': {reason}' if reason else ''}"
        )

    def details(self) -> list[str]:
        """The texts of all failures, and the shader's messages."""
        messages = [repr(self.messages).replace("\n", "\n     ")] if self.messages.total else []
        return [*(failure.text() for failure in self.failures), *messages]

    def text(self) -> str:
        """The title and the details."""
        return "\n".join([self.title, *self.details()])


def failure_of(error: Exception, token: Token) -> Failure:
    """The failure for an error: at its own place, or at `token` if it has none."""
    if isinstance(error, TranslateError):
        where = error.where
        if where.line is None:
            place = "" if where == Where() else f" ({where})"
            return Failure.at(token, f"{error.message}{place}", code=INPUT)
        if where.file is None:
            where = replace(where, file=token.line.file)
        others = error.others if isinstance(error, CompileError) else ()
        details = tuple(line for text in others for line in text.splitlines())
        return Failure(error.message, where, error.source_line, details, INPUT)
    if isinstance(error, OSError):
        name = error.filename
        named = f"{name}: " if name is not None else ""
        hint = similar_file(name) if name is not None and error.errno == errno.ENOENT else ""
        return Failure.at(token, f"{named}{error.strerror or error}{hint}", code=INPUT)
    other = INPUT if isinstance(error, Warning) else DEVICE
    code = error.exit_code if isinstance(error, RunnerError) else other
    found = Failure.at(token, str(error) or type(error).__name__, code=code)
    return replace(found, is_lacking=isinstance(error, _LACKING))


# -- many of them ----------------------------------------------------------------------------------


def summary(outcomes: Sequence[Outcome], seconds: float) -> str:
    """`12 passed, 1 failed, 1 skipped in 2.31 s`, and the violations that no test checks."""
    counts = Counter(outcome.status for outcome in outcomes)
    names = {ERROR: "errors" if counts[ERROR] != 1 else "error"}
    parts = [
        f"{counts[status]} {names.get(status, status)}"
        for status in (PASSED, FAILED, ERROR, SKIPPED)
        if counts[status]
    ]
    unchecked = sum(outcome.unchecked for outcome in outcomes)
    if unchecked:
        parts.append(f"{counted(unchecked, 'violation')} (add `violations none`)")
    return f"{', '.join(parts) or 'no tests'} in {seconds:.2f} s"


def to_json(outcomes: Sequence[Outcome], seconds: float) -> dict[str, Any]:
    """Plain data: a summary and all tests."""
    counts = Counter(outcome.status for outcome in outcomes)
    return {
        "summary": {s: counts[s] for s in (PASSED, FAILED, ERROR, SKIPPED)} | {"seconds": seconds},
        "tests": [
            {
                "file": outcome.path,
                **{name: getattr(outcome, name) for name in _FIELDS},
                "failures": [_failure(failure) for failure in outcome.failures],
                "tolerated": list(outcome.tolerated),
                "warnings": list(outcome.warnings),
                "messages": {
                    "total": outcome.messages.total,
                    "records": [
                        {"name": one.name, "thread": one.thread, "text": one.text}
                        for one in outcome.messages
                    ],
                },
            }
            for outcome in outcomes
        ],
    }


def _failure(failure: Failure) -> dict[str, Any]:
    return {
        "message": failure.message,
        "file": failure.where.file,
        "line": failure.where.line,
        "column": failure.where.column,
        "details": list(failure.details),
        "hlsl_file": failure.hlsl.file if failure.hlsl else None,
        "hlsl_line": failure.hlsl.line if failure.hlsl else None,
    }


def to_junit(
    outcomes: Sequence[Outcome], properties: Mapping[str, Mapping[str, str]] | None = None
) -> bytes:
    """JUnit's XML: a suite for each device, with the given properties.

    With several devices, names have the device: GitLab keeps one result for each name.
    """
    root = xml.Element("testsuites", name="sm5vk test")
    devices = dict.fromkeys(outcome.device for outcome in outcomes)
    several = len([device for device in devices if device]) > 1
    for device in devices:
        rows = [outcome for outcome in outcomes if outcome.device == device]
        counts = Counter(outcome.status for outcome in rows)
        suite = xml.SubElement(
            root,
            "testsuite",
            name=_clean(device or "files"),
            tests=str(len(rows)),
            failures=str(counts[FAILED]),
            errors=str(counts[ERROR]),
            skipped=str(counts[SKIPPED]),
            time=f"{sum(outcome.seconds for outcome in rows):.3f}",
        )
        _properties(suite, (properties or {}).get(device, {}))
        for outcome in rows:
            _case(suite, outcome, f" on {device}" if device and several else "")
    xml.indent(root)
    return xml.tostring(root, encoding="utf-8", xml_declaration=True) + b"\n"


def _properties(suite: xml.Element, properties: Mapping[str, str]) -> None:
    if properties:
        parent = xml.SubElement(suite, "properties")
        for name, value in properties.items():
            xml.SubElement(parent, "property", name=name, value=_clean(value))


def _case(suite: xml.Element, outcome: Outcome, on: str) -> None:
    place = {"file": _clean(outcome.path), "line": str(outcome.line)} if outcome.path else {}
    about = {
        "classname": _clean(outcome.path or "sm5vk test"),
        "name": _clean((outcome.name or outcome.path) + on),
        **place,
        "time": f"{outcome.seconds:.3f}",
    }
    case = xml.SubElement(suite, "testcase", about)
    if outcome.status == SKIPPED:
        xml.SubElement(case, "skipped", message=_clean(outcome.reason))
    elif outcome.failures:
        kind = "failure" if outcome.status == FAILED else "error"
        child = xml.SubElement(case, kind, message=_clean(outcome.failures[0].message))
        child.text = _clean("\n".join(failure.text() for failure in outcome.failures))
    shown = [repr(outcome.messages)] if outcome.messages.total else []
    if outcome.tolerated or shown:
        xml.SubElement(case, "system-out").text = _clean("\n".join([*outcome.tolerated, *shown]))


def _clean(text: str) -> str:
    """The text without characters that XML cannot contain."""
    return _NOT_XML.sub("\ufffd", text)


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
