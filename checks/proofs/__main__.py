"""`python -m checks.proofs`: prove every list, or those with the text of `--only` in their name.

Prints refuted claims with a counter-example, and claims that z3 does not decide in time. The exit
code is 1 if a claim is refuted, or undecided without a reason in `reasons.py`. Claims with a reason
get less time.
"""

from __future__ import annotations

import argparse
import multiprocessing
import time
from collections.abc import Callable, Iterable

from . import exponents, float_intervals
from .arithmetic import lemmas
from .denormals import of_comparisons, of_operands, of_results
from .guards import of_kinds, of_strides
from .guards_of_views import of_arrays, of_texels, of_windows
from .guards_on_paths import of_paths
from .loops import of_loops
from .proving import HARD_MS, LIMIT_MS, Claim, Verdict, decide
from .random_modules import of_modules
from .ranges import (
    groups,
    inputs_beyond_their_bounds,
    of_conditions,
    of_differences,
    of_expressions,
    of_operations,
)
from .reasons import REASONS
from .rewrites import of_cases
from .zero_signs import of_positive, of_zeros

LISTS: dict[str, Callable[[], Iterable[Claim]]] = {
    "ranges/operations": of_operations,
    "ranges/differences": of_differences,
    "ranges/conditions": of_conditions,
    "ranges/expressions": lambda: of_expressions(200, depth=2, first_seed=1000),
    "ranges/loops": of_loops,
    "floats/ranges": float_intervals.of_operations,
    "floats/exponents": exponents.of_rules,
    "floats/exponents of sums": exponents.of_sums,
    "denormals/comparisons": of_comparisons,
    "denormals/operands": of_operands,
    "denormals/results": of_results,
    "denormals/zeros": of_zeros,
    "denormals/positive": of_positive,
    "denormals/lemmas": lemmas,
    "guards/kinds": of_kinds,
    "guards/strides": of_strides,
    "guards/texels": of_texels,
    "guards/windows": of_windows,
    "guards/arrays": of_arrays,
    "guards/paths": of_paths,
    "rewrites/cases": of_cases,
    "rewrites/random modules": lambda: of_modules(7, first_seed=1000, statements=12),
}
_claims: list[Claim] = []  # each process has the same


def _decide(task: tuple[int, int]) -> tuple[Verdict, float]:
    """The verdict of the claim of that number, and the CPU seconds."""
    number, limit_ms = task
    started = time.process_time()
    verdict = decide(_claims[number], limit_ms)
    return verdict, time.process_time() - started


def _prove(name: str, claims: list[Claim], jobs: int, limit_ms: int) -> int:
    """How many claims of a list are neither proved nor unknown for a known reason."""
    _claims[:] = claims
    started, failures, known = time.monotonic(), 0, 0
    tasks = [
        (number, min(limit_ms, HARD_MS) if claim.name in REASONS else limit_ms)
        for number, claim in enumerate(claims)
    ]
    with multiprocessing.get_context("fork").Pool(jobs) as pool:
        for verdict, seconds in pool.imap_unordered(_decide, tasks):
            if verdict.proved:
                known += 1
                continue
            reason = "" if verdict.counter else REASONS.get(verdict.name, "")
            failures += not reason
            said = f"refuted: {verdict.counter}" if verdict.counter else f"unknown: {reason}"
            print(f"  {verdict.name}: {said} ({seconds:.0f} s)", flush=True)
    took = time.monotonic() - started
    print(f"{name}: {known} of {len(claims)} proved in {took:.0f} s", flush=True)
    return failures


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m checks.proofs", description=__doc__)
    parser.add_argument("--only", default="", help="lists whose name has this text")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--limit", type=float, default=LIMIT_MS / 1000, help="seconds of a claim")
    given = parser.parse_args()
    failures = 0
    for name, make in LISTS.items():
        if given.only in name:
            failures += _prove(name, [*make()], given.jobs, int(given.limit * 1000))
    if given.only in "ranges/inputs":
        beyond = [text for group in groups() for text in inputs_beyond_their_bounds(group)]
        print("ranges/inputs: proved for every group" if not beyond else f"refuted: {beyond[:5]}")
        failures += len(beyond)
    return int(failures > 0)


if __name__ == "__main__":
    raise SystemExit(main())
