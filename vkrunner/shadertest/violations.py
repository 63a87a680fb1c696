"""The out-of-bounds accesses that a test expects, beside those that were reported."""

from __future__ import annotations

from collections.abc import Sequence

from vkrunner import Violation
from vkrunner import Violations as Reported
from vkrunner.shadertest.outcome import Failure
from vkrunner.shadertest.records import ExpectedViolation, Violations

_SHOWN = 8


def compare_violations(
    expected: Violations, records: Sequence[Violation], total: int
) -> list[Failure]:
    """What is reported and not expected, and the other way round."""
    if expected.total is not None:
        return _compare_totals(expected, records, total)
    matching = _match(expected.expected, records)
    failures = [
        Failure(
            f"expected {row.count} of these accesses, {found} reported",
            row.token.where,
            row.token.line.text,
        )
        for n, row in enumerate(expected.expected)
        if (found := matching.count(n)) < row.count
    ]
    rest = [v for v, n in zip(records, matching, strict=True) if n is None]
    unseen = total - len(records)
    if rest or unseen:
        text = f"{len(rest) + unseen} more accesses went wrong than are expected"
        details = _table(rest)
        place = expected.token
        failures.append(Failure(text, place.where, place.line.text, tuple(details)))
    return failures


def _compare_totals(
    expected: Violations, records: Sequence[Violation], total: int
) -> list[Failure]:
    if expected.total == total:
        return []
    place = expected.token
    message = f"expected {expected.total or 'no'} accesses that go wrong, {total} reported"
    return [Failure(message, place.where, place.line.text, tuple(_table(records)))]


def _table(records: Sequence[Violation]) -> list[str]:
    if not records:
        return []
    return Reported(list(records)[:_SHOWN], len(records)).table().splitlines()


def _match(expected: Sequence[ExpectedViolation], records: Sequence[Violation]) -> list[int | None]:
    """For each record the number of a line that it fulfils, no line more often than it says.

    As many records as possible get one: where lines are taken, records move over (an augmenting
    path in the bipartite graph).
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
    return all(getattr(record, name) == value for name, value in expected.fields)
