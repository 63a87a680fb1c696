"""A pytest plugin that writes a line of JSON when a test starts or ends.

`-p tools.gpu.journal --journal FILE --share 0/4` runs the first of four shares of the files,
without the tests that FILE names. If the device is lost, the session stops after that test.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Any

import pytest

import vkrunner

ENDS = "ends"  # the key of the line after the last test


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--journal", type=Path, metavar="FILE", help="go on after what it names")
    parser.addoption("--share", default="0/1", metavar="K/N", help="the K-th of N shares of files")


def pytest_configure(config: pytest.Config) -> None:
    path: Path | None = config.getoption("journal")
    if path is not None:
        share, _, count = config.getoption("share").partition("/")
        config.pluginmanager.register(Journal(path, int(share), int(count)))


def files_of(share: int, count: int, items: Iterable[pytest.Item]) -> set[Path]:
    """The files of a share: the largest first, each goes to the share with the fewest tests."""
    files = Counter(item.path for item in items)
    sizes, found = [0] * count, set[Path]()
    for path, tests in sorted(files.items(), key=lambda row: (-row[1], row[0])):
        least = sizes.index(min(sizes))
        sizes[least] += tests
        if least == share:
            found.add(path)
    return found


class Journal:
    """Writes each event immediately: the driver may end the process."""

    def __init__(self, path: Path, share: int, count: int):
        self._share, self._count = share, count
        self._before = started(path)
        self._file = path.open("a", encoding="utf-8")
        self._lost = False

    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        files = files_of(self._share, self._count, items)
        left, others = list[pytest.Item](), list[pytest.Item]()
        for item in items:
            mine = item.path in files and item.nodeid not in self._before
            (left if mine else others).append(item)
        config.hook.pytest_deselected(items=others)
        items[:] = left

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._write(start=nodeid)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if call.excinfo is not None and call.excinfo.errisinstance(vkrunner.DeviceLostError):
            self._lost = True
            item.session.shouldstop = "the device is lost"
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" or not report.passed:
            outcome = "lost" if self._lost else report.outcome
            self._write(
                test=report.nodeid,
                outcome=outcome,
                seconds=report.duration,
                text="" if report.passed else _why(report),
            )

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if not self._lost:
            self._write(**{ENDS: session.testscollected})
        self._file.close()

    def _write(self, **line: object) -> None:
        print(json.dumps(line), file=self._file, flush=True)


def _why(report: pytest.TestReport) -> str:
    """The traceback, or the reason of a skip."""
    if isinstance(report.longrepr, tuple):
        return report.longrepr[2]
    return report.longreprtext


def lines(path: Path) -> list[dict[str, Any]]:
    """The lines of a journal, without a last line that was cut off."""
    if not path.exists():
        return []
    text = path.read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]


def started(path: Path) -> set[str]:
    """The tests that a journal names."""
    return {line["start"] for line in lines(path) if "start" in line}
