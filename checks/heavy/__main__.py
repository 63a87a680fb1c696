"""`python -m checks.heavy --minutes N --into DIR`: look for listings that cost too much.

A grammar makes the candidates; those that cost the most CPU time, memory or words for their size
are mutated further. A listing that costs more than one of 100 KB may cost is kept in DIR, with a
file that says what happened. `--replay FILE ...` measures listings.

`--variants` measures listings of many kinds instead, also in the driver's compiler. It prints a
line for each: CPU seconds of the translator, its megabytes, CPU seconds of the driver, a verdict.
`SM5VK_DEVICE` names the device. The exit code is 1 if one exceeds a limit, unless its size
explains that.

`--repetitions` doubles listings that repeat one kind of instruction each, or only those of the
named kinds, until the driver takes too long, the translator refuses one, or it has 100 KB. It
prints the largest that was compiled: words, CPU seconds of the driver, microseconds for a word.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from .measure import measure
from .search import Search
from .variants import REPETITIONS, VARIANTS
from .verdicts import grow, judge


def main() -> int:
    """0 for a clean search, 1 where something was found."""
    parser = argparse.ArgumentParser(prog="python -m checks.heavy", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--into", type=Path, default=Path("findings"))
    parser.add_argument("--replay", type=Path, nargs="+", metavar="FILE")
    parser.add_argument("--variants", action="store_true")
    parser.add_argument("--repetitions", nargs="*", metavar="KIND", choices=list(REPETITIONS))
    given = parser.parse_args()
    if given.variants:
        return _variants()
    if given.repetitions is not None:
        return _repetitions(given.repetitions or list(REPETITIONS))
    if given.replay:
        return _replay(given.replay)
    search, end = Search(given.seed, given.into), time.monotonic() + 60 * given.minutes
    while time.monotonic() < end:
        search.step()
    print(f"{search.runs} listings, {sum(search.kinds.values())} findings")
    return 1 if search.kinds else 0


def _replay(paths: list[Path]) -> int:
    found = 0
    for path in paths:
        cost = measure(path.read_text(encoding="utf-8"))
        found += bool(cost.finding)
        print(f"{path.name}: {cost}")
    return 1 if found else 0


def _variants() -> int:
    breaches = 0
    for name, variant in VARIANTS.items():
        outcome = judge(variant)
        breaches += outcome.is_breach
        print(f"{name:<32}{outcome}", flush=True)
    print(f"{len(VARIANTS)} listings, {breaches} beyond a limit")
    return 1 if breaches else 0


def _repetitions(kinds: list[str]) -> int:
    breaches = 0
    for kind in kinds:
        growth = grow(REPETITIONS[kind])
        breaches += bool(growth.compiled.problem)
        print(f"{kind:<26}{growth}", flush=True)
    print(f"{len(kinds)} kinds, {breaches} beyond a limit")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
