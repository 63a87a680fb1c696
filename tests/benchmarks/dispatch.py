"""How long a dispatch takes, waiting included: `python -m tests.benchmarks.dispatch`.

Contestants take turns in one process, so that they meet the same noise; figures are medians in
microseconds, and what counts are their ratios. lavapipe takes its time for timestamps, so that ours
stands there with and without. Nothing here passes or fails.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

from .peers import Call, contestants, recorded

TITLE = "dispatch, us"
DEVICE = "llvmpipe"
SMALL = 1024  # floats: 4 KiB
LARGE = 16 << 20  # 64 MiB
MANY = 100  # dispatches in one recording
_ROUNDS = 20

Figures = dict[str, float]


def measure(scale: float = 1.0, device: str = DEVICE) -> tuple[dict[str, Figures], list[str]]:
    """Rows of medians by contestant, and why others are missing; `scale` below 1 measures less."""
    missing: list[str] = []
    rows: dict[str, Figures] = {}
    with ExitStack() as stack:
        small = contestants(SMALL, device, stack, missing)
        rows["on the device"] = medians({c.name: c.dispatch for c in small}, round(60 * scale))
        rows["arrays of 4 KiB"] = medians({c.name: c.arrays for c in small}, round(40 * scale))
    for steps, name in ((1, "recorded, submitted again"), (MANY, f"{MANY} in one recording")):
        with recorded(SMALL, device, steps) as (own, raw):
            calls = {"sm5vk, not timed": own, "raw loop": raw}
            rows[name] = medians(calls, max(1, round(60 * scale / steps**0.7)))
    with ExitStack() as stack:
        large = contestants(max(64, round(LARGE * min(scale, 1))), device, stack, [])
        rows["arrays of 64 MiB"] = medians({c.name: c.arrays for c in large}, 1)
    return rows, missing


def medians(calls: Mapping[str, Call], count: int) -> Figures:
    """The median time of each call in us; in each round every one is called `count` times."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    for call in calls.values():
        call()
    for _ in range(_ROUNDS):
        for name, call in calls.items():
            for _ in range(max(1, count)):
                start = time.perf_counter_ns()
                call()
                times[name].append((time.perf_counter_ns() - start) / 1e3)
    return {name: statistics.median(found) for name, found in times.items()}


def table(title: str, rows: Mapping[str, Figures]) -> str:
    """Text in columns; a figure that a row lacks is a dash."""
    columns = list(dict.fromkeys(name for figures in rows.values() for name in figures))
    lines = [[title, *columns]]
    for name, figures in rows.items():
        lines.append([name, *(f"{figures[c]:.1f}" if c in figures else "-" for c in columns)])
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])])
        for line in lines
    )


def main() -> None:
    """Print a table, and write it as JSON if asked."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.dispatch", description=TITLE)
    parser.add_argument("--scale", type=float, default=1.0, help="1 for figures, less to try")
    parser.add_argument("--device", default=DEVICE, help="a part of its name")
    parser.add_argument("--json", type=Path, help="where to write the figures")
    given = parser.parse_args()
    rows, missing = measure(given.scale, given.device)
    print(table(TITLE, rows))
    for reason in missing:
        print(f"not measured: {reason}")
    if given.json:
        given.json.write_text(json.dumps({TITLE: rows, "missing": missing}, indent=2) + "\n")


if __name__ == "__main__":
    main()
