"""Compares reported violations with those that a test expects."""

from __future__ import annotations

from collections.abc import Sequence

from vkrunner import Violation
from vkrunner import Violations as Reported
from vkrunner.shadertest.cases import ExpectedViolation, ShaderSection, Violations
from vkrunner.shadertest.hlsl_places import hlsl_where
from vkrunner.shadertest.outcome import Failure

_SHOWN = 8
_MOST_LINES = 500  # which take a second to match


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
