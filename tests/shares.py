"""The seconds that the tests of each folder took, printed after a run of several folders."""

from collections import defaultdict
from collections.abc import Iterable
from pathlib import PurePosixPath

import pytest

_DEPTH = 3  # tests/unit/passes: the folders of a folder's folder count with it


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print a line for each folder, the longest first."""
    reports = [one for ones in terminalreporter.stats.values() for one in ones]
    seconds = shares((r.nodeid, r.duration) for r in reports if isinstance(r, pytest.TestReport))
    if len(seconds) < 2:
        return
    terminalreporter.section("seconds of each folder's tests, on one core")
    whole = sum(seconds.values())
    for folder, took in sorted(seconds.items(), key=lambda row: -row[1]):
        terminalreporter.write_line(f"{took:8.1f} {took / whole:6.1%}  {folder}")


def shares(durations: Iterable[tuple[str, float]]) -> dict[str, float]:
    """Folder -> seconds, from pairs of a test's id and the duration of one of its phases."""
    found: defaultdict[str, float] = defaultdict(float)
    for nodeid, seconds in durations:
        folders = PurePosixPath(nodeid.partition("::")[0]).parts[:-1]
        found["/".join(folders[: _DEPTH if folders[1:2] == ("unit",) else 2])] += seconds
    return found
