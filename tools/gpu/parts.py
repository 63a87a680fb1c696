"""The parts of a run: each returns a line of the summary, and writes its files to the folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.extras import left_out
from translate import Where
from vkrunner.shadertest.outcome import DEVICE, Failure, Outcome, to_junit
from vkrunner.vulkan.loader.instance import validation_layer

from .suite import BAD, Case, Suite

ROOT = Path(__file__).parents[2]

_NOT_OF_DEVICES = {
    "builds": "CMake, which needs no device",
    "bytes": "damaged files, which reach no device",
    "ci": "the workflows",
    "docs": "the pages, which name lavapipe",
    "mutants": "the tests themselves",
    "proofs": "rules of passes, which need no device",
    "soak": "an hour of dispatches",
    "tools": "this program, the benchmarks, and GPUs' compilers, which need no card",
    "typing": "the type checker",
}
TABLES = ("code", "dispatch", "transfer")  # of the benchmarks, those that need a device
_MINUTE = 60


@dataclass(frozen=True, slots=True)
class Plan:
    """Where and how to run: `tests` replaces the suite's files, `expression` is pytest's -k."""

    device: str
    folder: Path
    processes: int
    silence: float
    minutes: float
    scale: float
    tests: Sequence[str] = ()
    expression: str = ""
    tables: Sequence[str] = TABLES
    seed: int | None = None

    @property
    def environment(self) -> dict[str, str]:
        path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
        return {**os.environ, "SM5VK_DEVICE": self.device, "PYTHONPATH": path, "CI": "1"}

    def call(self, *words: str, seconds: float) -> tuple[int | None, str]:
        """Run a module of Python's path: the exit code, None after `seconds`, and the output."""
        try:
            done = subprocess.run(
                [sys.executable, "-m", *words],
                env=self.environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            output = error.stdout or b""
            return None, output.decode(errors="replace") if isinstance(output, bytes) else output
        return done.returncode, done.stdout


@dataclass(frozen=True, slots=True)
class Report:
    """A part's result; `line` is its line of the summary, `faults` names all faults.

    `notes` are further lines.
    """

    line: str
    faults: list[str] = field(default_factory=list[str])
    data: Any = None
    notes: list[str] = field(default_factory=list[str])


def suite(plan: Plan) -> Report:
    """pytest's tests, without those that need no device."""
    folder = plan.folder / "suite"
    folder.mkdir()
    lacking = [path for path in left_out() if path.split("/")[0] not in _NOT_OF_DEVICES]
    paths = list(plan.tests) or [
        str(path.relative_to(ROOT))
        for path in sorted((ROOT / "tests").iterdir())
        if path.name not in _NOT_OF_DEVICES and any(path.glob("**/test_*.py"))
    ]
    options = [] if plan.tests else ["--slow"]
    options += ["-k", plan.expression] if plan.expression else []
    environment = plan.environment
    if validation_layer() is not None:
        environment.setdefault("SM5VK_VALIDATION", "1")
    cases = Suite(paths, options, plan.silence, folder, environment).run(plan.processes)
    outcomes = [_outcome(case, plan.device) for case in cases]
    (plan.folder / "suite.xml").write_bytes(to_junit(outcomes))
    counts = Counter(case.outcome for case in cases)
    wrong = [case for case in cases if case.outcome in BAD]
    line = ", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items()))
    line += f"; left out for want of a package: {', '.join(lacking)}" if lacking else ""
    faults = [f"{case.outcome}: {case.name}" for case in wrong]
    reasons = Counter(case.text for case in cases if case.outcome == "skipped")
    notes = [f"{count} skipped: {reason}" for reason, count in reasons.most_common()]
    data = {"counts": dict(counts), "bad": [_plain(case) for case in wrong]}
    return Report(line, faults, data, notes)


def _plain(case: Case) -> dict[str, object]:
    return {"name": case.name, "outcome": case.outcome, "text": case.text}


def _outcome(case: Case, device: str) -> Outcome:
    path, _, name = case.name.partition("::")
    failures: tuple[Failure, ...] = ()
    if case.outcome in BAD:
        code = {} if case.outcome == "failed" else {"code": DEVICE}
        details = tuple(case.text.splitlines())
        failures = (Failure(case.outcome, Where(), details=details, **code),)
    reason = case.text if case.outcome == "skipped" else ""
    return Outcome(path, name, device, failures=failures, reason=reason, seconds=case.seconds)


def selftest(plan: Plan) -> Report:
    """`sm5vk selftest`, which continues by itself if the driver ends the process."""
    junit = str(plan.folder / "selftest.xml")
    code, output = plan.call(
        *("vkrunner", "selftest", "--device", plan.device, "--json", "--junit", junit),
        seconds=10 * _MINUTE,
    )
    start = output.find("[")
    try:
        (report,) = json.loads(output[start:])
    except ValueError:
        return Report(f"no report, exit code {code}", [f"selftest: {output[-2000:]}"])
    summary = report["summary"]
    line = ", ".join(f"{summary[name]} {name}" for name in summary if name != "seconds")
    bad = [
        test
        for test in report["tests"]
        if test["verdict"] in ("wrong", "error") and test["fault"] is None
    ]
    faults = [f"{test['verdict']}: {test['file']} {test['name']}" for test in bad]
    return Report(line, faults, report)


def fuzz(plan: Plan) -> Report:
    """The differential fuzzer; if the driver ends its process, another takes the next seed."""
    folder = plan.folder / "fuzz"
    end = time.monotonic() + _MINUTE * plan.minutes
    log, ended = "", 0
    while (left := end - time.monotonic()) > 0:
        code, output = plan.call(
            *("checks.fuzz", "--device", plan.device, "--into", str(folder)),
            *("--minutes", str(left / _MINUTE)),
            *(() if plan.seed is None else ("--seed", str(plan.seed + ended))),
            seconds=left + plan.silence,
        )
        log += output
        running = folder / "running.asm"
        if code in (0, 1) and not running.exists():
            break
        if not running.exists():
            (plan.folder / "fuzz.log").write_text(log, encoding="utf-8")
            return Report(f"did not start, exit code {code}", [f"fuzz: {output[-2000:]}"])
        ended += 1
        running.rename(folder / f"ended-{ended}.asm")
    (plan.folder / "fuzz.log").write_text(log, encoding="utf-8")
    found = sorted(path.name for path in folder.glob("*.asm"))
    last = next((line for line in reversed(log.splitlines()) if "programs" in line), "none ran")
    return Report(last, [f"fuzz: {name}" for name in found], {"last": last, "found": found})


def benchmarks(plan: Plan) -> Report:
    """The tables that need a device, each in its own process."""
    tables: list[str] = []
    faults: list[str] = []
    data: dict[str, Any] = {}
    for part in plan.tables:
        path = plan.folder / f"benchmarks-{part}.json"
        words = (part, "--scale", str(plan.scale), "--json", str(path))
        code, output = plan.call("tools.benchmarks", *words, seconds=10 * _MINUTE)
        tables.append(output)
        if code == 0:
            data[part] = json.loads(path.read_text(encoding="utf-8"))["parts"][part]
        else:
            faults.append(f"benchmarks {part}: exit code {code}: {output[-2000:]}")
    (plan.folder / "benchmarks.txt").write_text("\n".join(tables), encoding="utf-8")
    return Report(f"{len(data)} of {len(plan.tables)} tables, in benchmarks.txt", faults, data)


PARTS: dict[str, Callable[[Plan], Report]] = {
    "selftest": selftest,
    "suite": suite,
    "fuzz": fuzz,
    "benchmarks": benchmarks,
}
