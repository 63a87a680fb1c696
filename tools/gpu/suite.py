"""The suite, in processes that a driver may end: the remaining tests then run in a new one."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import journal

BAD = ("failed", "lost", "crashed", "silent")
_GOOD = (0, 1, 5)  # pytest's exit codes: all passed, some failed, none was left to run
_POLL = 0.5  # seconds
_COLLECTING = 600.0  # seconds that a process may take before its first test
_TAIL = 4000  # characters of a process' output


@dataclass(frozen=True, slots=True)
class Case:
    """A test that ran. `outcome` is passed, skipped, failed, lost, crashed or silent.

    Lost: the device was lost. Crashed: the process ended. Silent: the process was ended, because
    it neither started nor finished a test for too long.
    """

    name: str
    outcome: str
    seconds: float = 0.0
    text: str = ""

    @property
    def is_bad(self) -> bool:
        return self.outcome in BAD


class SuiteError(Exception):
    """Tests that cannot be collected or started."""


@dataclass(frozen=True, slots=True)
class Suite:
    """Files and folders with tests, and pytest's further options.

    A process that neither starts nor finishes a test for `silence` seconds is ended. Journals and
    logs are written to `folder`, which must not have any yet.
    """

    paths: Sequence[str]
    options: Sequence[str]
    silence: float
    folder: Path
    environment: Mapping[str, str]

    def run(self, processes: int) -> list[Case]:
        """Run all tests in so many processes, each with a share of the files. Raises SuiteError."""
        with ThreadPoolExecutor(processes) as pool:
            jobs = [pool.submit(self._run_share, n, processes) for n in range(processes)]
            found = [case for job in jobs for case in job.result()]
        return sorted(found, key=lambda case: case.name)

    def _run_share(self, number: int, count: int) -> list[Case]:
        """Processes one after the other, until one ends with nothing left to do."""
        path = self.folder / f"{number}.jsonl"
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
        command += [
            "-p",
            "tools.gpu.journal",
            "--journal",
            str(path),
            "--share",
            f"{number}/{count}",
        ]
        command += [*self.options, *self.paths]
        ended: list[Case] = []
        while True:
            before = len(journal.lines(path))
            code, output = self._watched(command, path)
            events = journal.lines(path)
            if any(journal.ENDS in event for event in events[before:]) and code in _GOOD:
                return [*_finished(events), *ended]
            if not any("start" in event for event in events[before:]):
                raise SuiteError(f"pytest ended with {code} before a test started:\n{output}")
            name = _interrupted(events)
            if name is not None:
                outcome = "silent" if code is None else "crashed"
                ended.append(Case(name, outcome, text=f"exit code {code}\n{output}"))

    def _watched(self, command: list[str], path: Path) -> tuple[int | None, str]:
        """The exit code, or None if the process was ended for its silence, and its last output."""
        log = path.with_suffix(".log")
        with log.open("w", encoding="utf-8") as file:
            process = subprocess.Popen(
                command, env=dict(self.environment), stdout=file, stderr=subprocess.STDOUT
            )
            heard, size, limit = time.monotonic(), _size(path), _COLLECTING
            while (code := process.poll()) is None:
                time.sleep(_POLL)
                now = _size(path)
                if now != size:
                    heard, size, limit = time.monotonic(), now, self.silence
                elif time.monotonic() - heard > limit:
                    process.kill()
                    process.wait()
                    break
        return code, log.read_text(encoding="utf-8", errors="replace")[-_TAIL:]


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _interrupted(events: Sequence[Mapping[str, Any]]) -> str | None:
    """The test that the last process started and did not finish."""
    last = next(event["start"] for event in reversed(events) if "start" in event)
    return None if any(event.get("test") == last for event in events) else last


def _finished(events: Sequence[Mapping[str, Any]]) -> list[Case]:
    """A case for each test, with the worst outcome of its phases."""
    order = ("passed", "skipped", "failed", "lost")
    cases: dict[str, Case] = {}
    for event in events:
        if "test" in event:
            case = Case(event["test"], event["outcome"], event["seconds"], event["text"])
            known = cases.get(case.name)
            if known is None or order.index(case.outcome) > order.index(known.outcome):
                cases[case.name] = case
    return list(cases.values())
