"""`python -m checks.fuzz --minutes N`: new random programs for so many minutes.

Each failure is reduced, printed, and kept in --into as a listing that can be moved to
tests/fuzz/regressions. The running program is in running.asm there, in case the driver ends the
process. `python -m checks.fuzz --replay FILE...` runs listings.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from random import SystemRandom
from typing import Any

import vkrunner

from .case import Case, parse
from .compare import check
from .kinds import NAMES
from .known import known
from .search import Failure, Search

BATCH = 40  # programs of a seed


def main() -> int:
    """0 without failures, else 1."""
    given = _arguments()
    with ExitStack() as stack:

        def opened(name: str) -> Any:
            return stack.enter_context(vkrunner.open_device(name))

        machine, device = opened("reference"), opened(given.device)
        if given.replay:
            return _replay(machine, device, given.replay)
        return _search(machine, device, lambda: opened(given.device), given)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m checks.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, help="the first seed; without it, a fresh one")
    parser.add_argument("--device", help="as in vkrunner.open_device")
    parser.add_argument(
        "--only", type=_kinds, default=(), help=f"some of {','.join(NAMES)}, with commas between"
    )
    parser.add_argument("--into", type=Path, default=Path(), help="where failures are written")
    parser.add_argument("--replay", type=Path, nargs="*", help="run these instead")
    return parser.parse_args()


def _kinds(text: str) -> list[str]:
    """Names of kinds. Raises ArgumentTypeError for an unknown one."""
    names = text.split(",")
    unknown = [name for name in names if name not in NAMES]
    if unknown:
        raise argparse.ArgumentTypeError(f"no kind {unknown[0]!r}; there are {', '.join(NAMES)}")
    return names


def _search(machine: Any, device: Any, reopen: Callable[[], Any], given: argparse.Namespace) -> int:
    given.into.mkdir(parents=True, exist_ok=True)
    running = given.into / "running.asm"

    def seen(case: Case) -> None:
        running.write_text(case.text, encoding="utf-8")

    search, failures = Search(machine, device, seen, reopen, given.only), 0
    first = SystemRandom().randrange(10**9) if given.seed is None else given.seed
    seed, start = first, time.monotonic()
    print(
        f"expected of {device.name}: {', '.join(one.fault for one in known(device)) or 'nothing'}"
    )
    print(f"{device.name}: from seed {first} on, at most {BATCH} programs each", flush=True)
    end = start + 60 * given.minutes
    while time.monotonic() < end:
        failure = search.run(seed, BATCH, end)
        if failure is not None:
            failures += 1
            _report(failure, given.into / f"fuzz-{seed}.asm")
        seed += 1
        minutes = (time.monotonic() - start) / 60
        print(f"{minutes:.1f} min: {search.count} programs, {failures} failures", flush=True)
    running.unlink(missing_ok=True)
    minutes = (time.monotonic() - start) / 60
    seeds = f"seeds {first} to {seed - 1}"
    print(f"done: {minutes:.1f} min, {seeds}, {search.count} programs, {failures} failures")
    return 1 if failures else 0


def _report(failure: Failure, path: Path) -> None:
    path.write_text(failure.case.text, encoding="utf-8")
    print(f"{path}: {failure.problem}\n{failure.case.text}", flush=True)


def _replay(machine: Any, device: Any, paths: list[Path]) -> int:
    failures = 0
    for path in paths:
        try:
            check(machine, device, parse(path.read_text(encoding="utf-8")))
        except Exception as error:
            failures += 1
            print(f"{path}: {type(error).__name__}: {error}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
