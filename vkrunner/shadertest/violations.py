"""Violations and races of a dispatch: those that a test expects, and failures with HLSL lines.

Only the reference machine finds races, and barriers that only some threads of a group reach. Its
results may be right all the same; those of another device may differ.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath, PureWindowsPath

from translate import Where
from translate.errors import SourcePlace
from vkrunner import ReferenceResult, Result, Violation
from vkrunner import Violations as Reported
from vkrunner.shadertest.cases import ExpectedViolation, ShaderSection, Violations
from vkrunner.shadertest.cursor import Folders, Token
from vkrunner.shadertest.outcome import MISSING_BARRIER, Failure
from vkrunner.values.numbers import counted

_MOST_PARTS = 64  # of a path, each of which is looked up with those after it
_SHOWN = 8
_MOST_LINES = 500  # which take a second to match
ANY, NONE = RACES = ("any", "none")  # the words after `races`
_INTENDED = "if this is intended: `races any` in [test]"


def hlsl_where(section: ShaderSection, place: SourcePlace) -> Where | None:
    """The place in a file that exists; None if the line or the file is not known.

    Files may have been compiled on another machine: a path is looked up by its last parts, as many
    as possible, below the shader's folder, the folders of `include` and the working folder. Of
    files elsewhere it tells nothing, not even whether they exist.
    """
    if place.hlsl_line is None or not place.hlsl_file:
        return None
    own = section.path.parent if section.path is not None else section.token.line.folders.own
    folders = [own, *map(Path, (section.hlsl or {}).get("include", ())), Path()]
    parts = _parts(place.hlsl_file)
    above = [number for number, part in enumerate(parts) if part == os.pardir]
    for first in range(above[-1] + 1 if above else 0, len(parts)):
        for folder in folders:
            found = folder.joinpath(*parts[first:])
            with suppress(OSError, ValueError):  # a name that no file can have
                if found.is_file() and Folders.of(folder).have(found):
                    return Where(os.path.normpath(found), place.hlsl_line)
    return None


def _parts(name: str) -> tuple[str, ...]:
    """The parts of a path of Windows or Linux, without drive and root."""
    path = PureWindowsPath(name) if "\\" in name else PurePosixPath(name)
    return (path.parts[1:] if path.anchor else path.parts)[-_MOST_PARTS:]


def compare_violations(
    expected: Violations, reports: Sequence[Reported], shader: ShaderSection
) -> list[Failure]:
    """A failure for each difference between the violations of dispatches and the expected ones.

    `violations none` allows harmless ones: loads whose result is unused.
    """
    if expected.total == 0:
        return _check_none(expected, [report.harmful() for report in reports], shader)
    if len(expected.expected) > _MOST_LINES:
        text = f"more than {_MOST_LINES} lines of violations: write their number, `violations N`"
        raise expected.token.error(text)
    records = [record for report in reports for record in report]
    total = sum(report.total for report in reports)
    if expected.total is not None:
        if expected.total == total:
            return []
        text = f"expected {expected.total} violations, {total} reported"
        return [_unexpected(expected, text, records, shader)]
    matching = _match(expected.expected, records)
    failures = [
        Failure.at(row.token, f"expected {row.count} of these accesses, {found} reported")
        for n, row in enumerate(expected.expected)
        if (found := matching.count(n)) < row.count
    ]
    rest = [v for v, n in zip(records, matching, strict=True) if n is None]
    more = len(rest) + total - len(records)
    if more:
        text = f"{more} more violations than expected"
        failures.append(_unexpected(expected, text, rest, shader))
    return failures


def _unexpected(
    expected: Violations, text: str, records: Sequence[Violation], shader: ShaderSection
) -> Failure:
    place = hlsl_where(shader, records[0]) if records else None
    return Failure.at(expected.token, text, _table(records)).explaining(place)


def _check_none(
    expected: Violations, reports: Sequence[Reported], shader: ShaderSection
) -> list[Failure]:
    total = sum(report.total for report in reports)
    if not total:
        return []
    details = [line for report in reports if report for line in report.summary().splitlines()]
    first = next(group.first for report in reports for group in report.by_instruction())
    failure = Failure.at(expected.token, f"expected no violations, {total} reported", details)
    return [failure.explaining(hlsl_where(shader, first))]


def _table(records: Sequence[Violation]) -> list[str]:
    if not records:
        return []
    return Reported(records[:_SHOWN], len(records)).table().splitlines()


def _match(expected: Sequence[ExpectedViolation], records: Sequence[Violation]) -> list[int | None]:
    """For each record, the index of the expected violation that it is matched with, or None.

    An expected violation is matched at most `count` times. As many records as possible are matched:
    if all that fit a record are taken, earlier records move to others (an augmenting path in the
    bipartite graph).
    """
    fits = [[n for n, row in enumerate(expected) if _fits(row, record)] for record in records]
    taken: list[list[int]] = [[] for _ in expected]
    for record in range(len(records)):
        _place(record, fits, expected, taken, set())
    found: list[int | None] = [None] * len(records)
    for n, row in enumerate(taken):
        for record in row:
            found[record] = n
    return found


def _place(
    record: int,
    fits: Sequence[Sequence[int]],
    expected: Sequence[ExpectedViolation],
    taken: list[list[int]],
    seen: set[int],
) -> bool:
    for n in fits[record]:
        if n in seen:
            continue
        seen.add(n)
        if len(taken[n]) < expected[n].count:
            taken[n].append(record)
            return True
        for at, other in enumerate(taken[n]):
            if _place(other, fits, expected, taken, seen):
                taken[n][at] = record
                return True
    return False


def _fits(expected: ExpectedViolation, record: Violation) -> bool:
    return all(getattr(record, name) == value for name, value in expected.fields.items())


def race_failures(result: Result, shader: ShaderSection, token: Token) -> list[Failure]:
    """A failure if the reference machine found races or divergent barriers; else none."""
    if not isinstance(result, ReferenceResult) or not (result.races or result.divergent_barriers):
        return []
    # The message has the number in the first line; the last one is the advice.
    _, *table, advice = result.race_summary().splitlines()
    details = [advice, *table, _INTENDED]
    places = [race.first for race in result.races]
    places += [barrier.arrived for barrier in result.divergent_barriers]
    failure = Failure.at(token, _message(result), details)
    return [failure.explaining(hlsl_where(shader, places[0]), MISSING_BARRIER)]


def _message(result: ReferenceResult) -> str:
    """The number of races and their memory; without races, that of the divergent barriers."""
    found = result.findings
    if result.races:
        registers = ", ".join(dict.fromkeys(race.register for race in result.races))
        race = counted(found.race_count, "race")
        return f"{race} on {registers} with no barrier between"
    barrier = counted(found.divergent_barrier_count, "divergent barrier")
    return f"{barrier}: only some threads of a group reach it"
