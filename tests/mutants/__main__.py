"""`python -m tests.mutants`: make each deliberate fault in a copy of the package and run its tests.

The suite has to fail for every one. A fault that survives, one whose text is no longer found, and
one whose tests fail without it, are told and make the exit code 1. `--only TEXT` takes the faults
whose file or description has that text, `--list` shows them.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

from .fault import Fault
from .faults import FAULTS

ROOT = Path(__file__).parents[2]
COPIED = ("translate", "vkrunner", "tests", "shaders", "docs", "ci", "pyproject.toml", "README.md")
TIMEOUT_S = 600
CAUGHT, HUNG, CRASHED = "caught", "caught (hung)", "caught (crashed)"
SURVIVED, BROKEN = "SURVIVED", "BROKEN"
_PASSED, _FAILED = 0, 1  # pytest's exit codes


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the tests said of one fault, and their last line."""

    fault: Fault
    verdict: str
    seconds: float
    told: str


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--only", default="")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    faults = [f for f in FAULTS if given.only in f"{f.file} {f.what}"]
    if given.list:
        print("\n".join(f"{fault.file}: {fault.what}" for fault in faults))
        return 0
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copies = [copy_package(Path(folder, str(number))) for number in range(given.jobs)]
        if not sound(copies[0], faults):
            return 1
        outcomes = run_all(copies, faults)
    return summary(outcomes)


def copy_package(to: Path) -> Path:
    """A copy of what the tests need, without compiled files, which could outlive a fault."""
    to.mkdir()
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, to / name, ignore=shutil.ignore_patterns("__pycache__"))
        elif source.exists():
            shutil.copy(source, to / name)
    return to


def pytest(copy: Path, arguments: Sequence[str]) -> tuple[int | None, str]:
    """Exit code and last line; no code where it took too long."""
    command = [sys.executable, "-m", "pytest", "--slow", "-x", "-q", "--no-header"]
    command += ["-p", "no:cacheprovider"]
    environment = os.environ | {"PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            [*command, *arguments],
            cwd=copy,
            env=environment,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
        )
    except subprocess.TimeoutExpired:
        return None, f"more than {TIMEOUT_S} s"
    lines = (done.stdout + done.stderr).strip().splitlines()
    told = next((line for line in lines if line.startswith(("FAILED", "ERROR"))), "")
    return done.returncode, told or (lines[-1] if lines else "")


def sound(copy: Path, faults: Sequence[Fault]) -> bool:
    """Whether the tests pass without a fault, and so say something with one.

    Tests that are selected by a name are run with all the others of their file.
    """
    words = {word for fault in faults for word in shlex.split(fault.tests)}
    paths = sorted(word for word in words if word.startswith("tests/"))
    code, told = pytest(copy, ["-n", "auto", *paths])
    if code != _PASSED:
        print(f"without a fault the tests end with {code}: {told}", flush=True)
    return code == _PASSED


def run_all(copies: Sequence[Path], faults: Sequence[Fault]) -> list[Outcome]:
    """One fault at a time in each copy."""
    free: SimpleQueue[Path] = SimpleQueue()
    for copy in copies:
        free.put(copy)

    def one(fault: Fault) -> Outcome:
        copy = free.get()
        try:
            outcome = run_one(copy, fault)
        finally:
            free.put(copy)
        print(f"{outcome.verdict:16} {outcome.seconds:5.1f} s  {fault.file}: {fault.what}")
        print(f"{'':26}{outcome.told[:110]}", flush=True)
        return outcome

    with ThreadPoolExecutor(len(copies)) as pool:
        return list(pool.map(one, faults))


def run_one(copy: Path, fault: Fault) -> Outcome:
    """Make the fault, run its tests, take it back."""
    path, started = copy / fault.file, time.monotonic()
    text = path.read_text(encoding="utf-8")
    if text.count(fault.before) != 1:
        return Outcome(fault, BROKEN, 0.0, f"its text occurs {text.count(fault.before)} times")
    path.write_text(text.replace(fault.before, fault.after), encoding="utf-8")
    try:
        code, told = pytest(copy, shlex.split(fault.tests))
    finally:
        path.write_text(text, encoding="utf-8")
    return Outcome(fault, _verdict(code), time.monotonic() - started, told)


def _verdict(code: int | None) -> str:
    """What an exit code says: a signal ended the tests where it is negative."""
    if code is not None and code < 0:
        return CRASHED
    return {_PASSED: SURVIVED, _FAILED: CAUGHT, None: HUNG}.get(code, BROKEN)


def summary(outcomes: Sequence[Outcome]) -> int:
    """Print what is wrong, and how many there are of each kind."""
    wrong = [o for o in outcomes if o.verdict in (SURVIVED, BROKEN)]
    for outcome in wrong:
        print(f"{outcome.verdict}: {outcome.fault.file}: {outcome.fault.what} ({outcome.told})")
    caught = len(outcomes) - len(wrong)
    print(f"{len(outcomes)} faults, {caught} caught, {len(wrong)} not")
    return 1 if wrong or not outcomes else 0


if __name__ == "__main__":
    sys.exit(main())
